/* `hence run`: runs a program, records it, and says how it went. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/budget.h"
#include "base/map.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "outside/table.h"
#include "run/blobs.h"
#include "run/discard.h"
#include "run/repeat.h"
#include "trace/walk.h"

struct run_io;

/* --- the account: what is printed when the program has ended --- */

#define MOST_LINES 10 /* for tapes */
#define MOST_NAMES 5  /* of functions without a model */

void run_note(struct run *run, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&run->notes) = str_steal(&text);
}

const struct outcome *run_outcome(const struct run *run)
{
	return &run->launch.processes.list.at[0].outcome;
}

static uint64_t sum_bytes(const struct run *run)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < run->tapes.list.size; i++)
		bytes += tape_bytes(&run->tapes.list.at[i]);
	return bytes;
}

static uint64_t sum_outside(const struct run *run, uint64_t *unmodelled)
{
	uint64_t outside = 0;

	*unmodelled = 0;
	for (uint32_t i = 0; i < run->tapes.list.size; i++) {
		outside += run->tapes.list.at[i].head.outside;
		*unmodelled += run->tapes.list.at[i].head.unmodelled;
	}
	return outside;
}

/* --- the account: text --- */

/* One line for each process, when there is more to say than the outcome of the command. */
static void add_tapes(const struct run *run, struct str *out)
{
	uint32_t count = run->recorded.size;
	pid_t root = run->launch.processes.list.at[0].pid;

	if (count == 1 && run->recorded.at[0].tape->head.pid == root && !run->program.script)
		return;
	for (uint32_t i = 0; i < count && i < MOST_LINES; i++) {
		const struct hence_head *head = &run->recorded.at[i].tape->head;

		str_printf(out, "hence: tape %u: ", run->recorded.at[i].tape->number);
		if (run->recorded.at[i].program) {
			/* A path below the current directory as people write it. */
			char *here = getcwd(NULL, 0);
			size_t length = here ? strlen(here) : 0;

			if (length && !strncmp(run->recorded.at[i].program, here, length) &&
			    run->recorded.at[i].program[length] == '/')
				str_printf(out, ".%s", run->recorded.at[i].program + length);
			else
				str_add(out, run->recorded.at[i].program);
			free(here);
		} else
			str_add(out, "a program");
		if (head->parent != head->number)
			str_printf(out, " (fork from tape %u)", head->parent);
		str_add_char(out, ' ');
		outcome_write_text(&run->recorded.at[i].outcome, out);
		str_add_char(out, '\n');
	}
	if (count > MOST_LINES)
		str_printf(out, "hence: and %u more tapes\n", count - MOST_LINES);
}

static void add_count(struct str *out, uint64_t number, const char *what, const char *after)
{
	run_add_number(out, number);
	str_printf(out, " %s%s%s", what, number == 1 ? "" : "s", after);
}

/* Forked processes run the same functions, so those of several tapes cannot be added up. */
static void add_calls(const struct run *run, struct str *out)
{
	if (run->tapes.list.size > 1) {
		add_count(out, run->total.calls, "function call", ", ");
		return;
	}
	add_count(out, run->total.functions, "function", " called ");
	add_count(out, run->total.calls, "time", ", ");
}

static void add_numbers(const struct run *run, struct str *out)
{
	uint64_t unmodelled, outside = sum_outside(run, &unmodelled);

	str_add(out, "hence: ");
	if (run->walked) {
		add_calls(run, out);
		add_count(out, run->total.statements, "statement", ", ");
		add_count(out, run->total.instructions, "instruction", "; ");
	}
	add_count(out, outside, "outside call", "");
	if (unmodelled) {
		str_add(out, " (");
		run_add_number(out, unmodelled);
		str_add(out, " without a model");
		for (uint32_t i = 0; i < run->unmodelled.size && i < MOST_NAMES; i++)
			str_printf(out, "%s %s", i ? "," : ":", run->unmodelled.at[i].name);
		if (run->unmodelled.size > MOST_NAMES)
			str_add(out, ", ...");
		str_add_char(out, ')');
	}
	str_add_char(out, '\n');
}

/* --- the account: lines 'key: value' --- */

