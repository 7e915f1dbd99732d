/*
 * Benchmark: a recursive-descent JSON parser. A document is generated as text, parsed into a tree
 * of many small blocks of memory, looked up in, changed, written again and freed. One round is
 * about a million executed IR instructions at -O0. Usage: json ROUNDS; prints a checksum.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum kind kind;
	char *key;          /* when it is a member of an object */
	struct json *next;  /* in the array or object that it lies in */
	struct json *first; /* of an array or object */
	char *text;
	double number;
};

struct text {
	char *data;
	size_t size, room;
};

static void fail(const char *why)
{
	fprintf(stderr, "json: %s\n", why);
	exit(1);
}

/* --- text that grows --- */

static void add_char(struct text *t, char c)
{
	if (t->size + 1 >= t->room) {
		t->room = t->room ? t->room * 2 : 64;
		t->data = realloc(t->data, t->room);
		if (!t->data)
			fail("out of memory");
	}
	t->data[t->size++] = c;
	t->data[t->size] = 0;
}

static void add_text(struct text *t, const char *s)
{
	while (*s)
		add_char(t, *s++);
}

static void add_quoted(struct text *t, const char *s)
{
	add_char(t, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\') {
			add_char(t, '\\');
			add_char(t, *s);
		} else if (*s == '\n') {
			add_text(t, "\\n");
		} else {
			add_char(t, *s);
		}
	}
	add_char(t, '"');
}

static void add_number(struct text *t, double n)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%.10g", n);
	add_text(t, digits);
}

/* --- parser --- */

static struct json *parse_value(const char **p);

static void skip_space(const char **p)
{
	while (**p == ' ' || **p == '\n' || **p == '\t' || **p == '\r')
		++*p;
}

static void expect(const char **p, char c)
{
	skip_space(p);
	if (*(*p)++ != c)
		fail("unexpected character");
}

static struct json *new_value(enum kind kind)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		fail("out of memory");
	j->kind = kind;
	return j;
}

static char *parse_string(const char **p)
{
	struct text t = {0};

	expect(p, '"');
	add_char(&t, 0);
	t.size = 0;
	while (**p != '"') {
		char c = *(*p)++;

		if (c == 0)
			fail("string without end");
		if (c == '\\') {
			c = *(*p)++;
			if (c == 'n')
				c = '\n';
		}
		add_char(&t, c);
	}
	++*p;
	return t.data;
}

static double parse_number(const char **p)
{
	double v = 0, scale = 1;
	int negative = **p == '-';

	*p += negative;
	while (**p >= '0' && **p <= '9')
		v = v * 10 + (*(*p)++ - '0');
	if (**p == '.') {
		++*p;
		while (**p >= '0' && **p <= '9') {
			v = v * 10 + (*(*p)++ - '0');
			scale *= 10;
		}
	}
	v /= scale;
	return negative ? -v : v;
}

static struct json *parse_list(const char **p, enum kind kind, char close)
{
	struct json *list = new_value(kind), **end = &list->first;

	++*p;
	skip_space(p);
	while (**p != close) {
		char *key = NULL;

		if (kind == JSON_OBJECT) {
			key = parse_string(p);
			expect(p, ':');
		}
		*end = parse_value(p);
		(*end)->key = key;
		end = &(*end)->next;
		skip_space(p);
		if (**p == ',') {
			++*p;
			skip_space(p);
		} else if (**p != close) {
			fail("list without end");
		}
	}
	++*p;
	return list;
}

static struct json *parse_word(const char **p, const char *word, enum kind kind)
{
	size_t n = strlen(word);

	if (strncmp(*p, word, n))
		fail("unknown word");
	*p += n;
	return new_value(kind);
}

static struct json *parse_value(const char **p)
{
	struct json *j;

	skip_space(p);
	switch (**p) {
	case '{': return parse_list(p, JSON_OBJECT, '}');
	case '[': return parse_list(p, JSON_ARRAY, ']');
	case '"':
		j = new_value(JSON_STRING);
		j->text = parse_string(p);
		return j;
	case 't': return parse_word(p, "true", JSON_TRUE);
	case 'f': return parse_word(p, "false", JSON_FALSE);
	case 'n': return parse_word(p, "null", JSON_NULL);
	default:
		j = new_value(JSON_NUMBER);
		j->number = parse_number(p);
		return j;
	}
}

