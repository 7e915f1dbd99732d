/*
 * An explanation as a page: one file that needs nothing else. Nothing of the program is inside its script or style, and
 * its policy allows the browser only these two, by their hashes: page.css and page.js as they are; make computes the hashes.
 */
#include "report/html_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"

/* --- the style and the script, which are compiled in --- */

/* Paths are as seen from the root of the repository, where make runs the compiler. */
#define FILE_AS(name, path)                                                                        \
	__asm__(".section .rodata\n"                                                               \
	        ".globl " name "\n"                                                                \
	        ".globl " name "_end\n" name ":\n"                                                 \
	        ".incbin \"" path "\"\n" name "_end:\n"                                            \
	        ".byte 0\n"                                                                        \
	        ".previous\n")

FILE_AS("html_style", "src/report/page.css");
FILE_AS("html_script", "src/report/page.js");
extern const char html_style[], html_style_end[];
extern const char html_script[], html_script_end[];

/* --- values of a step in both runs, and what is new of them since the step before --- */

/* The same variable at another step. NULL: it does not decide there. */
static const struct explanation_value *find_variable(const struct explanation_step *step,
                                                     const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++) {
		const struct explanation_value *v = &step->values.at[i];

		if (v->name && value->name && !strcmp(v->name, value->name) &&
		    explanation_same_text(v->function, value->function))
			return v;
	}
	return NULL;
}

static void add_changed_value(struct str *out, const char *class, const char *text)
{
	str_printf(out, "<td class=\"%s\">", class);
	if (text) {
		str_add(out, "<code>");
		html_add(out, text);
		str_add(out, "</code>");
	} else {
		str_add(out, "<span class=\"none\">does not exist</span>");
	}
	str_add(out, "</td>");
}

static void add_old(struct str *out, const char *text)
{
	if (!text) {
		str_add(out, "nothing");
		return;
	}
	str_add(out, "<code>");
	html_add(out, text);
	str_add(out, "</code>");
}

/* 'new', 'as at step 2', 'was 3 (not 4) at step 2'. */
static void add_value_change(struct str *out, const struct explanation *e, uint32_t step,
                             const struct explanation_value *v)
{
	const struct explanation_value *old = NULL;

	while (step && !old)
		old = find_variable(&e->steps.at[--step], v);
	if (!old) {
		str_add(out, "<td class=\"change new\">new</td>");
		return;
	}
	if (explanation_same_text(old->failing, v->failing) &&
	    explanation_same_text(old->reference, v->reference)) {
		str_printf(out, "<td class=\"change\">as at step %u</td>", step + 1);
		return;
	}
	str_add(out, "<td class=\"change changed\">was ");
	add_old(out, old->failing);
	str_add(out, " (not ");
	add_old(out, old->reference);
	str_printf(out, ") at step %u</td>", step + 1);
}

static void add_values(struct html_page *page, uint32_t step)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;
	const char *between = "<p class=\"gone\">no longer what decides: ";
	bool any = false;

	if (e->steps.at[step].values.size) {
		str_printf(out,
		           "<div class=\"wide\"><table class=\"values\"><caption>Values at step "
		           "%u</caption><thead><tr><th scope=\"col\">variable</th><th "
		           "scope=\"col\">failing run</th><th scope=\"col\">reference</th><th "
		           "scope=\"col\">since before</th></tr></thead><tbody>\n",
		           step + 1);
		for (uint32_t i = 0; i < e->steps.at[step].values.size; i++) {
			const struct explanation_value *v = &e->steps.at[step].values.at[i];
			const char *kind = explanation_kind_name(e->steps.at[step].kind,
			                                         e->steps.at[step].kind_word);

			str_add(out, "<tr><th scope=\"row\">");
			if (v->name)
				html_add_element(out, "code", NULL, v->name);
			else
				html_add(out, kind ? kind : "it");
			if (v->function) {
				str_add(out, " <small>of ");
				html_add(out, v->function);
				str_add(out, "()</small>");
			}
			str_add(out, "</th>");
			add_changed_value(out, "failing", v->failing);
			add_changed_value(out, "reference", v->reference);
			add_value_change(out, e, step, v);
			str_add(out, "</tr>\n");
		}
		str_add(out, "</tbody></table></div>\n");
	}
	/* What decided at the step before, and is no longer in the table. */
	for (uint32_t i = 0; step && i < e->steps.at[step - 1].values.size; i++) {
		const struct explanation_value *v = &e->steps.at[step - 1].values.at[i];

		if (!v->name || find_variable(&e->steps.at[step], v))
			continue;
		str_add(out, between);
		html_add_element(out, "code", NULL, v->name);
		between = ", ";
		any = true;
	}
	if (any)
		str_add(out, "</p>\n");
}

/* --- the chain: a step is a list item, with its values and what proves it --- */

#define FEW_STEPS 12u /* chains that are not longer are not folded */
#define FEW_ALIKE 3u  /* steps, one after the other, that are not worth folding */

/* --- one step --- */

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

/* --- what proves a step --- */

