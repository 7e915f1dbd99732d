# Repeats the proofs of an explanation without hence: the program as clang -O0 makes it, under gdb. It stops where the proof
# says, changes what the proof says, and goes on; the outcome must be what the proof says. Sourced by check.
#
# A place FILE:LINE:COLUMN is the first address of that position in the line table; `instance` is how often it is come to.

checked=0 unchecked=0

# Lines FILE LINE COLUMN ADDRESS, lowest address first, of a program beside its source.
list_addresses() { # PROGRAM
	"$(dirname "$(readlink -f "$CLANG")")/llvm-dwarfdump" --debug-line "$1" | awk '
		/^debug_line\[/ { delete names }
		/^file_names\[/ { number = $0; gsub(/^[^0-9]*|\].*/, "", number) }
		/^ *name: "/ { gsub(/^[^"]*"|"$/, ""); sub(/.*\//, ""); names[number + 0] = $0 }
		/^0x/ && !/end_sequence/ { print names[$4], $2, $3, $1 }' | sort -k 4 | without_jumps "$1"
}

# Clang 19 has the jump of an if where its condition begins. That is the place of the first load of the condition, which the jump comes
# after; so the jump is left out. (At ! and brackets there is no load, and at other places a jump is what hence means, too.)
without_jumps() { # PROGRAM
	objdump -d --no-show-raw-insn "$1" | awk '$2 ~ /^j/ && $2 != "jmp" { print $1 }' | tr -d : >jumps
	awk -v folder="$(dirname "$1")" '
		function begins_if(file, line, column,    text, n) {
			if (!(file in known))
				for (known[file]; (getline text <(folder "/" file)) > 0;)
					lines[file, ++n] = text
			text = lines[file, line]
			return substr(text, 1, column - 1) ~ /(^|[^A-Za-z_0-9])if *\($/ && substr(text, column, 1) !~ /[(!]/
		}
		BEGIN { while ((getline jump <"jumps") > 0) jumps[jump] }
		{ address = $4; sub(/^0x0*/, "", address) }
		!(address in jumps && begins_if($1, $2, $3))'
}

prepare_replay() {
	build gdb "$CLANG" -no-pie
	list_addresses gdb/prog >addresses
	nm gdb/prog | awk '$2 ~ /^[tT]$/ { print $3 }' >functions
	see_symptom
}

# The first address of that position. Where a load was folded into the instruction that uses it, the column has no code of its own; then
# it is the next column of the line that has, or else the line.
address_of() { # FILE LINE COLUMN
	awk -v file="${1##*/}" -v line="$2" -v column="$3" '
		$1 == file && $2 == line { any = any ? any : $4 }
		$1 == file && $2 == line && $3 >= column && (!best || $3 < best) { best = $3; address = $4 }
		END { print address ? address : any }' addresses
}

# --- what a run shows ---

# The first word of the failing run that is not the expected one: its line and its number in the line.
first_wrong_word() {
	awk '
		NR == FNR { right[FNR] = $0; next }
		right[FNR] != $0 {
			split(right[FNR], words)
			for (i = 1; i < NF && $i == words[i]; i++)
				;
			print FNR, i
			exit
		}' <(printf '%s\n' "$expected") "$1"
}

word_at() { # FILE
	awk -v line="$wrong_line" -v number="$wrong_word" 'FNR == line { print $number }' "$1"
}

# What decides of one run, from its output and how it ended ('exit 1', 'signal 11 at prog.c:40', 'hang').
shown_by() { # OUTPUT END
	if [[ $wrong == 'prints '* ]]; then
		[[ $2 == exit* ]] && word_at "$1" || echo "$2"
	else
		echo "$2"
	fi
}

# Both runs, unchanged, under gdb: what the failing one shows and what the other.
see_symptom() {
	local end
	wrong_line='' wrong_word=''
	gdb_run failing '' '' || give_up "gdb: $(head -n 5 gdb.err)"
	[[ $wrong != 'prints '* ]] || read -r wrong_line wrong_word < <(first_wrong_word gdb.out)
	end=$(<gdb.end)
	failing_shows=$(shown_by gdb.out "$end")
	gdb_run reference '' '' || give_up "gdb: $(head -n 5 gdb.err)"
	reference_shows=$(shown_by gdb.out "$(<gdb.end)")
	[[ $failing_shows && $failing_shows != "$reference_shows" ]] ||
		give_up "both runs show '$failing_shows'"
}

outcome_of() { # WHAT-IT-SHOWS
	case $1 in
	"$failing_shows") echo fail ;;
	"$reference_shows") echo pass ;;
	*) echo "unresolved ($1)" ;;
	esac
}

