/* A failure in one line, for a person: see oracle.h. */
#include <string.h>

#include "model/ctype.h"
#include "trial/oracle.h"

#define LONGEST 30u /* bytes of a line that are shown */
#define BEFORE  12u /* of these, in front of the first wrong one */

static void write_crash(const struct outcome *outcome, struct str *out)
{
	const struct place *place = &outcome->place;

	str_printf(out, "dies of %s%s", outcome_signal_name(outcome->signal),
	           outcome->recursion ? " (stack overflow)" : "");
	if (place->file)
		str_printf(out, " at %s:%d", place->file, place->line);
	if (place->function)
		str_printf(out, " in %s", place->function);
}

/* --- lines of output --- */

/* Bytes of a line without its end. */
static size_t length_of(const struct str *line)
{
	return line->length && line->text[line->length - 1] == '\n' ? line->length - 1
	                                                            : line->length;
}

/* Not in the middle of a character of UTF-8. */
static size_t back_to_character(const struct str *line, size_t at)
{
	size_t start = at;

	while (start && at - start < 3 && ((unsigned char)line->text[start] & 0xc0) == 0x80)
		start--;
	return ((unsigned char)line->text[start] & 0xc0) == 0x80 ? at : start;
}

/* The line in quotes; of a long one the part around the first wrong byte. */
static void write_line(const struct str *line, uint64_t column, struct str *out)
{
	size_t length = length_of(line), from = 0, to = length;

	if (length > LONGEST && column > BEFORE)
		from = back_to_character(line, column < length ? column - BEFORE : length - BEFORE);
	if (to - from > LONGEST)
		to = back_to_character(line, from + LONGEST);
	str_add(out, from ? "..." : "");
	ctype_print_text((const uint8_t *)str_text(line) + from, to - from, 0, out);
	str_add(out, to < length ? "..." : "");
}

/* Do they differ only in that one of them has an end? */
static bool differ_in_end(const struct str *a, const struct str *b)
{
	return length_of(a) && length_of(a) == length_of(b) &&
	       !memcmp(a->text, b->text, length_of(a));
}

static void write_output(const struct failure *failure, struct str *out)
{
	const struct str *shown = &failure->shown, *right = &failure->right;

	str_add(out, "prints ");
	if (differ_in_end(shown, right)) {
		write_line(shown, failure->column, out);
		str_add(out, length_of(shown) < shown->length ? " with an end of line"
		                                              : " without the end of line");
	} else if (shown->length && right->length) {
		write_line(shown, failure->column, out);
		str_add(out, ", not ");
		write_line(right, failure->column, out);
	} else if (shown->length) {
		write_line(shown, failure->column, out);
		str_add(out, ", but nothing should come there");
	} else {
		str_add(out, failure->wrong ? "nothing more, but " : "nothing, but ");
		write_line(right, failure->column, out);
		str_add(out, " should come");
	}
	str_printf(out, " (line %lu)", failure->number + 1);
}

void oracle_write_text(const struct oracle *oracle, struct str *out)
{
	const struct outcome *outcome = &oracle->failure.outcome;
	const struct outcome_assert *assertion = &outcome->assertion;

	switch (oracle->failure.kind) {
	case FAILURE_CRASH: write_crash(outcome, out); break;
	case FAILURE_ASSERT:
		str_printf(out, "fails the assertion '%s' at %s:%d", assertion->text,
		           assertion->file ? assertion->file : "?", assertion->line);
		break;
	case FAILURE_EXIT:
		str_printf(out, "exits with %d", outcome->status);
		if (oracle->options->status)
			str_printf(out, ", not %d", oracle->options->status);
		break;
	case FAILURE_OUTPUT: write_output(&oracle->failure, out); break;
	case FAILURE_HANG: str_add(out, "does not end"); break;
	case FAILURE_TEST: str_add(out, "fails the test"); break;
	case FAILURE_MEMORY:
		str_printf(out, "exits with %d, but makes a memory error", outcome->status);
		break;
	}
}
