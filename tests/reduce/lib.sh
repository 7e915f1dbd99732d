# For the tests of `hence reduce`. What it says is minimal is checked here by brute force: every single unit is taken away and
# the *plain* program (clang -O0, no hence) is run by this script itself.
. "$SRC/tests/run/lib.sh"
# Not in the working directory, of which trials may get a copy.
if [[ $HENCE_TAPE_DIR == "$PWD"/* ]]; then
	rmdir "$HENCE_TAPE_DIR"
	HENCE_TAPE_DIR=$TMPDIR/tapes
	mkdir "$HENCE_TAPE_DIR"
fi
ulimit -c 0

# both NAME [FLAGS...]: the C program on standard input, built without hence as ./NAME and with hence cc as ./NAME.h.
both() {
	local name=$1
	shift
	cat >"$name.c"
	"$CLANG" -g -O0 -w "$name.c" -o "$name" "$@" || fail "cannot build $name.c"
	"$HENCE_CC" -g -w "$name.c" -o "$name.h" "$@" || fail "cannot build $name.c with hence cc"
}

# reduce CODE ARGS...: `hence reduce ARGS...`; nothing may be left behind.
reduce() {
	hence_exits "$1" reduce "${@:2}" </dev/null
	nobody_left
}

# No process has our tape directory in its environment but those that this script has just started.
nobody_left() {
	local path
	for path in $(grep -lzsF "HENCE_TAPE_DIR=$HENCE_TAPE_DIR" /proc/[0-9]*/environ); do
		[[ ! -e $path ]] || fail "a process is left: $(tr "\0" " " <"${path%environ}cmdline")"
	done
}

# status FILE COMMAND...: its exit code with that standard input, as a shell has it (139 for a crash).
status() {
	local file=$1
	shift
	{ "$@" <"$file" >/dev/null 2>&1; } 2>/dev/null
	echo $?
} 2>/dev/null

# without FILE N: the file but for its byte N.
without() {
	head -c "$2" "$1"
	tail -c +$(($2 + 2)) "$1"
}

# minimal_stdin CODE FILE COMMAND...: the command has exit code CODE with the file, and not without any one byte of it.
minimal_stdin() {
	local code=$1 file=$2 size i
	shift 2
	[[ $(status "$file" "$@") == "$code" ]] || fail "$file: exit code $(status "$file" "$@"), not $code: $*"
	size=$(stat -c %s "$file")
	for ((i = 0; i < size; i++)); do
		without "$file" "$i" >shorter
		[[ $(status shorter "$@") != "$code" ]] || fail "$file is not minimal: byte $i is not needed for $*"
	done
}

# minimal_file CODE FILE NAME COMMAND...: the same for a file that the command finds as NAME.
minimal_file() {
	local code=$1 file=$2 name=$3 size i
	shift 3
	cp "$file" "$name"
	[[ $(status /dev/null "$@") == "$code" ]] || fail "$file: exit code $(status /dev/null "$@"), not $code: $*"
	size=$(stat -c %s "$file")
	for ((i = 0; i < size; i++)); do
		without "$file" "$i" >"$name"
		[[ $(status /dev/null "$@") != "$code" ]] || fail "$file is not minimal: byte $i is not needed for $*"
	done
	cp "$file" "$name"
}

# minimal_args CODE FILE COMMAND: the arguments in the file (a zero byte behind each) are needed, and each of their bytes.
minimal_args() {
	local code=$1 file=$2 i j words less
	shift 2
	mapfile -d '' words <"$file"
	[[ $(status /dev/null "$@" "${words[@]}") == "$code" ]] || fail "not exit code $code: $* ${words[*]}"
	for i in "${!words[@]}"; do
		less=("${words[@]}")
		unset "less[$i]"
		[[ $(status /dev/null "$@" "${less[@]}") != "$code" ]] || fail "argument $((i + 1)) is not needed: ${words[*]}"
		for ((j = 0; j < ${#words[i]}; j++)); do
			less=("${words[@]}")
			less[i]=${words[i]:0:j}${words[i]:j+1}
			[[ $(status /dev/null "$@" "${less[@]}") != "$code" ]] ||
				fail "byte $j of argument $((i + 1)) is not needed: ${words[*]}"
		done
	done
}

# holds FILE TEXT: the file is exactly this (no newline is added).
holds() {
	printf %s "$2" | cmp -s - "$1" || fail "$1 is not '$2' but '$(<"$1")'"
}

# looks FILE PATTERN: all of the file matches, but for zero bytes.
looks() {
	local text
	text=$(tr -d "\0" <"$1" && echo .)
	# shellcheck disable=SC2053 # the pattern is one
	[[ ${text%.} == $2 ]] || fail "$1 is not like '$2' but '${text%.}'"
}
