# Repeats the proofs of an explanation without hence: the program as clang -O0 makes it, under gdb. It stops where the proof
# says, changes what the proof says, and goes on; the outcome must be what the proof says. Sourced by check.
#
# A place FILE:LINE:COLUMN is the first address of that position in the line table; `instance` is how often it is come to.

checked=0 unchecked=0

# Lines FILE LINE COLUMN ADDRESS, lowest address first.
list_addresses() { # PROGRAM
	"$(dirname "$(readlink -f "$CLANG")")/llvm-dwarfdump" --debug-line "$1" | awk '
		/^debug_line\[/ { delete names }
		/^file_names\[/ { number = $0; gsub(/^[^0-9]*|\].*/, "", number) }
		/^ *name: "/ { gsub(/^[^"]*"|"$/, ""); sub(/.*\//, ""); names[number + 0] = $0 }
		/^0x/ && !/end_sequence/ { print names[$4], $2, $3, $1 }' | sort -k 4
}

prepare_replay() {
	build gdb "$CLANG" -no-pie
	list_addresses gdb/prog >addresses
	nm gdb/prog | awk '$2 ~ /^[tT]$/ { print $3 }' >functions
	see_symptom
}

# The first address of that position. Where a load was folded into the instruction that uses it, the column has no code of its own; then
# it is the next column of the line.
address_of() { # FILE LINE COLUMN
	awk -v file="${1##*/}" -v line="$2" -v column="$3" '
		$1 == file && $2 == line && $3 >= column && (!best || $3 < best) { best = $3; address = $4 }
		END { print address }' addresses
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

# A variable as gdb reads it: main.argc, of a caller, is main::argc there.
gdb_variable() {
	if [[ $1 == *.* ]] && grep -qxF -- "${1%%.*}" functions; then
		echo "${1%%.*}::${1#*.}"
	else
		echo "$1"
	fi
}

# gdb commands that give a variable a value. A text is written over the old one where it fits, else into a new block.
gdb_change() { # VARIABLE VALUE
	local variable i
	variable=$(gdb_variable "$1")
	case $2 in
	'"'*'"')
		printf 'set $new = %s\nset $size = sizeof($new)\n' "$2"
		printf 'if (long)&(%s) == (long)(char *)(%s)\n' "$variable" "$variable"
		printf 'set $room = sizeof(%s) + 1\nif $size > $room\nquit\nend\n' "$variable"
		printf 'set $size = $size < $room ? $size : $room - 1\n'
		printf 'else\nset $room = 0\nif %s != 0\nwhile (%s)[$room] != 0\nset $room = $room + 1\nend\n' \
			"$variable" "$variable"
		printf 'set $room = $room + 1\nend\nend\n'
		printf 'if $size <= $room\nset $i = 0\nwhile $i < $size\n'
		printf 'set var (%s)[$i] = $new[$i]\nset $i = $i + 1\nend\n' "$variable"
		printf 'else\nset var %s = %s\nend\n' "$variable" "$2"
		;;
	NULL) printf 'set var %s = 0\n' "$variable" ;;
	true) printf 'set var %s = 1\n' "$variable" ;;
	false) printf 'set var %s = 0\n' "$variable" ;;
	*) printf 'set var %s = %s\n' "$variable" "$2" ;;
	esac
}

cannot_check() { # WHAT WHY
	unchecked=$((unchecked + 1))
	echo "not checked: $1: $2"
}

# The text of a string in the JSON.
text_at() {
	./flatten "$1" <json
}

replay() { # PATH: of the proof in the JSON
	local what run outcome address i names values stop changes=''
	run=$(value "$1.in")
	outcome=$(value "$1.outcome")
	what="$(text_at "$1.changed") = $(text_at "$1.to") in the $run run at $(value "$1.file"):$(value "$1.line"):$(value "$1.column")"
	what+=" (time $(value "$1.instance")) gives $outcome"
	[[ $outcome != unresolved ]] || return
	address=$(address_of "$(text_at "$1.file")" "$(value "$1.line")" "$(value "$1.column")")
	[[ $address ]] || { cannot_check "$what" "no code at this place"; return; }
	split_list "$(text_at "$1.changed")"
	names=("${parts[@]}")
	split_list "$(text_at "$1.to")"
	values=("${parts[@]}")
	for ((i = 0; i < ${#names[@]}; i++)); do
		changes+=$(gdb_change "${names[i]}" "${values[i]-}")$'\n'
	done
	stop="break *$address"$'\n'"ignore 1 $(($(value "$1.instance") - 1))"
	compare_outcome "$what" "$run" "$outcome" "$stop" "$changes"
}

# Is the place reached at all, and what happens then?
compare_outcome() { # WHAT RUN OUTCOME STOP CHANGES
	local got
	if ! gdb_run "$2" "$4" "echo STOPPED\\n"$'\n'"$5"$'delete\ncontinue'; then
		if grep -q 'exited' gdb.log; then
			complain "$1: gdb does not come there"
		else
			cannot_check "$1" "gdb: $(tail -n 1 gdb.err)"
		fi
		return
	fi
	got=$(outcome_of "$(shown_by gdb.out "$(<gdb.end)")")
	checked=$((checked + 1))
	[[ $got == "$3" ]] || complain "$1: with gdb it is $got"
}

# Every proof of every step.
check_proofs() {
	local path
	prepare_replay
	while read -r path; do
		replay "$path"
	done < <(grep -oE '^\.steps\[[0-9]+\]\.proof\[[0-9]+\]' flat | uniq)
	echo "$checked proofs checked with gdb, $unchecked not"
	((checked > 0)) || complain "no proof could be checked"
	((unchecked <= checked + 1)) || complain "too few proofs could be checked"
}
