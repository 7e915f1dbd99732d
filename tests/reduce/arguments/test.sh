#!/bin/bash
# Arguments, the characters in them, environment variables, files, and several of these at once.
. "$SRC/tests/reduce/lib.sh"

# A name that is too long: 16 bytes and their end would fit. From 17 on the program stops itself.
both name <<'END'
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strlen(argv[i]) > 16)
			abort();
	return 0;
}
END
long=$(printf 'A%.0s' {1..300})
for program in ./name ./name.h; do
	rm -f small
	reduce 0 -o small -- $program -v x "$long" yy
	printf 'AAAAAAAAAAAAAAAAA\0' | cmp - small || fail "not 17 bytes: $(tr '\0' '\n' <small)"
	minimal_args 134 small ./name
	has out "    $program AAAAAAAAAAAAAAAAA"
	# One byte less is the longest that passes.
	has out "-AAAAAAAAAAAAAAAA"
	has out "+AAAAAAAAAAAAAAAAA"
done

# Whole arguments, in any place; what is in them; an empty one.
both words <<'END'
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
	int minus = 0, empty = 0, seven = 0;

	for (int i = 1; i < argc; i++) {
		minus |= argv[i][0] == '-' && strchr(argv[i], 'q');
		empty |= !argv[i][0];
		seven |= !strcmp(argv[i], "7");
	}
	assert(!(minus && empty && seven));
	return 0;
}
END
for program in ./words ./words.h; do
	reduce 0 -o small -- $program a -xyqz b 'c d' '' e 177 7 -m ''
	minimal_args 134 small ./words
	mapfile -d '' got <small
	[[ ${#got[@]} == 3 && " ${got[*]} " == *" -q "* && " ${got[*]} " == *" 7 "* ]] || fail "left: ${got[*]}"
done
reduce 0 --by lines -o small -- ./words a -xyqz b 'c d' '' e 7
mapfile -d '' got <small
[[ ${got[*]} == '-xyqz  7' ]] || fail "whole arguments: ${got[*]}"

# A variable of the environment, with the arguments left alone.
both mode <<'END'
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *mode = getenv("PROG_MODE");

	return argc == 3 && mode && strchr(mode, 'z') && strlen(mode) >= 2 ? 9 : 0;
}
END
export PROG_MODE=abcxyzabc
for program in ./mode ./mode.h; do
	reduce 0 --env PROG_MODE -o small -- $program one two
	looks small '@(z?|?z)'
	has out "    PROG_MODE=$(<small) $program one two"
	value=$(<small)
	PROG_MODE=$value ./mode one two && fail "it does not fail"
	PROG_MODE=z ./mode one two || fail "two bytes are not needed"
done

# A variable whose value does not matter is unset in the end; one that must be there, be it empty, is not.
both there <<'END'
#include <stdlib.h>

int main(int argc, char **argv)
{
	return getenv("PROG_MODE") ? 9 : 0;
}
END
for program in ./there ./there.h; do
	reduce 0 --env PROG_MODE -o small -- $program one
	holds small ''
	has out "    PROG_MODE='' $program one"
	has out "the variable PROG_MODE is empty"
	has out "the variable PROG_MODE: not set passes, set fails"
done
both unneeded <<'END'
#include <stdlib.h>

int main(void)
{
	const char *mode = getenv("PROG_MODE"), *other = getenv("PROG_OTHER");

	return mode && !*mode ? 0 : other ? 9 : 0;
}
END
export PROG_OTHER=yes
for program in ./unneeded ./unneeded.h; do
	rm -rf small
	reduce 0 --env PROG_MODE --env PROG_OTHER -o small -- $program
	has out "    env -u PROG_MODE PROG_OTHER='' $program"
	has out "the variable PROG_MODE is not set"
	[[ $(ls small) == env-PROG_OTHER ]] || fail "in the directory: $(ls small)"
	env -u PROG_MODE PROG_OTHER='' ./unneeded
	[[ $? == 9 ]] || fail "it does not fail"
	reduce 0 --json --env PROG_MODE --env PROG_OTHER -- $program
	grep -q '"name":"PROG_MODE","varied":true,"original":9,"size":0,"unset":true}' out || fail "no unset variable in the JSON"
done
unset PROG_OTHER

# Two files, one in a subdirectory, with a variable and the arguments: each has its share in the failure.
both files <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has(const char *path, const char *wanted)
{
	char line[256];
	FILE *file = fopen(path, "r");
	int found = 0;

	while (file && fgets(line, sizeof(line), file))
		found |= strstr(line, wanted) != NULL;
	if (file)
		fclose(file);
	return found;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && has(argv[1], "width=0") && has(argv[2], "draw"))
		return 100 / (strlen(getenv("PROG_MODE")) / 1000) ;
	return 0;
}
END
mkdir sub
{ seq 30; echo 'height=3'; echo ' width=0 # none'; seq 30; } >config
{ seq 20; echo 'move 1 1'; echo 'draw 3'; seq 9; } >sub/script
cp config config.keep
cp sub/script script.keep
for program in ./files ./files.h; do
	rm -rf small
	reduce 0 --file config --file sub/script --env PROG_MODE -o small -- $program config sub/script
	holds small/config width=0
	holds small/script draw
	holds small/env-PROG_MODE ''
	[[ $(ls small) == $'config\nenv-PROG_MODE\nscript' ]] || fail "in the directory: $(ls small)"
	cmp config config.keep && cmp sub/script script.keep || fail "files of the user were changed"
done
mkdir again again/sub
cd again
cp ../sub/script sub
PROG_MODE='' minimal_file 136 ../small/config config ../files config sub/script
PROG_MODE='' minimal_file 136 ../small/script sub/script ../files config sub/script
cd ..

# A file by an absolute path, named in an argument.
reduce 0 --file "$PWD/config" -o small.config -- ./files "$PWD/config" sub/script
holds small.config width=0

# A file that arguments name in other ways than --file does: the program must get the changed one, not ours.
both opens <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *path = strncmp(argv[1], "--in=", 5) ? argv[1] : argv[1] + 5;
	FILE *file = fopen(path, "r");
	int c, count = 0;

	if (!file)
		return 3;
	while ((c = getc(file)) != EOF)
		count += c == '!';
	if (count >= 2)
		abort();
	return 0;
}
END
echo 'a!b!c!d' >data.txt
echo 'a!b!c!d' >"$TMPDIR/far.txt"
ln -s . here
ln -s "$PWD" around
# opens PROGRAM FILE ARGUMENT
opens() {
	reduce 0 --file "$2" -o small.in -- "$1" "$3"
	holds small.in '!!'
}
for program in ./opens ./opens.h; do
	opens $program data.txt "$PWD/data.txt"
	opens $program "$PWD/data.txt" --in=data.txt
	opens $program "$TMPDIR/far.txt" "--in=$TMPDIR/./far.txt"
