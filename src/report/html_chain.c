/* The chain in the page: a step a list item, with its values and what proves it. See html_page.h. */
#include <stdlib.h>
#include <string.h>

#include "report/explanation_words.h"
#include "report/html_page.h"

#define FEW_STEPS 12u /* chains that are not longer are not folded */
#define FEW_ALIKE 3u  /* steps, one after the other, that are not worth folding */

/* --- one step --- */

/* Why there is no doubt about it, or that there is. */
static void add_state(struct str *out, const struct explanation_step *step)
{
	const char *class = step->observed ? "observed" : step->proven ? "proven" : "unproven";

	str_printf(out, "<span class=\"state %s\">%s</span>", class,
	           step->observed ? "observed"
	           : step->proven ? "proven"
	                          : "not proven");
}

static void add_sentence(struct str *out, const struct explanation *e, uint32_t index)
{
	const struct explanation_step *step = &e->steps.at[index];
	struct str text = STR_INIT;

	if (index)
		str_printf(out, "<span class=\"joint\">%s</span> ",
		           step->apart ? "also," : "therefore");
	explanation_add_step_short(&text, step, &html_marks, EXPLANATION_SHORT_VALUE);
	html_add_marked(out, str_text(&text));
	str_deinit(&text);
}

static void add_statement(struct html_page *page, const struct explanation_place *place,
                          const char *statement)
{
	html_add_place(page, place);
	if (!statement)
		return;
	str_add(&page->out, " <code>");
	html_add(&page->out, statement);
	str_add(&page->out, "</code>");
}

/* The statement that made it the cause, if it is another place than the step tells. */
static void add_cause(struct html_page *page, const struct explanation_step *step)
{
	struct str *out = &page->out;

	if (!step->transition || !step->cause.file)
		return;
	if (!step->until.file && explanation_step_place(step) == &step->cause)
		return;
	str_printf(out, "<p class=\"because\">it became the cause %s ",
	           step->until.file ? "between" : "at");
	add_statement(page, &step->cause, step->statement);
	if (step->until.file) {
		str_add(out, " and ");
		add_statement(page, &step->until, step->until_statement);
	}
	str_add(out, "</p>\n");
}

/* --- what proves a step --- */

/* The sentence about an experiment without its number: 'with a[2] = 7 the failing run passes'. Caller frees. */
static char *proof_words(const struct explanation_step *step, const struct explanation_proof *proof)
{
	struct str text = STR_INIT;
	char *words, *number;

	explanation_add_proof(&text, step, proof);
	words = str_steal(&text);
	number = strrchr(words, '[');
	if (number && number > words && number[-1] == ' ')
		number[-1] = '\0';
	return words;
}

/* An experiment, and others that say the same: several methods may have tried it. */
static void add_proof(struct str *out, const struct explanation_step *step, char *const *words,
                      uint32_t first)
{
	const struct explanation_proof *proof = &step->proofs.at[first];
	struct str numbers = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = first; i < step->proofs.size; i++)
		if (!strcmp(words[i], words[first]))
			str_printf(&numbers, "%s%llu", count++ ? ", " : "",
			           (unsigned long long)step->proofs.at[i].experiment);
	str_printf(out, "<li class=\"%s\">", explanation_proves(proof) ? "proves" : "proves-not");
	html_add(out, words[first]);
	str_printf(out, " <small>[experiment%s %s%s]</small></li>", count > 1 ? "s" : "",
	           str_text(&numbers), proof->guarded ? ", guarded" : "");
	str_deinit(&numbers);
}

static bool is_again(char *const *words, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (!strcmp(words[i], words[index]))
			return true;
	return false;
}

/* Those about the failure first, then those about the next step. */
static void add_proof_list(struct str *out, const struct explanation_step *step)
{
	char **words = mem_alloc(step->proofs.size * sizeof(*words));

	for (uint32_t i = 0; i < step->proofs.size; i++)
		words[i] = proof_words(step, &step->proofs.at[i]);
	str_add(out, "<ul class=\"proofs\">");
	for (int local = 0; local < 2; local++)
		for (uint32_t i = 0; i < step->proofs.size; i++)
			if (step->proofs.at[i].local == !!local && !is_again(words, i))
				add_proof(out, step, words, i);
	str_add(out, "</ul>\n");
	for (uint32_t i = 0; i < step->proofs.size; i++)
		free(words[i]);
	free(words);
}

