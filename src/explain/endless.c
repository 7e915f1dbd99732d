/* The loop of a run that does not end: see endless.h. */
#include "explain/endless.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "trace/execution.h"
#include "trace/history.h"
#include "trace/path.h"
#include "words/describe.h"

#define MOST_KEPT  65536u /* last branches that are looked at */
#define MOST_ROUND 4096u  /* branches of a round */
#define ROUNDS     3u     /* that must be alike */
#define MOST_TOLD  4u     /* variables */

struct passed {
	struct site site;
	uint64_t time;
};

/* A branch of a round: where, and what it read, in the last two rounds. */
struct looked_at {
	uint64_t time; /* in the last round */
	uint32_t depth;
	bool known;
	char *file;
	unsigned line;
	char *text;
	struct {
		VEC(char *) names;
		VEC(char *) values;
	} rounds[2]; /* the one before, the last */
};

struct work {
	const struct recording *run;
	VEC(struct passed) last;
	VEC(struct looked_at) branches;
	VEC(uint64_t) times;
	struct names *names;
	uint64_t size; /* of a round, in statements */
};

static bool on_branch(void *context, const struct site *site, bool loose, uint64_t time)
{
	struct work *w = context;

	if (loose)
		return true;
	if (w->last.size == 2 * MOST_KEPT) {
		memcpy(w->last.at, w->last.at + MOST_KEPT, MOST_KEPT * sizeof(*w->last.at));
		w->last.size = MOST_KEPT;
	}
	*vec_push(&w->last) = (struct passed){*site, time};
	return true;
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block;
}

/* The branches of one round at the end; 0: they do not repeat. */
static uint32_t find_round(const struct work *w)
{
	const struct passed *end = w->last.at + w->last.size;

	for (uint32_t size = 1; size <= MOST_ROUND && (ROUNDS * size) <= w->last.size; size++) {
		uint32_t i = 1;

		while (i <= (ROUNDS - 1) * size &&
		       same_site(&end[-(long)i].site, &end[-(long)(i + size)].site))
			i++;
		if (i > (ROUNDS - 1) * size)
			return size;
	}
	return 0;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct work *w = context;

	names_follow(w->names);
	if (event != EXECUTION_ENDED)
		return;
	for (uint32_t i = 0; i < w->branches.size; i++) {
		struct looked_at *b = &w->branches.at[i];
		struct described described = {0};
		bool last = number == b->time;

		if (!last && number + w->size != b->time)
			continue;
		describe_statement(w->names, e, false, &described);
		if (last && described.kind == DESCRIBED_BRANCH) {
			const struct activation *a = execution_top(e, 0);
			struct walk_place place =
				names_place(w->names, a->function->first + a->pc - 1);

			b->known = place.file;
			b->file = place.file ? mem_strdup(place.file) : NULL;
			b->line = place.line;
			b->depth = execution_depth(e);
			b->text = str_steal(&described.text);
		}
		for (uint32_t k = 0; k < described.reads.size; k++) {
			*vec_push(&b->rounds[last].names) =
				mem_strdup(str_text(&described.reads.at[k].name.text));
			*vec_push(&b->rounds[last].values) =
				mem_strdup(str_text(&described.reads.at[k].value));
		}
		described_deinit(&described);
		break;
	}
}

static void free_branches(struct work *w)
{
	for (uint32_t i = 0; i < w->branches.size; i++) {
		struct looked_at *b = &w->branches.at[i];

		free(b->file);
		free(b->text);
		for (uint32_t r = 0; r < 2; r++) {
			for (uint32_t k = 0; k < b->rounds[r].names.size; k++) {
				free(b->rounds[r].names.at[k]);
				free(b->rounds[r].values.at[k]);
			}
			vec_deinit(&b->rounds[r].names);
			vec_deinit(&b->rounds[r].values);
		}
	}
	vec_deinit(&w->branches);
}

/* In the outermost function what comes first in the source. */
static const struct looked_at *find_condition(const struct work *w)
{
	const struct looked_at *found = NULL;

	for (uint32_t i = 0; i < w->branches.size; i++) {
		const struct looked_at *b = &w->branches.at[i];

		if (!b->known)
			continue;
		if (!found || b->depth < found->depth ||
		    (b->depth == found->depth && b->line < found->line))
			found = b;
	}
	return found;
}

static void write_condition(const struct looked_at *b, struct str *out)
{
	uint32_t told = 0, count = b->rounds[0].names.size;
	const char *base = strrchr(b->file, '/');
	bool still = count == b->rounds[1].names.size;

	str_printf(out, "the loop at %s:%u goes round and round: %s", base ? base + 1 : b->file,
	           b->line, b->text);
	for (uint32_t i = 0; still && i < count; i++)
		still = !strcmp(b->rounds[0].values.at[i], b->rounds[1].values.at[i]) &&
		        !strcmp(b->rounds[0].names.at[i], b->rounds[1].names.at[i]);
	for (uint32_t i = 0; i < b->rounds[1].names.size && told < MOST_TOLD; i++) {
		const char *name = b->rounds[1].names.at[i];
		bool twice = false;

		for (uint32_t k = 0; k < i; k++)
			twice |= !strcmp(name, b->rounds[1].names.at[k]);
		if (twice)
			continue;
		str_printf(out, "%s%s = %s", told++ ? ", " : " with ", name,
		           b->rounds[1].values.at[i]);
		if (!still && i < count && !strcmp(name, b->rounds[0].names.at[i]))
			str_printf(out, " (%s in the round before)", b->rounds[0].values.at[i]);
	}
	if (told && still)
		str_printf(out, ", which %s not change", told == 1 ? "does" : "do");
}

/* The branches of the last round but one which was cut. */
static void take_round(struct work *w, uint32_t size)
{
	const struct passed *end = w->last.at + w->last.size;

	w->size = end[-1].time - end[-1 - (long)size].time;
	for (uint32_t i = size; i > 0; i--) {
		bool known = false;

		for (uint32_t k = size; k > i; k--)
			known |= same_site(&end[-(long)k].site, &end[-(long)i].site);
		if (known)
			continue;
		*vec_push(&w->branches) = (struct looked_at){.time = end[-(long)i].time};
	}
	for (uint32_t i = 0; i < w->branches.size; i++)
		*vec_push(&w->times) = w->branches.at[i].time - w->size;
	for (uint32_t i = 0; i < w->branches.size; i++)
		*vec_push(&w->times) = w->branches.at[i].time;
}

struct hence_error *endless_describe(const struct recording *run, struct str *out)
{
	struct work w = {.run = run};
	const struct path_visitor visitor = {.context = &w, .branched = on_branch};
	const struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = &w};
	struct hence_error *error = path_visit(run, &visitor);
	const struct looked_at *found;
	uint32_t size = error ? 0 : find_round(&w);

	if (size) {
		take_round(&w, size);
		error = names_visit(run, w.times.at, w.times.size, &options, &w.names, NULL);
		found = error ? NULL : find_condition(&w);
		if (found)
			write_condition(found, out);
	}
	free_branches(&w);
	vec_deinit(&w.times);
	vec_deinit(&w.last);
	return error;
}
