#!/bin/bash
# --io: a copy of a descriptor has the name of what it is a copy of, and counts on from there.
source "$SRC/tests/run/lib.sh"
build copies <<'EOF'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int saved = dup(1), file = open("file", O_WRONLY | O_CREAT, 0600);
	write(1, "one\n", 4);
	dup2(file, 1);
	write(1, "to the file\n", 12);
	dup2(saved, 1);
	write(1, "two\n", 4);
	return 0;
}
EOF
run 0 --io io -- ./copies
only out "one
two"
cat >wanted <<'EOF'
copies.c:5:14 dup: opened stdout as 3
copies.c:5:29 open: opened file as 4
copies.c:6:2 write: stdout[0..4) <- argument 2
copies.c:7:2 dup2: opened file as 1
copies.c:8:2 write: file[0..12) <- argument 2
copies.c:9:2 dup2: opened stdout as 1
EOF
sed 1d io | head -6 | diff wanted - >difference || fail "$(<difference)"
like io 'copies\.c:10:2 write: stdout\[[0-9]+\.\.[0-9]+\) <- argument 2'

# A function called through a pointer goes by the name that the program has for it, not by another
# of its names in the C library.
build pointer <<'END'
#include <fcntl.h>
int main(void)
{
	int (*volatile f)(const char *, int, ...) = open;
	return f("/dev/null", O_RDONLY) < 0;
}
END
run 0 --io io -- ./pointer
like io '.* open: opened /dev/null as 3'