static const char *state_name(const struct tape *tape)
{
	static const char *const names[] = {
		[HENCE_OFF] = "off",         [HENCE_RECORDING] = "recording",
		[HENCE_ENDED] = "ended",     [HENCE_FULL] = "full",
		[HENCE_THREADS] = "threads", [HENCE_CONTEXTS] = "contexts",
		[HENCE_NESTED] = "nested",
	};

	if (tape->condition == TAPE_EMPTY)
		return "empty";
	if (tape->condition == TAPE_DAMAGED || tape->head.state > HENCE_NESTED)
		return "damaged";
	return names[tape->head.state];
}

/* Of several states the worst: damaged, stopped early, cut off by the program's end, ended. */
static int badness(const struct tape *tape)
{
	if (tape->condition != TAPE_GOOD)
		return 3;
	if (tape->head.state == HENCE_ENDED)
		return 0;
	return tape->head.state == HENCE_RECORDING ? 1 : 2;
}

static const char *worst_state(const struct run *run)
{
	const struct tape *worst = &run->tapes.list.at[0];

	for (uint32_t i = 1; i < run->tapes.list.size; i++)
		if (badness(&run->tapes.list.at[i]) > badness(worst))
			worst = &run->tapes.list.at[i];
	return state_name(worst);
}

static void run_account_keys(const struct run *run, struct str *out)
{
	uint64_t unmodelled, outside = sum_outside(run, &unmodelled);

	str_add(out, "outcome: ");
	outcome_write_key(run_outcome(run), out);
	str_add_char(out, '\n');
	if (run->walked) {
		str_printf(out, "functions: %lu\nblocks: %lu\nstatements: %lu\ninstructions: %lu\n",
		           run->total.calls, run->total.blocks, run->total.statements,
		           run->total.instructions);
	}
	str_printf(out, "tape-bytes: %lu\ntapes: %u\noutside-calls: %lu\nunmodelled-calls: %lu\n",
	           sum_bytes(run), run->tapes.list.size, outside, unmodelled);
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		str_printf(out, "unmodelled: %s %lu\n", run->unmodelled.at[i].name,
		           run->unmodelled.at[i].calls);
	str_printf(out, "state: %s\n", worst_state(run));
	for (uint32_t i = 0; i < run->notes.size; i++)
		str_printf(out, "note: %s\n", run->notes.at[i]);
	for (uint32_t i = 0; i < run->recorded.size; i++) {
		const struct tape *tape = run->recorded.at[i].tape;

		str_printf(out, "tape %u: pid %d parent %u", tape->number, tape->head.pid,
		           tape->head.parent);
		if (run->recorded.at[i].walked)
			str_printf(out, " functions %lu blocks %lu statements %lu instructions %lu",
			           run->recorded.at[i].numbers.calls,
			           run->recorded.at[i].numbers.blocks,
			           run->recorded.at[i].numbers.statements,
			           run->recorded.at[i].numbers.instructions);
		str_printf(out, " bytes %lu state %s program %s outcome ", tape_bytes(tape),
		           state_name(tape),
		           run->recorded.at[i].program ? run->recorded.at[i].program : "?");
		outcome_write_key(&run->recorded.at[i].outcome, out);
		str_add_char(out, '\n');
	}
}

/* --- --io --- */

/*
 * One line for each input and output, in the order of execution.
 *
 *	# tape 0: /home/me/prog, 2 arguments at 0x7fffffffe4a8, environment at 0x7fffffffe4c0
 *	main.c:9:7 fopen: opened input.txt as 3
 *	main.c:12:7 fgets: input.txt[0..12) -> argument 1
 *	main.c:14:3 getc: stdin[0..1) -> result
 *	main.c:20:5 printf: stdout[0..6)
 *	main.c:21:5 fputs: stdout[6..9) <- argument 1
 */

#define ENVIRONMENT (-2) /* as a stream (docs/models.md) */

MAP_DEFINE_U64(stream_map, char *);

struct run_io {
	const char *path;
	FILE *file;
	struct walk *walk;
	struct stream_map names; /* of the open descriptors that have one */
};

