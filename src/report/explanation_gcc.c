/*
 * An explanation as a compiler writes messages: editors jump to the places. A message is one line, whatever the
 * program's texts are. What has no place begins with 'hence:', as messages of compilers begin with their name then;
 * editors show such lines and do not jump.
 */
#include <string.h>

#include "base/guard.h"
#include "report/explanation_words.h"

static void print_message(FILE *file, const struct explanation_place *place, const char *kind,
                          const struct str *text)
{
	struct str where GUARD(str_deinit) = STR_INIT;

	if (place && place->file && *place->file)
		explanation_add_place(&where, place);
	else
		str_add(&where, "hence");
	fprintf(file, "%s: %s: %s\n", str_text(&where), kind, str_text(text));
}

void explanation_print_gcc(const struct explanation *e, const struct explanation_style *style,
                           FILE *file)
{
	struct str text = STR_INIT;

	explanation_add_failure(&text, e);
	print_message(file, explanation_failure_place(e), "error", &text);
	str_deinit(&text);
	if (e->memory_error.words) {
		str_add(&text, "memory error: ");
		explanation_add_safe(&text, e->memory_error.words);
		print_message(file, &e->memory_error.at, "warning", &text);
		str_deinit(&text);
	}
	for (uint32_t i = 0; i < explanation_shown_fixes(e, style); i++) {
		const struct explanation_fix *fix = &e->fixes.at[i];

		if (fix->after && *fix->after) {
			str_add(&text, "with '");
			explanation_add_safe(&text, fix->after);
			str_add(&text, "' instead of '");
		} else {
			str_add(&text, "without '");
		}
		explanation_add_safe(&text, fix->before ? fix->before : "");
		str_add(&text, "' it passes");
		print_message(file, &fix->at, "note", &text);
		str_deinit(&text);
	}
	for (uint32_t i = 0; i < e->steps.size; i++) {
		const struct explanation_step *step = &e->steps.at[i];

		explanation_add_step_short(&text, step, &explanation_unmarked,
		                           EXPLANATION_SHORT_VALUE);
		explanation_add_proven(&text, step);
		print_message(file, explanation_step_place(step), "note", &text);
		str_deinit(&text);
		explanation_add_cause(&text, step);
		if (text.length)
			print_message(file, &step->cause, "note", &text);
		str_deinit(&text);
	}
	for (uint32_t i = 0; i < explanation_shown_suspects(e, style->full); i++) {
		const struct explanation_suspect *suspect = &e->suspects.at[i];

		str_add(&text, "look here: ");
		explanation_add_safe(&text, suspect->why ? suspect->why : "");
		print_message(file, &suspect->at, "warning", &text);
		str_deinit(&text);
	}
	/* What is missing in the explanation, and what could not be established. */
	explanation_add_verdict(&text, e);
	if (text.length)
		print_message(file, NULL, "note", &text);
	for (uint32_t i = 0; i < e->notes.size; i++) {
		str_deinit(&text);
		explanation_add_safe(&text, e->notes.at[i]);
		print_message(file, NULL, "note", &text);
	}
	str_deinit(&text);
	if (!e->fixes_only || !e->verdict || e->verdict == EXPLANATION_INCOMPLETE)
		explanation_add_no_fix(&text, e);
	explanation_add_doubt(&text, e);
	if (text.length)
		print_message(file, NULL, "note", &text);
	str_deinit(&text);
}
