#!/bin/bash
# Programs of several files, in folders: variables of another file have the names and types that they have
# there; a file may be named by the end of its path.
source "$SRC/tests/trace/lib.sh"
mkdir -p src/lib
cat >src/lib/table.c <<'END'
struct row { int key; char *text; };
struct row rows[2] = {{1, "one"}, {2, "two"}};
struct row *table = rows;
int limit = 1;
END
cat >src/main.c <<'END'
extern struct row { int key; char *text; } *table;
extern int limit;
int main(int argc, char **argv)
{
	int at = argc - 1;
	table[at].key += limit;
	return table[at].text[1] == 'n';
}
END
"$HENCE_CC" -o prog src/main.c src/lib/table.c || fail "cannot build"
trace 0 -- ./prog
like out ' +2  src/main\.c:6 +main  table\[0\]\.key = 2   \(read at = 0, table\[0\]\.key = 1, limit = 1\)'
like out " +3  src/main\.c:7 +main  return 1   \(read at = 0, table\[0\]\.text\[1\] = 'n'\)"

for name in main.c src/main.c "$PWD/src/main.c" ./src/main.c; do
	trace 0 --line "$name:6" -- ./prog
	[[ $(wc -l <out) == 1 ]] || fail "--line $name:6"
done
trace 2 --line lib/main.c:6 -- ./prog
has err 'hence: nothing of lib/main.c was executed; name the file as it was compiled'
