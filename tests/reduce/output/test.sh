#!/bin/bash
# What is printed: the command line shows the failure again, the JSON is JSON, the result is the same for any -j.
. "$SRC/tests/reduce/lib.sh"
"$CLANG" -w "$SRC/tests/reduce/output/json.c" -o json || fail "cannot build the reader of JSON"

both quote <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fails with a quote, a newline and a backslash in its argument and an é in its input. */
int main(int argc, char **argv)
{
	char text[4096] = "";
	const char *word = argc > 1 ? argv[1] : "";

	fread(text, 1, sizeof(text) - 1, stdin);
	if (strchr(word, '\'') && strchr(word, '\n') && strchr(word, '\\') && strstr(text, "\xc3\xa9"))
		abort();
	return 0;
}
END
printf 'caf\xc3\xa9 au lait\n%%d \\n\n' >in
reduce 0 --args --stdin in -- ./quote $'a\'b\nc\\d' more
# The line behind 'to see it again:' is a command for the shell.
line=$(grep -A1 '^to see it again:' out | tail -n 1)
[[ $line == *./quote* ]] || fail "no command: $line"
{ bash -c "$line"; code=$?; } 2>/dev/null
[[ $code == 134 ]] || fail "exit code $code of: $line"

# JSON: every value where the manual says it is.
reduce 0 --json --args --stdin in -- ./quote $'a\'b\nc\\d' more
is() { # PATH VALUE
	local got
	got=$(./json out "$1") || fail "no $1 in the JSON"
	[[ $got == "$2" ]] || fail "$1 is $got, not $2"
}
is hence 1
is command.0 ./quote
is command.2 more
is failure.kind crash
is failure.signal SIGABRT
is failure.file quote.c
is failure.function main
is complete true
is unit bytes
is original 33 # 7 and 4 bytes and one more each, 20 bytes
is reduced 6   # 3 bytes and one more, 2 bytes
is failing.parts.0.kind arguments
is failing.parts.0.original 13
is failing.parts.0.size 4
is failing.parts.0.values.0.text $'\'\n\\'
is failing.parts.1.kind stdin
is failing.parts.1.original 20
is failing.parts.1.size 2
is failing.parts.1.text $'\xc3\xa9'
is passing.from neighbour
[[ $(./json out tests) == "$(($(./json out verdicts.pass) + $(./json out verdicts.fail) + $(./json out verdicts.unresolved)))" ]] ||
	fail "the verdicts do not add up"

# The same result for any number of runs at a time.
for jobs in 1 2 5; do
	reduce 0 --json -j $jobs --args --stdin in -- ./quote $'a\'b\nc\\d' more
	./json out failing.parts >parts.$jobs
	cmp parts.1 parts.$jobs || fail "another result with -j $jobs"
done

# Standard input of hence itself, from a pipe and from a file; nothing named: arguments vary, too.
both eats <<'END'
#include <stdio.h>

int main(int argc, char **argv)
{
	return argc > 1 && getchar() == 'z' ? 3 : 0;
}
END
printf zebra | "$HENCE" reduce --json -- ./eats aa bb >out 2>err || fail "from a pipe: exit code $?"
is reduced 2 # an empty argument and a z
"$HENCE" reduce --json -- ./eats aa bb <<<zebra >out 2>err || fail "from a file: exit code $?"
is reduced 2

# Colour only when asked for.
reduce 0 --stdin in --args -- ./quote $'a\'b\nc\\d'
grep -q $'\033' out && fail "colour in a file"
reduce 0 --color=always --stdin in --args -- ./quote $'a\'b\nc\\d'
grep -q $'\033\[3[12]m' out || fail "no colour"
[[ ! -s err ]] || fail "progress on what is no terminal: $(<err)"

# -o has the mode that a new file has, and an old file is replaced.
echo old >small
umask 027
printf 'z12' >zin
reduce 0 --stdin zin -o small -- ./eats x
holds small z
[[ $(stat -c %a small) == 640 ]] || fail "mode $(stat -c %a small)"

# A passing input of another number of arguments is shown as such.
reduce 0 --pass '' --stdin zin -- ./eats x
has out "+''"
exit 0
