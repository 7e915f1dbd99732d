#!/bin/bash
# `--pass-prog`: another build of the program is the reference. Each case has the right version in old/ and the faulty one in new/; what the
# chain must say was worked out from the two sources.
source "$SRC/tests/run/lib.sh"

# version FOLDER: standard input becomes FOLDER/prog.c, which is built there.
version() {
	mkdir -p "$1"
	cat >"$1/prog.c"
	(cd "$1" && "$HENCE_CC" -g prog.c -o prog) || fail "cannot build $1"
}

# explain CODE ARGS...: new/prog against old/prog, with the input as it is.
explain() {
	hence_exits "$1" explain --no-reduce --pass-prog old/prog -- new/prog "${@:2}"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

sum() { # OPERATOR
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	static int area(int w, int h)
	{
		int r = w $1 h;
		return r;
	}
	int main(int argc, char **argv)
	{
		int a = area(atoi(argv[1]), atoi(argv[2]));
		printf("area %d\n", a);
		return 0;
	}
	END
}

# --- a wrong operator: 3 + 4 instead of 3 * 4 ---
version old < <(sum '*')
version new < <(sum '+')
explain 0 3 4
like out 'compared with: old/prog \(another build, with the same input\)'
like out ' 1\. r is 7 \(not 12\)'
# No other input is searched for.
like out '[0-9]+ experiments, [0-9.]+ seconds; the failing run .*'
like out '    prog\.c:5:[0-9]+ in area\(\)  .*'
like out ' *[0-9]+\. a is 7 \(not 12\)'
like out ' *[0-9]+\. the program prints 7 \(not 12\)'
hence_exits 0 explain --json --no-reduce --pass-prog old/prog -- new/prog 3 4
like out '.*"reference":\{"kind":"program".*'
hence_exits 0 transitions --no-reduce --pass-prog old/prog -- new/prog 3 4
like out ' *[0-9]+\. .*r is 7 \(not 12\)'

price() { # LINE
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		int total = atoi(argv[1]);
		int tax = total / 5;
	$1
		int cents = total * 100;
		printf("%d cents\n", cents);
		return 0;
	}
	END
}

# --- a statement is missing, or there is one too many: 50 or 60 ---
version old < <(price '	total += tax;')
version new < <(price '')
explain 0 50
like out ' 1\. total is 50 \(not 60\).*'
like out ' *[0-9]+\. cents is 5000 \(not 6000\)'
version old < <(price '')
version new < <(price '	total += tax;')
explain 0 50
like out ' 1\. total is 60 \(not 50\).*'
like out '    prog\.c:7:[0-9]+ in main\(\)  .*'

# --- a constant: 11 is over the limit of 10, not over that of 12 ---
limit() {
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		int limit = $1;
		int n = atoi(argv[1]);
		const char *word = "small";
		if (n > limit)
			word = "large";
		printf("%s\n", word);
		return 0;
	}
	END
}
version old < <(limit 12)
version new < <(limit 10)
explain 0 11
like out ' 1\. limit is 10 \(not 12\)'
like out ' *[0-9]+\. the program prints large \(not small\)'

# --- a function was split in two, and one half is wrong: (3 + 4) * 2 is 14, 3 * 4 * 2 is 24 ---
version old <<'END'
#include <stdio.h>
#include <stdlib.h>
static int work(int a, int b)
{
	int r = (a + b) * 2;
	return r;
}
int main(int argc, char **argv)
{
	int v = work(atoi(argv[1]), atoi(argv[2]));
	printf("value %d\n", v);
	return 0;
}
END
version new <<'END'
#include <stdio.h>
#include <stdlib.h>
static int join(int a, int b)
{
	int j = a * b;
	return j;
}
static int work(int a, int b)
{
	int r = join(a, b) * 2;
	return r;
}
int main(int argc, char **argv)
{
	int v = work(atoi(argv[1]), atoi(argv[2]));
	printf("value %d\n", v);
	return 0;
}
END
explain 0 3 4
like out ' 1\. r is 24 \(not 14\)'
like out ' *[0-9]+\. v is 24 \(not 14\)'

