#!/bin/bash
# What `hence explain` tells of a failing run that nothing can be compared with: values that were proven one by one, each made of
# the one before.
source "$SRC/tests/run/lib.sh"

explain() { # CODE ARGS...
	hence_exits "$1" explain --no-edits "${@:2}"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

# step N TEXT: it follows from the one before.
step() {
	like out " $1\. $2"
}

# --- from the result of a function, by a structure, a copy and a buffer, to the output ---
build price -g <<'END'
#include <stdio.h>
#include <string.h>
struct item {
	char name[12];
	int price;
};
static int discount(int price)
{
	if (price < 7)
		return 0;
	return price - 7;
}
int main(void)
{
	struct item item = {"apple", 0}, copy;
	int cents;
	item.price = discount(90);
	memcpy(&copy, &item, sizeof(copy));
	cents = copy.price * 2;
	printf("%d\n", cents);
	return 0;
}
END
explain 0 --expect-text 180 -- ./price
step 1 'price is 90 \(not 97\)'
step 2 'return value of discount is 83 \(not 90\)'
step 3 'item\.price is 83 \(not 90\)'
step 4 'cents is 166 \(not 180\)'
like out ' *because .* \(step [0-9]+\).*'

# --- two values that make a third: each alone would have helped, but neither is made of the other ---
build sum -g <<'END'
#include <stdio.h>
static int left = 1, right = 2;
int main(void)
{
	int a = left;
	int b = right;
	int c = a + b;
	printf("%d\n", c);
	return 0;
}
END
explain 0 --expect-text 4 -- ./sum
! grep -A 3 -E '^ *[0-9]+\. (also, )?b is' out | grep -q 'because a' || fail "b does not come from a"
like out '.*c is 3 \(not 4\)'

# --- nothing can be proven: where the failure shows is told all the same ---
build greet -g <<'END'
#include <stdio.h>
int main(void)
{
	printf("hello\n");
	return 0;
}
END
explain 3 --expect-text 'good morning' -- ./greet
like out ' 1\. byte 0 of standard output is "h", not "g"'
like out ' *greet\.c:4:2 in main\(\)  .*'