/* Experiments about the failure first, then those about the next step; each sentence once. */
static void add_proofs(struct str *out, const struct explanation_step *step)
{
	char **words;

	if (!step->proofs.size) {
		str_printf(
			out, "<p class=\"proof\">%s</p>\n",
			step->proven
				? "Proven with the step before, which brings it about; by itself "
				  "it is not enough."
				: "No experiment proves it.");
		return;
	}
	words = mem_alloc(step->proofs.size * sizeof(*words));
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		/* Without the number of the experiment: 'with a[2] = 7 the failing run passes'. */
		struct str text = STR_INIT;
		char *number;

		explanation_add_proof(&text, step, &step->proofs.at[i]);
		words[i] = str_steal(&text);
		number = strrchr(words[i], '[');
		if (number && number > words[i] && number[-1] == ' ')
			number[-1] = '\0';
	}
	str_add(out, "<ul class=\"proofs\">");
	for (int local = 0; local < 2; local++)
		for (uint32_t i = 0; i < step->proofs.size; i++) {
			bool again = false;

			for (uint32_t k = 0; k < i && !again; k++)
				again = !strcmp(words[k], words[i]);
			if (step->proofs.at[i].local == !!local && !again) {
				/* An experiment, and others that say the same: several methods may have tried it. */
				const struct explanation_proof *proof = &step->proofs.at[i];
				struct str numbers GUARD(str_deinit) = STR_INIT;
				uint32_t count = 0;

				for (uint32_t j = i; j < step->proofs.size; j++)
					if (!strcmp(words[j], words[i]))
						str_printf(&numbers, "%s%llu", count++ ? ", " : "",
						           (unsigned long long)step->proofs.at[j]
						                   .experiment);
				str_printf(out, "<li class=\"%s\">",
				           explanation_proves(proof) ? "proves" : "proves-not");
				html_add(out, words[i]);
				str_printf(out, " <small>[experiment%s %s%s]</small></li>",
				           count > 1 ? "s" : "", str_text(&numbers),
				           proof->guarded ? ", guarded" : "");
			}
		}
	str_add(out, "</ul>\n");
	for (uint32_t i = 0; i < step->proofs.size; i++)
		free(words[i]);
	free(words);
}

static void add_step(struct html_page *page, uint32_t index)
{
	const struct explanation_step *step = &page->e->steps.at[index];
	const struct explanation_place *place = explanation_step_place(step);
	struct str *out = &page->out, text = STR_INIT;
	uint32_t file;

	str_printf(out, "<li class=\"step%s\" id=\"step-%u\" data-step=\"%u\">",
	           step->transition ? " transition" : "", index + 1, index + 1);
	if (html_line_at(page, place, &file))
		str_printf(out, "<a class=\"choose\" href=\"#line-%u-%u\">", file, place->line);
	else
		str_printf(out, "<a class=\"choose\" href=\"#step-%u\">", index + 1);
	str_printf(out, "<span class=\"number\">%u</span><span class=\"sentence\">", index + 1);
	if (index)
		str_printf(out, "<span class=\"joint\">%s</span> ",
		           step->apart ? "also," : "therefore");
	explanation_add_step_short(&text, step, &html_marks, EXPLANATION_SHORT_VALUE);
	html_add_marked(out, str_text(&text));
	str_deinit(&text);
	str_add(out, "</span></a>\n<p class=\"where\">");
	html_add_place_in(page, place, place == &step->at ? step->instance : 0);
	/* Why there is no doubt about it, or that there is. */
	str_printf(out, " <span class=\"state %s</span></p>\n<div class=\"body\">",
	           step->observed ? "observed\">observed"
	           : step->proven ? "proven\">proven"
	                          : "unproven\">not proven");
	html_add_line_of(page, place);
	/* The statement that made it the cause, if it is another place than the step tells. */
	if (step->transition && step->cause.file &&
	    (step->until.file || explanation_step_place(step) != &step->cause)) {
		str_printf(out, "<p class=\"because\">it became the cause %s ",
		           step->until.file ? "between" : "at");
		add_statement(page, &step->cause, step->statement);
		if (step->until.file) {
			str_add(out, " and ");
			add_statement(page, &step->until, step->until_statement);
		}
		str_add(out, "</p>\n");
	}
	add_values(page, index);
	if (!step->observed)
		add_proofs(out, step);
	if (step->memory.boxes.size)
		str_printf(out,
		           "<p class=\"more\"><a class=\"to-memory\" href=\"#memory-%u\">memory at "
		           "this step</a></p>\n",
		           index + 1);
	/* Which methods found it, and whether passing runs have it, too. */
	if (step->method || step->usual) {
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
			str_printf(out, "%spassing runs differ here, too",
			           step->method ? "; " : "");
		str_add(out, "</p>\n");
	}
	str_add(out, "</div></li>\n");
}

/* --- long chains --- */

/* May a reader skip the step: did the same statement as before make it the cause, or none at all? */
static bool is_dull(const struct explanation *e, uint32_t index)
{
	const struct explanation_step *step = &e->steps.at[index];

	if (!index || index + 1 == e->steps.size || step->observed)
		return false;
	if (!step->transition)
		return true;
	return step[-1].transition && explanation_same_place(&step[-1].cause, &step->cause);
}

static void add_chain(struct html_page *page)
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
			/* One line, which unfolds to these steps. */
			str_printf(&page->out,
			           "<li class=\"fold\"><details><summary>%u more steps, %u to "
			           "%u</summary>"
			           "<ol>\n",
			           end - i, i + 1, end);
			for (uint32_t k = i; k < end; k++)
				add_step(page, k);
			str_add(&page->out, "</ol></details></li>\n");
			continue;
		}
		end = end > i ? end : i + 1;
		for (uint32_t j = i; j < end; j++)
			add_step(page, j);
	}
	str_add(out, "</ol></section>\n");
}

