#!/bin/bash
# --io: which call produced byte N of standard output. Each call writes the number of its own line, or a letter that stands
# for it, so the bytes that the list gives to a call must be just those.
source "$SRC/tests/run/lib.sh"
build writes <<'EOF'
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define HERE "L" TEXT(__LINE__) ";"
#define LETTER ('a' + __LINE__ % 26)
enum { OUT_LINE = __LINE__ + 5 }; /* of vfprintf */
static void out(FILE *file, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(file, format, list);
	va_end(list);
}
static void repeat(int n)
{
	while (n-- > 0)
		printf("L%d;%*s", __LINE__, n, "");
}
int main(void)
{
	struct iovec both[2] = {{HERE, sizeof(HERE) - 1}, {"tail", 4}};
	printf("L%d;\n", __LINE__);
	putchar(LETTER);
	repeat(3);
	puts(HERE);
	fputs(HERE, stdout);
	putc(LETTER, stdout);
	fputc(LETTER, stdout);
	fwrite(HERE HERE, sizeof(HERE) - 1, 2, stdout);
	fprintf(stdout, "%s", "");
	fprintf(stdout, "%*d L%d;", 500, 7, __LINE__);
	out(stdout, "L%d;", OUT_LINE);
	fflush(stdout);
	write(1, HERE, strlen(HERE));
	dprintf(1, "L%d;", __LINE__);
	writev(1, both, 2);
	fprintf(stderr, "L%d;", __LINE__);
	putc(LETTER, stderr);
	write(2, HERE, strlen(HERE));
	fputs(HERE, stderr);
	dprintf(2, "L%d;", __LINE__);
	printf("L%d;", __LINE__);
	return 0;
}
EOF

# check STREAM FILE: the ranges of the list cover the file, one behind the other, and hold what their calls wrote.
check() {
	local stream=$1 data at=0 place line name range from to bytes letter calls=0
	data=$(cat "$2"; echo .)
	data=${data%.}
	while read -r place name range; do
		range=${range%% <-*}
		[[ $range =~ ^"$stream["([0-9]+)\.\.([0-9]+)\)$ ]] || continue
		from=${BASH_REMATCH[1]} to=${BASH_REMATCH[2]} line=${place#writes.c:} line=${line%%:*}
		[[ $from == "$at" ]] || fail "$stream: byte $at is not next, but $from: $place $name $range"
		bytes=${data:from:to-from} at=$to calls=$((calls + 1))
		printf -v letter '\\x%x' $((97 + line % 26))
		printf -v letter "$letter"
		case $name in
		putchar: | putc: | fputc:) [[ $bytes == "$letter" ]] || fail "$place $name $bytes is not $letter" ;;
		writev:) [[ $bytes == "L$first;" || $bytes == tail ]] || fail "$place writev: $bytes" ;;
		*)
			[[ $bytes == *"L$line;"* ]] || fail "$place $name did not write '$bytes'"
			bytes=${bytes//"L$line;"/}
			[[ $bytes != *L* ]] || fail "$place $name got another call's bytes: $bytes"
			;;
		esac
	done <io
	[[ $at == "${#data}" ]] || fail "$stream has ${#data} bytes, the list knows $at"
	[[ $calls == "$3" ]] || fail "$calls calls wrote to $stream, not $3"
}

first=$(grep -n 'iovec both' writes.c) first=${first%%:*} # where HERE stands, which writev() writes
run 0 --account account --io io -- ./writes
check stdout out 17
check stderr err 5
like io '# tape 0: .*/writes, 1 argument at 0x[0-9a-f]+, environment at 0x[0-9a-f]+'
like io 'writes\.c:[0-9]+:2 fputs: stdout\[[0-9]+\.\.[0-9]+\) <- argument 1'
! grep -q '"%s", ""' io || fail "nothing was written there"

# To a pipe it is the same.
cp io first
"$HENCE" run --account account --io io -- ./writes 2>err | cat >out
check stdout out 17
cmp -s <(sed 1d io) <(sed 1d first) || fail "the list is another one when writing to a pipe"
