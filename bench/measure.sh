# What benchmarks of `hence explain` share: building, measuring a command, and reading its report. To be sourced with `name` set to that of the
# benchmark, and `here` to this folder.
set -u

SRC=$(dirname "$here")
B=$(readlink -f "${B:-$SRC/build}")
HENCE=${HENCE:-$B/hence}
work=$B/bench-$name
times=${times:-5}
failed=0

die() {
	echo "hence: bench/$name: $*" >&2
	exit 1
}

[[ $("$HENCE" --version) =~ LLVM\ ([0-9]+) ]] || die "which LLVM is it?"
CLANG=${HENCE_CLANG:-clang-${BASH_REMATCH[1]}}
rm -rf "$work"
mkdir -p "$work" || exit 1
"$CLANG" -O1 "$here/cputime.c" -o "$work/cputime" || die "cannot build cputime"
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o "$work/flatten" || die "cannot build flatten"

# least COMMAND...: of the fastest of some runs, `took` is the wall clock in milliseconds, `cpu` the CPU seconds and `peak` the MB of the largest
# process; what the last run printed is in run.out. After 10 seconds there is no further run: what takes long is hardly disturbed. The command
# must not be a function; it reads the file `from`, if there is one.
least() {
	local i now seconds wall memory begin=$SECONDS
	took='' cpu='' peak=''
	for ((i = 0; i < times; i++)); do
		"$work/cputime" run.cpu "$@" >run.out 2>run.err <"${from-/dev/null}"
		read -r seconds wall _ memory <run.cpu || die "cannot measure $1"
		now=$(awk "BEGIN { printf \"%.1f\", $wall * 1000 }")
		if [[ ! $took ]] || awk "BEGIN { exit !($now < $took) }"; then
			took=$now cpu=$(awk "BEGIN { printf \"%.2f\", $seconds }") peak=$(awk "BEGIN { printf \"%.0f\", $memory / 1024 }")
		fi
		((SECONDS - begin < 10)) || break
	done
}

# value MEMBER: of the report in run.out, such as .stats.decodes; '-' if there is none.
value() {
	"$work/flatten" <run.out 2>/dev/null | awk -F '\t' -v member="$1" '$1 == member { print $2; found = 1; exit } END { if (!found) print "-" }'
}

# rank FAULT-FILE: the place of the first faulty line among the suspects of the report in run.out; '-': it is not there.
rank() {
	"$work/flatten" <run.out 2>/dev/null | awk -F '\t' -v faults="$(<"$1")" '
		BEGIN { count = split(faults, all, /[ \n]+/); for (i = 1; i <= count; i++) is[all[i]] = 1 }
		$1 ~ /^\.suspects\[[0-9]+\]\.file$/ { file = $2; sub(/.*\//, "", file) }
		$1 ~ /^\.suspects\[[0-9]+\]\.line$/ { n++; if (!found && (file ":" $2) in is) found = n }
		END { print found ? found : "-" }'
}

# Builds the sources of this folder plainly and with hence cc, and reads `command`: options of hence are in `options`, arguments of the
# program in `arguments`, its standard input in `input`, a time limit in `limit`.
prepare() { # NAME
	local words i
	eval "words=($(<command))"
	options=() arguments=() input=/dev/null limit=60
	for ((i = 0; i < ${#words[@]}; i++)); do
		[[ ${words[i]} != -- ]] || break
		[[ ${words[i]} != --stdin ]] || input=${words[i + 1]}
		[[ ${words[i]} != --timeout ]] || limit=${words[i + 1]}
		options+=("${words[i]}")
	done
	arguments=("${words[@]:i+2}")
	"$CLANG" -O0 -g -w ./*.c -o plain || die "$1: cannot build"
	"$HENCE" cc -O0 -g -w ./*.c -o prog || die "$1: cannot build with hence cc"
}

# Measures the plain program; its milliseconds are in `plain`.
least_plain() {
	from=$input least timeout "$limit" ./plain "${arguments[@]}"
	plain=$took
}

# without OPTION: takes it and its word out of `options`.
without() {
	local given=("${options[@]}") i
	options=()
	for ((i = 0; i < ${#given[@]}; i++)); do
		if [[ ${given[i]} == "$1" ]]; then
			i=$((i + 1))
		else
			options+=("${given[i]}")
		fi
	done
}

# The larger of two numbers; either may be missing.
larger() { # A B
	awk "BEGIN { print (${1:-0} > ${2:-0}) ? ${1:-0} : ${2:-0} }"
}

# verdict WHAT MEASURED TARGET: in milliseconds
verdict() {
	local word=met
	[[ $2 ]] || die "$1: nothing was measured"
	awk "BEGIN { exit !($2 > $3) }" && word=missed failed=$((failed + 1))
	echo "| $1 | $(awk "BEGIN { printf \"%.3f\", $2 / 1000 }") s | <= $(awk "BEGIN { print $3 / 1000 }") s | $word |"
}
