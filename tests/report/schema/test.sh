#!/bin/bash
# docs/report.schema.json describes all that is in reports, and nothing else is allowed in them.
source "$SRC/tests/report/lib.sh"

python=/usr/bin/python3 # that of Debian, which has the package
"$python" -I -c 'import jsonschema' 2>/dev/null || fail "there is no python3 with jsonschema; run scripts/deps"

build_scale
build one -g <<<'int main(void) { return 1; }'
right=(--expect-text 'result 24')

save 0 explained explain "${right[@]}" --pass 8 --pass 10 -- ./scale 12       # with "references"
save 0 crash explain --args -- ./scale 77 more                                # with "reduced_input"
save 0 regression explain --no-reduce --pass-prog good/scale -- ./scale 12
save 0 alone explain --no-reduce --expect-text 'result 25' -- ./scale 12      # from the tree
save 3 unproven explain -- ./one
save 0 tree tree "${right[@]}" -- ./scale 12
save 0 points transitions --all-points "${right[@]}" --pass 8 -- ./scale 12   # with "points"
build past -g <<<'int main(void) { int a[2] = {0}, i; for (i = 0; i <= 2; i++) a[i] += i > 5; return 0; }'
save 0 memory explain -- ./past                                               # with "memory_error"
save 0 counts compare --count "${right[@]}" --pass 8 -- ./scale 12            # with "counts"
save 0 quality chain --against counts.json "${right[@]}" --pass 8 -- ./scale 12
for name in list ring; do # with structures and pointers
	cp -r "$SRC/tests/explain/$name" . && cd "$name" || fail "no case $name"
	"$HENCE_CC" -g ./*.c -o prog || fail "cannot build $name"
	eval "set -- $(cat command)"
	save 0 "../$name" explain "$@"
	cd ..
done

save 3 nothing fix --expect-text 'a text that no small change prints' -- ./scale 12
for name in fixed fix; do # with "fixes"
	"$B/unit/report_fixes" $name >$name.json || fail "cannot print $name"
done

# They are what they are meant to be.
for part in explained:references crash:reduced_input points:points counts:counts quality:quality alone:tree tree:tree nothing:fixes fix:fixes_only memory:memory_error; do
	grep -q "\"${part#*:}\":" "${part%:*}.json" || fail "${part%:*}.json has no ${part#*:}"
done
grep -q '"verdict":"unproven"' unproven.json || fail "unproven.json is proven"
grep -q '"reference":{"kind":"program"' regression.json || fail "regression.json is about something else"
grep -q '"reference":{"kind":"none"' alone.json || fail "alone.json has a reference"

"$python" -I "$CASE/check.py" "$SRC/docs/report.schema.json" ./*.json || fail "the schema does not describe reports"
