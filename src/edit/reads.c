/* Initial values that a run read: see edit.h. */
#include "edit/edit.h"

#include "base/arena.h"
#include "base/map.h"
#include "trace/history.h"

#define WINDOW  (1u << 21) /* instances that are kept at a time */
#define STEP    (1u << 18) /* and after which one may stop */
#define READERS 3u         /* lines that are kept of a byte, the last ones */
#define MOST    (1u << 16) /* bytes of one read that are looked at */

struct readers {
	uint32_t code[READERS]; /* 1 + number of the instruction; the last one first */
};

MAP_DEFINE_U64(reader_map, struct readers);

struct place {
	const char *file;
	unsigned line;
};

struct edit_reads {
	struct reader_map bytes;  /* by address */
	VEC(struct place) places; /* by code */
	struct arena arena;
};

static void note(struct edit_reads *r, uint64_t address, uint64_t size, uint32_t code)
{
	for (uint64_t i = 0; i < size && i < MOST; i++) {
		struct readers *all = reader_map_put(&r->bytes, address + i);
		uint32_t at = 0;

		while (at < READERS - 1 && all->code[at] != code + 1)
			at++;
		for (; at; at--)
			all->code[at] = all->code[at - 1];
		all->code[0] = code + 1;
	}
}

/* What a copy or an outside call read, or a load of bytes that several instances wrote. */
static void note_group(struct edit_reads *r, const struct execution *e, uint32_t source,
                       uint32_t code)
{
	const struct execution_group *group = execution_group(e, source);
	const struct execution_flow *flows = execution_flows(e, group);

	for (uint32_t i = 0; i < group->count; i++)
		if (flows[i].source == SOURCE_INITIAL && flows[i].from)
			note(r, flows[i].from, flows[i].size, code);
}

static void note_window(struct edit_reads *r, const struct execution *e)
{
	const uint32_t *sources = execution_sources(e);
	uint32_t first, end, late;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		uint32_t source = sources[i - first], made;
		const struct code_insn *insn;
		uint64_t address;

		if (source & EXECUTION_GROUP) {
			note_group(r, e, source, execution_code(e, i));
			continue;
		}
		if (source != SOURCE_INITIAL)
			continue;
		insn = execution_insn(e, i);
		if ((insn->op == CODE_LOAD || insn->op == CODE_LOAD_WIDE ||
		     insn->op == CODE_ATOMIC) &&
		    execution_operand(e, i, insn->a, &address, &made))
			note(r, address,
			     insn->op == CODE_ATOMIC ? (uint64_t)insn->imm : insn->bytes,
			     execution_code(e, i));
	}
	/* Calls that began before this window. */
	for (uint32_t n = 0; (late = execution_late_call(e, n)) != UINT32_MAX; n++) {
		uint32_t source = execution_late(e, late);

		if (source & EXECUTION_GROUP)
			note_group(r, e, source, UINT32_MAX - 1);
	}
}

struct hence_error *edit_reads_find(const struct recording *run, bool (*stop)(void *context),
                                    void *context, struct edit_reads **out)
{
	const struct execution_options options = {
		.table = run->table, .retain = true, .windows = true};
	struct edit_reads *r = NULL;
	struct execution *whole, *e;
	struct hence_error *error = history_whole(run, &whole);
	bool ended = false, stopped = false;

	*out = NULL;
	if (!error && !whole)
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
	if (error)
		return error;
	if (whole) {
		e = whole;
		ended = true;
	}
	r = mem_alloc(sizeof(*r));
	while (!error && !stopped) {
		uint32_t first, end;

		execution_kept(e, &first, &end);
		while (!error && !ended && !stopped &&
		       execution_next(e) < (uint64_t)first + WINDOW) {
			error = execution_advance(e, (uint64_t)execution_next(e) + STEP, run->death,
			                          &ended);
			stopped = !ended && stop && stop(context);
		}
		if (!error && !stopped)
			note_window(r, e);
		if (ended)
			break;
		execution_window(e, true);
	}
	if (!error && !stopped) {
		struct code *table = execution_code_table(e);

		for (uint32_t code = 0; code < table->size; code++) {
			const struct code_function *f = code_of(table, code);
			LLVMValueRef i = f->instructions[code - f->first];
			struct place *place = vec_push(&r->places);
			unsigned length = 0;
			const char *file;

			if (!i || !LLVMIsAInstruction(i) || !LLVMInstructionGetDebugLoc(i))
				continue;
			file = LLVMGetDebugLocFilename(i, &length);
			place->line = LLVMGetDebugLocLine(i);
			if (code && r->places.at[code - 1].file && file &&
			    strlen(r->places.at[code - 1].file) == length &&
			    !memcmp(r->places.at[code - 1].file, file, length))
				place->file = r->places.at[code - 1].file;
			else if (file)
				place->file = arena_strndup(&r->arena, file, length);
		}
	}
	if (!whole)
		execution_destroy(e);
	if (error || stopped)
		edit_reads_destroy(r);
	else
		*out = r;
	return error;
}

void edit_reads_destroy(struct edit_reads *r)
{
	if (!r)
		return;
	reader_map_deinit(&r->bytes);
	vec_deinit(&r->places);
	arena_deinit(&r->arena);
	free(r);
}

bool edit_reads_at(const struct edit_reads *r, uint64_t address, uint64_t size, uint32_t number,
                   const char **file, unsigned *line)
{
	for (uint64_t i = 0; i < size && number < READERS; i++) {
		const struct readers *all = reader_map_find(&r->bytes, address + i);

		if (!all || !all->code[number])
			continue;
		*file = NULL;
		*line = 0;
		if (all->code[number] <= r->places.size) {
			*file = r->places.at[all->code[number] - 1].file;
			*line = r->places.at[all->code[number] - 1].line;
		}
		return true;
	}
	return false;
}
