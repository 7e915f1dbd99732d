/* Source around the places of an explanation: explain_add_sources() of explain_source.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/explain_source.h"
#include "report/cause_tree.h"
#include "report/source.h"

#define WHOLE  400u         /* lines of a file that is shown as a whole */
#define AROUND 8u           /* lines before and behind a place */
#define NEAR   4u           /* lines between two excerpts that make them one */
#define MOST   (400u << 10) /* bytes in all */

struct line {
	const char *file;
	unsigned number;
};

struct excerpts {
	struct explain_sources *sources;
	struct explanation *e;
	VEC(struct line) lines; /* of all places */
	size_t room;            /* bytes */
	bool full;
};

/* --- places --- */

static void note(struct excerpts *x, const struct explanation_place *place)
{
	if (place->file && place->line)
		*vec_push(&x->lines) = (struct line){place->file, place->line};
}

static void note_step(struct excerpts *x, const struct explanation_step *step)
{
	note(x, &step->at);
	note(x, &step->cause);
	note(x, &step->until);
	for (uint32_t i = 0; i < step->proofs.size; i++)
		note(x, &step->proofs.at[i].at);
}

static void note_node(struct excerpts *x, const struct cause_node *node)
{
	note(x, &node->at);
	note(x, &node->via);
	for (uint32_t i = 0; i < node->statements.size; i++)
		note(x, &node->statements.at[i].at);
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		note(x, &node->proofs.at[i].at);
		note(x, &node->proofs.at[i].point);
	}
}

static void note_all(struct excerpts *x)
{
	const struct explanation *e = x->e;

	note(x, &e->failure.at);
	note(x, &e->memory_error.at);
	note(x, &e->memory_error.declared);
	note(x, &e->memory_error.allocated);
	note(x, &e->memory_error.freed);
	note(x, &e->memory_error.index);
	note(x, &e->memory_error.given);
	for (uint32_t i = 0; i < e->steps.size; i++)
		note_step(x, &e->steps.at[i]);
	for (uint32_t i = 0; i < e->suspects.size; i++)
		note(x, &e->suspects.at[i].at);
	for (uint32_t i = 0; i < e->fixes.size; i++)
		note(x, &e->fixes.at[i].at);
	for (uint32_t i = 0; i < e->points.size; i++)
		note(x, &e->points.at[i].at);
	for (uint32_t i = 0; e->tree && i < e->tree->nodes.size; i++)
		note_node(x, &e->tree->nodes.at[i]);
}

static int by_line(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

/* --- lines --- */

/* Lines in [first, end), as far as there is room. */
static void add(struct excerpts *x, const char *file, const struct source *source, unsigned first,
                unsigned end)
{
	struct explanation_source *out = NULL;

	for (unsigned i = first; i < end && !x->full; i++) {
		const char *line = source_line(source, i);
		size_t length = strlen(line) + 1;

		if (length > x->room) {
			x->full = true;
			return;
		}
		x->room -= length;
		if (!out) {
			out = vec_push(&x->e->sources);
			out->file = mem_strdup(file);
			out->first = first;
		}
		*vec_push(&out->lines) = mem_strdup(line);
	}
}

static size_t size_of(const struct source *source)
{
	size_t size = 0;

	for (uint32_t i = 0; i < source->lines.size; i++)
		size += strlen(source->lines.at[i]) + 1;
	return size;
}

/* Places that are in order and all in this file. */
static void add_around(struct excerpts *x, const struct line *lines, uint32_t count,
                       const struct source *source)
{
	unsigned last = source->lines.size, first = 0, end = 0;

	for (uint32_t i = 0; i < count; i++) {
		unsigned from = lines[i].number > AROUND ? lines[i].number - AROUND : 1;
		unsigned to =
			lines[i].number + AROUND < last ? lines[i].number + AROUND + 1 : last + 1;

		if (lines[i].number > last)
			break;
		if (end && from > end + NEAR) {
			add(x, lines[0].file, source, first, end);
			end = 0;
		}
		first = end ? first : from;
		end = to;
	}
	add(x, lines[0].file, source, first, end);
}

static void add_file(struct excerpts *x, const struct line *lines, uint32_t count)
{
	const struct source *source = explain_source_of(x->sources, lines[0].file);

	if (!source)
		return;
	if (source->lines.size <= WHOLE && size_of(source) <= x->room)
		add(x, lines[0].file, source, 1, source->lines.size + 1);
	else
		add_around(x, lines, count, source);
}

/* --- all --- */

static void forget(struct explanation *e)
{
	for (uint32_t i = 0; i < e->sources.size; i++) {
		struct explanation_source *source = &e->sources.at[i];

		for (uint32_t k = 0; k < source->lines.size; k++)
			free(source->lines.at[k]);
		vec_deinit(&source->lines);
		free(source->file);
	}
	e->sources.size = 0;
}

/* Once, however often they are replaced. */
static void note_limit(struct explanation *e)
{
	char *text = str_format("of the sources only %u KB are kept", MOST >> 10);

	for (uint32_t i = 0; i < e->notes.size; i++)
		if (!strcmp(e->notes.at[i], text)) {
			free(text);
			return;
		}
	*vec_push(&e->notes) = text;
}

void explain_add_sources(struct explain_sources *sources, struct explanation *out)
{
	struct excerpts x = {.sources = sources, .e = out, .room = MOST};
	uint32_t end;

	if (!sources)
		return;
	forget(out);
	note_all(&x);
	if (x.lines.size)
		qsort(x.lines.at, x.lines.size, sizeof(*x.lines.at), by_line);
	for (uint32_t i = 0; i < x.lines.size; i = end) {
		for (end = i;
		     end < x.lines.size && !strcmp(x.lines.at[end].file, x.lines.at[i].file);)
			end++;
		add_file(&x, &x.lines.at[i], end - i);
	}
	if (x.full)
		note_limit(out);
	vec_deinit(&x.lines);
}
