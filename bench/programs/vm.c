/*
 * Benchmark: a byte-code interpreter. A small stack machine runs a program that counts words in a
 * hash table of strings, computes with numbers and calls functions. One round is about a million
 * executed IR instructions at -O0. Usage: vm ROUNDS; prints a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op {
	OP_PUSH,  /* constant */
	OP_LOAD,  /* variable */
	OP_STORE, /* variable */
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_MOD,
	OP_XOR,
	OP_LESS,
	OP_JUMP,   /* target */
	OP_JUMP_0, /* target */
	OP_CALL,   /* target */
	OP_RETURN,
	OP_DUP,
	OP_SWAP,
	OP_NAME, /* number -> string */
	OP_GET,  /* string -> number in the table */
	OP_PUT,  /* number, string -> */
	OP_HALT,
};

enum kind { NUMBER, STRING };

struct value {
	enum kind kind;
	union {
		int64_t number;
		const struct string *string;
	};
};

struct string {
	struct string *next; /* in the list of all names */
	uint32_t hash;
	uint32_t length;
	char text[];
};

struct entry {
	const struct string *key;
	int64_t value;
};

struct table {
	struct entry *entries;
	uint32_t room, used;
};

struct machine {
	struct value stack[64], *top;
	int32_t calls[64], depth;
	int64_t variables[16];
	struct table table;
	struct string *names[512]; /* interned, by hash */
	uint64_t executed;
};

static void fail(const char *why)
{
	fprintf(stderr, "vm: %s\n", why);
	exit(1);
}

static uint32_t hash_text(const char *text, uint32_t length)
{
	uint32_t h = 2166136261u;

	for (uint32_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)text[i]) * 16777619u;
	return h;
}

static const struct string *intern(struct machine *m, const char *text, uint32_t length)
{
	uint32_t h = hash_text(text, length);
	struct string **list = &m->names[h % 512], *s;

	for (s = *list; s; s = s->next)
		if (s->hash == h && s->length == length && !memcmp(s->text, text, length))
			return s;
	s = malloc(sizeof(*s) + length + 1);
	if (!s)
		fail("out of memory");
	s->next = *list;
	s->hash = h;
	s->length = length;
	memcpy(s->text, text, length);
	s->text[length] = 0;
	*list = s;
	return s;
}

static struct entry *slot(struct entry *entries, uint32_t room, const struct string *key)
{
	uint32_t i = key->hash & (room - 1);

	while (entries[i].key && entries[i].key != key)
		i = (i + 1) & (room - 1);
	return &entries[i];
}

static void grow(struct table *t)
{
	uint32_t room = t->room ? t->room * 2 : 16;
	struct entry *entries = calloc(room, sizeof(*entries));

	if (!entries)
		fail("out of memory");
	for (uint32_t i = 0; i < t->room; i++)
		if (t->entries[i].key)
			*slot(entries, room, t->entries[i].key) = t->entries[i];
	free(t->entries);
	t->entries = entries;
	t->room = room;
}

static int64_t table_get(const struct table *t, const struct string *key)
{
	return t->room ? slot(t->entries, t->room, key)->value : 0;
}

static void table_put(struct table *t, const struct string *key, int64_t value)
{
	struct entry *e;

	if (t->used * 4 >= t->room * 3)
		grow(t);
	e = slot(t->entries, t->room, key);
	if (!e->key)
		t->used++;
	e->key = key;
	e->value = value;
}

static void push(struct machine *m, struct value v)
{
	if (m->top == m->stack + 64)
		fail("stack overflow");
	*m->top++ = v;
}

static struct value pop(struct machine *m)
{
	if (m->top == m->stack)
		fail("stack underflow");
	return *--m->top;
}

static void push_number(struct machine *m, int64_t n)
{
	push(m, (struct value){.kind = NUMBER, .number = n});
}

static int64_t pop_number(struct machine *m)
{
	struct value v = pop(m);

	if (v.kind != NUMBER)
		fail("not a number");
	return v.number;
}

static const struct string *pop_string(struct machine *m)
{
	struct value v = pop(m);

	if (v.kind != STRING)
		fail("not a string");
	return v.string;
}

/* The words of a language with syllables. */
static void push_name(struct machine *m, int64_t n)
{
	static const char syllables[8][3] = {"ka", "lo", "mi", "nu", "re", "so", "ti", "ve"};
	char text[16];
	uint32_t length = 0;

	do {
		text[length++] = syllables[n & 7][0];
		text[length++] = syllables[n & 7][1];
		n >>= 3;
	} while (n > 0 && length < 12);
	push(m, (struct value){.kind = STRING, .string = intern(m, text, length)});
}