/* Starts the list in a file. Caller frees with run_io_close(). */
static struct hence_error *run_io_open(const char *path, struct run_io **out)
{
	FILE *file = fopen(path, "we");
	struct run_io *io;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--io: cannot write %s", path);
	io = mem_alloc(sizeof(*io));
	io->path = path;
	io->file = file;
	*out = io;
	return NULL;
}

static void forget_names(struct run_io *io)
{
	map_each(&io->names, i) free(io->names.at[i].value);
	stream_map_deinit(&io->names);
}

/* Ends the list; an error if not all of it could be written. NULL is fine. */
static struct hence_error *run_io_close(struct run_io *io)
{
	struct hence_error *error = NULL;
	int failed;

	if (!io)
		return NULL;
	failed = ferror(io->file);
	if (fclose(io->file) || failed)
		error = error_from_errno(HENCE_ERROR_INPUT, "--io: cannot write %s", io->path);
	forget_names(io);
	free(io);
	return error;
}

/* --- --io: names of streams --- */

static void set_name(struct run_io *io, int32_t stream, char *name)
{
	char **old = stream_map_find(&io->names, (uint64_t)stream);

	if (old) {
		free(*old);
		stream_map_remove(&io->names, (uint64_t)stream);
	}
	if (name)
		*stream_map_put(&io->names, (uint64_t)stream) = name;
}

/* A copy of a descriptor has the name of what it is a copy of. */
static void opened(struct run_io *io, const struct effect *effect)
{
	char **like =
		effect->head.offset ? stream_map_find(&io->names, effect->head.offset - 1) : NULL;
	char *name = like ? mem_strdup(*like) : NULL;

	if (effect->bytes) {
		/* A name as it can stand in one line. */
		struct str text = STR_INIT;

		for (uint64_t i = 0; i < effect->head.size; i++) {
			if (effect->bytes[i] < ' ' || effect->bytes[i] == 0x7f ||
			    effect->bytes[i] == '\\')
				str_printf(&text, "\\x%02x", effect->bytes[i]);
			else
				str_add_char(&text, (char)effect->bytes[i]);
		}
		name = str_steal(&text);
	}
	set_name(io, effect->head.stream, name);
}

static void put_name(struct run_io *io, int32_t stream)
{
	char **name = stream_map_find(&io->names, (uint64_t)stream);

	if (name)
		fputs(*name, io->file);
	else
		fprintf(io->file, "fd %d", stream);
}

/* --- --io: lines --- */

static void put_range(struct run_io *io, const struct hence_effect *head)
{
	put_name(io, head->stream);
	if (head->size)
		fprintf(io->file, "[%lu..%lu)", head->offset, head->offset + head->size);
	else
		fprintf(io->file, "[%lu..?)", head->offset);
}

static void put_input(struct run_io *io, const struct hence_effect *head)
{
	if (head->stream == ENVIRONMENT)
		fprintf(io->file, "environment[0x%lx..0x%lx)", head->offset,
		        head->offset + head->size);
	else
		put_range(io, head);
	if (head->argument && head->address)
		fprintf(io->file, " -> argument %u\n", head->argument);
	else
		fputs(" -> result\n", io->file);
}

static void put_output(struct run_io *io, const struct hence_effect *head)
{
	put_range(io, head);
	if (head->argument && head->address)
		fprintf(io->file, " <- argument %u", head->argument);
	fputc('\n', io->file);
}

static void put_opened(struct run_io *io, const struct hence_effect *head)
{
	fputs("opened ", io->file);
	put_name(io, head->stream);
	if (stream_map_find(&io->names, (uint64_t)head->stream))
		fprintf(io->file, " as %d", head->stream);
	fputc('\n', io->file);
}

static void put_closed(struct run_io *io, const struct hence_effect *head)
{
	fputs("closed ", io->file);
	put_name(io, head->stream);
	fputc('\n', io->file);
}

/* Is it about a stream? Text in memory, as sscanf() reads it, comes from the program itself. */
static bool is_wanted(const struct hence_effect *head)
{
	switch (head->kind) {
	case HENCE_INPUT: return head->stream >= 0 || head->stream == ENVIRONMENT;
	case HENCE_OUTPUT:
	case HENCE_OPENED:
	case HENCE_CLOSED: return head->stream >= 0;
	default: return false;
	}
}