/* --- experiments: a table of those that prove steps and causes --- */

/* A row: an experiment of a step or of a cause. */
struct row {
	uint64_t number;
	const char *owner; /* 'step' or 'cause' */
	uint32_t owner_number;
	const char *changed, *from, *to, *in, *outcome;
	const struct explanation_place *at;
	uint64_t instance;
	const char *remark;
	bool proves;
};

/* Has any step or cause an experiment? */
static bool has_experiments(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].proofs.size)
			return true;
	for (uint32_t i = 0; e->tree && i < e->tree->nodes.size; i++)
		if (e->tree->nodes.at[i].proofs.size)
			return true;
	return false;
}

static void add_value(struct str *out, const char *text)
{
	str_add(out, "<td>");
	html_add_element(out, "code", NULL, text);
	str_add(out, "</td>");
}

static void add_row(struct html_page *page, const struct row *row)
{
	struct str *out = &page->out;

	str_add(out, "<tr");
	html_add_attribute(out, "data-outcome", row->outcome);
	str_printf(out, "><td class=\"count\">%llu</td>", (unsigned long long)row->number);
	str_printf(out,
	           "<td data-key=\"%s %06u\"><a class=\"owner\" href=\"#%s-%u\">%s %u</a></td>",
	           row->owner, row->owner_number, row->owner, row->owner_number, row->owner,
	           row->owner_number);
	add_value(out, row->changed);
	add_value(out, row->from);
	add_value(out, row->to);
	html_add_element(out, "td", NULL, row->in);
	str_add(out, "<td>");
	html_add_place(page, row->at);
	if (row->instance > 1)
		str_printf(out, " <small>time %llu</small>", (unsigned long long)row->instance);
	str_printf(out, "</td><td><span class=\"outcome%s\">", row->proves ? " proves" : "");
	html_add(out, row->outcome);
	str_add(out, "</span>");
	if (row->remark)
		html_add_element(out, "small", NULL, row->remark);
	str_add(out, "</td></tr>\n");
}

static void add_experiments(struct html_page *page)
{
	static const char *const heads[] = {"number", "for", "changed", "from",
	                                    "to",     "run", "place",   "outcome"};
	const struct cause_tree *tree = page->e->tree;
	struct str *out = &page->out;

	if (!has_experiments(page->e))
		return;
	str_add(out, "<section id=\"experiments\" aria-labelledby=\"experiments-title\">"
	             "<h2 id=\"experiments-title\">Experiments</h2>\n"
	             "<p class=\"intro\">Each ran the program again with one thing changed. A "
	             "failing run that passes then, or a reference that fails, proves a "
	             "cause.</p>\n");
	str_add(out, "<div class=\"tools\" hidden><label>find <input type=\"search\" "
	             "id=\"find\" autocomplete=\"off\" spellcheck=\"false\"></label><label>outcome "
	             "<select id=\"outcome\"><option value=\"\">any</option><option>pass</option>"
	             "<option>fail</option><option>unresolved</option></select></label>"
	             "<span id=\"shown\" role=\"status\"></span></div>\n"
	             "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	             "aria-labelledby=\"experiments-title\"><table class=\"experiments\">"
	             "<thead><tr>");
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		str_printf(out, "<th scope=\"col\">%s</th>", heads[i]);
	str_add(out, "</tr></thead><tbody>\n");
	for (uint32_t i = 0; i < page->e->steps.size; i++) {
		const struct explanation_step *step = &page->e->steps.at[i];

		for (uint32_t j = 0; j < step->proofs.size; j++) {
			const struct explanation_proof *p = &step->proofs.at[j];
			const struct row row = {
				.number = p->experiment,
				.owner = "step",
				.owner_number = i + 1,
				.changed = p->changed,
				.from = p->from,
				.to = p->to,
				.in = explanation_run_names[p->in],
				.outcome = verdict_names[p->outcome],
				.at = &p->at,
				.instance = p->instance,
				.remark = p->local && p->guarded
			                          ? " judged by the next step, guarded"
			                  : p->local   ? " judged by the next step"
			                  : p->guarded ? " guarded"
			                               : NULL,
				.proves = explanation_proves(p),
			};

			add_row(page, &row);
		}
	}
	for (uint32_t i = 0; tree && i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		for (uint32_t k = 0; k < node->proofs.size; k++) {
			const struct cause_proof *p = &node->proofs.at[k];
			const struct row row = {
				.number = p->experiment,
				.owner = "cause",
				.owner_number = node->number,
				.changed = p->changed,
				.from = p->from,
				.to = p->to,
				.in = "failing",
				.outcome = verdict_names[p->outcome],
				.at = &p->at,
				.instance = p->instance,
				.remark = p->avoids  ? " avoids the check"
			                  : p->early ? " gives up early"
			                             : NULL,
				.proves = p->counts,
			};

			add_row(page, &row);
		}
	}
	str_add(out, "</tbody></table></div></section>\n");
}

/* --- small changes of the code with which the failing run passes --- */

