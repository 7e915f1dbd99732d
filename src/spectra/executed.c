/* Lines that a run executed: see executed.h. */
#include "spectra/executed.h"

#include "base/map.h"
#include "trace/path.h"
#include "trace/walk.h"

MAP_DEFINE_U64(record_set, bool);

#define RECENT 1024u

/* Records of plans that were passed: of their blocks all instructions up to them were executed. */
struct executed {
	struct record_set records;                /* by address */
	const struct plan_record *recent[RECENT]; /* some of them: loops pass the same ones again */
};

static void pass(struct executed *e, const struct plan_record *record)
{
	const struct plan_record **recent =
		&e->recent[(uintptr_t)record / sizeof(*record) % RECENT];

	if (*recent == record)
		return;
	*recent = record;
	*record_set_put(&e->records, (uintptr_t)record) = true;
}

static void take_record(void *context, const struct plan_record *record, bool entered)
{
	if (!entered)
		pass(context, record);
}

/* --- who follows the walk --- */

static void on_loaded(void *context, uint32_t module)
{
}

static void on_given(void *context, struct effects effects)
{
}

static void on_entered(void *context, struct program_place place, uint64_t frame,
                       const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
}

static void on_reached(void *context, uint32_t block, const struct plan_record *record)
{
	pass(context, record);
}

static void on_executed(void *context, uint32_t block, const struct plan_record *record,
                        const uint8_t *bytes)
{
	pass(context, record);
}

static void on_other(void *context)
{
}

static void on_unwound(void *context, uint32_t depth)
{
}

/* --- lines --- */

/* What does nothing by itself: a local's place, and the end of a function that returns nothing. */
static bool is_empty(LLVMValueRef instruction)
{
	return LLVMIsAAllocaInst(instruction) ||
	       (LLVMIsAReturnInst(instruction) && !LLVMGetNumOperands(instruction));
}

static void tell_block(LLVMValueRef last,
                       void (*tell)(void *context, const char *file, unsigned line,
                                    const char *function),
                       void *context)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(last));
	size_t size;
	const char *name = LLVMGetValueName2(function, &size);
	unsigned length, before = 0;

	for (LLVMValueRef i = last; i; i = LLVMGetPreviousInstruction(i)) {
		unsigned line = LLVMInstructionGetDebugLoc(i) ? LLVMGetDebugLocLine(i) : 0;

		if (line && line != before && !is_empty(i))
			tell(context, LLVMGetDebugLocFilename(i, &length), line, name);
		before = is_empty(i) ? before : line;
	}
}

/* The statement that it died in wrote nothing any more. */
static void tell_end(const struct walk *walk, const struct walk_place *death,
                     void (*tell)(void *context, const char *file, unsigned line,
                                  const char *function),
                     void *context)
{
	struct walk_place place;

	if (death && walk_where(walk, 0, &place) && place.file &&
	    (!death->line || death->line == place.line))
		tell(context, place.file, place.line, place.function);
	else if (death && death->line && walk_where(walk, 0, &place) && place.file &&
	         !strcmp(place.function, death->function))
		tell(context, place.file, death->line, death->function);
}

struct hence_error *executed_lines(const struct recording *run,
                                   void (*tell)(void *context, const char *file, unsigned line,
                                                const char *function),
                                   void *context)
{
	struct executed e = {.records = MAP_INIT};
	const struct walk_follower follower = {.context = &e,
	                                       .loaded = on_loaded,
	                                       .given = on_given,
	                                       .entered = on_entered,
	                                       .reached = on_reached,
	                                       .executed = on_executed,
	                                       .left = on_other,
	                                       .interrupted = on_other,
	                                       .unwound = on_unwound,
	                                       .resumed = on_reached};
	struct walk *walk, *own = NULL;
	struct hence_error *error = path_records(run, take_record, &e, &walk);

	if (!error && !walk) {
		error = walk_create(run->modules, run->folder, run->tape, &own);
		if (error)
			return error;
		walk = own;
		walk_follow(walk, &follower);
		error = walk_to_end(walk, run->death);
	}
	if (!error) {
		map_each(&e.records, i) tell_block(
			((const struct plan_record *)(uintptr_t)e.records.at[i].key)->instruction,
			tell, context);
		tell_end(walk, run->death, tell, context);
	}
	walk_destroy(own);
	record_set_deinit(&e.records);
	return error;
}
