#!/bin/bash
# --time holds where a run is so long that a single walk over it takes seconds, also for tests. The bound is generous, for
# machines that are busy.
set -u
cat >prog.c <<'END'
#include <stdio.h>
int main(void)
{
	long sum = 0, n;

	scanf("%ld", &n);
	for (long i = 0; i < 100000000; i++)
		if (i % n == 0)
			sum++;
	printf("%ld\n", sum);
	return 0;
}
END
"$HENCE_CC" prog.c -o prog || exit 1
echo 7 >in
echo 1 >right
for i in 1 2 3 4; do
	echo $i >in$i
	echo "./prog <in$i => passes"
done >tests
echo './prog <in => fails' >>tests
for command in explain fix; do
	SECONDS=0
	"$HENCE" $command --time 3 --expect right --stdin in --tests tests -- ./prog >out 2>&1
	code=$?
	[ $code = 3 ] || [ $code = 0 ] || { cat out; echo "$command: exit code $code"; exit 1; }
	[ $SECONDS -le 15 ] || { cat out; echo "$command --time 3 took $SECONDS seconds"; exit 1; }
done
