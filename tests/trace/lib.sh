# For the tests of `hence trace`.
source "$SRC/tests/run/lib.sh"

# trace CODE ARGS...: runs `hence trace ARGS...` and checks the exit code, as run() does.
trace() {
	hence_exits "$1" trace "${@:2}"
}

# Addresses differ from machine to machine.
plain() {
	sed -E 's/0x[0-9a-f]{6,}/ADDR/g' "$@"
}

# same FILE EXPECTED WHAT: the file is as expected, but for addresses.
same() {
	plain "$1" | diff -u "$2" - || fail "$3: not as expected"
}

# words FILE KEY: what stands behind `KEY: ` in a comment of a C program.
words() {
	sed -nE "s|^ *\* $2: ||p" "$1"
}
