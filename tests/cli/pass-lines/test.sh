#!/bin/bash
# Given inputs that pass are witnesses of lines, as tests of a file are: a line that only the failing run executes is more
# suspicious than one that both execute.
source "$SRC/tests/run/lib.sh"

cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fee(const char *kind, int weight)
{
	int sum = 4;

	if (!strcmp(kind, "parcel")) {
		sum = 9;
		sum += weight / 2;
	} else {
		sum += weight;
	}
	return sum;
}

int main(int argc, char **argv)
{
	printf("%d\n", argc > 2 ? fee(argv[1], atoi(argv[2])) : 0);
	return 0;
}
C
"$HENCE_CC" -g -o prog prog.c

"$HENCE" explain --json --no-edits --expect-text 29 --pass 'letter 3' -- ./prog parcel 10 >report.json
python3 - <<'P' || fail "the lines that the passing run executes are no evidence"
import json
suspects = {s["line"]: s for s in json.load(open("report.json"))["suspects"]}

def weight(line):
    return {e["kind"]: e["weight"] for e in suspects[line]["evidence"]}.get("spectra", 0)

# 11 is executed by the failing run only, 15 by both.
assert weight(11) > 0.7, suspects[11]
assert weight(15) == 0, suspects[15]
assert any("executed by 1 of 1 failing and 0 of 1 passing runs" in r for r in
           [suspects[11]["why"]] + suspects[11].get("reasons", [])), suspects[11]
P

# Without one nothing is known of lines.
"$HENCE" explain --json --no-edits --expect-text 29 -- ./prog parcel 10 >alone.json || true
! grep -q '"spectra"' alone.json || fail "spectra without a passing run"
