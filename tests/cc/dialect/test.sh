#!/bin/bash
# What gcc 12 compiles with a warning is no error, unless the user wants it to be.
source "$SRC/tests/cc/lib.sh"
cat >old.c <<'END'
static limit = 3;
add(a, b) char *b; { return a + *b; }
int lost(int x) { if (x) return; return 3; }
void given(void) { return 5; }
int by_value(int *a, int *b) { return *a - *b; }
int main(void)
{
	int numbers[] = {3, 1, 2}, *p, address = "text";
	char *copy = malloc(1 << 20), letter, *zero = 1 - 1, *number = 3;
	int (*call)(void) = add;

	p = &letter;
	qsort(numbers, limit, sizeof(int), by_value);
	strcpy(copy, "copied");
	printf("%d %d %s %d %.1f %d\n", abs(-4), numbers[0], copy, (int)strlen(copy), sqrt(4.0), later());
	return 0;
}
int later() { return 7; }
END
cc old.c -o prog -lm
[ $code = 0 ] || fail "old C is refused"
grep -q 'warning: call to undeclared function' err || fail "no warning"
says "4 1 copied 6 2.0 7" ./prog
says "4 1 copied 6 2.0 7" "$HENCE" run -- ./prog
for standard in gnu99 c11 gnu17; do
	good -w -std=$standard -c old.c
done
good -w -Werror -c old.c
cc -Werror -Wno-error -c old.c
[ $code = 0 ] || fail "-Wno-error"
bad 1 "error: call to undeclared function" -Werror -c old.c
bad 1 "error: call to undeclared function" -pedantic-errors -c old.c
bad 1 "error: type specifier missing" -Werror=implicit-int -c old.c
bad 1 "error: call to undeclared function" -Werror=implicit -c old.c

# Warnings that gcc does not have stay warnings with -Werror, unless they are named.
echo 'int f(int x) { x = x; return x; }' >self.c
cc -Wall -Werror -c self.c
[ $code = 0 ] || fail "a warning of clang's broke -Werror"
grep -q 'warning: explicitly assigning' err || fail "the warning is gone"
bad 1 "-Werror,-Wself-assign" -Wall -Werror=self-assign -c self.c
printf '#warning careful\nint x;\n' >cpp.c
bad 1 "careful" -Werror -c cpp.c

echo 'int main(void) { int k = 3; int add(int x) { return x + k; } return add(4); }' >nested.c
bad 1 "hence cc: functions within functions" nested.c
clean
