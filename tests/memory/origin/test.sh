#!/bin/bash
# Where the bad value of a crash or of the first memory error was made: in the first lines of the text, as `origin` in the JSON, as a suspect
# and, where the chain does not name the line, as a step. Each program has the comment made where that is.
source "$SRC/tests/run/lib.sh"

# origin KIND WORDS ARGUMENTS...: of $source. WORDS: with @ for the place of the comment made. Edits are of no account here.
origin() {
	local kind=$1 words line status=0
	line=$(grep -n "/\*made\*/" "$source" | head -1 | cut -d: -f1)
	words=${2//@/$source:$line}
	shift 2
	"$HENCE" explain --no-edits --no-reduce -- "./${source%.c}" "$@" >text 2>err || status=$?
	((status == 0 || status == 3)) || fail "$source: status $status: $(<err)"
	sed -n 1,9p text | tr -s '\n ' '  ' | grep -qF "bad value: $words" || fail "$source: not told at the top: $(head -9 text)"
	status=0
	"$HENCE" explain --no-edits --no-reduce --json -- "./${source%.c}" "$@" >out 2>err || status=$?
	((status == 0 || status == 3)) || fail "$source: status $status: $(<err)"
	python3 - "$kind" "$line" <<-'END' || fail "$source: $(head -c 2000 out)"
		import json, sys
		e = json.load(open("out"))
		o, line = e["origin"], int(sys.argv[2])
		assert o["kind"] == sys.argv[1] and o["line"] == line, o
		assert any(s["line"] == line for s in e["suspects"][:5]), e["suspects"]
		first = min(s.get("time", 0) for s in e["steps"]), max(s.get("time", 0) for s in e["steps"][:-1] or [{}])
		between = first[0] < o["time"] < first[1]
		# An initial value is no step of a chain.
		between |= o["kind"] == "initial" and len(e["steps"]) > 1
		assert between or any(line in (s["line"], s.get("cause", {}).get("line")) for s in e["steps"]), e["steps"]
	END
}

# A search that finds nothing; its result is kept in a variable and given to another function.
source=find.c
build find -g <<'END'
#include <stdio.h>
#include <string.h>

struct entry { const char *key; int value; struct entry *next; };
static struct entry two = {"two", 2, NULL}, one = {"one", 1, &two}, *chosen;

static struct entry *find(const char *key)
{
	for (struct entry *e = &one; e; e = e->next)
		if (strcmp(e->key, key) == 0)
			return e;
	return NULL; /*made*/
}

static int scaled(struct entry *e, int scale)
{
	return e->value * scale;
}

int main(int argc, char **argv)
{
	struct { struct entry *at; } pair, copy;
	pair.at = find(argc > 1 ? argv[1] : "one");
	copy = pair;
	chosen = copy.at;
	printf("%d\n", scaled(chosen, 10));
	return 0;
}
END
origin constant "e is NULL, returned by find() at @: return NULL; /*made*/ (since e != NULL is false at find.c:9)" three

# The same, given on at once: a call is not said to be NULL and returned by itself.
source=direct.c
build direct -g <<'END'
#include <stdio.h>
#include <string.h>

static const char *text_of(int number)
{
	if (number > 0)
		return "some";
	return NULL; /*made*/
}

int main(int argc, char **argv)
{
	printf("%zu\n", strlen(text_of(argc - 2)));
	return 0;
}
END
origin constant "text_of() returned NULL at @: return NULL;" one

# What outside code gave, in memory and as its result.
source=option.c
build option -g <<'END'
#include <getopt.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *arg = "none";
	int c = getopt(argc, argv, "n::"); /*made*/

	if (c == 'n')
		arg = optarg;
	printf("%zu\n", strlen(arg));
	return 0;
}
END
origin call "arg is NULL, from getopt() = 110 at @: int c" -n
source=variable.c
build variable -g <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	const char *home = getenv("NO_SUCH_VARIABLE"); /*made*/
	const char *dir = home;
	char path[100];

	strcpy(path, dir);
	puts(path);
	return 0;
}
END
origin call "dir is NULL, from getenv() at @: const char"

# An index, computed in a function; the error may be survived or not.
source=index.c
build index -g <<'END'
#include <stdio.h>
#include <stdlib.h>

static int table[4] = {1, 2, 3, 4};

static int slot(int n)
{
	return n * 2 - 1; /*made*/
}

int main(int argc, char **argv)
{
	int i = slot(argc > 1 ? atoi(argv[1]) : 1);

	table[i] = 7;
	printf("%d\n", table[i]);
	return 0;
}
END
origin computed "i is 5, computed at @: return n * 2 - 1;" 3
origin computed "i is 19999999, computed at @: return n * 2 - 1;" 10000000

# A divisor, set through a pointer.
source=divisor.c
build divisor -g <<'END'
#include <stdio.h>

struct stats { int total, count; };

static void init(struct stats *s)
{
	s->total = 10;
	s->count = 0; /*made*/
}

static int mean(const struct stats *s)
{
	return s->total / s->count;
}

int main(int argc, char **argv)
{
	struct stats s;

	init(&s);
	for (int i = 2; i < argc; i++)
		s.count++;
	printf("%d\n", mean(&s));
	return 0;
}
END
origin constant "s->count is 0, set at @: s->count = 0;"

# A variable that nobody initialised, copied before it is used.
source=level.c
build level -g <<'END'
#include <stdio.h>

static void parse(const char *text, int *out)
{
	if (*text >= '0' && *text <= '9')
		*out = *text - '0';
}

int main(int argc, char **argv)
{
	int copy;
	int level; /*made*/

	parse(argc > 1 ? argv[1] : "x", &level);
	copy = level;
	if (copy > 3)
		puts("high");
	return 0;
}
END
origin uninitialised "level was never initialised; it is read at level.c:15: copy = level;" x

# The initial value of a variable.
source=initial.c
build initial -g <<'END'
#include <stdio.h>

struct node { int v; struct node *next; };
static struct node *head; /*made*/

int main(int argc, char **argv)
{
	struct node other = {3, NULL}, *p;

	if (argc > 1)
		head = &other;
	p = head;
	printf("%d\n", p->v);
	return 0;
}
END
origin initial "p is NULL, the initial value of head at @: static struct node *head;"

# A constant that a call passes.
source=passed.c
build passed -g <<'END'
#include <stdio.h>

static int get(const int *p)
{
	return *p;
}

int main(void)
{
	printf("%d\n", get(NULL)); /*made*/
	return 0;
}
END
origin constant "p is NULL, passed at @: printf"

# There is none: the program is right, or fails otherwise.
source=right.c
build right -g <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	printf("%d\n", argc);
	return argc > 1;
}
END
"$HENCE" explain --json --no-edits -- ./right 1 >out 2>err || fail "not explained: $(<err)"
! grep -q '"origin"' out || fail "there is an origin: $(<out)"
