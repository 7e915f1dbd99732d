#!/bin/bash
# The standard streams are the program's own; --stdin; what the program sees of its surroundings.
source "$SRC/tests/run/lib.sh"
build copy <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int c;
	while ((c = getchar()) != EOF)
		putchar(c);
	for (int i = 1; i < argc; i++)
		fprintf(stderr, "[%s]", argv[i]);
	fprintf(stderr, "\n");
	return getenv("HENCE_SESSION") ? 11 : 12;
}
END
printf 'one\ntwo' >input
"$HENCE" run -- ./copy 'a b' '' --timeout >out 2>err <input
[[ $? == 11 ]] || fail "exit code"
cmp -s input out || fail "output"
[[ $(head -n1 err) == "[a b][][--timeout]" ]] || fail "arguments"
cat input | "$HENCE" run -- ./copy >out 2>err
cmp -s input out || fail "output through a pipe"
run 11 --stdin input -- ./copy
cmp -s input out || fail "output with --stdin"
run 11 --account account --stdin input -- ./copy
only err "" # an account in a file leaves stderr to the program
has account "outcome: exit 11"
has account "state: ended"
for key in functions blocks statements instructions tape-bytes tapes outside-calls unmodelled-calls; do
	like account "$key: [0-9]+"
done

# Through PATH, and from another directory than the program's.
mkdir bin other
mv copy bin/copy-program
cd other || exit 1
PATH=$PWD/../bin:$PATH "$HENCE" run -- copy-program x >../out 2>../err </dev/null
[[ $? == 11 ]] || fail "exit code"
cd ..
has err "hence: copy-program exited with status 11"
nothing_left