static void add_change(struct str *out, const struct explanation_fix *fix)
{
	struct explanation_fix clamped = *fix;
	const char *texts[] = {fix->before ? fix->before : "", fix->after ? fix->after : ""};

	explanation_fix_clamp(&clamped);
	str_add(out, "<pre class=\"diff\">");
	for (int i = 0; i < 2; i++)
		for (size_t begin = 0, length; texts[i][begin];
		     begin += length + (texts[i][begin + length] == '\n')) {
			size_t from = clamped.mark > begin ? clamped.mark - begin : 0;
			size_t end = clamped.mark + clamped.mark_length;
			size_t to = end > begin ? end - begin : 0;
			const char *tag = i ? "ins" : "del";
			const char *line = texts[i] + begin;
			size_t until;

			length = strcspn(texts[i] + begin, "\n");
			from = i && from < length ? from : length;
			to = i && to < length ? to : length;
			/* A line of the change, of which [from, to) is marked. */
			until = to > from ? to : from;
			str_printf(out, "<%s>%s ", tag, i ? "+" : "-");
			html_add_code(out, line, from);
			if (until > from) {
				str_add(out, "<mark>");
				html_add_code(out, line + from, until - from);
				str_add(out, "</mark>");
			}
			html_add_code(out, line + until, length - until);
			str_printf(out, "</%s>", tag);
		}
	str_add(out, "</pre>");
}

static void add_paragraph(struct str *out, const char *class, struct str *text)
{
	html_add_element(out, "p", class, text->length ? str_text(text) : NULL);
	str_deinit(text);
}

static void add_fix(struct html_page *page, uint32_t index)
{
	const struct explanation_fix *fix = &page->e->fixes.at[index];
	struct str *out = &page->out, text = STR_INIT;

	str_printf(out, "<li class=\"fix\" id=\"fix-%u\"><p class=\"head\">", index + 1);
	if (page->e->fixes_only)
		str_printf(out, "<span class=\"number\">%u</span>", index + 1);
	html_add_place_in(page, &fix->at, 0);
	str_add(out, "</p>");
	add_change(out, fix);
	explanation_add_tried(&text, page->e, fix);
	add_paragraph(out, "tried", &text);
	explanation_add_agree(&text, fix);
	add_paragraph(out, "agree", &text);
	if (fix->no_patch && page->e->fixes_only)
		str_printf(&text, "no patch: %s", fix->no_patch);
	add_paragraph(out, "agree", &text);
	str_add(out, "</li>\n");
}

static void add_fixes(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out, text = STR_INIT;

	if (!e->fixes.size && !e->fixes_only)
		return;
	str_printf(out,
	           "<section id=\"fixes\" aria-labelledby=\"fixes-title\"><h2 id=\"fixes-title\">"
	           "%s</h2>\n",
	           e->fixes_only ? "Small changes with which it passes"
	           : explanation_is_doubtful(e) || e->fixes.at[0].fitted ? "Possible defect"
	                                                                 : "Likely defect");
	explanation_add_no_fix(&text, e);
	add_paragraph(out, "none", &text);
	explanation_add_doubt(&text, e);
	add_paragraph(out, "doubt", &text);
	if (e->fixes_only)
		explanation_add_many(&text, e);
	add_paragraph(out, "doubt", &text);
	str_add(out, "<ol class=\"fixes\">\n");
	for (uint32_t i = 0; i < explanation_shown_fixes(e, page->style); i++)
		add_fix(page, i);
	str_add(out, "</ol>");
	if (!e->fixes_only && explanation_shown_fixes(e, page->style) < e->fixes.size)
		explanation_add_other_fixes(&text, e, EXPLANATION_SHOWN_FIXES);
	else if (explanation_shown_fixes(e, page->style) < e->fixes.size)
		str_printf(&text, "and %u more (--all shows them)",
		           e->fixes.size - explanation_shown_fixes(e, page->style));
	add_paragraph(out, "others", &text);
	str_add(out, "</section>\n");
}

/* --- suspects: where to look first --- */

#define BAR_WIDTH 96 /* of the bar of a score of 1 */

static void add_suspects(struct html_page *page)
{
	struct str *out = &page->out;

	if (!page->e->suspects.size)
		return;
	str_add(out, "<section id=\"suspects\" aria-labelledby=\"suspects-title\">"
	             "<h2 id=\"suspects-title\">Look first at</h2>\n<ol class=\"suspects\">\n");
	for (uint32_t i = 0; i < explanation_shown_suspects(page->e, page->style->full); i++) {
		const struct explanation_suspect *s = &page->e->suspects.at[i];
		unsigned percent;

		str_printf(out,
		           "<li class=\"suspect\" id=\"suspect-%u\"><p class=\"head\"><span "
		           "class=\"number\">%u</span>",
		           i + 1, i + 1);
		html_add_place_in(page, &s->at, 0);
		str_add(out, " <span class=\"weight\">");
		/* A bar, drawn: its length cannot be a style, since the page obeys no styles but its own. */
		percent = (unsigned)(s->score * 100 + 0.5);
		str_printf(
			out,
			"<svg class=\"bar\" width=\"%d\" height=\"8\" aria-hidden=\"true\"><rect "
			"class=\"rail\" width=\"%d\" height=\"8\" rx=\"4\"/><rect class=\"fill\" "
			"width=\"%u\" height=\"8\" rx=\"4\"/></svg><span "
			"class=\"score\">%u.%02u</span>",
			BAR_WIDTH, BAR_WIDTH, BAR_WIDTH * (percent > 100 ? 100 : percent) / 100,
			percent / 100, percent % 100);
		str_add(out, "</span></p>");
		html_add_line_of(page, &s->at);
		html_add_element(out, "p", "why", s->why);
		if (s->evidence.size) {
			str_add(out, "<ul class=\"evidence\">");
			for (uint32_t j = 0; j < s->evidence.size; j++) {
				const struct explanation_evidence *reason = &s->evidence.at[j];
				const char *kind = reason->kind ? suspect_row_names[reason->kind]
				                                : reason->kind_word;
				double weight = reason->weight;
				int hundredths = (int)(weight * 100 + (weight < 0 ? -0.5 : 0.5));

				str_add(out, "<li>");
				html_add(out, kind ? kind : "?");
				str_printf(out, " <span class=\"score\">%s%d.%02d</span></li>",
				           hundredths < 0 ? "\xe2\x88\x92" : "+",
				           abs(hundredths) / 100, abs(hundredths) % 100);
			}
			str_add(out, "</ul>");
		}
		str_add(out, "</li>\n");
	}
	str_add(out, "</ol></section>\n");
}

