#!/bin/bash
# What counts as the failure: output, another build, a test, a hang, an exit status, and only the same one.
. "$SRC/tests/reduce/lib.sh"

# --- wrong output ---

# Prints the sum of its arguments, but takes 13 for 12.
both sum <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int number = atoi(argv[i]);

#ifndef RIGHT
		if (number == 13)
			number = 12;
#endif
		printf("%d\n", number);
	}
	return 0;
}
END
"$CLANG" -w -DRIGHT sum.c -o right || fail "cannot build the right one"
./right 5 13 6 >expected
# The line with the first wrong byte is '12': it must be printed again. 12 itself and 13 both print it; what is smaller than
# two digits does not.
for program in ./sum ./sum.h; do
	for expect in --expect=expected --expect-text=$'5\n13\n6\n'; do
		reduce 0 "$expect" -o small -- $program 5 13 6
		looks small '1[23]'
	done
	# The other build knows what is right for each input: so only 13 will do.
	reduce 0 --pass-prog ./right -o small -- $program 5 13 6 100
	printf '13\0' | cmp - small || fail "with the other build: $(<small)"
done
reduce 1 --pass-prog ./right -- ./sum 5 6
like err 'hence: \./sum does not fail: .*'
reduce 1 --expect-text=$'5\n' -- ./sum 5

# --- a test ---

cat >check <<'END'
#!/bin/sh
# Bad if the file has a line with 'foo' and, later, one with 'bar'; it needs the program's name and its argument.
[ "${1##*/}" = cat.sh ] && [ "$2" = text ] || exit 125
sed -n '/foo/,$p' text | grep -q bar && exit 1
exit 0
END
cat >cat.sh <<'END'
#!/bin/sh
cat "$1"
END
chmod +x check cat.sh
{ seq 30; echo bar; echo 'a foo b'; seq 30; echo 'the bar'; seq 5; } >text
reduce 0 --test ./check --file text -o small -- ./cat.sh text
looks small 'foo*bar'
[[ $(stat -c %s small) == 6 ]] || fail "left: $(<small)" # sed prints the line with both
# The same with 0 for bad. A test with arguments of its own.
cat >turned <<'END'
#!/bin/sh
[ "$1" = yes ] || exit 125
grep -q foo text && grep -q bar text
END
chmod +x turned
reduce 0 --invert --test './turned yes' --file text -o small -- ./cat.sh text
[[ $(stat -c %s small) == 6 ]] || fail "inverted, left: $(<small)"
# Standard input comes to the test as its own.
seq 60 >in
reduce 0 --test '! grep -q 47' --stdin in -o small -- ./cat.sh
holds small 47
# 125 is no verdict: what cannot be judged is not taken.
cat >careful <<'END'
#!/bin/sh
grep -q keep text || exit 125
! grep -q foo text
END
chmod +x careful
{ seq 9; echo keep; seq 9; echo foo; } >text
reduce 0 --test ./careful --file text -o small -- ./cat.sh text
looks small 'keep*foo'
[[ $(stat -c %s small) == 7 ]] || fail "left: $(<small)"
grep -q ' [1-9][0-9]* unresolved' out || fail "nothing was unresolved"

# --- a hang ---

both loop <<'END'
#include <string.h>

int main(int argc, char **argv)
{
	volatile int forever = argc > 1 && strstr(argv[1], "stop") && strchr(argv[1], '~');

	while (forever)
		;
	return 0;
}
END
for program in ./loop ./loop.h; do
	reduce 0 --timeout 0.3 -o small -- $program 'ab~c stop'
	looks small '@(~stop|stop~)'
done

# --- only the same failure ---

# A shorter input crashes elsewhere: with 'b' alone, in the other function. It must not be taken.
both other <<'END'
#include <stdlib.h>
#include <string.h>

static void first(void)
{
	abort();
}

static void second(void)
{
	abort();
}

int main(int argc, char **argv)
{
	if (strchr(argv[1], 'b') && strchr(argv[1], 'c'))
		first();
	if (strchr(argv[1], 'b'))
		second();
	return strchr(argv[1], 'c') ? 3 : 0;
}
END
for program in ./other ./other.h; do
	reduce 0 --args -o small -- $program abcd
	printf 'bc\0' | cmp - small || fail "another failure was taken: $(<small)"
	grep -q ' [1-9][0-9]* unresolved' out || fail "nothing was unresolved"
	reduce 0 --any-failure -o small -- $program abcd
	[[ $(stat -c %s small) -le 2 ]] || fail "with any failure more is left: $(<small)"
done

# An exit status: 3 is not 4.
both code <<'END'
#include <string.h>

int main(int argc, char **argv)
{
	return argc < 2 ? 0 : strlen(argv[1]) > 4 ? 4 : strlen(argv[1]) > 2 ? 3 : 0;
}
END
reduce 0 -o small -- ./code 123456789
[[ $(tr -d '\0' <small | wc -c) == 5 ]] || fail "status 4 needs 5 bytes: $(<small)"

# A stack overflow is the same in whichever function of the recursion the stack ends; another recursion is another failure.
# Frames are so large that some thirty calls are enough. With an 'x' in front it ends in the other function.
both deep <<'END'
#include <stdio.h>

static int odd(void);

static int even(void)
{
	volatile char pad[300000];
	int c = getchar();

	pad[0] = 1;
	return c == EOF ? 0 : odd() + pad[0];
}

static int odd(void)
{
	volatile char pad[300000];
	int c = getchar();

	pad[0] = 1;
	return c == EOF ? 0 : even() + pad[0];
}

static int forever(int depth)
{
	volatile char pad[300000];

	pad[0] = 1;
	return depth < 0 ? 0 : forever(depth + 1) + pad[0];
}

int main(void)
{
	int c = getchar();

	if (c == '!')
		return forever(0);
	if (c == 'x')
		return odd() > 1000;
	ungetc(c, stdin);
	return even() > 1000;
}
END
printf 'xabcdefghijklmnopqrstuvwyz abcdefghijklmnopqrstuvwyz!\n' >in
for program in ./deep ./deep.h; do
	reduce 0 --stdin in -o small -- $program
	like out "$program dies of SIGSEGV \(stack overflow\) at deep.c:.*"
	[[ $(stat -c %s small) -gt 10 ]] || fail "another recursion was taken: $(<small)"
	minimal_stdin 139 small ./deep
done
exit 0
