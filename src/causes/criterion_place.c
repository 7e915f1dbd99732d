/* A line or a variable that the user points at: see criterion.h. */
#include <string.h>

#include "causes/watch.h"

#define NEAR 2u /* lines on each side that a message names */

enum answer {
	UNKNOWN,
	ELSEWHERE,
	HERE,
};

/* A function under way: is it on the line, and what of the line has it executed? */
struct visit {
	bool on;
	uint32_t instance; /* the last */
	int64_t execution;
	VEC(uint32_t) codes;
};

MAP_DEFINE_U64(line_map, bool);

struct place_watch {
	struct watch watch;
	const struct criterion_point *point;
	int64_t wanted;        /* execution; 0: the last */
	int64_t executions;    /* of the line so far */
	int64_t taken;         /* the one that the criterion is of */
	VEC(uint8_t) answers;  /* enum answer of each instruction */
	VEC(struct visit) at;  /* of each function under way */
	struct line_map lines; /* of the file that were executed */
	char *problem;         /* why it is not known; NULL: it is */
	uint32_t told;         /* the instance of the last statement */
	bool counting;         /* nothing else */
};

/* --- is it the line? --- */

static enum answer ask(struct place_watch *p, uint32_t code)
{
	struct walk_place place = names_place(p->watch.names, code);

	if (!place.file || !describe_is_file(place.file, p->point->file))
		return ELSEWHERE;
	*line_map_put(&p->lines, place.line) = true;
	return place.line == p->point->line ? HERE : ELSEWHERE;
}

static bool is_here(struct place_watch *p, uint32_t code)
{
	while (p->answers.size <= code)
		*vec_push(&p->answers) = UNKNOWN;
	if (p->answers.at[code] == UNKNOWN)
		p->answers.at[code] = (uint8_t)ask(p, code);
	return p->answers.at[code] == HERE;
}

/* --- executions --- */

static void leave_visits(struct place_watch *p, uint32_t depth)
{
	for (; p->at.size > depth; p->at.size--)
		vec_deinit(&p->at.at[p->at.size - 1].codes);
}

static struct visit *visit_at(struct place_watch *p, uint32_t depth)
{
	while (p->at.size <= depth)
		vec_push(&p->at);
	return &p->at.at[depth];
}

static bool has_code(const struct visit *v, uint32_t code)
{
	for (uint32_t i = 0; i < v->codes.size; i++)
		if (v->codes.at[i] == code)
			return true;
	return false;
}

/* The function on top is on the line: in which execution of it? */
static void enter(struct place_watch *p, struct visit *v, uint32_t code, uint32_t instance)
{
	/* A call that calls back is told once more when it returns. */
	if (v->on && v->instance == instance)
		return;
	if (!v->on || has_code(v, code)) {
		v->execution = ++p->executions;
		v->codes.size = 0;
	}
	v->on = true;
	v->instance = instance;
	*vec_push(&v->codes) = code;
}

static bool is_wanted(const struct place_watch *p, const struct visit *v)
{
	return v->on && !p->counting && (!p->wanted || v->execution == p->wanted);
}

/* --- what is there --- */

static void forget(struct place_watch *p)
{
	criterion_deinit(p->watch.out);
	free(p->problem);
	p->problem = NULL;
}

static void add_value(struct place_watch *p, const struct describe_place *place)
{
	struct memory *memory = execution_memory(p->watch.e);
	uint64_t size = place->size < 256 ? place->size : 256;
	uint8_t bytes[256], undefined[256];
	struct ctype_part part = place->part;

	memory_read(memory, place->address, size, bytes);
	memory_read_undefined(memory, place->address, size, undefined);
	str_printf(&p->watch.out->what, "%s = ", p->point->variable);
	names_print(p->watch.names, &part, bytes, undefined, size,
	            size == 8 ? memory_load(memory, place->address, 8).object : 0, 60,
	            &p->watch.out->what);
}