/* Names are learned from ancestors too: what they had open is open in their child. */
static void hear(void *context, const struct walk_call *call)
{
	struct run_io *io = context;
	struct effects effects = call->effects;
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		if (!is_wanted(&effect.head))
			continue;
		if (effect.head.kind == HENCE_OPENED)
			opened(io, &effect);
		if (!call->ancestor) {
			struct walk_place place = {.function = "?"};

			walk_where(io->walk, 0, &place);
			if (place.file)
				fprintf(io->file, "%s:%u:%u ", place.file, place.line,
				        place.column);
			else
				fprintf(io->file, "%s() ", place.function);
			fprintf(io->file, "%s: ", call->name);
			switch (effect.head.kind) {
			case HENCE_INPUT: put_input(io, &effect.head); break;
			case HENCE_OUTPUT: put_output(io, &effect.head); break;
			case HENCE_OPENED: put_opened(io, &effect.head); break;
			default: put_closed(io, &effect.head); break;
			}
		}
		if (effect.head.kind == HENCE_CLOSED)
			set_name(io, effect.head.stream, NULL);
	}
}

/* --- what the tapes say: counts of executed things, and source positions --- */

static struct run_unmodelled *find_unmodelled(struct run *run, const char *name)
{
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		if (!strcmp(run->unmodelled.at[i].name, name))
			return &run->unmodelled.at[i];
	return NULL;
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

	for (at = PART; !error && at < tape->end && budget_clock() < run->read_until; at += PART) {
		if (isatty(2) && tape->end > 8 * PART)
			fprintf(stderr, "\r\033[Khence: reading the tape: %u %%",
			        (unsigned)(100 * at / tape->end));
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

	if (!error && io) {
		/* What follows is about this tape, whose walk begins now. */
		static const char *const standard[] = {"stdin", "stdout", "stderr"};
		const struct hence_head *head = &recorded->tape->head;

		forget_names(io);
		for (int i = 0; i < 3; i++)
			set_name(io, i, mem_strdup(standard[i]));
		fprintf(io->file, "# tape %u: %s", recorded->tape->number,
		        recorded->program ? recorded->program : "?");
		if (head->parent != head->number)
			fprintf(io->file, ", forked from tape %u", head->parent);
		fprintf(io->file, ", %u argument%s at 0x%lx, environment at 0x%lx\n", head->argc,
		        head->argc == 1 ? "" : "s", head->argv, head->environ);
		io->walk = walk;
		walk_listen(walk, hear, io);
	}
	if (!error)
		error = walk_showing(run, walk, recorded);
	if (io) {
		/* Its walk has ended; `error`, if there is one, says why it did not come to the end. */
		if (error)
			fprintf(io->file, "# the rest cannot be read: %s\n", error->message);
		io->walk = NULL;
	}
	if (!error) {
		struct walk_outside *called;
		uint32_t count;

		add_counts(&recorded->numbers, walk_counts(walk));
		add_counts(&run->total, walk_counts(walk));
		/* Called outside functions that the table does not know. */
		count = walk_outside(walk, &called);
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
		recorded->walked = run->walked = true;
	}
	walk_destroy(walk);
	return error;
}

static struct hence_error *walk_all(struct run *run, struct run_io *io)
{
	struct modules *modules = modules_create();
	struct hence_error *first = NULL;

