#!/bin/bash
# A file that the program writes is wrong: what it has and should have, with edits, switched branches and the cause tree, each judged by
# the whole file.
source "$SRC/tests/run/lib.sh"

line() {
	grep -nF "$1" most.c | head -1 | cut -d: -f1
}

build most -g <<'END'
#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *in = fopen(argv[1], "r"), *out;
	int n = 0, x, sum = 0, most = 0;

	if (!in || argc < 3)
		return 2;
	while (fscanf(in, "%d", &x) == 1) {
		n++;
		sum += x;
		if (x < most)
			most = x;
	}
	fclose(in);
	out = fopen(argv[2], "w");
	if (!out)
		return 3;
	fprintf(out, "count %d\n", n);
	fprintf(out, "sum %d\n", sum);
	fprintf(out, "most %d\n", most);
	fclose(out);
	printf("done\n");
	return 0;
}
END
echo 3 4 5 >in
printf 'count 3\nsum 12\nmost 5\n' >right
args=(--file in --expect-file out.txt=right)
wrong="does not write out.txt as expected: it has \"most 0\", not \"most 5\" (line 3)"

# A branch that is switched makes the whole file right. Nothing is reduced: nobody knows what is right for less input.
"$HENCE" explain --json --no-edits "${args[@]}" -- ./most in out.txt >out 2>err || fail "not explained: $(<err)"
python3 - "$wrong" "$(line 'x < most')" "$(line 'most %d')" <<-'END' || fail "$(head -c 3000 out)"
	import json, sys
	e = json.load(open("out"))
	branch, shows = int(sys.argv[2]), int(sys.argv[3])
	assert e["failure"]["message"] == sys.argv[1] and e["failure"]["line"] == shows, e["failure"]
	assert "reduced_input" not in e and not any("reduced" in n for n in e.get("notes", []))
	assert [s["line"] for s in e["steps"]] == [branch, shows], e["steps"]
	assert e["suspects"][0]["line"] == branch and shows in [s["line"] for s in e["suspects"]], e["suspects"]
	assert any(n["file"] == "most.c" for n in e["tree"]["nodes"]), e.get("tree")
END
[[ ! -e out.txt ]] || fail "the program wrote to the user's directory"

# An edit does, too.
hence_exits 0 fix --json "${args[@]}" -- ./most in out.txt
python3 - "$(line 'x < most')" <<-'END' || fail "$(head -c 3000 out)"
	import json, sys
	fixes = json.load(open("out"))["fixes"]
	assert fixes and fixes[0]["line"] == int(sys.argv[1]), fixes
END

# No branch makes this file right, and none of those that make it less wrong is taken.
printf 'count 3\nsum 12\nmost 5\nend\n' >right
hence_exits 3 explain --json --no-edits "${args[@]}" -- ./most in out.txt
python3 - "$wrong" "$(line 'most %d')" <<-'END' || fail "$(head -c 3000 out)"
	import json, sys
	e = json.load(open("out"))
	assert e["verdict"] == "unproven" and e["failure"]["message"] == sys.argv[1], e["failure"]
	assert e["steps"][-1]["line"] == int(sys.argv[2]), e["steps"]
END

# The end is missing, or too much is written.
printf 'count 3\nsum 12\nmost 0\nend\n' >right
"$HENCE" explain --no-edits "${args[@]}" -- ./most in out.txt >out 2>err
head -3 out | tr '\n' ' ' | grep -qF 'as expected: it has nothing more, but "end" should come (line 4)' || fail "$(head -5 out)"
printf 'count 3\nsum 12\n' >right
"$HENCE" explain --no-edits "${args[@]}" -- ./most in out.txt >out 2>err
head -3 out | tr '\n' ' ' | grep -qF 'it has "most 0", but nothing should come there (line 3)' || fail "$(head -5 out)"
