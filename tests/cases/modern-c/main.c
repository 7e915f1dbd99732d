/* Newer C and GNU C: generic selections, compound literals, designators, flexible arrays, statement
 * expressions. */
#include <complex.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>

#define KIND(x)                                                                                    \
	_Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "text", \
		 const char *: "const text", float complex: "complex", default: "other")
#define MAX(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) x_ = (a);                                                            \
		__typeof__(b) y_ = (b);                                                            \
		x_ > y_ ? x_ : y_;                                                                 \
	})

struct vector {
	double x, y, z;
};

struct message {
	uint16_t length;
	char kind;
	char text[];
};

struct outer {
	int id;
	union {
		struct {
			short low, high;
		};
		int both;
	};
	struct vector v[3];
};

_Static_assert(offsetof(struct outer, v) == 8, "layout");

static double dot(struct vector a, const struct vector *b)
{
	return a.x * b->x + a.y * b->y + a.z * b->z;
}

static struct message *message_new(char kind, const char *text)
{
	size_t n = strlen(text);
	struct message *m = malloc(sizeof(*m) + n + 1);

	m->length = (uint16_t)n;
	m->kind = kind;
	memcpy(m->text, text, n + 1);
	return m;
}

static int first(const int v[static 1])
{
	return v[0];
}

static int sum_array(int n, const int *v)
{
	return n ? first(v) + sum_array(n - 1, v + 1) : 0;
}

static void cleanup(int *p)
{
	printf("cleanup %d\n", *p);
}

static int scoped(int n)
{
	__attribute__((cleanup(cleanup))) int guard = n;

	for (int i = 0; i < 2; i++) {
		__attribute__((cleanup(cleanup))) int inner = n * 10 + i;

		if (n == 2)
			return inner;
		guard++;
	}
	return guard;
}

static _Noreturn void leave(int status)
{
	exit(status);
}

int main(void)
{
	struct outer o = {.v[1].y = 5, .id = 3, .v[2] = {7, .z = 9}, .high = 2};
	struct outer copies[] = {[1] = o, [0].id = 8};
	struct message *m = message_new('q', "flexible array");
	int calls = 0, *p = (int[]){4, 5, 6, 7};
	alignas(64) char aligned[3];
	struct vector *list[] = {&(struct vector){1, 2, 3}, &(struct vector){.y = 4}};

	printf("%s %s %s %s %s %s\n", KIND(1), KIND(1u), KIND(2.0), KIND((char *)0), KIND("x"),
	       KIND('a' + 1L));
	printf("%d %g %d", MAX(3, 5), MAX(2.5, 1), MAX(calls++, -1));
	printf(" %d\n", calls);
	printf("%g %g\n", dot(*list[0], list[1]), dot((struct vector){.z = 2}, &o.v[2]));
	printf("%d %d %d %g %zu\n", o.both, copies[0].id, copies[1].id, copies[1].v[1].y,
	       sizeof(copies));
	printf("%d %c %s %zu\n", m->length, m->kind, m->text, sizeof(*m));
	printf("%d %d\n", sum_array(4, p), sum_array(2, (int[]){100, 1}));
	printf("%d %d\n", scoped(1), (int)((uintptr_t)aligned % 64));
	printf("%d\n", scoped(2));
	for (int i = 0; i < 3; i++) {
		int *literal = (int[2]){i, i * i};

		calls += literal[1] + ({
				 int t = i;
				 while (t < 10)
					 t += 4;
				 t;
			 });
	}
	printf("%d %s\n", calls, __extension__({ "statement"; }));
	free(m);
	leave(calls % 50);
}
