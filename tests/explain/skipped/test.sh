#!/bin/bash
# A switched branch with which the program skips nearly all of its work is no explanation of a crash: what made the value bad is.
source "$SRC/tests/run/lib.sh"

build skipped -g <<'END'
static int limit = 6, sum, result;

static void add(int n)
{
	sum += n; /*data*/
	sum ^= 1;
}

int main(void)
{
	if (limit == 0) /*skips*/
		return 0;
	add(1);
	add(2);
	add(3);
	add(4);
	add(5);
	add(6);
	result = 10 / (sum - 21);
	return 0;
}
END
"$HENCE" explain --no-edits --json -- ./skipped >out 2>err || fail "status $?: $(<err)"
python3 - "$(grep -n '/\*data' skipped.c | cut -d: -f1)" "$(grep -n '/\*skips' skipped.c | cut -d: -f1)" <<-'END' || fail "$(head -c 2000 out)"
	import json, sys
	e = json.load(open("out"))
	data, skips = map(int, sys.argv[1:])
	steps = [s["line"] for s in e["steps"]]
	assert e["reference"]["kind"] == "none", e["reference"]
	assert data in steps and steps.index(data) < len(steps) - 1, steps
	# The failure follows from the data, not from the branch.
	assert steps[-2] != skips, steps
END
