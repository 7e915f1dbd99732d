/* What the calls of an execution put out: gives outputs.c the program's memory and arguments. */
#include <string.h>

#include "trace/executor.h"
#include "actions/outputs.h"

struct asked {
	struct execution *e;
	const struct activation *a;
	const struct code_call *call;
};

/* Undefined bytes are known to the decoder as something, but not what the program had. */
static uint64_t read_defined(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	struct asked *asked = context;
	uint64_t known = memory_read(&asked->e->memory, address, size, out);

	return memory_find_undefined(&asked->e->memory, address, known);
}

static bool read_argument(void *context, uint32_t index, uint32_t size, uint8_t *out)
{
	const struct asked *asked = context;
	const struct code_argument *argument = &asked->call->arguments[index];
	const struct code_slot *slot;

	if (index >= asked->call->count || argument->operand == CODE_NO_OPERAND ||
	    argument->byval || size > 8 * argument->words)
		return false;
	slot = executor_slot(asked->e, asked->a, argument->operand);
	for (uint32_t done = 0; done < size; done += 8, slot++) {
		uint32_t part = size - done < 8 ? size - done : 8;
		uint64_t mask = part == 8 ? UINT64_MAX : (1ull << 8 * part) - 1;

		if (slot->undefined & mask)
			return false;
		memcpy(out + done, &slot->bits, part);
	}
	return true;
}

/* What follows the last slash of argv[0]; NULL: not known. */
static const char *program_name(struct execution *e, char *room, size_t size)
{
	uint64_t argv = walk_tape(e->walk)->head.argv, first;
	const char *slash;

	if (!argv || memory_read(&e->memory, argv, 8, (uint8_t *)&first) < 8)
		return NULL;
	if (!memchr(room, 0, memory_read(&e->memory, first, size, (uint8_t *)room)))
		return NULL;
	slash = strrchr(room, '/');
	return slash ? slash + 1 : room;
}

static bool matters(const struct action_list *actions, const char *name)
{
	for (uint32_t i = 0; i < actions->size; i++)
		switch (actions->at[i].kind) {
		case ACTION_OUTPUT:
		case ACTION_OPENED:
		case ACTION_CLOSED: return true;
		default: break;
		}
	return strstr(name, "locale") != NULL;
}

void executor_note_outputs(struct execution *e, const struct activation *a,
                           const struct executor_call *open)
{
	struct asked asked = {e, a, a->function->insns[a->pc - 1].more};
	struct actions_memory memory = {.context = &asked, .read = read_defined};
	struct outputs_call call = {.name = open->name,
	                            .instance = open->instance,
	                            .call = &open->call,
	                            .actions = &e->actions.list,
	                            .memory = &memory,
	                            .argument = read_argument,
	                            .context = &asked};
	char name[256];

	if (!e->outputs || !matters(&e->actions.list, open->name))
		return;
	call.program = program_name(e, name, sizeof(name));
	outputs_add(e->outputs, &call);
}
