# The programs of tests/chain and tests/compare, for the benchmarks about them. To be sourced with `name` set to that of the benchmark.
set -u

here=$(dirname "$(readlink -f "$0")")
SRC=$(dirname "$here")
B=$(readlink -f "${B:-$SRC/build}")
HENCE=${HENCE:-$B/hence}
HENCE_CC=$(dirname "$HENCE")/hence-cc
bench=$B/bench-$name

die() {
	echo "hence: bench/$name: $*" >&2
	exit 1
}

[[ $("$HENCE" --version) =~ LLVM\ ([0-9]+) ]] || die "which LLVM is it?"
CLANG=${HENCE_CLANG:-clang-${BASH_REMATCH[1]}}
rm -rf "$bench"
mkdir -p "$bench" || exit 1

look_at_option() {
	:
}

# Runs FUNCTION for each of the programs, in a folder of its own in which it is built, faulty and corrected.
for_cases() { # FUNCTION
	local CASE
	for CASE in "$SRC"/tests/chain/*/ "$SRC"/tests/compare/*/; do
		CASE=${CASE%/}
		[[ -f $CASE/command ]] || continue
		mkdir "$bench/${CASE##*/}" && cd "$bench/${CASE##*/}" || exit 1
		(
			. "$SRC/tests/faulty.sh"
			. "$SRC/tests/chain/references.sh"
			read_command
			given=("${options[@]}")
			build hence "$HENCE_CC"
			build fixed-hence "$HENCE_CC"
			"$1" "${CASE##*/}"
		) || die "${CASE##*/}: $1 failed"
	done
}

# answer METHOD REFERENCE [OPTIONS...]: its report is in the files json and flat, and its wall clock in `took`. Exit code 1:
# nothing is explained.
answer() {
	local begin=${EPOCHREALTIME/./}
	options_for "$2"
	options+=("${@:3}")
	rm -f json flat
	(ask "$1") >said 2>&1 || return
	took=$(awk "BEGIN { printf \"%.2f\", (${EPOCHREALTIME/./} - $begin) / 1e6 }")
	[[ $(value .verdict) == explained ]]
}
