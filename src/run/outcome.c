/* How a process ended: see outcome.h. */
#include "run/outcome.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void place_deinit(struct place *place)
{
	free(place->function);
	free(place->file);
	free(place->elf);
	*place = (struct place){0};
}

static char *copy_text(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

void place_copy(struct place *to, const struct place *from)
{
	*to = *from;
	to->function = copy_text(from->function);
	to->file = copy_text(from->file);
	to->elf = copy_text(from->elf);
}

void outcome_deinit(struct outcome *outcome)
{
	free(outcome->detail);
	place_deinit(&outcome->place);
	place_deinit(&outcome->innermost);
	free(outcome->assertion.text);
	free(outcome->assertion.file);
	free(outcome->assertion.function);
	free(outcome->recursion);
	*outcome = (struct outcome){0};
}

void outcome_copy(struct outcome *to, const struct outcome *from)
{
	*to = *from;
	to->detail = copy_text(from->detail);
	place_copy(&to->place, &from->place);
	place_copy(&to->innermost, &from->innermost);
	to->assertion.text = copy_text(from->assertion.text);
	to->assertion.file = copy_text(from->assertion.file);
	to->assertion.function = copy_text(from->assertion.function);
	to->recursion = copy_text(from->recursion);
}

int outcome_exit_code(const struct outcome *outcome)
{
	switch (outcome->kind) {
	case OUTCOME_EXITED: return outcome->status;
	case OUTCOME_SIGNALLED: return 128 + outcome->signal;
	case OUTCOME_TIMED_OUT: return 128 + SIGKILL;
	case OUTCOME_UNKNOWN:
	case OUTCOME_REPLACED: break;
	}
	return 0;
}

const char *outcome_signal_name(int signal)
{
	static char text[32];
	const char *name = sigabbrev_np(signal);

	if (name)
		snprintf(text, sizeof(text), "SIG%s", name);
	else if (signal >= SIGRTMIN && signal <= SIGRTMAX)
		snprintf(text, sizeof(text), "SIGRTMIN+%d", signal - SIGRTMIN);
	else
		snprintf(text, sizeof(text), "signal %d", signal);
	return text;
}

/* ' at list.c:42:9 in find()', as far as it is known. */
static void write_place(const struct place *place, const char *after, struct str *out)
{
	if (place->file) {
		str_printf(out, " at %s:%d", place->file, place->line);
		if (place->column)
			str_printf(out, ":%d", place->column);
	}
	if (place->function)
		str_printf(out, " in %s%s", place->function, after);
	else if (place->elf && !place->file)
		str_printf(out, " in %s", place->elf);
}

static struct place assertion_place(const struct outcome_assert *assertion)
{
	return (struct place){
		.function = assertion->function,
		.file = assertion->file,
		.line = assertion->line,
	};
}

void outcome_write_key(const struct outcome *outcome, struct str *out)
{
	struct place place = assertion_place(&outcome->assertion);

	switch (outcome->kind) {
	case OUTCOME_UNKNOWN: str_add(out, "unknown"); break;
	case OUTCOME_REPLACED: str_add(out, "exec"); break;
	case OUTCOME_TIMED_OUT: str_add(out, "timeout"); break;
	case OUTCOME_EXITED: str_printf(out, "exit %d", outcome->status); break;
	case OUTCOME_SIGNALLED:
		if (outcome->assertion.text) {
			str_printf(out, "assert %s", outcome->assertion.text);
			write_place(&place, "", out);
			break;
		}
		str_printf(out, "signal %s", outcome_signal_name(outcome->signal));
		write_place(&outcome->place, "", out);
		break;
	}
}

/* ', in strlen() of libc.so.6': where the signal struck when that is not our own code. */
static void write_innermost(const struct place *place, struct str *out)
{
	const char *slash = place->elf ? strrchr(place->elf, '/') : NULL;

	if (!place->elf)
		return;
	if (place->function)
		str_printf(out, ", inside %s() of", place->function);
	else
		str_add(out, ", inside");
	str_printf(out, " %s", slash ? slash + 1 : place->elf);
}

static void write_signal(const struct outcome *outcome, struct str *out)
{
	struct place place = assertion_place(&outcome->assertion);

	if (outcome->assertion.text) {
		str_printf(out, "failed the assertion '%s'", outcome->assertion.text);
		write_place(&place, "()", out);
		return;
	}
	str_printf(out, "was killed by %s", outcome_signal_name(outcome->signal));
	if (outcome->detail)
		str_printf(out, " (%s)", outcome->detail);
	write_place(&outcome->place, "()", out);
	write_innermost(&outcome->innermost, out);
}

void outcome_write_text(const struct outcome *outcome, struct str *out)
{
	switch (outcome->kind) {
	case OUTCOME_UNKNOWN: str_add(out, "was not seen to end"); break;
	case OUTCOME_REPLACED: str_add(out, "ran another program by exec"); break;
	case OUTCOME_TIMED_OUT: str_add(out, "was stopped by --timeout"); break;
	case OUTCOME_EXITED: str_printf(out, "exited with status %d", outcome->status); break;
	case OUTCOME_SIGNALLED: write_signal(outcome, out); break;
	}
}
