/* An explanation as a compiler writes messages: editors jump to the places. */
#include "report/explanation_words.h"

static void print_message(FILE *file, const struct explanation_place *place, const char *kind,
                          const struct str *text)
{
	struct str where = STR_INIT;

	if (place->file)
		explanation_add_place(&where, place);
	else
		str_add(&where, "hence");
	fprintf(file, "%s: %s: %s\n", str_text(&where), kind, str_text(text));
	str_deinit(&where);
}

static void print_failure(const struct explanation *e, FILE *file)
{
	struct str text = STR_INIT;

	explanation_add_safe(&text, e->program ? e->program : "the program");
	str_add_char(&text, ' ');
	explanation_add_safe(&text, e->failure.message ? e->failure.message : "fails");
	print_message(file, &e->failure.at, "error", &text);
	str_deinit(&text);
}

static void print_step(const struct explanation_step *step, FILE *file)
{
	struct str text = STR_INIT;

	explanation_add_step(&text, step, &explanation_unmarked);
	for (uint32_t i = 0; i < step->proofs.size; i++)
		str_printf(&text, "%s%llu", i ? ", " : " [experiment ",
		           (unsigned long long)step->proofs.at[i].experiment);
	if (step->proofs.size)
		str_add_char(&text, ']');
	if (!step->proven && !step->observed)
		str_add(&text, " (not proven)");
	print_message(file, explanation_step_place(step), "note", &text);
	str_deinit(&text);
}

static void print_suspect(const struct explanation_suspect *suspect, FILE *file)
{
	struct str text = STR_INIT;

	str_add(&text, "look here: ");
	explanation_add_safe(&text, suspect->why ? suspect->why : "");
	print_message(file, &suspect->at, "warning", &text);
	str_deinit(&text);
}

void explanation_print_gcc(const struct explanation *e, const struct explanation_style *style,
                           FILE *file)
{
	print_failure(e, file);
	for (uint32_t i = 0; i < e->steps.size; i++)
		print_step(&e->steps.at[i], file);
	for (uint32_t i = 0; i < e->suspects.size; i++)
		print_suspect(&e->suspects.at[i], file);
}
