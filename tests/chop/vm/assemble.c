/*
 * One instruction on a line: 'push 3', 'add', 'jumpz done'; labels are 'done:' on their own line;
 * 'data 1 2 3' are words. Labels may be used before they are defined.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "vm.h"

#define LABELS 32

struct label {
	char name[16];
	int place;
};

struct use {
	char name[16];
	int word; /* that gets the place of the label */
	int line;
};

static struct label labels[LABELS];
static int label_count;
static struct use uses[LABELS];
static int use_count;

static const struct {
	const char *name;
	enum opcode code;
	int operand;
} table[] = {
	{"halt", OP_HALT, 0},   {"push", OP_PUSH, 1}, {"load", OP_LOAD, 1},
	{"store", OP_STORE, 1}, {"add", OP_ADD, 0},   {"sub", OP_SUB, 0},
	{"mul", OP_MUL, 0},     {"jump", OP_JUMP, 1}, {"jumpz", OP_JUMPZ, 1},
	{"print", OP_PRINT, 0},
};

static int put(struct program *out, int word)
{
	if (out->count == (int)(sizeof out->words / sizeof *out->words))
		return 0;
	out->words[out->count++] = word;
	return 1;
}

static int define_label(const char *name, int place)
{
	if (label_count == LABELS || strlen(name) >= sizeof labels[0].name)
		return 0;
	strcpy(labels[label_count].name, name);
	labels[label_count++].place = place;
	return 1;
}

static int put_operand(struct program *out, const char *text, int line)
{
	if (isdigit((unsigned char)*text) || *text == '-')
		return put(out, atoi(text));
	if (use_count == LABELS || strlen(text) >= sizeof uses[0].name)
		return 0;
	struct use *use = &uses[use_count++];
	strcpy(use->name, text);
	use->word = out->count;
	use->line = line;
	return put(out, 0);
}

static int put_data(struct program *out)
{
	for (char *word = strtok(NULL, " \t\n"); word; word = strtok(NULL, " \t\n")) {
		if (!put(out, atoi(word)))
			return 0;
	}
	return 1;
}

static int put_instruction(struct program *out, const char *name, int line)
{
	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		if (strcmp(table[i].name, name))
			continue;
		const char *operand = strtok(NULL, " \t\n");
		if (!operand != !table[i].operand || !put(out, table[i].code))
			return 0;
		return operand ? put_operand(out, operand, line) : put(out, 0);
	}
	return 0;
}

static int assemble_line(struct program *out, char *line, int number)
{
	char *word = strtok(line, " \t\n");
	if (!word || *word == '#')
		return 1;
	size_t size = strlen(word);
	if (word[size - 1] == ':') {
		word[size - 1] = 0;
		return define_label(word, out->count);
	}
	return strcmp(word, "data") ? put_instruction(out, word, number) : put_data(out);
}

static int resolve(struct program *out)
{
	for (int i = 0; i < use_count; i++) {
		int k = 0;
		while (k < label_count && strcmp(labels[k].name, uses[i].name))
			k++;
		if (k == label_count)
			return uses[i].line;
		out->words[uses[i].word] = labels[k].place;
	}
	return 0;
}

int assemble(FILE *in, struct program *out)
{
	char line[200];
	out->count = 0;
	for (int number = 1; fgets(line, sizeof line, in); number++) {
		if (!assemble_line(out, line, number))
			return number;
	}
	return resolve(out);
}