/* The variable as it is now, seen from the function at `depth`. */
static void take_variable(struct place_watch *p, uint32_t depth)
{
	struct describe_place place;

	p->problem = describe_lookup(p->watch.names, depth, p->point->variable, &place);
	if (p->problem)
		return;
	add_value(p, &place);
	watch_add_memory(&p->watch, place.address, place.size, p->point->variable);
}

static void take(struct place_watch *p, const struct visit *v, uint32_t depth)
{
	uint32_t mark = v->instance, code = watch_code(&p->watch);
	struct criterion *out = p->watch.out;

	if (depth) {
		/* A callee has returned: the line is as it was. */
		mark = out->marks.size ? out->marks.at[out->marks.size - 1] : 0;
		code = v->codes.at[v->codes.size - 1];
	}
	if (p->point->variable || v->execution != p->taken)
		forget(p);
	p->taken = v->execution;
	out->kind = CRITERION_PLACE;
	watch_set_place(&p->watch, code);
	if (mark)
		watch_mark(&p->watch, mark);
	if (p->point->variable) {
		take_variable(p, depth);
		return;
	}
	watch_add(&p->watch, &(struct slice_criterion){.instance = mark});
}

/* A function returns to one that is on the line: what it changed is now to be seen there. */
static void on_return(struct place_watch *p, uint32_t depth)
{
	const struct activation *a = execution_top(p->watch.e, 0);

	if (depth && p->point->variable && !a->entered &&
	    a->function->insns[a->pc - 1].op == CODE_RETURN && p->at.size > depth - 1 &&
	    is_wanted(p, &p->at.at[depth - 1]))
		take(p, &p->at.at[depth - 1], 1);
}

/* The function on top is at this instruction. */
static void see(struct place_watch *p, uint32_t instance)
{
	uint32_t depth = execution_depth(p->watch.e) - 1, code = watch_code(&p->watch);
	struct visit *v;

	leave_visits(p, depth + 1);
	if (is_here(p, code)) {
		v = visit_at(p, depth);
		enter(p, v, code, instance);
		if (is_wanted(p, v))
			take(p, v, 0);
	} else if (p->at.size > depth) {
		p->at.at[depth].on = false;
	}
	on_return(p, depth);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct place_watch *p = (struct place_watch *)watch;

	p->told = describe_instance(watch->e);
	see(p, p->told);
}

/* A statement that the program died in has not ended, but it was begun. */
static void see_death(struct place_watch *p)
{
	const struct activation *a = execution_top(p->watch.e, 0);
	uint32_t instance;

	if (!p->watch.run->death || !a || !a->pc)
		return;
	instance = watch_dying(&p->watch, p->told);
	if (instance > p->told)
		see(p, instance);
}

/* --- what is wrong --- */

/* Appends the lines before or behind the one asked for that were executed, the nearest ones. */
static void add_near(const struct place_watch *p, bool before, struct str *out)
{
	uint64_t found[NEAR] = {0}, from = p->point->line;
	uint32_t count = 0;

	for (; count < NEAR; count++) {
		uint64_t best = 0;

		map_each(&p->lines, i)
		{
			uint64_t line = p->lines.at[i].key;

			if (before ? line < from && line > best
			           : line > from && (!best || line < best))
				best = line;
		}
		if (!best)
			break;
		found[count] = from = best;
	}
	for (uint32_t i = 0; i < count; i++)
		str_printf(out, "%s%llu", out->length ? ", " : "",
		           (unsigned long long)found[before ? count - 1 - i : i]);
}

/* Files of the program, each once. */
static void add_files(const struct program *program, const char *wanted, bool *is_one,
                      struct str *out)
{
	VEC(const char *) seen = VEC_INIT;

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++) {
			LLVMValueRef last = LLVMGetLastInstruction(
				LLVMGetLastBasicBlock(plan->functions.at[i].function));
			unsigned length;
			const char *file = LLVMInstructionGetDebugLoc(last)
			                           ? LLVMGetDebugLocFilename(last, &length)
			                           : NULL;
			bool known = !file;

			for (uint32_t k = 0; k < seen.size && !known; k++)
				known = !strcmp(seen.at[k], file);
			if (known)
				continue;
			*vec_push(&seen) = file;
			*is_one |= describe_is_file(file, wanted);
			if (seen.size <= 12)
				str_printf(out, "%s%s", out->length ? ", " : "", file);
		}
	}
	if (seen.size > 12)
		str_add(out, ", ...");
	vec_deinit(&seen);
}

