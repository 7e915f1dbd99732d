# For the tests of `hence run`. Tapes go to a directory of the test's own, which must be empty in the end. The runner makes it in memory
# if it can, as hence does: on a disk much of what it does takes twice as long.
set -u
export HENCE_TAPE_DIR=${HENCE_TEST_TAPES:-$PWD/tapes}
mkdir -p "$HENCE_TAPE_DIR"

fail() {
	echo "FAILED: $*"
	for file in out err account; do
		[[ ! -s $file ]] || { echo "--- $file"; head -c 4000 "$file"; }
	done
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

# build NAME [FLAGS...]: compiles the C program on standard input to ./NAME.
build() {
	local name=$1
	shift
	cat >"$name.c"
	"$HENCE_CC" "$name.c" -o "$name" "$@" || fail "cannot build $name.c"
}

# hence_exits CODE COMMAND ARGS...: runs `hence COMMAND ARGS...`, output to the files out and err, and checks the exit code.
hence_exits() {
	local code=$1 got
	shift
	"$HENCE" "$@" >out 2>err
	got=$?
	[[ $got == "$code" ]] || fail "exit code $got, not $code: hence $*"
	nothing_left
}

# run CODE ARGS...: the same for `hence run`.
run() {
	hence_exits "$1" run "${@:2}"
}

nothing_left() {
	[[ ! $(ls -A "$HENCE_TAPE_DIR") ]] || fail "left in the tape directory: $(ls "$HENCE_TAPE_DIR")"
}

# has FILE LINE: the file has exactly this line.
has() {
	grep -qxF -- "$2" "$1" || fail "$1 has no line: $2"
}

# like FILE REGEX: some whole line matches.
like() {
	grep -qxE -- "$2" "$1" || fail "$1 has no line like: $2"
}

# only FILE LINE: the file is this one line.
only() {
	[[ $(<"$1") == "$2" ]] || fail "$1 is not just: $2"
}

# await SECONDS CONDITION...: until the command succeeds.
await() {
	local tries=$(($1 * 20))
	shift
	until "$@"; do
		((tries-- > 0)) || fail "waited in vain for: $*"
		sleep 0.05
	done
}

# gone PID: no such process, or a zombie.
gone() {
	[[ ! -e /proc/$1 ]] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

state_is() { # PID LETTER
	grep -q "^State:.$2" "/proc/$1/status" 2>/dev/null
}

# session COMMAND...: runs it in the background as leader of a process group of its own; $leader is its id.
session() {
	setsid env --default-signal=INT,QUIT "$@" >out 2>err &
	leader=$!
}
