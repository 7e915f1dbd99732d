#include <string.h>

#include "toy.h"

const struct description descriptions[OPERATIONS] = {
	[LDI] = {"ldi", "rn"},  [MOV] = {"mov", "rr"}, [LD] = {"ld", "rr"},
	[ST] = {"st", "rr"},    [ADD] = {"add", "rr"}, [ADDI] = {"addi", "rn"},
	[SUB] = {"sub", "rr"},  [MUL] = {"mul", "rr"}, [SHR] = {"shr", "rn"},
	[CMP] = {"cmp", "rr"},  [JMP] = {"jmp", "n"},  [JEQ] = {"jeq", "n"},
	[JNE] = {"jne", "n"},   [JLT] = {"jlt", "n"},  [JLE] = {"jle", "n"},
	[CALL] = {"call", "n"}, [RET] = {"ret", ""},   [OUT] = {"out", "r"},
	[HALT] = {"halt", ""},
};

const struct label *label_find(const struct program *p, const char *name)
{
	for (int i = 0; i < p->label_count; i++)
		if (strcmp(p->labels[i].name, name) == 0)
			return &p->labels[i];
	return NULL;
}

bool label_add(struct program *p, const char *name, int value)
{
	struct label *label;

	if (p->label_count == MOST_LABELS || strlen(name) >= NAME_SIZE || label_find(p, name))
		return false;
	label = &p->labels[p->label_count++];
	strcpy(label->name, name);
	label->value = (int16_t)value;
	return true;
}