static int64_t arithmetic(enum op op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
	case OP_MOD: return b ? a % b : 0;
	case OP_XOR: return a ^ b;
	default: return a < b;
	}
}

static void step_data(struct machine *m, enum op op)
{
	struct value a, b;
	const struct string *s;

	switch (op) {
	case OP_DUP:
		a = pop(m);
		push(m, a);
		push(m, a);
		break;
	case OP_SWAP:
		b = pop(m);
		a = pop(m);
		push(m, b);
		push(m, a);
		break;
	case OP_NAME: push_name(m, pop_number(m)); break;
	case OP_GET: push_number(m, table_get(&m->table, pop_string(m))); break;
	case OP_PUT:
		s = pop_string(m);
		table_put(&m->table, s, pop_number(m));
		break;
	default: fail("unknown operation");
	}
}

static void run(struct machine *m, const int32_t *code)
{
	const int32_t *pc = code;
	int64_t a, b;

	for (;;) {
		enum op op = (enum op) * pc++;

		m->executed++;
		switch (op) {
		case OP_PUSH: push_number(m, *pc++); break;
		case OP_LOAD: push_number(m, m->variables[*pc++]); break;
		case OP_STORE: m->variables[*pc++] = pop_number(m); break;
		case OP_ADD:
		case OP_SUB:
		case OP_MUL:
		case OP_MOD:
		case OP_XOR:
		case OP_LESS:
			b = pop_number(m);
			a = pop_number(m);
			push_number(m, arithmetic(op, a, b));
			break;
		case OP_JUMP: pc = code + *pc; break;
		case OP_JUMP_0: pc = pop_number(m) ? pc + 1 : code + *pc; break;
		case OP_CALL:
			if (m->depth == 64)
				fail("calls too deep");
			m->calls[m->depth++] = (int32_t)(pc + 1 - code);
			pc = code + *pc;
			break;
		case OP_RETURN: pc = code + m->calls[--m->depth]; break;
		case OP_HALT: return;
		default: step_data(m, op);
		}
	}
}

/* Variables: 0 counter, 1 limit, 2 state of the random numbers, 3 checksum, 4 the function's own.
   The formatter would take the layout away. */
// clang-format off
static const int32_t program[] = {
	/*  0 */ OP_PUSH, 0, OP_STORE, 0,
	/*  4 while counter < limit */ OP_LOAD, 0, OP_LOAD, 1, OP_LESS, OP_JUMP_0, 49,
	/* 11 state = random(state) */ OP_LOAD, 2, OP_CALL, 50, OP_STORE, 2,
	/* 17 word = name(state % 1000) */ OP_LOAD, 2, OP_PUSH, 1000, OP_MOD, OP_NAME,
	/* 23 table[word]++ */ OP_DUP, OP_GET, OP_PUSH, 1, OP_ADD, OP_SWAP, OP_PUT,
	/* 30 checksum */ OP_LOAD, 3, OP_PUSH, 31, OP_MUL, OP_LOAD, 2, OP_XOR, OP_STORE, 3,
	/* 40 counter++ */ OP_LOAD, 0, OP_PUSH, 1, OP_ADD, OP_STORE, 0, OP_JUMP, 4,
	/* 49 */ OP_HALT,
	/* 50 random: x -> (x * 1103515245 + 12345) % 2147483647 */
	OP_STORE, 4, OP_LOAD, 4, OP_PUSH, 1103515245, OP_MUL, OP_PUSH, 12345, OP_ADD,
	OP_PUSH, 2147483647, OP_MOD, OP_RETURN,
};
// clang-format on

static uint64_t sum_table(const struct table *t)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < t->room; i++)
		if (t->entries[i].key)
			sum += (uint64_t)t->entries[i].value * t->entries[i].key->hash;
	return sum;
}

int main(int argc, char **argv)
{
	static struct machine m;
	long rounds = argc > 1 ? atol(argv[1]) : 1;

	m.variables[2] = 42;
	while (rounds-- > 0) {
		m.top = m.stack;
		m.variables[1] = 250; /* a million IR instructions */
		run(&m, program);
	}
	printf("vm %llu operations, %u words, checksum %016llx\n", (unsigned long long)m.executed,
	       m.table.used, (unsigned long long)(sum_table(&m.table) ^ (uint64_t)m.variables[3]));
	return 0;
}
