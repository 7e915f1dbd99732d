#!/bin/bash
# The tape is full in the middle of what an outside call left: it can be read up to that call.
source "$SRC/tests/run/lib.sh"
build full <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char big[3 << 20];
static int order(const void *a, const void *b) { return memcmp(a, b, sizeof(big) / 2); }
int main(int argc, char **argv)
{
	FILE *zero = fopen("/dev/zero", "r");
	for (int i = 0; i < 3; i++)
		if (argc > 1)
			qsort(big, 2, sizeof(big) / 2, order);
		else if (fread(big, 1, sizeof(big), zero) < sizeof(big))
			return 1;
	return 0;
}
EOF
for argument in "" sort; do
	run 0 --tape-limit 1M --account account -- ./full $argument
	has account "state: full"
	like account 'functions: [12]'
	like account 'note: the tape is full .*'
done