static struct hence_error *no_file(struct place_watch *p)
{
	struct str files = STR_INIT;
	struct hence_error *error;
	bool is_one = false;

	add_files(walk_program(execution_walk(p->watch.e)), p->point->file, &is_one, &files);
	if (is_one)
		error = error_create(HENCE_ERROR_INPUT,
		                     "nothing of %s was executed, so %s:%u has no slice",
		                     p->point->file, p->point->file, p->point->line);
	else
		error = error_create(HENCE_ERROR_INPUT,
		                     "the program has no source file %s; its files: %s",
		                     p->point->file,
		                     files.length ? str_text(&files) : "none (build it with -g)");
	str_deinit(&files);
	return error;
}

static struct hence_error *no_line(struct place_watch *p)
{
	struct str near = STR_INIT;
	struct hence_error *error;

	if (!p->lines.size)
		return no_file(p);
	add_near(p, true, &near);
	add_near(p, false, &near);
	error = error_create(HENCE_ERROR_INPUT, "%s:%u was not executed; executed lines nearby: %s",
	                     p->point->file, p->point->line, str_text(&near));
	str_deinit(&near);
	return error;
}

static struct hence_error *no_instance(struct place_watch *p)
{
	return error_create(HENCE_ERROR_INPUT, "--instance %lld: %s:%u was executed %lld time%s",
	                    (long long)p->point->instance, p->point->file, p->point->line,
	                    (long long)p->executions, p->executions == 1 ? "" : "s");
}

static struct hence_error *no_variable(struct place_watch *p)
{
	return error_create(HENCE_ERROR_INPUT, "%s at %s:%u %s", p->point->variable, p->point->file,
	                    p->point->line, p->problem);
}

/* --- all --- */

static struct hence_error *finish(struct watch *watch)
{
	struct place_watch *p = (struct place_watch *)watch;
	struct criterion *out = watch->out;

	see_death(p);
	if (!p->executions)
		return no_line(p);
	if (p->counting)
		return NULL;
	if (!p->taken)
		return no_instance(p);
	if (p->problem)
		return no_variable(p);
	if (!p->point->variable)
		str_add(&out->what, "the line");
	if (p->executions > 1)
		str_printf(&out->why, "execution %lld of %lld of the line", (long long)p->taken,
		           (long long)p->executions);
	return NULL;
}

static void deinit(struct place_watch *p)
{
	leave_visits(p, 0);
	vec_deinit(&p->at);
	vec_deinit(&p->answers);
	line_map_deinit(&p->lines);
	free(p->problem);
}

static struct hence_error *look(const struct recording *run, const struct criterion_point *point,
                                double until, int64_t *count, struct criterion *out)
{
	struct place_watch p = {.watch = {.run = run,
	                                  .until = until,
	                                  .statement = on_statement,
	                                  .finish = finish,
	                                  .out = out},
	                        .point = point,
	                        .counting = point->instance < -1 && !*count};
	struct hence_error *error;

	if (point->instance > 0)
		p.wanted = point->instance;
	else if (*count)
		p.wanted = *count + 1 + point->instance > 0 ? *count + 1 + point->instance : -1;
	error = watch_run(&p.watch);
	*count = p.executions;
	deinit(&p);
	return error;
}

struct hence_error *criterion_of_place(const struct recording *run,
                                       const struct criterion_point *point, double until,
                                       struct criterion *out)
{
	struct criterion found = {0};
	int64_t count = 0;
	struct hence_error *error = look(run, point, until, &count, &found);

	/* To count from the end, the end must be known. */
	if (!error && point->instance < -1)
		error = look(run, point, until, &count, &found);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}