/* --- the cause tree: nested parts that fold --- */

#define OPEN_LEVELS    2u /* that are unfolded at first; as is all that leads to a proven cause */
#define FEW_STATEMENTS 3u /* of a cause that are not folded */
#define FEW_PROOFS     1u /* that prove nothing and are not folded */

/* That are nested: browsers stop nesting at some depth, so deeper causes stand side by side. */
#define MOST_LEVELS 80u

/* --- one node --- */

/* A long list is folded, so that the causes below it stay on the screen. */
static void open_list(struct str *out, bool folded, const char *label)
{
	str_add(out, folded ? "<details class=\"part\"><summary>" : "<p class=\"label\">");
	str_add(out, label);
	str_add(out, folded ? "</summary>" : "</p>");
}

static void close_list(struct str *out, bool folded)
{
	str_add(out, folded ? "</ul></details>" : "</ul>");
}

static void add_statements(struct html_page *page, const struct cause_node *node)
{
	struct str *out = &page->out, label = STR_INIT;
	bool folded = node->statements.size > FEW_STATEMENTS;

	if (!node->statements.size)
		return;
	str_add(&label, "made so by");
	if (folded)
		str_printf(&label, " %u statements", node->statements.size);
	open_list(out, folded, str_text(&label));
	str_deinit(&label);
	str_add(out, "<ul class=\"statements\">");
	for (uint32_t i = 0; i < node->statements.size; i++) {
		const struct cause_statement *s = &node->statements.at[i];

		str_printf(out, "<li%s>", s->condition ? " class=\"condition\"" : "");
		html_add_place(page, &s->at);
		str_add_char(out, ' ');
		html_add_element(out, "code", NULL, s->text);
		if (s->count > 1)
			str_printf(out, " \xc3\x97%llu", (unsigned long long)s->count);
		str_add(out, "</li>");
	}
	close_list(out, folded);
}

static const char *tree_proof_words(const struct cause_proof *proof)
{
	if (proof->outcome == VERDICT_PASS)
		return proof->avoids  ? "passes, but avoids the check"
		       : proof->early ? "passes, but gives up early"
		                      : "passes";
	return proof->outcome != VERDICT_FAIL ? "neither passes nor fails" : "still fails";
}

/* Experiments that prove it, or those that do not. */
static void add_some_proofs(struct html_page *page, const struct cause_node *node, bool counts)
{
	struct str label = STR_INIT;
	uint32_t count = 0;
	bool folded;

	for (uint32_t i = 0; i < node->proofs.size; i++)
		count += node->proofs.at[i].counts == counts;
	folded = !counts && count > FEW_PROOFS;
	if (!count)
		return;
	if (folded) {
		html_add_count(&label, count, "experiment");
		str_add(&label, " in vain");
		open_list(&page->out, true, str_text(&label));
		str_deinit(&label);
	}
	str_add(&page->out, "<ul class=\"proofs\">");
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (node->proofs.at[i].counts == counts) {
			const struct cause_proof *proof = &node->proofs.at[i];
			struct str text = STR_INIT, *out = &page->out;

			str_printf(out, "<li class=\"%s\">",
			           proof->counts ? "proves" : "proves-not");
			cause_proof_add_change(proof, &text);
			html_add(out, str_text(&text));
			str_deinit(&text);
			if (proof->at.file)
				str_add(out, proof->kind != CAUSE_BRANCH ? " after " : " at ");
			html_add_place(page, &proof->at);
			if (proof->instance > 1)
				str_printf(out, ", execution %llu,",
				           (unsigned long long)proof->instance);
			str_printf(out, " the run %s <small>[experiment %llu]</small></li>",
			           tree_proof_words(proof), (unsigned long long)proof->experiment);
		}
	close_list(&page->out, folded);
}

/* --- the tree --- */

static void add_node(struct html_page *page, const struct cause_node *node, const bool *leads);

static void add_children(struct html_page *page, const struct cause_node *node, const bool *leads)
{
	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child =
			cause_tree_node(page->e->tree, node->children.at[i]);

		if (child && child->level > node->level)
			add_node(page, child, leads);
	}
}

