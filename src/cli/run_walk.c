/* What the tapes of a run say: counts of executed things, and source positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/run.h"
#include "cli/run_io.h"
#include "outside/table.h"
#include "trace/walk.h"

static struct run_unmodelled *find_unmodelled(struct run *run, const char *name)
{
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		if (!strcmp(run->unmodelled.at[i].name, name))
			return &run->unmodelled.at[i];
	return NULL;
}

/* Called outside functions that the table does not know. */
static void add_unmodelled(struct run *run, const struct walk *walk)
{
	struct walk_outside *called;
	uint32_t count = walk_outside(walk, &called);

	for (uint32_t i = 0; i < count; i++) {
		struct run_unmodelled *entry = find_unmodelled(run, called[i].name);

		if (outside_table_find(run->table, called[i].name))
			continue;
		if (!entry) {
			entry = vec_push(&run->unmodelled);
			entry->name = mem_strdup(called[i].name);
		}
		entry->calls += called[i].calls;
	}
	free(called);
}

static int by_calls(const void *a, const void *b)
{
	const struct run_unmodelled *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void add_counts(struct run_numbers *to, const struct walk_counts *counts)
{
	to->functions += counts->distinct_functions;
	to->calls += counts->functions;
	to->blocks += counts->blocks;
	to->statements += counts->statements;
	to->instructions += counts->instructions;
}

#define PART (32ull << 20) /* bytes of tape between looks at the clock */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void show_progress(const struct tape *tape, uint64_t at)
{
	if (isatty(2) && tape->end > 8 * PART)
		fprintf(stderr, "\r\033[Khence: reading the tape: %u %%",
		        (unsigned)(100 * at / tape->end));
}

/* Walks to the end, or until so much time has gone that nobody would wait for it. A person who waits
   at a terminal sees how far it is. */
static struct hence_error *walk_showing(struct run *run, struct walk *walk,
                                        const struct run_tape *recorded)
{
	const struct tape *tape = recorded->tape;
	const struct place *place = &recorded->outcome.place;
	struct walk_place death = {.function = place->function,
	                           .line = (unsigned)place->line,
	                           .column = (unsigned)place->column};
	bool died = recorded->outcome.kind == OUTCOME_SIGNALLED && place->function && place->line;
	struct hence_error *error = NULL;
	uint64_t at;

	for (at = PART; !error && at < tape->end && now() < run->read_until; at += PART) {
		show_progress(tape, at);
		error = walk_to(walk, at);
	}
	if (isatty(2) && at > PART)
		fputs("\r\033[K", stderr);
	if (error || at >= tape->end)
		return error ? error : walk_to_end(walk, died ? &death : NULL);
	run_note(run,
	         "tape %u is long: only its first %u %% were counted; --time SECONDS allows more",
	         tape->number, (unsigned)(100 * (at - PART) / tape->end));
	return NULL;
}

static struct hence_error *walk_one(struct run *run, struct modules *modules,
                                    struct run_tape *recorded, struct run_io *io)
{
	struct walk *walk = NULL;
	struct hence_error *error =
		walk_create(modules, run->session.path, recorded->tape->number, &walk);

	if (!error && io)
		run_io_begin(io, recorded, walk);
	if (!error)
		error = walk_showing(run, walk, recorded);
	if (io)
		run_io_end(io, error);
	if (!error) {
		add_counts(&recorded->numbers, walk_counts(walk));
		add_counts(&run->total, walk_counts(walk));
		add_unmodelled(run, walk);
		recorded->walked = run->walked = true;
	}
	walk_destroy(walk);
	return error;
}

/* Notes why a tape cannot be read. */
static struct hence_error *unreadable(struct run *run, const struct run_tape *recorded,
                                      const struct hence_error *why)
{
	const char *program = recorded->program ? recorded->program : "a program";

	run_note(run, "tape %u (%s) cannot be read: %s", recorded->tape->number, program,
	         why->message);
	return error_create(why->kind,
	                    "tape %u (%s) cannot be read, so the account is not complete",
	                    recorded->tape->number, program);
}

static struct hence_error *walk_all(struct run *run, struct run_io *io)
{
	struct modules *modules = modules_create();
	struct hence_error *first = NULL;

	run->read_until = now() + run->options->time;
	for (uint32_t i = 0; i < run->recorded.size; i++) {
		struct run_tape *recorded = &run->recorded.at[i];
		struct hence_error *error, *named;

		if (recorded->tape->condition != TAPE_GOOD)
			continue;
		error = walk_one(run, modules, recorded, io);
		if (!error)
			continue;
		named = unreadable(run, recorded, error);
		error_destroy(error);
		if (first && named->kind > first->kind)
			first->kind = named->kind;
		if (first)
			error_destroy(named);
		else
			first = named;
	}
	modules_destroy(modules);
	return first;
}

struct hence_error *run_walk(struct run *run)
{
	struct run_io *io = NULL;
	struct hence_error *error = NULL, *later;

	if (run->options->io)
		error = run_io_open(run->options->io, &io);
	if (error)
		return error;
	error = walk_all(run, io);
	later = run_io_close(io);
	if (run->unmodelled.size)
		qsort(run->unmodelled.at, run->unmodelled.size, sizeof(*run->unmodelled.at),
		      by_calls);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

struct hence_error *run_position_at(const struct run *run, const struct tape *tape, uint64_t offset,
                                    char **out)
{
	struct modules *modules = modules_create();
	struct walk *walk = NULL;
	struct hence_error *error = walk_create(modules, run->session.path, tape->number, &walk);
	struct walk_place place;

	if (!error)
		error = walk_to(walk, offset);
	if (!error && walk_where(walk, 0, &place)) {
		struct str text = STR_INIT;

		if (place.file)
			str_printf(&text, "%s:%u:%u in ", place.file, place.line, place.column);
		str_printf(&text, "%s()", place.function);
		if (place.outside)
			str_printf(&text, ", calling %s()", place.outside);
		*out = str_steal(&text);
	}
	walk_destroy(walk);
	modules_destroy(modules);
	return error;
}
