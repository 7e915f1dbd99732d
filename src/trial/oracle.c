/* The oracle: see oracle.h. */
#include "trial/oracle.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/ctype.h"

#define CANNOT_SAY 125 /* a test's exit code, as in `git bisect run` */

/* The output that is right for this run; NULL: it is not known. */
static const struct str *right_output(const struct oracle_options *options,
                                      const struct trial_result *result)
{
	if (options->other)
		return &result->right;
	return options->expected;
}

/* The offset of the first wrong byte, or that behind the shorter one. */
static uint64_t first_difference(const struct str *a, const struct str *b)
{
	size_t least = a->length < b->length ? a->length : b->length, i = 0;

	while (i < least && a->text[i] == b->text[i])
		i++;
	return i;
}

static bool same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && first_difference(a, b) == a->length;
}

/* The line that the byte at `offset` stands in, with its end. Caller frees. */
static void line_at(const struct str *text, uint64_t offset, struct str *out)
{
	size_t start = offset < text->length ? offset : text->length, end = start;

	while (start > 0 && text->text[start - 1] != '\n')
		start--;
	while (end < text->length && text->text[end] != '\n')
		end++;
	if (end < text->length)
		end++;
	str_add_bytes(out, str_text(text) + start, end - start);
}

/* How a run failed, whatever it printed; false: it did not. */
static bool own_failure(const struct oracle_options *options, const struct outcome *outcome,
                        enum failure_kind *out)
{
	switch (outcome->kind) {
	case OUTCOME_SIGNALLED:
		*out = outcome->assertion.text ? FAILURE_ASSERT : FAILURE_CRASH;
		return true;
	case OUTCOME_TIMED_OUT: *out = FAILURE_HANG; return true;
	case OUTCOME_EXITED: *out = FAILURE_EXIT; return outcome->status != options->status;
	case OUTCOME_UNKNOWN:
	case OUTCOME_REPLACED: break;
	}
	return false;
}

/* How a run failed, as far as it can be seen from a run of any input: the expected output is that
   of one input only. False: it did not. */
static bool find_failure(const struct oracle_options *options, const struct trial_result *result,
                         enum failure_kind *out)
{
	bool failed = own_failure(options, &result->outcome, out);

	if (!options->other || (failed && *out != FAILURE_EXIT))
		return failed;
	*out = FAILURE_OUTPUT;
	if (!same_text(&result->output, &result->right))
		return true;
	/* A status that the right build has too is no failure. */
	*out = FAILURE_EXIT;
	return outcome_exit_code(&result->outcome) != outcome_exit_code(&result->other) ||
	       !same_text(&result->message, &result->right_message);
}

/* Is the output what the user expects? Who gives a line on the command line leaves out its end. */
static bool is_expected(const struct oracle_options *options, const struct str *output)
{
	const struct str *expected = options->expected;

	if (same_text(output, expected))
		return true;
	return options->line && output->length == expected->length + 1 &&
	       output->text[expected->length] == '\n' &&
	       first_difference(output, expected) == expected->length;
}

bool oracle_is_expected(const struct oracle *oracle, const struct str *output)
{
	return oracle->options->expected && is_expected(oracle->options, output);
}

bool oracle_exits_well(const struct oracle *oracle, const struct outcome *outcome)
{
	const struct failure *failure = &oracle->failure;

	if (outcome->kind != OUTCOME_EXITED)
		return false;
	if (outcome->status == oracle->options->status)
		return true;
	return !oracle->options->has_status && failure->kind == FAILURE_OUTPUT &&
	       failure->outcome.kind == OUTCOME_EXITED &&
	       outcome->status == failure->outcome.status;
}

static bool test_fails(const struct oracle_options *options, const struct trial_result *result)
{
	return (result->test == 0) == options->invert;
}

/* The failure of the failing input. */
static bool first_failure(const struct oracle_options *options, const struct trial_result *first,
                          enum failure_kind *out)
{
	bool failed;

	*out = FAILURE_TEST;
	if (options->test)
		return first->test >= 0 && first->test != CANNOT_SAY && test_fails(options, first);
	failed = find_failure(options, first, out);
	if (!options->expected || is_expected(options, &first->output) ||
	    (failed && *out != FAILURE_EXIT))
		return failed;
	*out = FAILURE_OUTPUT;
	return true;
}

bool oracle_knows_right(const struct oracle_options *options)
{
	return options->expected || options->test_text;
}

bool oracle_create(const struct oracle_options *options, const struct trial_result *first,
                   struct oracle *out)
{
	struct oracle oracle = {.options = options};