static void add_node(struct html_page *page, const struct cause_node *node, const bool *leads)
{
	struct str *out = &page->out, why = STR_INIT;
	bool lead = leads[node->number], nested = node->level < MOST_LEVELS;
	struct str text GUARD(str_deinit) = STR_INIT;

	str_printf(out, "<li id=\"cause-%u\" class=\"cause%s\" data-level=\"%u\"><details%s>",
	           node->number, lead ? " lead" : "", node->level,
	           lead || node->level < OPEN_LEVELS ? " open" : "");
	str_printf(out, "<summary><span class=\"number\">%u</span>", node->number);
	cause_node_add_condition(node, &text);
	html_add_element(out, "code", "condition", node->wanted ? str_text(&text) : NULL);
	str_add_char(out, ' ');
	html_add_place_in(page, &node->at, 0);
	if (node->instances > 1)
		str_printf(out, ", %llu executions", (unsigned long long)node->instances);
	else if (node->instance > 1)
		str_printf(out, ", execution %llu", (unsigned long long)node->instance);
	if (node->proven)
		str_add(out, " <span class=\"state proven\">proven</span>");
	else if (node->tried)
		str_add(out, " <span class=\"state unproven\">tried</span>");
	str_add(out, "</summary>");
	str_add(out, "<div class=\"body\">");
	html_add_line_of(page, &node->at);
	cause_node_add_why(page->e->tree, node, &why);
	html_add_element(out, "p", "why", str_text(&why));
	str_deinit(&why);
	add_statements(page, node);
	add_some_proofs(page, node, true);
	add_some_proofs(page, node, false);
	if (node->how == CAUSE_UNKNOWN)
		str_add(out, "<p class=\"doubt\">The solver gave up: some of these statements may "
		             "not matter.</p>");
	else if (node->limited)
		str_add(out, "<p class=\"doubt\">Not all that it was made of could be "
		             "followed.</p>");
	if (!node->expanded)
		str_add(out, "<p class=\"doubt\">Its own causes were not looked for.</p>");
	for (uint32_t i = 0; i < node->again.size; i++)
		str_printf(out, "%s<a href=\"#cause-%u\">%u</a>%s",
		           i ? ", " : "<p class=\"again\">see also ", node->again.at[i],
		           node->again.at[i], i + 1 == node->again.size ? "</p>" : "");
	str_add(out, "</div>");
	if (node->children.size && nested) {
		str_add(out, "<ul class=\"causes\">");
		add_children(page, node, leads);
		str_add(out, "</ul>");
	}
	str_add(out, "</details></li>\n");
	if (!nested)
		add_children(page, node, leads);
}

static void add_tree(struct html_page *page)
{
	const struct cause_tree *tree = page->e->tree;
	bool *leads GUARD_FREE =
		NULL; /* by a node's number: it is a proven cause, or one is below it */
	struct str *out = &page->out;

	if (!tree || !tree->nodes.size)
		return;
	leads = mem_alloc((tree->nodes.size + 1) * sizeof(*leads));
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		if (!node->proven)
			continue;
		while (node && !leads[node->number]) {
			leads[node->number] = true;
			node = cause_tree_node(tree, node->parent);
		}
	}
	str_add(out, "<section id=\"tree\" aria-labelledby=\"tree-title\">"
	             "<h2 id=\"tree-title\">Cause tree</h2>\n<p class=\"intro\">");
	html_add_count(out, tree->nodes.size, "cause");
	str_printf(out,
	           ", %llu proven%s. Each cause is a condition of the failing run that was not "
	           "so; below it is what made it so.</p>\n",
	           (unsigned long long)tree->stats.proven, tree->complete ? "" : "; not complete");
	str_add(out, "<div class=\"tools\" hidden>"
	             "<button type=\"button\" data-tree=\"all\">unfold all</button>"
	             "<button type=\"button\" data-tree=\"proven\">to the proven</button>"
	             "<button type=\"button\" data-tree=\"none\">fold all</button></div>\n"
	             "<ul class=\"tree\">\n");
	add_node(page, &tree->nodes.at[0], leads);
	str_add(out, "</ul>");
	for (uint32_t i = 0; i < tree->notes.size; i++)
		html_add_element(out, "p", "note", tree->notes.at[i]);
	str_add(out, "</section>\n");
}

/* --- points that were looked at --- */

static void add_time(struct str *out, uint64_t time)
{
	if (time)
		str_printf(out, "<td class=\"count\">%llu</td>", (unsigned long long)time);
	else
		str_add(out, "<td class=\"none\">never</td>");
}

static void add_points(struct html_page *page)
{
	struct str *out = &page->out;

	if (!page->e->points.size)
		return;
	str_add(out,
	        "<section id=\"points\" aria-labelledby=\"points-title\">"
	        "<h2 id=\"points-title\">Points that were looked at</h2>\n"
	        "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	        "aria-labelledby=\"points-title\"><table><thead><tr><th scope=\"col\">place</th>"
	        "<th scope=\"col\">failing time</th><th scope=\"col\">reference time</th>"
	        "<th scope=\"col\">what decides</th></tr></thead><tbody>\n");
	for (uint32_t i = 0; i < page->e->points.size; i++) {
		const struct explanation_point *point = &page->e->points.at[i];

		str_printf(out, "<tr%s><td>", point->transition ? " class=\"transition\"" : "");
		html_add_place(page, &point->at);
		str_add(out, "</td>");
		add_time(out, point->failing_time);
		add_time(out, point->reference_time);
		str_add(out, "<td>");
		if (!point->values.size)
			str_add(out, "<span class=\"none\">nothing could be isolated</span>");
		for (uint32_t j = 0; j < point->values.size; j++) {
			const struct explanation_value *v = &point->values.at[j];

			str_add(out, j ? ", <code>" : "<code>");
			html_add(out, v->name ? v->name : "?");
			str_add(out, " = ");
			html_add(out, v->failing ? v->failing : "(none)");
			str_add(out, "</code>");
		}
		str_add(out, "</td></tr>\n");
	}
	str_add(out, "</tbody></table></div></section>\n");
}