# --- gdb ---

# gdb_run RUN STOP CHANGES: runs it to the end, with gdb commands for the stop and the changes. The files gdb.out and gdb.end are
# about it; gdb.err says why it did not work (exit code 1).
gdb_run() {
	local words file
	if [[ $1 == failing ]]; then
		words=("${arguments[@]}") file=$input
	else
		words=("${pass_arguments[@]}") file=$pass_input
	fi
	rm -f gdb.end
	{
		printf 'set confirm off\nset width 0\nset print frame-arguments none\n'
		printf 'unset environment LINES\nunset environment COLUMNS\n'
		printf 'set args'
		[[ ${#words[@]} == 0 ]] || printf ' %q' "${words[@]}"
		printf ' <%q >%q 2>%q\n' "${file:-/dev/null}" "$work/gdb.out" "$work/gdb.stderr"
		printf '%s\nrun\n%s\n' "$2" "$3"
		printf 'if $_isvoid($_exitcode)\necho END signal\\n\noutput $_siginfo.si_signo\necho \\n\nbacktrace\nkill\n'
		printf 'else\necho END exit\\n\noutput $_exitcode\necho \\n\nend\n'
	} >gdb.script
	cd gdb || exit 1
	timeout $((time_limit + 2)) gdb -nx -batch -x ../gdb.script ./prog >../gdb.log 2>../gdb.err </dev/null
	[[ $? != 124 ]] || { echo hang >../gdb.end; cd "$work"; return; }
	cd "$work" || exit 1
	awk -v sources="$(cd "$CASE" && echo *.[ch])" '
		BEGIN { count = split(sources, names, " "); for (i = 1; i <= count; i++) ours[names[i]] }
		$1 == "END" { how = $2; getline; number = $1; next }
		how == "signal" && !place && $(NF - 1) == "at" {
			split($NF, at, ":")
			sub(/.*\//, "", at[1])
			if (at[1] in ours)
				place = " at " $NF
		}
		END { if (how) print how " " number place }' gdb.log >gdb.end
	[[ -s gdb.end ]]
}

# --- one proof ---

# Splits at ', ' outside of quotes and brackets, into the array `parts`.
split_list() {
	local text=$1 i c quote='' depth=0 part=''
	parts=()
	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		if [[ $quote ]]; then
			[[ $c != "\\" ]] || { part+=$c; i=$((i + 1)); c=${text:i:1}; part+=$c; continue; }
			[[ $c != "$quote" ]] || quote=
		elif [[ $c == [\"\'] ]]; then
			quote=$c
		elif [[ $c == [\(\[\{] ]]; then
			depth=$((depth + 1))
		elif [[ $c == [\)\]\}] ]]; then
			depth=$((depth - 1))
		elif [[ $c == , && $depth == 0 && ${text:i+1:1} == ' ' ]]; then
			parts+=("$part")
			part=
			i=$((i + 1))
			continue
		fi
		part+=$c
	done
	parts+=("$part")
}

# gdb commands that select the frame of a variable, and the variable as it is called there: main.argc is that of a caller, and
# down@3.n that of the third call on the stack, counted from main().
select_frame() { # VARIABLE
	local function=${1%%.*}
	frame='' variable=$1
	if [[ $function =~ ^([A-Za-z_0-9]+)@([0-9]+)$ ]]; then
		variable=${1#*.}
		frame=$'up 100000\n'"down $((BASH_REMATCH[2] - 1))"
		[[ ${BASH_REMATCH[2]} != 1 ]] || frame='up 100000'
	elif [[ $1 == *.* ]] && grep -qxF -- "$function" functions; then
		variable=${1#*.}
		frame="frame function $function"
	fi
}

# Can gdb be told this value? Heap blocks are called by a way to them that is right in the failing run only.
is_tellable() { # VALUE
	[[ $1 == [\"\']* || $1 =~ ^-?[0-9.]+(e[-+]?[0-9]+)?(\ \'.*\')?$ || $1 =~ ^[A-Z_0-9]+$ || $1 == true || $1 == false ]] && return
	[[ $1 == '&'* && $1 != '&{'* && $1 != *'->'* ]] || grep -qxF -- "$1" functions
}

# gdb commands that give a variable a value.
gdb_change() { # VARIABLE VALUE WAY
	local frame variable
	select_frame "$1"
	[[ ! $frame ]] || printf '%s\n' "$frame"
	case $2 in
	true | false) gdb_change_truth "$variable" "$2" ;;
	'"'*'"') gdb_change_text "$variable" "$2" "$3" ;;
	NULL) printf 'set var %s = 0\n' "$variable" ;;
	\'*) printf 'set var %s = %s\n' "$variable" "$2" ;;
	*) printf 'set var %s = %s\n' "$variable" "${2%% \'*}" ;;
	esac
	[[ ! $frame ]] || printf 'frame 0\n'
}

# A variable, or a condition, when it is the branch that goes the other way: gdb walks to the next conditional jump, looks where it goes,
# and goes on at the other place.
gdb_change_truth() { # VARIABLE-OR-CONDITION VALUE
	if [[ $1 =~ ^[A-Za-z_][]A-Za-z_0-9.[]*(->[]A-Za-z_0-9.[]+)*$ ]] && [[ $kind != branch ]]; then
		printf 'set var %s = %d\n' "$1" "$([[ $2 == true ]] && echo 1 || echo 0)"
		return
	fi
	printf 'set $size = 0\nwhile !$size\nset $code = *(unsigned char *)$pc\nset $next = *(unsigned char *)($pc + 1)\n'
	printf 'if $code >= 0x70 && $code <= 0x7f\nset $size = 2\nset $target = $pc + 2 + *(signed char *)($pc + 1)\nend\n'
	printf 'if $code == 0x0f && $next >= 0x80 && $next <= 0x8f\nset $size = 6\nset $target = $pc + 6 + *(int *)($pc + 2)\nend\n'
	printf 'if !$size\nnexti\nend\nend\n'
	printf 'set $after = $pc + $size\nstepi\nif $pc == $after\nset $pc = $target\nelse\nset $pc = $after\nend\n'
}

# A text, or a part of an array (name[3..5]). Where a pointer leads to a text, nobody says how much room there is: the WAY is `careful`
# (over the old text if it is not shorter, else into a new block) or `there` (over the old text).
gdb_change_text() { # VARIABLE VALUE WAY
	local first=0 name=$1
	printf 'set $new = %s\nset $size = sizeof($new)\n' "$2"
	if [[ $1 =~ ^(.*)\[([0-9]+)\.\.([0-9]+)\]$ ]]; then
		name=${BASH_REMATCH[1]} first=${BASH_REMATCH[2]}
		printf 'set $size = %d\nset $room = $size\n' $((BASH_REMATCH[3] - first + 1))
	else
		printf 'if (long)&(%s) == (long)(char *)(%s)\n' "$name" "$name"
		printf 'set $room = sizeof(%s) + 1\nif $size > $room\nquit\nend\n' "$name"
		printf 'set $size = $size < $room ? $size : $room - 1\n'
		printf 'else\nset $room = 0\nif %s != 0\nwhile (%s)[$room] != 0\nset $room = $room + 1\nend\n' "$name" "$name"
		printf 'set $room = %s\nend\nend\n' "$([[ $3 == there ]] && echo 1000 || echo '$room + 1')"
	fi
	printf 'if $size <= $room\nset $i = 0\nwhile $i < $size\n'
	printf 'set var (%s)[%d + $i] = $new[$i]\nset $i = $i + 1\nend\n' "$name" "$first"
	printf 'else\nset var %s = %s\nend\n' "$name" "$2"
}

cannot_check() { # WHAT WHY
	unchecked=$((unchecked + 1))
	echo "not checked: $1: $2"
}

# The text of a string in the JSON.
text_at() {
	./flatten "$1" <json
}

# The gdb commands for all changes of a proof, in `changes`.
list_changes() { # PATH WAY
	local i names
	changes=
	split_list "$(text_at "$1.changed")"
	names=("${parts[@]}")
	split_list "$(text_at "$1.to")"
	[[ ${#names[@]} == "${#parts[@]}" ]] || return
	for ((i = 0; i < ${#names[@]}; i++)); do
		is_tellable "${parts[i]}" || return
		changes+=$(gdb_change "${names[i]}" "${parts[i]}" "$2")$'\n'
	done
}

replay() { # PATH: of the proof in the JSON
	local what address stop way got='' changes kind
	kind=$(value "${1%.proof*}.kind")
	what="$(text_at "$1.changed") = $(text_at "$1.to") in the $(value "$1.in") run at"
	what+=" $(value "$1.file"):$(value "$1.line"):$(value "$1.column"), time $(value "$1.instance"), gives $(value "$1.outcome")"
	[[ $(value "$1.outcome") != unresolved ]] || return
	[[ $(value "$1.judged")$(value "$1.guarded") != *[a-z]* ]] || return # gdb knows no rails, and sees the end only
	# Two methods may have made the same experiment.
	! grep -qxF -- "$what" seen || return
	echo "$what" >>seen
	address=$(address_of "$(text_at "$1.file")" "$(value "$1.line")" "$(value "$1.column")")
	[[ $address ]] || { cannot_check "$what" "no code at this place"; return; }
	stop="break *$address"$'\n'"ignore 1 $(($(value "$1.instance") - 1))"
	for way in careful there; do
		list_changes "$1" $way || { cannot_check "$what" "no value for gdb"; return; }
		[[ $way == careful || $changes == *'$new'* ]] || break
		try_changes "$(value "$1.in")" "$stop" "$changes" "$what" || return
		[[ $got != "$(value "$1.outcome")" ]] || break
	done
	checked=$((checked + 1))
	[[ $got == "$(value "$1.outcome")" ]] || complain "$what: with gdb it is $got"
}

# What happens is in `got`. Exit code 1: that could not be found out, and was told.
try_changes() { # RUN STOP CHANGES WHAT
	if gdb_run "$1" "$2" "echo STOPPED\\n"$'\n'"$3"$'delete\ncontinue'; then
		got=$(outcome_of "$(shown_by gdb.out "$(<gdb.end)")")
	elif grep -q 'exited' gdb.log; then
		complain "$4: gdb does not come there"
		return 1
	else
		cannot_check "$4" "gdb: $(tail -n 1 gdb.err)"
		return 1
	fi
}

# The proofs of all steps: each takes a run of gdb, so where there are many a part of them, evenly spread; `make test-long` repeats all.
check_proofs() {
	local paths i start most=${most_proofs:-3} apart
	prepare_replay
	: >seen
	mapfile -t paths < <(grep -oE '^\.steps\[[0-9]+\]\.proof\[[0-9]+\]' flat | uniq)
	[[ ! ${HENCE_TEST_LONG-} ]] || most=1000
	apart=$(((${#paths[@]} + most - 1) / most))
	for ((start = 0; start < apart; start++)); do
		for ((i = start; i < ${#paths[@]} && checked < most; i += apart)); do
			replay "${paths[i]}"
		done
	done
	echo "$checked proofs checked with gdb, $unchecked not"
	((checked > 0)) || complain "no proof could be checked"
	((unchecked <= checked + 1)) || skips replay || complain "too few proofs could be checked"
}
