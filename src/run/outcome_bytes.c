/* An outcome as bytes: see outcome_bytes.h. */
#include "run/outcome_bytes.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

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
