#!/bin/bash
# With a passing input: the difference that decides.
. "$SRC/tests/reduce/lib.sh"

# A length decides: 40 bytes pass, 41 do not.
both length <<'END'
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc > 1 && strlen(argv[1]) > 40)
		abort();
	return 0;
}
END
for program in ./length ./length.h; do
	reduce 0 --pass "$(printf 'b%.0s' {1..7})" -o small -- $program "$(printf 'b%.0s' {1..200})"
	[[ $(tr -d '\0' <small | wc -c) == 41 ]] || fail "not 41 bytes: $(<small)"
	has out "argument 1, byte 40: nothing passes, b fails"
	has out "a difference of 193 bytes reduced to 1; 1-minimal by bytes"
done
# No argument at all is a passing input, too.
reduce 0 --pass "" -o small -- ./length "$(printf 'b%.0s' {1..200})"
[[ $(tr -d '\0' <small | wc -c) == 41 ]] || fail "not 41 bytes from none"
has out "argument 1, byte 40: nothing passes, b fails"

# One line of many decides, and in it one character.
both lines <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char line[256];
	int wrong = 0;

	while (fgets(line, sizeof(line), stdin))
		wrong |= !strncmp(line, "speed ", 6) && atoi(line + 6) > 499;
	return wrong ? 5 : 0;
}
END
{ seq 40; echo 'speed 120'; seq 41 80; } >good
{ seq 20; echo other; seq 22 40; echo 'speed 620'; seq 41 70; echo more; seq 71 80; } >bad
for program in ./lines ./lines.h; do
	reduce 0 --stdin bad --pass-stdin good -o small -- $program
	[[ $(status small ./lines) == 5 ]] || fail "the failing end does not fail"
	has out "standard input, byte $(grep -bo 'speed' small | cut -d: -f1 | awk '{print $1 + 6}'): 1 passes, 6 fails"
	has out "-speed 120"
	has out "+speed 620"
done

# Of several the nearest; the others are not mentioned. The nth --pass-stdin goes with the nth --pass.
both nearest <<'END'
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char word[64] = "";

	scanf("%63s", word);
	return argc > 1 && !strcmp(argv[1], "-x") && strchr(word, 'k') ? 1 : 0;
}
END
echo abckdef >bad
echo 0 >far
echo abcdef >near
reduce 0 --json --stdin bad --pass-stdin far --pass-stdin near -- ./nearest -x
grep -q '"passing":{"from":"given","number":2,' out || fail "not the nearest"
grep -q '"reduced":8[,}]' out || true
reduce 0 --json --stdin bad --pass '-y' --pass-stdin far --pass '-x' --pass-stdin near -- ./nearest -x
grep -q '"number":2,' out || fail "not the pair that is nearest"
reduce 0 --stdin bad --pass '-y' -- ./nearest -x
has out "argument 1, byte 1: y passes, x fails"
# One that fails itself is left out, if another passes.
echo akb >fails
reduce 0 --stdin bad --pass-stdin fails --pass-stdin near -- ./nearest -x
has out "1 of the passing inputs did not pass and was not used"

# Quotes in --pass: one argument with a space.
both space <<'END'
#include <string.h>

int main(int argc, char **argv)
{
	return argc == 2 && strchr(argv[1], ' ') && strchr(argv[1], '!') ? 4 : 0;
}
END
reduce 0 --pass "'a b'" -- ./space 'a b!'
has out "argument 1, byte 3: nothing passes, '!' fails"
exit 0
