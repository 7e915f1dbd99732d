# Shared by the tests of hence cc: sourced by each test.sh. The runner exports HENCE, HENCE_CC, CLANG,
# SRC and CASE, and starts each test in an empty directory of its own.
set -u

# Temporary files of hence cc land here, so that a test can see what is left behind.
export TMPDIR="$PWD/tmpdir"
mkdir -p "$TMPDIR"
unset CC HENCE_CLANG NO_COLOR

fail()
{
	echo "FAILED: $*" >&2
	[ ! -s err ] || { echo "--- stderr" >&2; cat err >&2; }
	[ ! -s out ] || { echo "--- stdout" >&2; head -50 out >&2; }
	exit 1
}

# cc ARGS...: runs hence cc; its output goes to out and err, its exit code to $code.
cc()
{
	"$HENCE_CC" "$@" >out 2>err
	code=$?
}

# good ARGS...: hence cc must succeed without a word.
good()
{
	cc "$@"
	[ $code = 0 ] || fail "exit code $code: hence cc $*"
	[ ! -s err ] || fail "messages from: hence cc $*"
}

# bad CODE TEXT ARGS...: hence cc must fail with this code and this text on stderr.
bad()
{
	local want=$1 text=$2
	shift 2
	cc "$@"
	[ $code = "$want" ] || fail "exit code $code, not $want: hence cc $*"
	grep -qF -- "$text" err || fail "no '$text' from: hence cc $*"
}

# says TEXT PROGRAM ARGS...: the program must print just this and exit with 0.
says()
{
	local want=$1 got
	shift
	got=$("$@") || fail "exit code $? from $*"
	[ "$got" = "$want" ] || fail "'$*' printed '$got', not '$want'"
}

# Nothing of ours may be left in the temporary directory.
clean()
{
	[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls -AR "$TMPDIR")"
}

hello()
{
	cat >"${1:-hello.c}" <<-'END'
		#include <stdio.h>
		int main(void) { puts("hello"); return 0; }
	END
}
