#!/bin/bash
# Ctrl-C, SIGTERM and --time: the best so far is on disk, complete and failing; the result is marked; nobody is left.
. "$SRC/tests/reduce/lib.sh"

# Slow enough to be caught in the middle; fails with at least 3 '!'.
both slow <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
	struct timespec time = {0, 100000000};
	int c, count = 0;

	while ((c = getchar()) != EOF)
		count += c == '!';
	nanosleep(&time, NULL);
	if (count >= 3)
		abort();
	return 0;
}
END
for ((i = 0; i < 300; i++)); do echo "line $i $((i % 5 == 0)) !"; done | tr 1 '!' >in
cp in keep

# check: what an interrupted search must have left.
check() {
	[[ -s small ]] || fail "there is no best so far"
	[[ $(status small ./slow) == 134 ]] || fail "the best so far does not fail"
	[[ $(stat -c %s small) -lt $(stat -c %s in) ]] || fail "it is not smaller"
	cmp in keep || fail "the input was changed"
	[[ $(compgen -G 'small*') == small ]] || fail "temporary files are left: $(ls)"
	nothing_left
	nobody_left
}

for program in ./slow ./slow.h; do
	rm -f small
	reduce 3 --time 1 --stdin in -o small -- $program
	grep -q '; incomplete: the search was ended before it was done' out || fail "not marked incomplete"
	check
done

is_smaller() {
	[[ -s small && $(stat -c %s small) -lt $(stat -c %s in) ]]
}

for signal in INT TERM HUP; do
	rm -f small
	session "$HENCE" reduce --json --stdin in -o small -- ./slow
	await 20 is_smaller
	kill -$signal "$leader"
	wait "$leader"
	code=$?
	[[ $code == 3 ]] || fail "exit code $code after SIG$signal"
	grep -q '"complete":false' out || fail "not marked incomplete"
	check
done

# A signal is heard while a run hangs, long before its time is up.
both hangs <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	int c, count = 0;

	while ((c = getchar()) != EOF)
		count += c == '!';
	if (count >= 3)
		abort();
	for (;;)
		pause();
}
END
rm -f small
session "$HENCE" reduce --timeout 60 --stdin in -o small -- ./hangs
await 20 test -s small
sleep 0.3
SECONDS=0
kill -INT "$leader"
wait "$leader"
[[ $? == 3 ]] || fail "exit code after SIGINT while a run hangs"
[[ $SECONDS -lt 10 ]] || fail "it took $SECONDS s to end"
nothing_left
nobody_left
SECONDS=0
reduce 3 --time 0.5 --timeout 60 --stdin in -- ./hangs
[[ $SECONDS -lt 10 ]] || fail "--time took $SECONDS s"

# Already the first run ends when somebody wants so: one line says it, and nothing is left.
both never <<'END'
#include <unistd.h>

int main(void)
{
	for (;;)
		pause();
}
END
# first_run TEXT: what was said after the end of the first run.
first_run() {
	[[ $SECONDS -lt 10 ]] || fail "it took $SECONDS s to end"
	only err "hence: $1"
	[[ ! -s out ]] || fail "a result is printed"
	[[ ! -e small ]] || fail "a file is written"
	nothing_left
	nobody_left
}
time_up="so it is not known whether it fails; give more with --time, or say with --timeout when it hangs"
rm -f small
for program in ./never ./never.h; do
	for signal in INT TERM; do
		SECONDS=0
		session "$HENCE" reduce --stdin in -o small -- $program
		sleep 0.5
		kill -$signal "$leader"
		wait "$leader"
		code=$?
		[[ $code == 3 ]] || fail "exit code $code after SIG$signal in the first run"
		first_run "interrupted in the first run of $program: nothing is known yet"
	done
	SECONDS=0
	reduce 3 --time 0.5 --stdin in -o small -- $program
	first_run "the time was up in the first run of $program, $time_up"
done
SECONDS=0
reduce 3 --time 0.5 --stdin in -o small --test 'sleep 50' -- ./slow
first_run "the time was up in the first run of ./slow, $time_up"

is_quiet() {
	[[ ! $(grep -lzsF "HENCE_TAPE_DIR=$HENCE_TAPE_DIR" /proc/[0-9]*/environ | xargs -r ls -d 2>/dev/null) &&
		! $(ls -A "$HENCE_TAPE_DIR") ]]
}

# Killed: the file is complete, and nobody goes on.
rm -f small
session "$HENCE" reduce --stdin in -o small -- ./slow
await 20 is_smaller
kill -KILL "$leader"
wait "$leader" 2>/dev/null
[[ $(status small ./slow) == 134 ]] || fail "after SIGKILL the best so far does not fail"
await 20 is_quiet
exit 0