done
for argument in ./data.txt .//data.txt here/data.txt around/data.txt sub/../data.txt "../${PWD##*/}/data.txt" "--in=$PWD/data.txt"; do
	opens ./opens data.txt "$argument"
done
opens ./opens "../${PWD##*/}/data.txt" data.txt
opens ./opens "$TMPDIR/far.txt" "$TMPDIR/far.txt"
cp data.txt "$TMPDIR/far.txt"
reduce 2 --file "$TMPDIR/far.txt" -- ./opens data.txt
like err "hence: the file $TMPDIR/far.txt does not lie in the working directory and no argument names it, .*"
reduce 2 --file data.txt --file ./data.txt -- ./opens data.txt
only err "hence: --file data.txt and --file ./data.txt are the same file; leave one out"

# The program writes beside its input: it gets a copy of the directory, and nothing appears in ours.
both writes <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	FILE *log = fopen("log.txt", "a");
	int c, count = 0;

	if (!log)
		return 3;
	fprintf(log, "started\n");
	fclose(log);
	while ((c = getchar()) != EOF)
		count += c == '!';
	if (count >= 2)
		abort();
	return 0;
}
END
echo 'a!b!c!d' >in
for program in ./writes ./writes.h; do
	reduce 0 --stdin in -o small.in -- $program
	holds small.in '!!'
	[[ ! -e log.txt ]] || fail "log.txt was written"
done
exit 0
