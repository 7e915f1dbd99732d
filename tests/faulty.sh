# For tests of programs with one fault (chop/, explain/, chain/, compare/): builds them, reads their `command`, says how a run ended. To be sourced by a
# bash script that tests/runner started; the form of a case is in chop/README.md.
set -u

work=$PWD
failures=0

complain() {
	echo "${CASE##*/}: $*"
	failures=$((failures + 1))
}

give_up() {
	complain "$@"
	exit 1
}

# Is WORD in the `skip` file?
skips() {
	[[ -f $CASE/skip ]] && sed 's/#.*//' "$CASE/skip" | grep -qw -- "$1"
}

# --- the programs ---

repair() {
	local file script
	for file in *.[ch]; do
		script=$(sed -n "s/^$file //p" fix)
		[[ ! $script ]] || sed -i -e "$script" "$file"
	done
}

# build KIND COMPILER...: makes $work/KIND/prog, with all files of the case beside it; repaired if it is called fixed or fixed-...
build() {
	local kind=$1
	shift
	mkdir "$work/$kind" && cd "$work/$kind" && cp "$CASE"/* . || exit 1
	[[ $kind != fixed* ]] || repair
	"$@" -O0 -g -w ./*.c -o prog -lm || give_up "cannot build with $*"
	cd "$work" || exit 1
}

# --- the command: options of hence, and what the program gets ---

options=() arguments=() input='' expected='' time_limit=20

# Reads the case's `command`; each option is told to look_at_option NAME VALUE of the caller.
read_command() {
	local words i
	eval "words=($(<"$CASE/command"))"
	for ((i = 0; i < ${#words[@]}; i++)); do
		[[ ${words[i]} != -- ]] || break
		options+=("${words[i]}")
		case ${words[i]} in
		--stdin) input=${words[i + 1]} ;;
		--expect) expected=$(<"$CASE/${words[i + 1]}") ;;
		--timeout) time_limit=${words[i + 1]} ;;
		--expect-text) expected=${words[i + 1]%$'\n'} ;;
		esac
		look_at_option "${words[i]}" "${words[i + 1]}"
	done
	[[ ${words[i + 1]} == ./prog ]] || give_up "command: no './prog' behind '--'"
	arguments=("${words[@]:i+2}")
}

# --- how a run ends ---

first_wrong_line() {
	awk 'NR == FNR { right[FNR] = $0; next } right[FNR] != $0 { print; exit }' \
		<(printf '%s\n' "$expected") "$work/out"
}

# run KIND: runs that program on $input and "${arguments[@]}"; the files out, err and status are about it. A hang ends by SIGXCPU.
run() {
	(
		cd "$work/$1" && ulimit -t "$time_limit" || exit 1
		exec "$B/tests/status" "$work/status" ./prog "${arguments[@]}" <"${input:-/dev/null}" >"$work/out" 2>"$work/err"
	) || give_up "status did not work"
}

# What is wrong with the last run; nothing if all is well.
failure() {
	local status
	status=$(<"$work/status")
	if [[ $status != 'exit 0' ]]; then
		echo "$status $(grep -o 'Assertion.*' "$work/err")"
	elif [[ $expected && $(<"$work/out") != "$expected" ]]; then
		echo "prints $(first_wrong_line)"
	fi
}

# The program fails in the same way with clang and with hence cc (sets `wrong`), and the repaired one does not.
check_programs() {
	build clang "$CLANG"
	build hence "$HENCE_CC"
	build fixed "$CLANG"
	run clang
	wrong=$(failure)
	[[ $wrong ]] || give_up "does not fail with clang"
	run hence
	[[ $(failure) == "$wrong" ]] || complain "with clang: $wrong; with hence cc: $(failure)"
	run fixed
	[[ $(failure) != "$wrong" ]] || complain "the repaired program fails, too"
	[[ $(<status) != signal* ]] || complain "the repaired program dies: $(<status)"
}

# --- the answer of hence; only here is its JSON read ---

# ask SUBCOMMAND [CODE...]: its answer to $options and $arguments, in the files json and flat; `code` is one of these (0).
ask() {
	local codes=${*:2} own=()
	# Chains with the runs that are given; what edits of the code find is in tests/fix.
	[[ $1 != explain ]] || own=(--no-edits)
	[[ -x flatten ]] || "$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || give_up "cannot build flatten"
	cd "$work/hence" || exit 1
	"$HENCE" "$1" "${own[@]}" --json "${options[@]}" -- ./prog "${arguments[@]}" >"$work/json" 2>"$work/err" </dev/null
	code=$?
	cd "$work" || exit 1
	[[ " ${codes:-0} " == *" $code "* ]] || { head -n 20 err; give_up "hence $1: exit code $code"; }
	./flatten <json >flat || give_up "this is no JSON: $(head -c 300 json)"
}

# value PATH: as it is in the text.
value() {
	awk -F '\t' -v path="$1" '$1 == path { print $2 }' flat
}

# bytes PATH FILE: what a part of an input has.
bytes() {
	if ./flatten "$1.text" <json >"$2"; then
		return
	fi
	./flatten "$1.base64" <json | base64 -d >"$2"
}