	if (!first_failure(options, first, &oracle.failure.kind))
		return false;
	outcome_copy(&oracle.failure.outcome, &first->outcome);
	oracle.failure.pc = first->pc;
	oracle.failure.message_only =
		oracle.failure.kind == FAILURE_EXIT && options->other &&
		outcome_exit_code(&first->outcome) == outcome_exit_code(&first->other);
	if (oracle.failure.kind == FAILURE_EXIT)
		str_add_bytes(&oracle.failure.message, str_text(&first->message),
		              first->message.length);
	if (oracle.failure.kind == FAILURE_OUTPUT) {
		const struct str *right = right_output(options, first);

		oracle.failure.wrong = first_difference(&first->output, right);
		for (uint64_t i = 0; i < oracle.failure.wrong; i++) {
			bool end = first->output.text[i] == '\n';

			oracle.failure.number += end;
			oracle.failure.column = end ? 0 : oracle.failure.column + 1;
		}
		oracle.failure.missing = oracle.failure.wrong == first->output.length;
		if (oracle.failure.missing)
			str_add_bytes(&oracle.failure.line, str_text(&first->output),
			              first->output.length);
		else
			line_at(&first->output, oracle.failure.wrong, &oracle.failure.line);
		line_at(&first->output, oracle.failure.wrong, &oracle.failure.shown);
		line_at(right, oracle.failure.wrong, &oracle.failure.right);
	}
	*out = oracle;
	return true;
}

void oracle_create_memory(const struct oracle_options *options, const struct trial_result *first,
                          struct oracle *out)
{
	*out = (struct oracle){.options = options, .failure = {.kind = FAILURE_MEMORY}};
	outcome_copy(&out->failure.outcome, &first->outcome);
	out->failure.pc = first->pc;
}

void oracle_deinit(struct oracle *oracle)
{
	outcome_deinit(&oracle->failure.outcome);
	str_deinit(&oracle->failure.line);
	str_deinit(&oracle->failure.shown);
	str_deinit(&oracle->failure.right);
	str_deinit(&oracle->failure.message);
}

