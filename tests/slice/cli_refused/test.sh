#!/bin/bash
# Bad input: each message names the thing and the way out.
source "$SRC/tests/slice/cli_lib.sh"
cat >lib.c <<'END'
int square(int x)
{
	return x * x;
}
int cube(int x)
{
	return x * x * x;
}
END
cat >never.c <<'END'
int never(int x)
{
	return x + 1;
}
END
cat >main.c <<'END'
#include <stdio.h>
int square(int x);
int never(int x);
struct pair { int left, right; };
static int total;
int main(int argc, char **argv)
{
	struct pair pair = {argc, 2};
	int *none = NULL;

	for (int i = 0; i < 3; i++)
		total += square(i) + pair.left;
	if (argc > 5) {
		total = never(total);
		none = &total;
	}
	printf("%d\n", total);
	return none != NULL;
}
END
"$HENCE_CC" -o prog main.c lib.c never.c || fail "cannot build"
prog=(-- ./prog a)

# --- the place ---
refused 'main.c:14 was not executed; executed lines nearby: 12, 13, 17, 18' --at main.c:14 "${prog[@]}"
refused 'main.c:10 was not executed; executed lines nearby: 8, 9, 11, 12' --at main.c:10 "${prog[@]}"
refused 'main.c:900 was not executed; executed lines nearby: 17, 18' --at main.c:900 "${prog[@]}"
refused 'nothing of never.c was executed, so never.c:3 has no slice' --at never.c:3 "${prog[@]}"
refused 'the program has no source file man.c; its files: main.c, lib.c, never.c' --at man.c:3 "${prog[@]}"
refused '--instance 4: main.c:12 was executed 3 times' --at main.c:12 --instance 4 "${prog[@]}"
refused '--instance -4: main.c:12 was executed 3 times' --at main.c:12 --instance -4 "${prog[@]}"
refused '--instance 2: main.c:17 was executed 1 time' --at main.c:17 --instance 2 "${prog[@]}"

# --- the variable ---
refused 'totl at main.c:17 is not known: there is no variable totl; variables there: argc, argv, pair, none, i, total' \
	--at main.c:17:totl "${prog[@]}"
refused "pair.middle at main.c:17 has no member 'middle'; there are: left, right" --at main.c:17:pair.middle "${prog[@]}"
refused '\*none at main.c:17 follows a pointer that is NULL then' --at 'main.c:17:*none' "${prog[@]}"
refused 'total->x at main.c:17 takes what is no pointer for one' --at 'main.c:17:total->x' "${prog[@]}"
refused 'total.x at main.c:17 takes what is no structure for one' --at main.c:17:total.x "${prog[@]}"
refused 'pair\[ at main.c:17 *' --at 'main.c:17:pair[' "${prog[@]}"
refused "total+1 at main.c:17 cannot be read from '+1' on" --at main.c:17:total+1 "${prog[@]}"
refused '3 at main.c:17 is not known: there is no variable 3; *' --at main.c:17:3 "${prog[@]}"

# --- output ---
refused '--output: standard output has no byte 99 (the first is 0); the program printed: stdout (3 bytes)' --output 99 "${prog[@]}"
refused '--output: no.txt has no byte 0 (the first is 0); the program printed: stdout (3 bytes)' --output no.txt:0 "${prog[@]}"
refused '--output x: give the number of a byte, from 0 on, like 12, stderr:0 or result.txt:4' --output x "${prog[@]}"
refused '--expect: cannot read nowhere: No such file or directory' --expect nowhere "${prog[@]}"

# --- input ---
refused '--argument 3: the program is given 1 argument' --forward --argument 3 "${prog[@]}"
refused "--argument 1:5: 'a' has 1 bytes, and the first is 0" --forward --argument 1:5-6 "${prog[@]}"
refused '--argument x: give its number, 1 for the first, and bytes of it if you like: 2 or 2:0-3' --forward --argument x "${prog[@]}"
refused '--argument 1:3-2: give its number,*' --forward --argument 1:3-2 "${prog[@]}"
refused '--env NO_SUCH_NAME: the environment has no such variable' --forward --env NO_SUCH_NAME "${prog[@]}"
refused '--input :0: give bytes of standard input, like 0-3, or of a file that the program reads, like data.txt:0-3' \
	--forward --input :0 "${prog[@]}"

# --- options ---
refused '--at main.c: give FILE:LINE or FILE:LINE:VARIABLE, like sort.c:12 or sort.c:12:a\[2\]' --at main.c "${prog[@]}"
refused '--at main.c:0: give FILE:LINE *' --at main.c:0 "${prog[@]}"
refused '--at main.c:17:: give FILE:LINE *' --at main.c:17: "${prog[@]}"
refused '--instance 0: give 1 for the first execution of the line, 2 for the second, -1 for the last' --at main.c:17 --instance 0 "${prog[@]}"
refused '--instance counts executions of a line; give it with --at FILE:LINE' --instance 2 "${prog[@]}"
refused '--forward: say from where, with --at FILE:LINE\[:VARIABLE], --argument N, --input FROM-TO or --env NAME' --forward "${prog[@]}"
refused '--argument, --input and --env are where a forward slice begins; add --forward' --argument 1 "${prog[@]}"
refused 'give only one of --at, --output and --expect: a slice has one criterion' --at main.c:17 --output 0 "${prog[@]}"
refused '--expect and --expect-text do not go together; leave one out' --expect x --expect-text y "${prog[@]}"
refused '--relevant is for backward slices; leave out --forward' --forward --relevant --argument 1 "${prog[@]}"
refused '--relevant adds branches, and --data leaves all out; give one of them' --relevant --data "${prog[@]}"
refused 'a forward slice begins with input or with --at; leave out --output, --expect and --expect-text' --forward --output 1 "${prog[@]}"
refused '--depth is how far a graph goes; give it with --format dot' --depth 3 "${prog[@]}"
refused '--format xml: give text, json, dot or gcc' --format xml "${prog[@]}"
refused '--color blue: give auto, always or never' --color=blue "${prog[@]}"
refused 'hence slice has no option --ouput; did you mean --output?' --ouput 3 "${prog[@]}"
refused "no program given; use 'hence slice \[OPTIONS] -- ./prog ARGS'" --at main.c:17
refused '--process 2: 1 process was recorded: 1 *prog' --process 2 --at main.c:17 "${prog[@]}"
refused '-o: cannot write no/such/file: No such file or directory' -o no/such/file "${prog[@]}"
refused '--stdin: cannot read nowhere: No such file or directory' --stdin nowhere "${prog[@]}"
printf 'int main(void) { return 1; }\n' >plain.c
"$CLANG" -o plain plain.c
refused '*plain was not built with hence cc; rebuild with CC=hence-cc, or use *' -- ./plain
