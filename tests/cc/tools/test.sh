#!/bin/bash
# Finding clang, and what happens when it is missing, dies or is interrupted.
source "$SRC/tests/cc/lib.sh"
hello
real=$(command -v "$CLANG")
script() { printf '#!/bin/bash\n%s\n' "$2" >"$1"; chmod +x "$1"; }

HENCE_CLANG=$PWD/absent bad 1 "HENCE_CLANG names no program that can be run: $PWD/absent" -c hello.c
HENCE_CLANG=no-such-clang bad 1 "HENCE_CLANG names no program that can be run" -c hello.c
[ "$(wc -l <err)" = 1 ] || fail "more than one line"
HENCE_CLANG=$real good -c hello.c
HENCE_CLANG=$CLANG good -c hello.c

# One clang for each C input, one to link.
script counts "echo run >>'$PWD/runs'; exec '$real' \"\$@\""
HENCE_CLANG=$PWD/counts good -c hello.c
[ "$(wc -l <runs)" = 1 ] || fail "$(wc -l <runs) clangs for one input"
echo 'int x;' >x.c
HENCE_CLANG=$PWD/counts good hello.c x.c -o prog
[ "$(wc -l <runs)" = 4 ] || fail "$(wc -l <runs) clangs for two inputs and a link, after one"

script dies 'kill -SEGV $$'
HENCE_CLANG=$PWD/dies bad 4 "dies died of a signal: Segmentation fault" -c hello.c
[ "$(wc -l <err)" = 1 ] || fail "more than one line"
script code 'exit 42'
HENCE_CLANG=$PWD/code cc -c hello.c
[ $code = 42 ] || fail "exit code $code, not 42"

# An interrupted call dies of the signal, takes clang with it, and cleans up.
script sleeps "echo \$\$ >'$PWD/pid'; exec sleep 100"
for signal in TERM INT HUP; do
	rm -f pid
	echo old >hello.o
	# setsid: a shell script's background jobs ignore SIGINT, which hence cc would respect.
	(trap - INT; HENCE_CLANG=$PWD/sleeps exec env --default-signal=INT "$HENCE_CC" -c hello.c) &
	job=$!
	for i in {1..100}; do
		[ -s pid ] && break
		sleep 0.05
	done
	[ -s pid ] || fail "clang was not started"
	kill -$signal $job
	wait $job 2>/dev/null
	code=$?
	[ $code = $((128 + $(kill -l $signal))) ] || fail "SIG$signal gave $code"
	! kill -0 "$(cat pid)" 2>/dev/null || fail "clang survived SIG$signal"
	[ ! -e hello.o ] || fail "an old object after SIG$signal"
	clean
done
clean
