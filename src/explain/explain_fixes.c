/* Plausible edits as part of an explanation: see explain_fixes.h. */
#include "explain/explain_fixes.h"

#include <stdlib.h>
#include <string.h>

#include "explain/suspects.h"
#include "edit/text.h"
#include "report/source.h"

#define MOST_FIXES   200u /* in a report */
#define MOST_OF_LINE 40u  /* of them, so that one line does not hide the others */

static bool is_same_line(const struct edit_found *a, const struct edit_found *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static uint64_t count_places(const struct edit_search *search)
{
	uint64_t places = 0;

	for (uint32_t i = 0; i < search->found.size; i++) {
		bool known = search->found.at[i].tier < search->found.at[0].tier ||
		             !search->found.at[0].tier;

		for (uint32_t k = 0; k < i && !known; k++)
			known = is_same_line(&search->found.at[i], &search->found.at[k]);
		places += !known;
	}
	return places;
}

/* Has one of the last `count` fixes this patch? */
static bool is_said(const struct explanation *e, uint32_t count, const char *patch)
{
	for (uint32_t i = e->fixes.size; i-- > 0 && count-- && patch;)
		if (e->fixes.at[i].patch && !strcmp(e->fixes.at[i].patch, patch))
			return true;
	return false;
}

/* Those of a lower tier than the best are no answer, but for a person who wants to see all. */
void explain_add_fixes(const struct edit_search *search, struct explain_sources *sources,
                       struct explanation *out)
{
	uint32_t of_line = 0;

	out->fixes_sought = true;
	out->stats.edits = search->generated;
	out->stats.edits_idle = search->idle;
	out->stats.edits_run = search->run;
	out->stats.edit_places = count_places(search);
	for (uint32_t i = 0; i < search->found.size; i++) {
		const struct edit_found *f = &search->found.at[i];
		const struct source *source =
			f->file && sources ? explain_source_of(sources, f->file) : NULL;
		struct explanation_fix *fix;
		struct edit_text text;

		if (f->tier < search->found.at[0].tier || !f->tier)
			break;
		out->stats.edits_plausible++;
		of_line = i && is_same_line(f, f - 1) ? of_line + 1 : 0;
		if (!f->file || out->fixes.size == MOST_FIXES || of_line >= MOST_OF_LINE)
			continue;
		edit_text(f, source ? source->lines.at : NULL, source ? source->lines.size : 0,
		          &text);
		/* The same change may be an ordinary edit and one by value. */
		if (f->fitted && is_said(out, of_line, text.patch)) {
			edit_text_deinit(&text);
			continue;
		}
		fix = vec_push(&out->fixes);
		fix->at = explain_place(sources, f->file, f->line,
		                        text.column ? text.column : f->column, f->function);
		fix->edit = mem_strdup(f->name);
		fix->class = edit_class_names[edit_kinds[f->kind].class];
		fix->before = text.before;
		fix->after = text.after;
		fix->mark = text.mark;
		fix->mark_length = text.mark_length;
		fix->patch = text.patch;
		fix->no_patch = text.no_patch;
		fix->score = f->line_score > 0 ? f->line_score : 0.01;
		fix->failing = f->failing;
		fix->failing_of = f->failing_of;
		fix->passing = f->passing;
		fix->passing_of = f->passing_of;
		fix->agree = f->agree;
		fix->fitted = f->fitted;
		fix->changed = f->changed;
		fix->experiment = f->experiment;
	}
	if (search->found.size && !search->found.at[0].tier)
		*vec_push(&out->notes) =
			str_format("%u small change%s of the code make%s the failing run pass, but "
		                   "none leaves the runs "
		                   "that pass as they are",
		                   search->found.size, search->found.size == 1 ? "" : "s",
		                   search->found.size == 1 ? "s" : "");
	if (search->note)
		*vec_push(&out->notes) = mem_strdup(search->note);
}

void explain_suspect_fixes(const struct edit_search *search, struct explain_sources *sources,
                           struct explanation *out)
{
	for (uint32_t i = 0; i < search->found.size; i++) {
		const struct edit_found *f = &search->found.at[i];
		bool first = true;
		bool tried = f->passing_of + f->failing_of > 1;
		struct explanation_place place;

		for (uint32_t k = 0; k < i && first; k++)
			first = !is_same_line(f, &search->found.at[k]);
		if (!first || !f->file)
			continue;
		place = explain_place(sources, f->file, f->line, f->column, f->function);
		suspects_add(
			out, &place, f->tier == 2 ? SUSPECT_EDIT : SUSPECT_EDIT_LOOSE,
			f->line_score,
			str_format("with a small change of this line the run passes%s",
		                   f->tier == 2 && tried ? ", and all others stay right" : ""));
		explanation_place_deinit(&place);
	}
	suspects_settle(out);
}

static double score_at(const struct explanation *e, const struct explanation_place *at)
{
	for (uint32_t i = 0; i < e->suspects.size; i++)
		if (e->suspects.at[i].at.line == at->line &&
		    !strcmp(e->suspects.at[i].at.file, at->file))
			return e->suspects.at[i].score;
	return 0;
}

void explain_order_fixes(struct explanation *e)
{
	/* Stable: the fixes of a line stay together, in their order. */
	for (uint32_t i = 1; i < e->fixes.size; i++) {
		struct explanation_fix moved = e->fixes.at[i];
		double score = score_at(e, &moved.at);
		uint32_t at = i;

		for (; at && score_at(e, &e->fixes.at[at - 1].at) < score; at--)
			e->fixes.at[at] = e->fixes.at[at - 1];
		e->fixes.at[at] = moved;
	}
}