/* --- how it was established --- */

static void add_account(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out, none = STR_INIT;
	unsigned long long hundredths = (unsigned long long)(e->stats.seconds * 100 + 0.5);

	if (!e->fixes_only)
		explanation_add_no_fix(&none, e);
	str_add(out, "<section id=\"account\" aria-labelledby=\"account-title\">"
	             "<h2 id=\"account-title\">How it was established</h2>\n");
	str_add(out, "<dl class=\"facts\">");
	if (e->reference.text) {
		str_add(out, "<dt>compared with</dt><dd>");
		html_add(out, e->reference.text);
		str_add(out, "</dd>");
	}
	str_printf(out, "<dt>experiments</dt><dd>%llu", (unsigned long long)e->stats.experiments);
	if (e->stats.confounded)
		str_printf(out, " (%llu went ways that neither run had, and %s not counted)",
		           (unsigned long long)e->stats.confounded,
		           e->stats.confounded == 1 ? "was" : "were");
	if (e->stats.runs) {
		str_add(out, ", and ");
		html_add_count(out, e->stats.runs, "run");
		str_add(out, " on other input");
	}
	str_add(out, "</dd>");
	if (explanation_sought_fixes(e)) {
		struct str counts GUARD(str_deinit) = STR_INIT;

		explanation_add_edit_counts(&counts, e);
		str_add(out, "<dt>edits of the code</dt><dd>");
		html_add(out, str_text(&counts));
		str_add(out, "</dd>");
	}
	str_printf(out, "<dt>time</dt><dd>%llu.%02llu seconds</dd>", hundredths / 100,
	           hundredths % 100);
	if (e->stats.statements_failing) {
		str_add(out, "<dt>failing run</dt><dd>");
		html_add_count(out, e->stats.statements_failing, "statement");
		str_add(out, "</dd>");
	}
	if (e->stats.statements_reference) {
		str_add(out, "<dt>reference</dt><dd>");
		html_add_count(out, e->stats.statements_reference, "statement");
		str_add(out, "</dd>");
	}
	str_add(out, "</dl>\n");
	if (e->recipe && !e->fixes_only)
		str_add(out,
		        "<p class=\"intro\">If the report is saved (<code>--json</code>), "
		        "<code>hence "
		        "verify REPORT</code> makes its experiments again, and <code>hence gdb "
		        "REPORT N</code> stops in gdb at the moment of step N.</p>\n");
	if (e->notes.size || none.length)
		str_add(out, "<h3>To be known</h3><ul class=\"notes\">");
	for (uint32_t i = 0; i < e->notes.size; i++)
		html_add_element(out, "li", NULL, e->notes.at[i]);
	if (none.length)
		html_add_element(out, "li", NULL, str_text(&none));
	if (e->notes.size || none.length)
		str_add(out, "</ul>\n");
	str_deinit(&none);
	if (e->hint)
		str_add(out, "<h3>What else could be tried</h3>");
	html_add_element(out, "p", "hint", e->hint);
	str_add(out, "</section>\n");
}

/* --- the head --- */

