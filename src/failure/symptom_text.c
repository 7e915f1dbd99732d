/* The text that a call puts out: see symptom_text.h. */
#include "failure/symptom_text.h"

#include <ctype.h>

#include "model/ctype.h"

#define SHOWN 60u  /* characters of a text */
#define ANY   (-1) /* in a pattern: any text, also none */

struct pattern {
	VEC(int16_t) bytes;
};

void symptom_text_deinit(struct symptom_text *text)
{
	for (uint32_t i = 0; i < text->pieces.size; i++)
		str_deinit(&text->pieces.at[i].text);
	vec_deinit(&text->pieces);
	str_deinit(&text->failing);
	str_deinit(&text->reference);
	*text = (struct symptom_text){0};
}

static bool same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && !memcmp(str_text(a), str_text(b), a->length);
}

/* --- two calls --- */

/* Do they put out the same arguments in the same order, with the same text between? */
static bool correspond(const struct printed_call *a, const struct printed_call *b)
{
	if (!a->known || !b->known || a->parts.size != b->parts.size)
		return false;
	for (uint32_t i = 0; i < a->parts.size; i++)
		if (a->parts.at[i].key != b->parts.at[i].key ||
		    a->parts.at[i].literal != b->parts.at[i].literal ||
		    (a->parts.at[i].literal &&
		     !same_text(&a->parts.at[i].text, &b->parts.at[i].text)))
			return false;
	return true;
}

static void add_text(struct str *to, const struct str *from)
{
	str_add_bytes(to, str_text(from), from->length);
}

static void take_part(const struct printed_call *failing, const struct printed_call *reference,
                      uint32_t target, struct symptom_text *out)
{
	out->target = target;
	add_text(&out->failing, &failing->parts.at[target].text);
	add_text(&out->reference, &reference->parts.at[target].text);
	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct printed_part *part = &failing->parts.at[i];
		struct symptom_piece *piece = vec_push(&out->pieces);

		piece->wild = !part->literal;
		if (part->literal)
			add_text(&piece->text, &part->text);
	}
}

static bool compare_whole(const struct printed_call *failing, const struct printed_call *reference,
                          struct symptom_text *out)
{
	printed_text(failing, &out->failing);
	if (reference)
		printed_text(reference, &out->reference);
	if (same_text(&out->failing, &out->reference)) {
		symptom_text_deinit(out);
		return false;
	}
	vec_push(&out->pieces);
	return true;
}

bool symptom_text_compare(const struct printed_call *failing, const struct printed_call *reference,
                          uint64_t from, struct symptom_text *out)
{
	*out = (struct symptom_text){0};
	if (!reference || !correspond(failing, reference))
		return compare_whole(failing, reference, out);
	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct printed_part *part = &failing->parts.at[i];

		if (part->literal || part->offset + part->text.length <= from ||
		    same_text(&part->text, &reference->parts.at[i].text))
			continue;
		take_part(failing, reference, i, out);
		return true;
	}
	return false;
}

/* --- a hybrid --- */

static void add_bytes(struct pattern *to, const struct str *text)
{
	for (size_t i = 0; i < text->length; i++)
		*vec_push(&to->bytes) = (uint8_t)text->text[i];
}

static void make_pattern(const struct symptom_text *text, const struct str *value,
                         struct pattern *out)
{
	for (uint32_t i = 0; i < text->pieces.size; i++) {
		const struct symptom_piece *piece = &text->pieces.at[i];

		if (i == text->target)
			add_bytes(out, value);
		else if (piece->wild)
			*vec_push(&out->bytes) = ANY;
		else
			add_bytes(out, &piece->text);
	}
}

/* The last ANY takes one byte more each time that what follows it does not fit. If more may follow, the
   pattern must fit in the first line. */
static bool matches(const struct pattern *pattern, const char *text, size_t size, bool ended)
{
	const int16_t *bytes = pattern->bytes.at;
	uint32_t p = 0, any = UINT32_MAX, count = pattern->bytes.size;
	size_t at = 0, taken = 0;

	while (at < size && (ended || p < count)) {
		if (p < count && bytes[p] == (uint8_t)text[at]) {
			p++;
			at++;
		} else if (p < count && bytes[p] == ANY) {
			any = p++;
			taken = at;
		} else if (any != UINT32_MAX && (ended || text[taken] != '\n')) {
			p = any + 1;
			at = ++taken;
		} else {
			return false;
		}
	}
	while (p < count && bytes[p] == ANY)
		p++;
	return p == count;
}

static bool shows(const struct symptom_text *text, const struct str *value, const char *put,
                  size_t size, bool ended)
{
	struct pattern pattern = {0};
	bool found;

	make_pattern(text, value, &pattern);
	found = matches(&pattern, put, size, ended);
	vec_deinit(&pattern.bytes);
	return found;
}

enum verdict symptom_text_judge(const struct symptom_text *text, const char *put, size_t size,
                                bool ended)
{
	bool fails = shows(text, &text->failing, put, size, ended);
	bool passes = shows(text, &text->reference, put, size, ended);

	/* Where one value begins with the other, the longer one that is there counts. */
	if (fails && passes)
		return text->failing.length > text->reference.length ? VERDICT_FAIL : VERDICT_PASS;
	return fails ? VERDICT_FAIL : passes ? VERDICT_PASS : VERDICT_UNRESOLVED;
}

/* --- for a person --- */

void symptom_show(const struct str *text, struct str *out)
{
	size_t length = text->length;
	bool word;

	if (length > 1 && text->text[length - 1] == '\n')
		length--;
	word = length > 0 && length <= SHOWN;
	for (size_t i = 0; i < length && word; i++)
		word = isgraph((unsigned char)text->text[i]);
	if (word)
		str_add_bytes(out, text->text, length);
	else
		ctype_print_text((const uint8_t *)str_text(text), length, SHOWN, out);
}