static void destroy(struct json *j)
{
	while (j) {
		struct json *next = j->next;

		destroy(j->first);
		free(j->key);
		free(j->text);
		free(j);
		j = next;
	}
}

/* --- walks --- */

static void write_value(struct text *t, const struct json *j)
{
	static const char *const words[] = {"null", "false", "true"};
	int object = j->kind == JSON_OBJECT;

	switch (j->kind) {
	case JSON_NUMBER: add_number(t, j->number); return;
	case JSON_STRING: add_quoted(t, j->text); return;
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	default: add_text(t, words[j->kind]); return;
	}
	add_char(t, object ? '{' : '[');
	for (const struct json *m = j->first; m; m = m->next) {
		if (object) {
			add_quoted(t, m->key);
			add_char(t, ':');
		}
		write_value(t, m);
		if (m->next)
			add_char(t, ',');
	}
	add_char(t, object ? '}' : ']');
}

static struct json *member(const struct json *j, const char *key)
{
	struct json *m = j->first;

	while (m && strcmp(m->key, key))
		m = m->next;
	return m;
}

static int depth(const struct json *j)
{
	int deepest = 0;

	for (const struct json *m = j->first; m; m = m->next) {
		int d = depth(m);

		if (d > deepest)
			deepest = d;
	}
	return deepest + 1;
}

static double sum_numbers(const struct json *j)
{
	double sum = j->kind == JSON_NUMBER ? j->number : 0;

	for (const struct json *m = j->first; m; m = m->next)
		sum += sum_numbers(m);
	return sum;
}

/* Adds one to the age of each person, and moves the first to the end. */
static void change(struct json *people)
{
	struct json *first = people->first, **end = &people->first;

	for (struct json *p = people->first; p; p = p->next)
		member(p, "age")->number += 1;
	people->first = first->next;
	while (*end)
		end = &(*end)->next;
	first->next = NULL;
	*end = first;
}

/* --- the document --- */

static uint32_t random_state = 99;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

static void add_format(struct text *t, const char *format, ...)
{
	char piece[200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(piece, sizeof(piece), format, ap);
	va_end(ap);
	add_text(t, piece);
}

static void add_scores(struct text *t)
{
	add_format(t, " \"scores\": [%u", random_below(100));
	add_format(t, ".%u", random_below(10));
	add_format(t, ", -%u", random_below(50));
	add_format(t, ", %u],", random_below(1000));
}

static void generate(struct text *t, int people)
{
	static const char *const names[] = {"Ada", "Brian", "Dennis", "Grace \\\"Amazing\\\"",
	                                    "Ken", "Lynn"};

	add_text(t, "{ \"version\": 1, \"people\": [\n");
	for (int i = 0; i < people; i++) {
		add_format(t, "  {\"name\": \"%s\",", names[random_below(6)]);
		add_format(t, " \"age\": %u,", random_below(90));
		add_scores(t);
		add_format(t, " \"active\": %s, \"note\": null,",
		           random_below(2) ? "true" : "false");
		add_format(t, " \"home\": {\"street\": \"line %u\\nroad\",", random_below(200));
		add_format(t, " \"zip\": %u}}", 10000 + random_below(9999));
		add_text(t, i + 1 < people ? ",\n" : "\n");
	}
	add_text(t, "] }");
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	struct text in = {0}, out = {0};
	uint32_t sum = 5381;
	double total = 0;
	int deepest = 0;

	for (long r = 0; r < rounds; r++) {
		const char *p;
		struct json *j;

		in.size = out.size = 0;
		generate(&in, 40);
		p = in.data;
		j = parse_value(&p);
		change(member(j, "people"));
		total += sum_numbers(j);
		deepest += depth(j);
		write_value(&out, j);
		destroy(j);
		for (size_t i = 0; i < out.size; i++)
			sum = sum * 33 + (uint8_t)out.data[i];
	}
	printf("json depth %d, total %.10g, checksum %08x\n", deepest, total, sum);
	free(in.data);
	free(out.data);
	return 0;
}