static void add_head(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	str_printf(out,
	           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	           "style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n",
	           PAGE_STYLE_HASH, PAGE_SCRIPT_HASH);
	str_add(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<meta name=\"color-scheme\" content=\"light dark\">\n"
	             "<meta name=\"generator\" content=\"hence\">\n"
	             "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	html_add(out, e->program ? e->program : "the program");
	str_add_char(out, ' ');
	html_add(out, e->failure.message ? e->failure.message : "fails");
	str_add(out, "</title>\n<style>");
	str_add_bytes(out, html_style, (size_t)(html_style_end - html_style));
	str_add(out, "</style>\n</head>\n");
}

/* --- what failed --- */

static void add_verdict(struct str *out, const struct explanation *e)
{
	bool explained = e->verdict == EXPLANATION_EXPLAINED;
	bool incomplete = e->verdict == EXPLANATION_INCOMPLETE;
	struct str text GUARD(str_deinit) = STR_INIT;
	const char *why;

	str_printf(out, "<span class=\"verdict %s\">%s</span> ",
	           explained ? "explained" : "unproven",
	           e->fixes_only && explained     ? "found"
	           : e->fixes_only && !incomplete ? "not found"
	           : explained                    ? "explained"
	           : incomplete                   ? "incomplete"
	                                          : "unproven");
	if (!explained)
		explanation_add_verdict(&text, e);
	why = str_text(&text);
	if (!strncmp(why, "incomplete: ", strlen("incomplete: ")))
		why += strlen("incomplete: ");
	html_add(out, why);
}

static void add_link(struct str *out, const char *id, const char *text)
{
	str_printf(out, "<a href=\"#%s\">%s</a>", id, text);
}

static void add_header(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_printf(out, "<body>\n<a class=\"skip\" href=\"#%s\">to the %s</a>\n<header>\n",
	           e->fixes_only ? "fixes" : "chain", e->fixes_only ? "changes" : "chain");
	str_add(out, "<div class=\"top\"><span class=\"brand\">hence</span>");
	/* To the sections that are there. */
	str_add(out, "<nav aria-label=\"sections\">");
	if (e->fixes.size)
		add_link(out, "fixes", e->fixes_only ? "Changes" : "Defect");
	if (!e->fixes_only)
		add_link(out, "chain", "Chain");
	if (html_has_source(page))
		add_link(out, "source", "Source");
	if (html_has_memory(e))
		add_link(out, "memory", "Memory");
	if (e->suspects.size)
		add_link(out, "suspects", "Look first at");
	if (e->tree && e->tree->nodes.size)
		add_link(out, "tree", "Cause tree");
	if (has_experiments(e))
		add_link(out, "experiments", "Experiments");
	add_link(out, "account", "How it was established");
	str_add(out, "</nav>\n<div class=\"buttons\" hidden><button type=\"button\" id=\"theme\">"
	             "dark</button><button type=\"button\" id=\"help\" aria-haspopup=\"dialog\" "
	             "aria-label=\"keys\">?</button></div>\n");
	str_add(out, "</div>\n<h1><code>");
	html_add(out, e->program ? e->program : "the program");
	str_add(out, "</code> ");
	html_add(out, e->failure.message ? e->failure.message : "fails");
	str_add(out, "</h1>\n");
	str_add(out, "<dl class=\"facts\">");
	if (e->command.size) {
		str_add(out, "<dt>command</dt><dd>");
		html_add_command(out, e->command.at, e->command.size);
		str_add(out, "</dd>");
	}
	if (e->failure.at.file) {
		str_add(out, "<dt>failure</dt><dd>");
		html_add_place_in(page, &e->failure.at, 0);
		str_add(out, "</dd>");
	}
	if (e->memory_error.words) {
		str_add(out, "<dt>memory error</dt><dd>");
		html_add(out, e->memory_error.words);
		str_add(out,
		        e->memory_error.usual ? "; a run that passes makes it, too</dd>" : "</dd>");
	}
	if (e->origin.words) {
		str_add(out, "<dt>bad value</dt><dd>");
		html_add(out, e->origin.words);
		str_add(out, "</dd>");
	}
	if (!e->fixes_only) {
		str_add(out, "<dt>compared with</dt><dd>");
		html_add(out, e->reference.text ? e->reference.text
		                                : "nothing: there is no run that passes");
		str_add(out, "</dd>");
	}
	str_add(out, "<dt>verdict</dt><dd>");
	add_verdict(out, e);
	str_add(out, "</dd></dl>\n");
	str_add(out, "</header>\n");
}

/* --- the keys, which the script shows --- */

static void add_keys(struct str *out)
{
	static const char *const keys[][2] = {
		{"j", "next step (in the chain also \xe2\x86\x93)"},
		{"k", "step before (in the chain also \xe2\x86\x91)"},
		{"g G", "first step, last step"},
		{"Enter", "from a step to its line in the source"},
		{"Esc", "back to the step"},
		{"s m", "source, memory"},
		{"l", "where to look first"},
		{"t", "cause tree: \xe2\x86\x93 \xe2\x86\x91 go, \xe2\x86\x92 \xe2\x86\x90 unfold "
	              "and fold"},
		{"e /", "experiments, find an experiment"},
		{"d", "dark or light"},
		{"?", "these keys"},
	};

	str_add(out, "<dialog id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Keys"
	             "</h2><table><tbody>");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		str_add(out, "<tr><th scope=\"row\">");
		for (const char *at = keys[i][0]; *at;) {
			size_t length = strcspn(at, " ");

			str_add(out, "<kbd>");
			html_add_code(out, at, length);
			str_add(out, "</kbd> ");
			at += length + (at[length] == ' ');
		}
		str_printf(out, "</th><td>%s</td></tr>", keys[i][1]);
	}
	str_add(out,
	        "</tbody></table><button type=\"button\" id=\"close\">close</button></dialog>\n");
}

/* The chain, and beside it what goes along with the step that is chosen. */
static void add_bench(struct html_page *page)
{
	struct str *out = &page->out;
	bool alone = !html_has_source(page) && !html_has_memory(page->e);

	str_printf(out, "<div class=\"bench%s\">\n<div class=\"tale\">\n", alone ? " alone" : "");
	add_fixes(page);
	if (!page->e->fixes_only)
		add_chain(page);
	add_suspects(page);
	str_add(out, "</div>\n");
	if (!alone) {
		str_add(out, "<div class=\"stage\">\n");
		html_add_source(page);
		html_add_memory(page);
		str_add(out, "</div>\n");
	}
	str_add(out, "</div>\n");
}

void explanation_print_html(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	struct html_page page = {.e = e, .style = style};
	struct str *out = &page.out;

	html_lines_init(&page);
	add_head(&page);
	add_header(&page);
	str_add(out, "<main>\n");
	add_bench(&page);
	add_tree(&page);
	add_experiments(&page);
	add_points(&page);
	add_account(&page);
	str_add(out, "</main>\n<p id=\"status\" class=\"quiet\" role=\"status\"></p>\n");
	add_keys(out);
	str_add(out, "<script>");
	str_add_bytes(out, html_script, (size_t)(html_script_end - html_script));
	str_add(out, "</script>\n</body>\n</html>\n");
	fwrite(str_text(out), 1, out->length, file);
	html_lines_deinit(&page);
	str_deinit(out);
}
