/* How a process ended: see outcome.h. */
#include "run/outcome.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ------ an outcome as bytes ------ */

static void put_number(struct str *out, int number)
{
	int32_t value = number;

	str_add_bytes(out, &value, sizeof(value));
}

static void put_text(struct str *out, const char *text)
{
	str_add_char(out, text ? 1 : 0);
	if (text)
		str_add_bytes(out, text, strlen(text) + 1);
}

static void put_place(struct str *out, const struct place *place)
{
	put_text(out, place->function);
	put_text(out, place->file);
	put_number(out, place->line);
	put_number(out, place->column);
	put_text(out, place->elf);
}

void outcome_bytes_write(const struct outcome *outcome, struct str *out)
{
	put_number(out, (int)outcome->kind);
	put_number(out, outcome->status);
	put_number(out, outcome->signal);
	put_text(out, outcome->detail);
	put_place(out, &outcome->place);
	put_place(out, &outcome->innermost);
	put_text(out, outcome->assertion.text);
	put_text(out, outcome->assertion.file);
	put_number(out, outcome->assertion.line);
	put_text(out, outcome->assertion.function);
	put_text(out, outcome->recursion);
}

/* What is left to read; `bad` once something did not fit. */
struct reader {
	const char *at;
	size_t left;
	bool bad;
};

static int get_number(struct reader *in)
{
	int32_t value = 0;

	if (in->left < sizeof(value)) {
		in->bad = true;
		return 0;
	}
	memcpy(&value, in->at, sizeof(value));
	in->at += sizeof(value);
	in->left -= sizeof(value);
	return value;
}

static char *get_text(struct reader *in)
{
	const char *end, *start = in->at + 1;
	char kind = in->left ? *in->at : 2;

	if (kind == 0) {
		in->at++;
		in->left--;
		return NULL;
	}
	end = kind == 1 ? memchr(start, 0, in->left - 1) : NULL;
	if (!end) {
		in->bad = true;
		in->left = 0;
		return NULL;
	}
	in->left -= (size_t)(end + 1 - in->at);
	in->at = end + 1;
	return mem_strdup(start);
}

static void get_place(struct reader *in, struct place *out)
{
	out->function = get_text(in);
	out->file = get_text(in);
	out->line = get_number(in);
	out->column = get_number(in);
	out->elf = get_text(in);
}

bool outcome_bytes_read(const void *bytes, size_t size, struct outcome *out)
{
	struct reader in = {bytes, size, false};
	struct outcome outcome = {0};
	int kind = get_number(&in);

	outcome.status = get_number(&in);
	outcome.signal = get_number(&in);
	outcome.detail = get_text(&in);
	get_place(&in, &outcome.place);
	get_place(&in, &outcome.innermost);
	outcome.assertion.text = get_text(&in);
	outcome.assertion.file = get_text(&in);
	outcome.assertion.line = get_number(&in);
	outcome.assertion.function = get_text(&in);
	outcome.recursion = get_text(&in);
	if (in.bad || in.left || kind < OUTCOME_UNKNOWN || kind > OUTCOME_REPLACED) {
		outcome_deinit(&outcome);
		return false;
	}
	outcome.kind = (enum outcome_kind)kind;
	*out = outcome;
	return true;
}

/* ------ an outcome as text ------ */

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

	/* ', in strlen() of libc.so.6': where the signal struck when that is not our own code. */
	const char *slash = outcome->innermost.elf ? strrchr(outcome->innermost.elf, '/') : NULL;

	if (!outcome->innermost.elf)
		return;
	if (outcome->innermost.function)
		str_printf(out, ", inside %s() of", outcome->innermost.function);
	else
		str_add(out, ", inside");
	str_printf(out, " %s", slash ? slash + 1 : outcome->innermost.elf);
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
