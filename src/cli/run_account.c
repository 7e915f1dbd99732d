/* The account of `hence run`: what is printed when the program has ended. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"

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

void run_add_number(struct str *out, uint64_t number)
{
	if (number >= 1000) {
		run_add_number(out, number / 1000);
		str_printf(out, ",%03u", (unsigned)(number % 1000));
	} else {
		str_printf(out, "%u", (unsigned)number);
	}
}

void run_add_size(struct str *out, uint64_t bytes)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB"};
	double size = (double)bytes / 1024;
	int unit = 0;

	if (bytes < 1024) {
		str_printf(out, "%u bytes", (unsigned)bytes);
		return;
	}
	for (; size >= 1024 && unit < 3; unit++)
		size /= 1024;
	str_printf(out, size == (double)(long)size ? "%.0f %s" : "%.1f %s", size, units[unit]);
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

/* --- for a person --- */

static void add_outcome(const struct run *run, struct str *out)
{
	str_printf(out, "hence: %s ", run->program.name);
	if (run_outcome(run)->kind == OUTCOME_TIMED_OUT)
		str_printf(out, "ran longer than %g s (--timeout) and was killed",
		           run->options->timeout);
	else
		outcome_write_text(run_outcome(run), out);
	str_add_char(out, '\n');
}

/* A path below the current directory as people write it. */
static void add_path(const char *path, struct str *out)
{
	char *here = getcwd(NULL, 0);
	size_t length = here ? strlen(here) : 0;

	if (length && !strncmp(path, here, length) && path[length] == '/')
		str_printf(out, ".%s", path + length);
	else
		str_add(out, path);
	free(here);
}

static void add_tape(const struct run_tape *recorded, struct str *out)
{
	const struct hence_head *head = &recorded->tape->head;

	str_printf(out, "hence: tape %u: ", recorded->tape->number);
	if (recorded->program)
		add_path(recorded->program, out);
	else
		str_add(out, "a program");
	if (head->parent != head->number)
		str_printf(out, " (fork from tape %u)", head->parent);
	str_add_char(out, ' ');
	outcome_write_text(&recorded->outcome, out);
	str_add_char(out, '\n');
}

/* One line for each process, when there is more to say than the outcome of the command. */
static void add_tapes(const struct run *run, struct str *out)
{
	uint32_t count = run->recorded.size;
	pid_t root = run->launch.processes.list.at[0].pid;

	if (count == 1 && run->recorded.at[0].tape->head.pid == root && !run->program.script)
		return;
	for (uint32_t i = 0; i < count && i < MOST_LINES; i++)
		add_tape(&run->recorded.at[i], out);
	if (count > MOST_LINES)
		str_printf(out, "hence: and %u more tapes\n", count - MOST_LINES);
}

static void add_unmodelled(const struct run *run, uint64_t unmodelled, struct str *out)
{
	str_add(out, " (");
	run_add_number(out, unmodelled);
	str_add(out, " without a model");
	for (uint32_t i = 0; i < run->unmodelled.size && i < MOST_NAMES; i++)
		str_printf(out, "%s %s", i ? "," : ":", run->unmodelled.at[i].name);
	if (run->unmodelled.size > MOST_NAMES)
		str_add(out, ", ...");
	str_add_char(out, ')');
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
	if (unmodelled)
		add_unmodelled(run, unmodelled, out);
	str_add_char(out, '\n');
}

static void add_bytes(const struct run *run, struct str *out)
{
	uint64_t bytes = sum_bytes(run);

	str_add(out, run->tapes.list.size == 1 ? "hence: tape " : "hence: tapes ");
	run_add_size(out, bytes);
	if (run->walked && run->total.instructions)
		str_printf(out, " (%.2f bytes per instruction)",
		           (double)bytes / (double)run->total.instructions);
	str_add_char(out, '\n');
}

void run_account_text(const struct run *run, struct str *out)
{
	add_outcome(run, out);
	add_tapes(run, out);
	add_numbers(run, out);
	add_bytes(run, out);
	for (uint32_t i = 0; i < run->notes.size; i++)
		str_printf(out, "hence: %s\n", run->notes.at[i]);
}

/* --- for a program --- */

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

static void add_key_numbers(const struct run_numbers *numbers, struct str *out)
{
	str_printf(out, "functions: %lu\nblocks: %lu\nstatements: %lu\ninstructions: %lu\n",
	           numbers->calls, numbers->blocks, numbers->statements, numbers->instructions);
}

static void add_key_tape(const struct run_tape *recorded, struct str *out)
{
	const struct tape *tape = recorded->tape;

	str_printf(out, "tape %u: pid %d parent %u", tape->number, tape->head.pid,
	           tape->head.parent);
	if (recorded->walked)
		str_printf(out, " functions %lu blocks %lu statements %lu instructions %lu",
		           recorded->numbers.calls, recorded->numbers.blocks,
		           recorded->numbers.statements, recorded->numbers.instructions);
	str_printf(out, " bytes %lu state %s program %s outcome ", tape_bytes(tape),
	           state_name(tape), recorded->program ? recorded->program : "?");
	outcome_write_key(&recorded->outcome, out);
	str_add_char(out, '\n');
}

void run_account_keys(const struct run *run, struct str *out)
{
	uint64_t unmodelled, outside = sum_outside(run, &unmodelled);

	str_add(out, "outcome: ");
	outcome_write_key(run_outcome(run), out);
	str_add_char(out, '\n');
	if (run->walked)
		add_key_numbers(&run->total, out);
	str_printf(out, "tape-bytes: %lu\ntapes: %u\noutside-calls: %lu\nunmodelled-calls: %lu\n",
	           sum_bytes(run), run->tapes.list.size, outside, unmodelled);
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		str_printf(out, "unmodelled: %s %lu\n", run->unmodelled.at[i].name,
		           run->unmodelled.at[i].calls);
	str_printf(out, "state: %s\n", worst_state(run));
	for (uint32_t i = 0; i < run->notes.size; i++)
		str_printf(out, "note: %s\n", run->notes.at[i]);
	for (uint32_t i = 0; i < run->recorded.size; i++)
		add_key_tape(&run->recorded.at[i], out);
}