# --- a struct has one more member, in front of the others: they are compared by name ---
item() { # MEMBER FACTOR
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	struct item {
	$1
		int price;
		int count;
	};
	int main(int argc, char **argv)
	{
		struct item *i = calloc(1, sizeof(*i));
		i->price = atoi(argv[1]) * $2;
		i->count = 3;
		printf("%d\n", i->price * i->count);
		free(i);
		return 0;
	}
	END
}
version old < <(item '' 2)
version new < <(item '	long number;' 5)
explain 0 10
like out ' 1\. i->price is 50 \(not 20\)'
like out ' *[0-9]+\. the program prints 150 \(not 60\)'

# --- a static function was renamed; the fault is elsewhere ---
named() { # NAME FACTOR
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	static int $1(int n)
	{
		return n + 1;
	}
	int main(int argc, char **argv)
	{
		int k = atoi(argv[1]);
		int n = $1(k);
		k = n + 1;
		int m = k * $2;
		printf("%d\n", m);
		return 0;
	}
	END
}
version old < <(named next 2)
version new < <(named following 3)
explain 0 4
like out ' 1\. m is 18 \(not 12\)'
like out '    prog\.c:12:[0-9]+ in main\(\)  .*'

# --- a crash, at another line of the right version ---
crash() { # HEAD TEXT
	cat <<-END
	$1
	#include <stdio.h>
	#include <string.h>
	int main(int argc, char **argv)
	{
		const char *text = $2;
		size_t size = strlen(argv[1]);
		if (size > 2)
			size += *text;
		printf("%zu\n", size);
		return 0;
	}
	END
}
version old < <(crash '/* the first version */' '"abc"')
version new < <(crash '' 'argv[1][0] == 120 ? 0 : "abc"')
explain 0 xyz
like out ' 1\. text is NULL \(not .*\)'
like out 'new/prog dies of SIGSEGV.*'

# --- an exit status, which is 0 in the faulty version ---
status() {
	cat <<-END
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		int bad = atoi(argv[1]) > $1;
		return bad ? 2 : 0;
	}
	END
}
version old < <(status 5)
version new < <(status 50)
explain 0 7
like out ' 1\. bad is 0 \(not 1\)'

# --- a structure that only the faulty version makes, with a function in it that lies elsewhere in the right one: 7 - 3 or 7 + 3 ---
table() { # LINES CONDITION
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	struct step {
		long (*work)(long, long);
		long value;
	};
	$1
	static long add(long a, long b)
	{
		return a + b;
	}
	static long subtract(long a, long b)
	{
		return a - b;
	}
	int main(int argc, char **argv)
	{
		long n = atoi(argv[1]);
		struct step *s = NULL;
		if ($2) {
			s = malloc(sizeof(*s));
			s->work = subtract;
			s->value = 3;
		}
		long r = s ? s->work(n, s->value) : add(n, 3);
		printf("%ld\n", r);
		free(s);
		return 0;
	}
	END
}
version old < <(table 'static long twice(long a) { return 2 * a; } long unused(long a) { return twice(a) + 1; }' 'n > 8')
version new < <(table '' 'n > 6')
explain 0 7
like out ' *[0-9]+\. s is .* \(not NULL\).*'
like out '.*; proven both ways \[[0-9]+, [0-9]+\]'
like out ' *[0-9]+\. the program prints 4 \(not 10\)'

# --- nothing that both have: exit code 3, and why ---
version old <<'END'
#include <stdio.h>
int main(int argc, char **argv) { puts("other"); return argc - argc; }
END
version new < <(status 50)
explain 3 7
like out '- the two runs have no point in common, so there is nothing to compare: no.*'

# --- bad input ---
version old < <(sum '*')
version new < <(sum '+')
explain 1 2 2
only err 'hence: new/prog does not fail: it exited with status 0 and prints the same as old/prog; give a build that does something else with --pass-prog'
mv old/prog.c old/gone.c
explain 2 3 4
like err 'hence: cannot read .*/old/prog\.c, which the program was built from: .*'
mv old/gone.c old/prog.c
"$CLANG" -g old/prog.c -o plain || fail "cannot build plain"
hence_exits 2 explain --pass-prog ./plain -- new/prog 3 4
like err 'hence: \./plain was not built with hence cc; .*'
hence_exits 2 explain --pass-prog ./nowhere -- new/prog 3 4
like err 'hence: cannot run \./nowhere: .*'
version old < <(sum '/')
explain 3 3 0
like err 'hence: old/prog fails with the failing input, too: it .*; give a build that does what is right'

