#!/bin/bash
# --io: which call read which bytes. The program tells in hexadecimal what each line of it has read; the same bytes must stand in
# the input where the list says.
source "$SRC/tests/run/lib.sh"
build in <<'EOF'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
static void echo(int line, const void *bytes, long size)
{
	const unsigned char *at = bytes;
	printf("%d ", line);
	while (size-- > 0)
		printf("%02x", *at++);
	putchar('\n');
}
#define SAW(bytes, size) echo(__LINE__, bytes, size)
static char line[200], word[50], raw[100], *whole;
static size_t room;
static int number;
static void character(int c, int from)
{
	char byte = (char)c;
	echo(from, &byte, 1);
}
static void from_stdio(FILE *f)
{
	long size;
	character(getc(f), __LINE__);
	fgets(line, sizeof(line), f), SAW(line, strlen(line));
	for (int i = 0; i < 4; i++)
		character(fgetc(f), __LINE__);
	fscanf(f, "%49s %d", word, &number), SAW(word, strlen(word)), SAW(raw, sprintf(raw, "%d", number));
	character(fgetc(f), __LINE__);
	size = fread(raw, 3, 7, f), SAW(raw, 3 * size);
	size = getline(&whole, &room, f), SAW(whole, size);
	fgets(line, 5, f), SAW(line, strlen(line));
	number = getc(f), ungetc(number, f), character(number, __LINE__);
	character(getc(f), __LINE__);
	while (fgets(line, sizeof(line), f)) SAW(line, strlen(line));
}
static void from_descriptor(int fd)
{
	struct iovec parts[2] = {{line, 3}, {word, 4}};
	read(fd, raw, 11), SAW(raw, 11);
	readv(fd, parts, 2), SAW(line, 3), SAW(word, 4);
	read(fd, raw, 2), SAW(raw, 2);
}
static void from_file(const char *name)
{
	FILE *f = fopen(name, "r");
	int fd;
	fseek(f, 40, SEEK_SET);
	character(getc(f), __LINE__);
	fseek(f, -3, SEEK_END);
	fread(raw, 1, 3, f), SAW(raw, 3);
	rewind(f);
	fgets(line, sizeof(line), f), SAW(line, strlen(line));
	fclose(f);
	fd = open(name, O_RDONLY);
	lseek(fd, 17, SEEK_SET);
	read(fd, raw, 5), SAW(raw, 5);
	pread(fd, raw, 6, 30), SAW(raw, 6);
	close(fd);
}
int main(int argc, char **argv)
{
	if (argc > 2)
		from_file(argv[2]);
	if (argv[1][0] == 's')
		from_stdio(stdin);
	else
		from_descriptor(0);
	return getenv("IO_TEST") ? 3 : 0;
}
EOF
# Ordinary text, no two parts of it alike, and longer than stdio's buffer.
{
	echo "A first line of text."
	echo "bcd the-word  4711 and 0123456789abcdefghi until here"
	echo "getline takes this one as it is"
	echo "foursz"
	for ((i = 0; i < 700; i++)); do echo "line $i"; done
} >input
seq 1000 1100 >file.txt

# reads STREAM FILE: lines 'LINE HEX' of what the list says was read from the stream.
reads() {
	local place name range
	while read -r place name range; do
		# The number of values is made from all that was looked at.
		[[ $name != *scanf: || $range != *result ]] || continue
		[[ $range =~ ^"$1["([0-9]+)\.\.([0-9]+)\)" -> "(argument [0-9]|result)$ ]] || continue
		place=${place#in.c:}
		printf '%s %s\n' "${place%%:*}" "${hex:2*BASH_REMATCH[1]:2*(BASH_REMATCH[2]-BASH_REMATCH[1])}"
	done <io
}

# compare STREAM FILE ECHO: what the list says is what the program said.
compare() {
	hex=$(od -An -v -tx1 "$2" | tr -d ' \n')
	reads "$1" >listed
	diff "$3" listed >difference || fail "$1: told (<) and listed (>): $(head -20 difference)"
	[[ -s listed ]] || fail "nothing was listed for $1"
}

run 0 --io io -- ./in stdio <input
compare stdin input out
cp io from-file
[[ $(grep -c 'in\.c:[0-9]*:[0-9]* fgets: stdin' io) == 704 ]] || fail "not 704 lines"
run 0 --io io --stdin input -- ./in stdio
compare stdin input out
cmp -s io from-file || fail "--stdin differs from <"

# From a pipe, where bytes are counted.
run 0 --io io -- ./in stdio < <(cat input)
compare stdin input out

run 0 --io io -- ./in descriptor <input
compare stdin input out
run 0 --io io -- ./in descriptor < <(cat input)
compare stdin input out

# A file by its name, and where it is opened and closed.
run 0 --io io -- ./in descriptor file.txt <input
head -5 out >first
sed 1,5d out >rest
compare file.txt file.txt first
compare stdin input rest
like io 'in\.c:[0-9]+:[0-9]+ fopen: opened file\.txt as 3'
like io 'in\.c:[0-9]+:[0-9]+ fclose: closed file\.txt'
like io 'in\.c:[0-9]+:[0-9]+ open: opened file\.txt as 3'
like io 'in\.c:[0-9]+:[0-9]+ getc: file\.txt\[40\.\.41\) -> result'
like io 'in\.c:[0-9]+:[0-9]+ fread: file\.txt\[502\.\.505\) -> argument 1'
like io 'in\.c:[0-9]+:[0-9]+ pread: file\.txt\[30\.\.36\) -> argument 2'

# The environment.
! grep -q getenv io || fail "there is no IO_TEST"
IO_TEST=value run 3 --io io -- ./in descriptor <input
like io 'in\.c:[0-9]+:[0-9]+ getenv: environment\[0x[0-9a-f]+\.\.0x[0-9a-f]+\) -> result'
range=$(sed -n 's/.*environment\[\(0x[0-9a-f]*\)\.\.\(0x[0-9a-f]*\)).*/\2 - \1/p' io)
[[ $((range)) == 6 ]] || fail "value and its 0 are 6 bytes, not $((range))"