	run->read_until = budget_clock() + run->options->time;
	for (uint32_t i = 0; i < run->recorded.size; i++) {
		struct run_tape *recorded = &run->recorded.at[i];
		struct hence_error *error, *named;
		const char *program;

		if (recorded->tape->condition != TAPE_GOOD)
			continue;
		error = walk_one(run, modules, recorded, io);
		if (!error)
			continue;
		/* Notes why a tape cannot be read. */
		program = recorded->program ? recorded->program : "a program";
		run_note(run, "tape %u (%s) cannot be read: %s", recorded->tape->number, program,
		         error->message);
		named = error_create(error->kind,
		                     "tape %u (%s) cannot be read, so the account is not complete",
		                     recorded->tape->number, program);
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

/* Walks all tapes that can be read and adds up. An error names one that cannot be; the numbers are
   then those of the others. */
static struct hence_error *run_walk(struct run *run)
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

/* The source position of the statement that wrote the byte at `offset` of a tape's file, as a text.
   Written only if there is one. Caller frees *out. */
static struct hence_error *run_position_at(const struct run *run, const struct tape *tape,
                                           uint64_t offset, char **out)
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

/* --- running the command again: to compare two recordings, and to measure what recording costs --- */

static int input_of(const struct run *run)
{
	return run->input < 0 ? 0 : run->input;
}

/* The command once more, its output thrown away; `session` NULL: without recording. Fails when
   stdin cannot be read again. Caller frees with launch_result_deinit(). */
static struct hence_error *run_again(struct run *run, const char *session,
                                     struct launch_result *out)
{
	struct launch_options options = {
		.path = run->program.path,
		.argv = run->options->command,
		.session = session,
		.streams = {run->input, -1, -1},
		.timeout = run->options->timeout,
	};
	struct hence_error *error = NULL;

	if (run->input_at > 0 || lseek(input_of(run), 0, SEEK_CUR) > 0)
		lseek(input_of(run), run->input_at, SEEK_SET);
	for (int i = 1; !error && i < 3; i++)
		error = discard_open(i, run->session.path, &options.streams[i]);
	if (!error)
		error = launch_run(&options, out);
	for (int i = 1; i < 3; i++)
		if (options.streams[i] >= 0)
			close(options.streams[i]);
	return error;
}

/* --- again: --check-repeat --- */

static void note_difference(struct run *run, const struct tapes *first,
                            const struct repeat_difference *difference)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	if (difference->field) {
		str_printf(&text, "in the %s: %lu and %lu", difference->field,
		           difference->values[0], difference->values[1]);
	} else {
		char *position = NULL;
		struct hence_error *error;

		str_add(&text, "at byte ");
		run_add_number(&text, difference->offset - HENCE_STREAM);
		/* The statement that wrote the byte. Up to it the second run's tape, which has the place of the
		   first by now, is the same. */
		error = run_position_at(run, &first->list.at[difference->tape], difference->offset,
		                        &position);
		if (!error && position)
			str_printf(&text, ", at %s", position);
		error_destroy(error);
		free(position);
	}
	if (first->list.size > 1)
		str_printf(&text, " (tape %u)", first->list.at[difference->tape].number);
	run_note(run, "two runs differ %s", str_text(&text));
}

static struct hence_error *compare(struct run *run, bool *same)
{
	struct tapes first = {VEC_INIT}, second = {VEC_INIT};
	struct repeat_difference difference;
	struct hence_error *error = tapes_list(&run->session, true, &first);

	if (!error)
		error = tapes_list(&run->session, false, &second);
	if (!error)
		error = repeat_compare(&first, &second, &difference);
	if (!error) {
		*same = difference.same;
		if (difference.same) {
			struct str bytes = STR_INIT;

			run_add_number(&bytes, difference.bytes);
			run_note(run, "two runs gave the same tape (%s bytes)", str_text(&bytes));
			str_deinit(&bytes);
		} else
			note_difference(run, &first, &difference);
	}
	tapes_deinit(&first);
	tapes_deinit(&second);
	return error;
}

/* --check-repeat: runs again and compares; notes the answer. *same says it. */
static struct hence_error *run_check_repeat(struct run *run, bool *same)
{
	struct launch_result again;
	struct hence_error *error = session_repeat(&run->session);