# --- what decides is in no variable: nothing is proven, but the changed statement is named ---
result() { # OPERATOR
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	static int next(int n)
	{
		return n $1 1;
	}
	int main(int argc, char **argv)
	{
		printf("%d\n", next(atoi(argv[1])));
		return 0;
	}
	END
}
version old < <(result '+')
version new < <(result '-')
explain 3 4
like out '  prog\.c:5:[0-9]+  the other version does not do this \(not proven\).*'

# --- a guard that the faulty version lacks ---
ratio() { # GUARD
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		int b = atoi(argv[1]);
		$1
		printf("%d\n", 100 / b);
		return 0;
	}
	END
}
version old < <(ratio 'if (b == 0) return 0;')
version new < <(ratio '')
explain 3 0
like out '  prog\.c:7:[0-9]+  the other version does something before this \(not.*'

# --- a changed line that calls the function that it called: a declaration and the call are on one line ---
context() { # VARIABLE
	cat <<-END
	#include <stdio.h>
	#include <string.h>
	static int length(const char *s)
	{
		int n = 0;
		while (s[n])
			n++;
		return n;
	}
	int main(int argc, char **argv)
	{
		const char *right = argv[1], *wrong = NULL;
		if (strcmp(argv[1], "good")) { const char *w = $1; printf("%d\n", length(w)); }
		return right == wrong;
	}
	END
}
version old < <(context right)
version new < <(context wrong)
explain 0 bad
like out ' 1\. w is NULL \(not "bad"\).*'
like out '    prog\.c:13:[0-9]+ in main\(\)'
like out ' *[0-9]+\. s is NULL \(not "bad"\) when length\(\) starts'
for method in transitions chain compare; do
	hence_exits 0 $method --no-reduce --pass-prog old/prog -- new/prog bad
	like out ' *[0-9]+\. s is NULL \(not "bad"\) when length\(\) starts'
done

# --- a line that differs is a suspect, with what the other build has: the program dies in the changed expression, so that there is
# no value before it that could be exchanged ---
divided() { # NUMBER
	cat <<-END
	#include <stdio.h>
	#include <stdlib.h>
	int main(int argc, char **argv)
	{
		int n = atoi(argv[1]);
		printf("%d\n", 100 / (n - $1));
		return 0;
	}
	END
}
version old < <(divided 6)
version new < <(divided 7)
explain 3 7
like out '  prog\.c:6:[0-9]+  the other build has: printf\("%d\\n", 100 / \(n - 6\)\); the.*'

# --- the same, when a chain was proven elsewhere ---
version old < <(sum '*' | sed 's/return r;/return +r;/')
version new < <(sum '+')
explain 0 3 4
like out '  prog\.c:6:[0-9]+  .*the other build has: return \+r.*'

# --- a file beside the working directory is found by all runs ---
reader() { # OPERATOR
	cat <<-END
	#include <stdio.h>
	int main(int argc, char **argv)
	{
		int n = 0, m;
		FILE *file = fopen(argv[1], "r");
		if (!file)
			return 1;
		fscanf(file, "%d", &n);
		m = n $1 1;
		printf("%d\n", m);
		return 0;
	}
	END
}
version old < <(reader '+')
version new < <(reader '-')
echo 7 >number
cd new || exit 1
hence_exits 0 explain --no-reduce --pass-prog ../old/prog -- ./prog ../number
like out ' 1\. m is 6 \(not 8\)'

# --- literals that are no strings for LLVM: "" and the initial value of a struct ---
words() { # OPERATOR
	cat <<-END
	#include <stdio.h>
	#include <string.h>
	struct pair { const char *name, *role; };
	int main(int argc, char **argv)
	{
		struct pair pair = {"bob", "editor"};
		int right = strcmp(pair.role, argv[1]) $1 0;
		printf("%s may%s\n", pair.name, right ? "" : " not");
		return 0;
	}
	END
}
version old < <(words '==')
version new < <(words '>')
hence_exits 0 compare --dual-slice --no-reduce --pass-prog old/prog -- new/prog editor
like out '.*right = 0.*'
