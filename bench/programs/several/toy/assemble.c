#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toy.h"

/* Numbers that are named before their label is known are filled in at the end. */
struct fixup {
	int at, line;
	char name[NAME_SIZE];
};

struct assembler {
	struct program *program;
	struct fixup fixups[MOST_CODE];
	int fixup_count;
	int line, mistakes;
};

static void complain(struct assembler *a, int line, const char *what, const char *word)
{
	printf("line %d: %s: %s\n", line, what, word);
	a->mistakes++;
}

/* The next word, which ends at white space or a comma; empty at the end of the line. */
static char *next_word(char **at)
{
	char *word;

	while (isspace((unsigned char)**at) || **at == ',')
		(*at)++;
	word = *at;
	while (**at && !isspace((unsigned char)**at) && **at != ',')
		(*at)++;
	if (**at)
		*(*at)++ = '\0';
	return word;
}

static bool read_number(const char *word, int16_t *number)
{
	char *end;
	long value = strtol(word, &end, 0);

	if (end == word || *end || value < INT16_MIN || value > INT16_MAX)
		return false;
	*number = (int16_t)value;
	return true;
}

static void read_register(struct assembler *a, const char *word, uint8_t *to)
{
	if (word[0] == 'r' && word[1] >= '0' && word[1] < '0' + REGISTERS && !word[2])
		*to = (uint8_t)(word[1] - '0');
	else
		complain(a, a->line, "not a register", word);
}

static void read_value(struct assembler *a, const char *word, struct instruction *i)
{
	struct fixup *fixup;

	if (read_number(word, &i->number))
		return;
	if (!*word || strlen(word) >= NAME_SIZE) {
		complain(a, a->line, "not a number or label", word);
		return;
	}
	fixup = &a->fixups[a->fixup_count++];
	fixup->at = a->program->size;
	fixup->line = a->line;
	strcpy(fixup->name, word);
}

static void read_instruction(struct assembler *a, const char *name, char *at)
{
	struct program *p = a->program;
	struct instruction *i = &p->code[p->size];
	int registers = 0;
	int operation = 0;

	while (operation < OPERATIONS && strcmp(descriptions[operation].name, name) != 0)
		operation++;
	if (operation == OPERATIONS || p->size == MOST_CODE) {
		complain(a, a->line, "not an instruction", name);
		return;
	}
	i->operation = (enum operation)operation;
	i->line = a->line;
	for (const char *o = descriptions[operation].operands; *o; o++) {
		const char *word = next_word(&at);

		if (*o == 'r')
			read_register(a, word, registers++ == 0 ? &i->a : &i->b);
		else
			read_value(a, word, i);
	}
	p->size++;
}

/* NAME: .word NUMBER...; the label is an address of the memory. */
static void read_data(struct assembler *a, char *at)
{
	struct program *p = a->program;
	char *word;

	while (*(word = next_word(&at)))
		if (p->data_size == MEMORY || !read_number(word, &p->data[p->data_size++]))
			complain(a, a->line, "not a number", word);
}

static void read_line(struct assembler *a, char *line)
{
	struct program *p = a->program;
	char label[NAME_SIZE] = "";
	char *word;
	size_t length;
	bool data;

	line[strcspn(line, ";\n")] = '\0';
	word = next_word(&line);
	length = strlen(word);
	if (length > 1 && length <= NAME_SIZE && word[length - 1] == ':') {
		word[length - 1] = '\0';
		strcpy(label, word);
		word = next_word(&line);
	}
	data = strcmp(word, ".word") == 0;
	if (*label && !label_add(p, label, data ? p->data_size : p->size))
		complain(a, a->line, "too many labels of that name", label);
	if (data)
		read_data(a, line);
	else if (*word)
		read_instruction(a, word, line);
}

int assemble(struct program *p)
{
	struct assembler a = {.program = p};
	char line[120];

	while (fgets(line, sizeof line, stdin)) {
		a.line++;
		read_line(&a, line);
	}
	for (int i = 0; i < a.fixup_count; i++) {
		const struct label *label = label_find(p, a.fixups[i].name);

		if (label)
			p->code[a.fixups[i].at].number = label->value;
		else
			complain(&a, a.fixups[i].line, "no such label", a.fixups[i].name);
	}
	return a.mistakes;
}