static void add_proofs(struct str *out, const struct explanation_step *step)
{
	if (step->observed)
		return;
	if (step->proofs.size)
		add_proof_list(out, step);
	else
		str_printf(
			out, "<p class=\"proof\">%s</p>\n",
			step->proven
				? "Proven with the step before, which brings it about; by itself "
				  "it is not enough."
				: "No experiment proves it.");
}

/* Which methods found it, and what else is known of it. */
static void add_method(struct str *out, const struct explanation_step *step)
{
	if (!step->method && !step->usual)
		return;
	str_add(out, "<p class=\"method\">");
	if (step->method) {
		str_add(out, "found by ");
		html_add(out, step->method);
	}
	if (step->method && step->also) {
		str_add(out, " and ");
		html_add(out, step->also);
	}
	if (step->usual)
		str_printf(out, "%spassing runs differ here, too", step->method ? "; " : "");
	str_add(out, "</p>\n");
}

static void add_memory_link(struct str *out, const struct explanation_step *step, uint32_t number)
{
	if (step->memory.boxes.size)
		str_printf(out,
		           "<p class=\"more\"><a class=\"to-memory\" href=\"#memory-%u\">memory at "
		           "this step</a></p>\n",
		           number);
}

static void add_step(struct html_page *page, uint32_t index)
{
	const struct explanation_step *step = &page->e->steps.at[index];
	const struct explanation_place *place = explanation_step_place(step);
	struct str *out = &page->out;
	uint32_t file;

	str_printf(out, "<li class=\"step%s\" id=\"step-%u\" data-step=\"%u\">",
	           step->transition ? " transition" : "", index + 1, index + 1);
	if (html_line_at(page, place, &file))
		str_printf(out, "<a class=\"choose\" href=\"#line-%u-%u\">", file, place->line);
	else
		str_printf(out, "<a class=\"choose\" href=\"#step-%u\">", index + 1);
	str_printf(out, "<span class=\"number\">%u</span><span class=\"sentence\">", index + 1);
	add_sentence(out, page->e, index);
	str_add(out, "</span></a>\n<p class=\"where\">");
	html_add_place_in(page, place, place == &step->at ? step->instance : 0);
	str_add_char(out, ' ');
	add_state(out, step);
	str_add(out, "</p>\n<div class=\"body\">");
	html_add_line_of(page, place);
	add_cause(page, step);
	html_add_values(page, index);
	add_proofs(out, step);
	add_memory_link(out, step, index + 1);
	add_method(out, step);
	str_add(out, "</div></li>\n");
}

/* --- long chains --- */

/* Is it a step that a reader may pass over: it goes on from the step before by the same statement, or no statement
   made it the cause? */
static bool is_dull(const struct explanation *e, uint32_t index)
{
	const struct explanation_step *step = &e->steps.at[index], *before;

	if (!index || index + 1 == e->steps.size || step->observed)
		return false;
	if (!step->transition)
		return true;
	before = step - 1;
	return before->transition && before->cause.file && step->cause.file &&
	       before->cause.line == step->cause.line &&
	       before->cause.column == step->cause.column &&
	       !strcmp(before->cause.file, step->cause.file);
}

/* Adds steps that are folded to one line. */
static void add_fold(struct html_page *page, uint32_t from, uint32_t to)
{
	str_printf(&page->out,
	           "<li class=\"fold\"><details><summary>%u more steps, %u to %u</summary>"
	           "<ol>\n",
	           to - from, from + 1, to);
	for (uint32_t i = from; i < to; i++)
		add_step(page, i);
	str_add(&page->out, "</ol></details></li>\n");
}

void html_add_chain(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_add(out, "<section id=\"chain\" aria-labelledby=\"chain-title\">"
	             "<h2 id=\"chain-title\">How it came about</h2>\n");
	if (!e->steps.size)
		str_add(out, "<p class=\"none\">No step is known.</p>");
	str_add(out, "<ol class=\"steps\">\n");
	for (uint32_t i = 0, end; i < e->steps.size; i = end) {
		for (end = i; end < e->steps.size && is_dull(e, end);)
			end++;
		if (e->steps.size > FEW_STEPS && end - i > FEW_ALIKE) {
			add_fold(page, i, end);
			continue;
		}
		end = end > i ? end : i + 1;
		for (uint32_t j = i; j < end; j++)
			add_step(page, j);
	}
	str_add(out, "</ol></section>\n");
}
