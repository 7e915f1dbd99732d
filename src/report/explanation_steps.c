/* All steps as text: which are shown. See explanation_steps.h. */
#include "report/explanation_steps.h"

#include <stdlib.h>
#include <string.h>

#define SCREEN     40u /* lines of all steps */
#define FOLD       2u  /* lines that say how many are left out */
#define MOST_ALIKE 3u  /* steps by one statement, one after the other, that are shown */

struct shown_step {
	char *text;
	unsigned lines;
	bool alike; /* of many by one statement, one in the middle */
	bool shown;
};

/* --- what they take --- */

static void render(const struct text_printer *p, uint32_t number, struct shown_step *out)
{
	struct text_printer to = *p;
	size_t size;

	to.file = open_memstream(&out->text, &size);
	if (!to.file)
		abort(); /* as all allocation does */
	explanation_print_step(&to, number);
	fclose(to.file);
	for (const char *at = out->text; *at; at++)
		out->lines += *at == '\n';
}

/* Lines of those that are shown and of the gaps between them. */
static unsigned lines_of(const struct shown_step *steps, uint32_t count)
{
	unsigned lines = 0;

	for (uint32_t i = 0; i < count; i++)
		lines += steps[i].shown ? steps[i].lines : i && steps[i - 1].shown ? FOLD : 0;
	return lines;
}

/* --- which are shown --- */

/* Are they transitions by the same statement? */
static bool same_cause(const struct explanation_step *a, const struct explanation_step *b)
{
	return a->transition && b->transition && a->cause.file && b->cause.file &&
	       a->cause.line == b->cause.line && a->cause.column == b->cause.column &&
	       !strcmp(a->cause.file, b->cause.file);
}

/* Of a loop that moves the cause on and on, the first steps and the last are enough. */
static void find_alike(const struct explanation *e, struct shown_step *shown)
{
	const struct explanation_step *steps = e->steps.at;

	for (uint32_t i = 0, end; i < e->steps.size; i = end) {
		for (end = i + 1; end < e->steps.size && same_cause(&steps[i], &steps[end]);)
			end++;
		for (uint32_t j = i + MOST_ALIKE - 1; end - i > MOST_ALIKE && j + 1 < end; j++)
			shown[j].alike = true;
	}
}

/* At which place among the suspects is the statement of the step? Their number: at none. */
static uint32_t suspicion(const struct explanation *e, const struct explanation_step *step)
{
	const struct explanation_place *at = step->cause.file ? &step->cause : &step->at;
	uint32_t i;

	for (i = 0; i < explanation_shown_suspects(e, false); i++)
		if (at->file && e->suspects.at[i].at.file &&
		    e->suspects.at[i].at.line == at->line &&
		    !strcmp(e->suspects.at[i].at.file, at->file))
			break;
	return i;
}

/* How little is lost without it: 0 is what must be there. */
static uint32_t rank(const struct explanation *e, const struct shown_step *shown, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];
	uint32_t suspects = explanation_shown_suspects(e, false);

	if (!number || number + 1 == e->steps.size || step->observed)
		return 0;
	if (shown[number].alike)
		return UINT32_MAX;
	if (step->transition && suspicion(e, step) < suspects)
		return 1 + suspicion(e, step);
	return step->transition ? 1 + suspects : 2 + suspects;
}

/* From what must be there to what need not, those near the failure first, as long as they fit. */
static void choose(const struct explanation *e, struct shown_step *steps)
{
	uint32_t count = e->steps.size, last = 2 + e->suspects.size;

	for (uint32_t level = 0; level <= last; level++)
		for (uint32_t i = count; i-- > 0;) {
			if (rank(e, steps, i) != level)
				continue;
			steps[i].shown = true;
			if (level && lines_of(steps, count) > SCREEN)
				steps[i].shown = false;
		}
}

/* --- printing --- */

static void print_fold(const struct text_printer *p, uint32_t count)
{
	fprintf(p->file, "\n%*s%s %u more step%s (--full shows %s)\n", (int)TEXT_INDENT, "",
	        text_dots(p), count, count == 1 ? "" : "s", count == 1 ? "it" : "them");
}

void explanation_print_steps(const struct text_printer *p)
{
	uint32_t count = p->e->steps.size, hidden = 0;
	struct shown_step *steps = mem_alloc((count + 1) * sizeof(*steps));

	for (uint32_t i = 0; i < count; i++)
		render(p, i, &steps[i]);
	find_alike(p->e, steps);
	if (!p->style->full)
		choose(p->e, steps);
	for (uint32_t i = 0; i < count; i++) {
		bool shown = p->style->full || steps[i].shown;

		hidden += !shown;
		if (shown && hidden)
			print_fold(p, hidden);
		if (shown) {
			fputs(steps[i].text, p->file);
			hidden = 0;
		}
		free(steps[i].text);
	}
	free(steps);
}
