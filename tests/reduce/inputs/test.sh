#!/bin/bash
# Standard input: what is left is what the source of each program says is needed, byte by byte.
. "$SRC/tests/reduce/lib.sh"

# each NAME CODE PATTERN OPTIONS...: plain and with hence cc, the input `in` becomes something that matches the pattern.
each() {
	local name=$1 code=$2 wanted=$3 program
	shift 3
	for program in "./$name" "./$name.h"; do
		rm -f small
		reduce 0 "$@" --stdin in -o small -- "$program"
		looks small "$wanted"
		minimal_stdin "$code" small "./$name"
	done
}

# Nested '<' crash: two of them without a '>' in between.
both nested <<'END'
#include <stdio.h>

int main(void)
{
	int *nowhere = NULL;
	int depth = 0;
	int c;

	while ((c = getchar()) != EOF) {
		if (c == '<' && ++depth > 1)
			*nowhere = c;
		if (c == '>')
			depth--;
	}
	return 0;
}
END
{ seq 100; echo 'a <b> c (d <e> f) g < h'; seq 20; echo 'x <y> z'; seq 90; } >in
each nested 139 '<<'

# A reader of comma-separated values that stops at a field of the third column which begins with a minus sign: two commas
# and the sign.
both table <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int column = 0, start = 1, c;

	while ((c = getchar()) != EOF) {
		if (start && column == 2 && c == '-')
			abort();
		start = c == ',' || c == '\n';
		if (c == ',')
			column++;
		if (c == '\n')
			column = 0;
	}
	return 0;
}
END
for ((i = 0; i < 80; i++)); do echo "item$i,$((i * 7)),$((i * 13 % 50)),x"; done >in
sed -i '57s/,[0-9]*,x/,-12,x/' in
each table 134 ',,-'

# Two words far apart, in this order.
both apart <<'END'
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	char word[64];
	int open = 0;

	while (scanf("%63s", word) == 1) {
		if (!strcmp(word, "begin"))
			open = 1;
		assert(!(open && !strcmp(word, "end")));
	}
	return 0;
}
END
{ echo end; seq 60; echo 'x begin y'; seq 200; echo 'p end q'; seq 60; } >in
cp in keep
each apart 134 "begin[[:space:]]end" # any one of the characters between them
cmp in keep || fail "the input itself was changed"

# Too long for a buffer: 24 bytes fit in with their end, the neighbour is a pointer. 25 bytes break its first byte; only with
# all 8 of them overwritten (32 bytes and the end) is the address one that no program can have.
both length <<'END'
#include <stdio.h>
#include <string.h>

static int good;
static struct {
	char text[24];
	int *pointer;
} all = {"", &good};

int main(void)
{
	int size = 0, c;

	while ((c = getchar()) != EOF)
		((volatile char *)&all)[size++] = c;
	if (size > 31)
		*all.pointer = 1;
	return 0;
}
END
printf 'q%.0s' {1..500} | tr '\n' q >in
each length 139 "$(printf 'q%.0s' {1..32})"
# The nearest passing input is one byte shorter.
reduce 0 --json --stdin in -- ./length
grep -q '"passing":{"from":"neighbour","size":31,' out || fail "the longest passing input has not 31 bytes"

# Bytes that are no text: 0xff 0x00 0xfe in this order, anything in between.
both binary <<'END'
#include <stdio.h>

int main(void)
{
	static const int wanted[] = {0xff, 0, 0xfe};
	int at = 0, c;

	while ((c = getchar()) != EOF)
		if (at < 3 && c == wanted[at])
			at++;
	return at == 3 ? 7 : 0;
}
END
for ((i = 1; i < 200; i++)); do printf "\\x$(printf %02x $((i % 120 + 128)))"; done >in
printf '\xff\x01\x02\x03\x00\x04\x05\xfe\x06' >>in
for program in ./binary ./binary.h; do
	reduce 0 --stdin in -o small -- $program
	printf '\xff\x00\xfe' | cmp - small || fail "binary: $(od -tx1 small)"
	minimal_stdin 7 small ./binary
done
reduce 0 --json --stdin in -- ./binary
grep -q '"base64":"/wD+"' out || fail "the bytes are not in the JSON"

# Brackets go together: what is left is still balanced, since the program insists on that. The failure needs two 'x' in
# different brackets.
both balanced <<'END'
#include <stdio.h>
#include <stdlib.h>

static char text[65536];

int main(void)
{
	size_t size = fread(text, 1, sizeof(text) - 1, stdin);
	int depth = 0, groups = 0, has = 0;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '(')
			depth++;
		if (text[i] == ')' && --depth < 0)
			return 3;
	}
	if (depth)
		return 3;
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '(')
			has = 0;
		if (text[i] == 'x' && !has) {
			has = 1;
			groups++;
		}
	}
	if (groups > 1)
		abort();
	return 0;
}
END
{
	echo '(a (b (c x) d) e)'
	for ((i = 0; i < 60; i++)); do echo "(f$i (g (h) (i)) j)"; done
	echo '(k (l) (m (x n) o))'
} >in
reduce 0 --stdin in -o small -- ./balanced
minimal_stdin 134 small ./balanced
holds small 'x(x)' # one x outside of brackets, one inside

# By lines: whole lines are left, none too many.
reduce 0 --by lines --stdin keep -o small -- ./apart
holds small $'x begin y\np end q\n'
like out '.* reduced to 18; 1-minimal by lines'
reduce 0 --by tokens --stdin keep -o small -- ./apart
holds small $'begin end '
reduce 0 --by 'records=^x|^p' --stdin keep -o small -- ./apart
[[ $(grep -c . small) == 262 ]] || fail "by records $(grep -c . small) lines are left" # those from 'x' to 'p', and from 'p' on
exit 0