static bool same_name(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Do two lists, with a comma behind each name, have one in common? */
static bool share_name(const char *a, const char *b)
{
	for (size_t size; *a; a += size) {
		size = strcspn(a, ",") + 1;
		for (const char *at = b; *at; at += strcspn(at, ",") + 1)
			if (!strncmp(a, at, size))
				return true;
	}
	return false;
}

/* The same signal at the same place in the source; without debug information, at the same address.
 */
static bool same_crash(const struct failure *failure, const struct trial_result *result)
{
	const struct outcome *a = &failure->outcome, *b = &result->outcome;

	if (a->recursion && b->recursion)
		return a->signal == b->signal && share_name(a->recursion, b->recursion);
	if (a->signal != b->signal ||
	    (!same_name(a->place.function, b->place.function) ||
	     !same_name(a->place.file, b->place.file) || a->place.line != b->place.line) ||
	    !same_name(a->innermost.function, b->innermost.function))
		return false;
	return a->place.file || !failure->pc || !result->pc || failure->pc == result->pc;
}

static bool same_assert(const struct outcome_assert *a, const struct outcome_assert *b)
{
	return same_name(a->text, b->text) && same_name(a->file, b->file) && a->line == b->line &&
	       same_name(a->function, b->function);
}

/* --- messages --- */

static bool is_in_input(const struct input *input, const char *word, size_t size)
{
	for (uint32_t i = 0; input && i < input->parts.size; i++)
		if (memmem(str_text(&input->parts.at[i].bytes), input->parts.at[i].bytes.length,
		           word, size))
			return true;
	return false;
}

/* The next word of a message that the input does not decide: no number, and not a part of the input. */
static const char *next_word(const struct input *input, const char **at, size_t *size)
{
	while (**at) {
		const char *word;
		bool letters = false;

		while (**at && !isalpha((unsigned char)**at))
			++*at;
		word = *at;
		while (isalpha((unsigned char)**at)) {
			letters = true;
			++*at;
		}
		*size = (size_t)(*at - word);
		if (letters && !is_in_input(input, word, *size))
			return word;
	}
	return NULL;
}

/* Are the words of the one message, in their order, in the other one, and is neither of them silent? */
static bool same_message(const struct input *input, const struct str *a, const struct str *b)
{
	const char *x = str_text(a), *y = str_text(b), *word;
	size_t size;

	if (!a->length != !b->length)
		return false;
	while ((word = next_word(input, &x, &size))) {
		const char *other;
		size_t length;

		do
			other = next_word(NULL, &y, &length);
		while (other && (length != size || memcmp(other, word, size)));
		if (!other)
			return false;
	}
	return true;
}

/* The wrong line again. */
static bool has_wrong(const struct failure *failure, const struct trial_result *result)
{
	if (failure->missing)
		return same_text(&result->output, &failure->line);
	/* Is the text one of the lines? */
	for (size_t at = 0; at < result->output.length;) {
		const char *end =
			memchr(result->output.text + at, '\n', result->output.length - at);
		size_t next = end ? (size_t)(end + 1 - result->output.text) : result->output.length;

		if (next - at == failure->line.length &&
		    !memcmp(result->output.text + at, failure->line.text, failure->line.length))
			return true;
		at = next;
	}
	return false;
}

uint64_t oracle_wrong_byte(const struct oracle *oracle, const struct trial_result *result)
{
	const struct failure *failure = &oracle->failure;
	const char *line;

	if (failure->missing)
		return UINT64_MAX;
	if (oracle->options->other) {
		uint64_t at = first_difference(&result->output, &result->right);

		return at < result->output.length ? at : UINT64_MAX;
	}
	line = memmem(str_text(&result->output), result->output.length, failure->line.text,
	              failure->line.length);
	return line ? (uint64_t)(line - result->output.text) + failure->column : UINT64_MAX;
}

static bool same_failure(const struct oracle *oracle, const struct trial_result *result)
{
	const struct failure *failure = &oracle->failure;

	switch (failure->kind) {
	case FAILURE_CRASH: return same_crash(failure, result);
	case FAILURE_ASSERT:
		return same_assert(&failure->outcome.assertion, &result->outcome.assertion);
	case FAILURE_EXIT:
		return failure->outcome.status == result->outcome.status &&
		       same_message(oracle->options->input, &failure->message, &result->message);
	case FAILURE_OUTPUT:
	case FAILURE_HANG: return true;
	case FAILURE_TEST:
	case FAILURE_MEMORY: break;
	}
	return false;
}

enum verdict oracle_judge(const struct oracle *oracle, const struct trial_result *result)
{
	const struct oracle_options *options = oracle->options;
	enum failure_kind kind;

	if (options->test) {
		/* Killed by a signal or the clock: not a word of the test. */
		if (result->test < 0 || result->test == CANNOT_SAY)
			return VERDICT_UNRESOLVED;
		return test_fails(oracle->options, result) ? VERDICT_FAIL : VERDICT_PASS;
	}
	if (oracle->failure.kind == FAILURE_MEMORY)
		return VERDICT_UNRESOLVED;
	if (options->other && result->other.kind != OUTCOME_EXITED)
		return VERDICT_UNRESOLVED;
	if (oracle->failure.kind == FAILURE_OUTPUT && !options->other) {
		const struct failure *failure = &oracle->failure;
		bool failed = own_failure(oracle->options, &result->outcome, &kind);

		/* Wrong output against a text. What is right for changed input nobody knows, so
		   only the wrong line counts. An exit status that the failing run had too says
		   nothing, unless the right one is known. */
		if (failed && kind == FAILURE_EXIT && !options->has_status &&
		    result->outcome.status == failure->outcome.status)
			failed = false;
		if (failed && kind != FAILURE_EXIT)
			return oracle->options->any ? VERDICT_FAIL : VERDICT_UNRESOLVED;
		if (has_wrong(failure, result))
			return VERDICT_FAIL;
		if (!failed)
			return VERDICT_PASS;
		return oracle->options->any ? VERDICT_FAIL : VERDICT_UNRESOLVED;
	}
	if (!find_failure(options, result, &kind))
		return VERDICT_PASS;
	if (options->any)
		return VERDICT_FAIL;
	if (kind != oracle->failure.kind || !same_failure(oracle, result))
		return VERDICT_UNRESOLVED;
	return VERDICT_FAIL;
}

enum verdict oracle_judge_input(const struct oracle *oracle, const struct trial_result *result)
{
	enum failure_kind kind = oracle->failure.kind;
	enum verdict verdict = oracle_judge(oracle, result);
	bool ends = kind == FAILURE_CRASH || kind == FAILURE_ASSERT || kind == FAILURE_HANG;

	if (verdict == VERDICT_UNRESOLVED && ends && !oracle->options->test &&
	    !oracle->options->other && result->outcome.kind == OUTCOME_EXITED)
		return VERDICT_PASS;
	return verdict;
}

const char *failure_kind_name(enum failure_kind kind)
{
	static const char *const names[] = {"crash", "assert", "exit",  "wrong-output",
	                                    "hang",  "test",   "memory"};

	return names[kind];
}

const char *const verdict_names[] = {"pass", "fail", "unresolved", NULL};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

/* ------ the failure in one line, for a person ------ */

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

static void write_output(const struct failure *failure, struct str *out)
{
	const struct str *shown = &failure->shown, *right = &failure->right;

	str_add(out, "prints ");
	/* Do they differ only in that one of them has an end? */
	if (length_of(shown) && length_of(shown) == length_of(right) &&
	    !memcmp(shown->text, right->text, length_of(shown))) {
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
		if (oracle->failure.message_only)
			str_add(out,
			        " as the other build, but writes something else to standard error");
		else if (oracle->options->status)
			str_printf(out, ", not %d", oracle->options->status);
		break;
	case FAILURE_OUTPUT: write_output(&oracle->failure, out); break;
	case FAILURE_HANG: str_add(out, "does not end"); break;
	case FAILURE_TEST:
		str_add(out,
		        oracle->options->test_text ? oracle->options->test_text : "fails the test");
		break;
	case FAILURE_MEMORY:
		str_printf(out, "exits with %d, but makes a memory error", outcome->status);
		break;
	}
}