	if (!error)
		error = run_again(run, run->session.path, &again);
	if (error)
		return error;
	launch_result_deinit(&again);
	return compare(run, same);
}

/* --- again: -v --- */

/* -v: notes times, and the slowdown against a run without recording. */
static struct hence_error *run_measure(struct run *run)
{
	struct launch_result plain;
	struct hence_error *error;
	struct str rate = STR_INIT;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < run->tapes.list.size; i++)
		bytes += tape_bytes(&run->tapes.list.at[i]);
	run_add_size(&rate, (uint64_t)((double)bytes / (run->launch.wall + 1e-9)));
	run_note(run, "recorded in %.3f s (CPU %.3f s), %s/s of tape", run->launch.wall,
	         run->launch.cpu, str_text(&rate));
	str_deinit(&rate);
	if (!run_can_repeat(run)) {
		run_note(run, "the slowdown is not measured, since standard input is not a file; "
		              "use --stdin FILE");
		return NULL;
	}
	error = run_again(run, NULL, &plain);
	if (error)
		return error;
	run_note(run, "not recording: %.3f s (CPU %.3f s); recording takes %.2f times the CPU time",
	         plain.wall, plain.cpu, run->launch.cpu / (plain.cpu + 1e-9));
	launch_result_deinit(&plain);
	return NULL;
}

/* --- the command --- */

#define DIFFERS 3 /* exit code when two runs gave different tapes */

static struct hence_error *print_account(const struct run *run)
{
	struct str text = STR_INIT;
	const char *path = run->options->account;
	struct hence_error *error = NULL;
	FILE *file;

	if (!path) {
		uint64_t bytes;

		/* Writes the account: for a person, or as lines 'key: value'. */
		str_printf(&text, "hence: %s ", run->program.name);
		if (run_outcome(run)->kind == OUTCOME_TIMED_OUT)
			str_printf(&text, "ran longer than %g s (--timeout) and was killed",
			           run->options->timeout);
		else
			outcome_write_text(run_outcome(run), &text);
		str_add_char(&text, '\n');
		add_tapes(run, &text);
		add_numbers(run, &text);
		bytes = sum_bytes(run);
		str_add(&text, run->tapes.list.size == 1 ? "hence: tape " : "hence: tapes ");
		run_add_size(&text, bytes);
		if (run->walked && run->total.instructions)
			str_printf(&text, " (%.2f bytes per instruction)",
			           (double)bytes / (double)run->total.instructions);
		str_add_char(&text, '\n');
		for (uint32_t i = 0; i < run->notes.size; i++)
			str_printf(&text, "hence: %s\n", run->notes.at[i]);
		fputs(str_text(&text), stderr);
		str_deinit(&text);
		return NULL;
	}
	run_account_keys(run, &text);
	file = fopen(path, "we");
	if (!file || fputs(str_text(&text), file) < 0 || fflush(file))
		error = error_from_errno(HENCE_ERROR_INPUT, "--account: cannot write %s", path);
	if (file)
		fclose(file);
	str_deinit(&text);
	return error;
}

/* Everything between the end of the program and the account. */
static struct hence_error *examine(struct run *run, int *code)
{
	struct hence_error *error = NULL, *unread = NULL;
	bool same = true;

	if (!run->options->no_walk)
		unread = run_walk(run);
	if (run->options->verbose)
		error = run_measure(run);
	if (!error && run->options->check_repeat)
		error = run_check_repeat(run, &same);
	*code = same ? outcome_exit_code(run_outcome(run)) : DIFFERS;
	if (!error)
		return unread;
	error_destroy(unread);
	return error;
}

static struct hence_error *run_program(struct options *options, int *code)
{
	struct run run = {.options = &options->report.run, .input = -1, .output = -1};
	struct hence_error *error = NULL, *later;

	if (run.options->io && run.options->no_walk)
		return error_create(HENCE_ERROR_INPUT, "--io needs the walk; leave out --no-walk");
	error = run_record(&run);
	if (!error) {
		error = examine(&run, code);
		/* What is known is printed in any case. */
		later = print_account(&run);
		if (error)
			error_destroy(later);
		else
			error = later;
	}
	run_deinit(&run);
	return error;
}

const struct command command_run = {
	.name = "run",
	.bit = COMMAND_RUN,
	.formats = 1u << REPORT_TEXT,
	.usage = "hence run [OPTIONS] -- PROGRAM ARGS...",
	.summary = "run a program, record it, and say how it went",
	.about = "Runs a program that was built with hence cc (or a script that runs such "
		 "programs), records it, and prints a short account to standard error when it has "
		 "ended. The exit code is the program's own (128 + N when signal N killed it), 2 "
		 "for bad input, 4 for an internal error.",
	.run = run_program,
};
