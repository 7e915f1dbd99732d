#!/bin/bash
# Options that cannot be kept are dropped with one note each.
source "$SRC/tests/cc/lib.sh"
hello
echo 'int more;' >more.c

# notes LIST ARGS...: the call succeeds, and the notes are for these options.
notes()
{
	local want=$1 o
	shift
	cc "$@"
	[ $code = 0 ] || fail "exit code $code: $*"
	for o in $want; do
		echo "hence cc: note: dropped $o (not supported)"
	done | sort >want
	sort err | cmp -s - want || fail "notes for: $* (want: $want)"
}
notes "-flto=auto" -flto=auto hello.c more.c -o prog
says hello ./prog
notes "-flto -fuse-linker-plugin" -O2 -flto -fuse-linker-plugin -fno-lto -c hello.c
notes "-fsanitize=address" -fsanitize=address hello.c -o prog
says hello ./prog
notes "-fsanitize=undefined -fprofile-arcs -ftest-coverage -coverage -pg" \
	-fsanitize=undefined -fno-sanitize=vptr -fprofile-arcs -ftest-coverage --coverage -pg hello.c -o prog
says hello ./prog
[ -z "$(ls ./*.gcno 2>/dev/null)" ] || fail "coverage files"
notes "-gsplit-dwarf" -gsplit-dwarf -c hello.c
[ ! -e hello.dwo ] || fail "a .dwo file"
notes "-fplugin=x.so" -fplugin=x.so -c hello.c

# Gcc's own options, which clang does not know.
notes "-fno-ipa-fancy -mno-such-thing" -fno-ipa-fancy -mno-such-thing hello.c more.c -o prog
says hello ./prog
notes "-aux-info -wrapper" -aux-info protos -wrapper gdb,--args -c hello.c
notes "-mcmodel=huge" -mcmodel=huge -c hello.c
notes "-mabi=strange" -mabi=strange -c hello.c
notes "-mstackrealignx" -mstackrealignx -fdiagnostics-color=always -c hello.c
notes "-fno-ipa-fancy" -fno-ipa-fancy -fno-ipa-fancy -E hello.c
notes "-fno-ipa-fancy" -fno-ipa-fancy hello.o -o linked
says hello ./linked

# Nothing else is dropped: clang's word stands.
bad 1 "invalid value 'c1789'" -std=c1789 -c hello.c
! grep -q dropped err || fail "-std was dropped"
# A source that only quotes such a message does not make options vanish.
echo "#error unknown argument: '-Wall'" >quote.c
bad 1 "unknown argument: '-Wall'" -Wall -c quote.c
! grep -q dropped err || fail "dropped because of a source file"
# Its place is as long as the name of clang-NN, which begins the messages that count.
mv quote.c qu.c
bad 1 "unknown argument: '-Wall'" -Wall -c qu.c
! grep -q dropped err || fail "dropped because of a source file"
clean
