#!/bin/bash
# Where a program dies is among the suspects, with a reason of its own: a check may be missing there.
source "$SRC/tests/run/lib.sh"

cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	const char *name;
	int price;
};

static const struct item items[] = {{"tea", 2}, {"rice", 5}};

static const struct item *find(const char *name)
{
	for (int i = 0; i < 2; i++)
		if (!strcmp(items[i].name, name))
			return &items[i];
	return NULL;
}

static int price(const char *name)
{
	const struct item *item = find(name);

	return item->price;
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++)
		sum += price(argv[i]);
	printf("%d\n", sum);
	return 0;
}
C
"$HENCE_CC" -o prog prog.c || fail "cannot build"
hence_exits 0 explain --json -o report --pass 'tea rice' -- ./prog tea salt
python3 -c "
import json
suspects = json.load(open('report'))['suspects']
here = [i for i, s in enumerate(suspects) if s['line'] == 24]
assert here and here[0] < 5, [s['line'] for s in suspects]
assert any(e['kind'] == 'crash' for e in suspects[here[0]]['evidence']), suspects[here[0]]
assert not any(e['kind'] == 'crash' for s in suspects if s['line'] != 24 for e in s['evidence'])
" || fail "line 24 is no suspect because of the crash"
exit 0
