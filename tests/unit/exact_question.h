/*
 * Questions to the exact model about a pair of runs (methods_pair.h): the dual slice of the symptom, a point
 * named by a comment, and sets of differences there, named as C writes them.
 */
#ifndef HENCE_TESTS_UNIT_EXACT_QUESTION_H
#define HENCE_TESTS_UNIT_EXACT_QUESTION_H

#include "methods_pair.h"

#include "methods/exact.h"

struct question {
	struct pair pair;
	struct dual_seed seed;
	struct dual *dual;
	struct exact *exact;
	struct hybrids hybrids;
	struct hybrid_point point;
};

/* The slice and the model, once the pair has its symptom. */
static inline void question_model(struct question *q)
{
	struct pair *p = &q->pair;

	q->seed = (struct dual_seed){.times = {p->symptom.failing_time, p->symptom.reference_time}};
	pair_must(dual_find(&p->runs[true].recording, &p->runs[false].recording, &p->alignment,
	                    &q->seed, 1, &(struct dual_options){0}, &q->dual));
	pair_must(exact_create(&p->runs[true].recording, &p->runs[false].recording, &p->alignment,
	                       q->dual, &q->seed, 1, &q->exact));
	q->hybrids = (struct hybrids){.pair = pair_comparison(p, NULL)};
	q->hybrids.pair.workers = 1;
}

static inline void question_begin(struct question *q, const char *source, const char *failing,
                                  const char *passing, const char *expected)
{
	memset(q, 0, sizeof(*q));
	pair_make(&q->pair, source, failing, passing, expected);
	pair_find_symptom(&q->pair);
	question_model(q);
}

static inline void question_end(struct question *q)
{
	hybrid_point_deinit(&q->point);
	exact_destroy(q->exact);
	dual_destroy(q->dual);
	pair_free(&q->pair);
}

/* --- points --- */

struct question_finder {
	uint32_t line;
	uint64_t found;
};

static inline void question_look(void *context, struct execution *e, enum execution_event event,
                                 uint64_t number)
{
	struct question_finder *f = context;
	const struct activation *a = execution_top(e, 0);
	uint32_t at = a->pc;

	if (event != EXECUTION_BEGINS || f->found)
		return;
	while (!(a->function->insns[at].flags & CODE_STATEMENT))
		at++;
	if (LLVMGetDebugLocLine(a->function->instructions[at]) == f->line)
		f->found = number;
}

/* The point of that time of the failing run, compared. */
static inline void question_at(struct question *q, uint64_t time)
{
	hybrid_point_deinit(&q->point);
	pair_must(hybrids_prepare(&q->hybrids, &time, 1, &q->point));
	pair_must(hybrid_compare(&q->hybrids, &q->point));
}

/* The one before the line with this comment is executed first. */
static inline void question_before(struct question *q, const char *comment)
{
	const struct recording *run = &q->pair.runs[true].recording;
	struct question_finder f = {.line = pair_line(&q->pair, comment)};
	struct execution_options options = {
		.table = decoded_models, .begins = true, .statement = question_look, .context = &f};
	struct execution *e;

	pair_must(execution_create(run->modules, run->folder, run->tape, &options, &e));
	pair_must(execution_run(e, run->death));
	execution_destroy(e);
	if (!f.found)
		fail_msg("%s is not reached", comment);
	question_at(q, f.found);
}

/* --- sets --- */

/* Those with these names, separated by blanks. */
static inline struct dd_set question_set(const struct question *q, const char *names)
{
	char *words = mem_strdup(names), *rest = words, *word;
	struct dd_set set;

	dd_set_init(&set, q->point.count, false);
	while ((word = strsep(&rest, " "))) {
		uint32_t i = 0;

		if (!*word)
			continue;
		while (i < q->point.count && strcmp(q->point.differences[i].name, word) != 0)
			i++;
		if (i == q->point.count)
			fail_msg("%s does not differ", word);
		dd_set_put(&set, i, true);
	}
	free(words);
	return set;
}

static inline char *question_names(const struct question *q, const struct dd_set *set)
{
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < set->size; i++)
		str_printf(&out, "%s%s", i ? " " : "",
		           q->point.differences[dd_set_nth(set, i)].name);
	return str_steal(&out);
}

/* --- answers --- */

/* 'fail', 'pass', 'unresolved', 'confounded' or 'unknown'. */
static inline const char *question_exact(struct question *q, const struct dd_set *set,
                                         bool in_failing)
{
	struct exact_judgement j;

	pair_must(exact_judge(q->exact, &q->point, in_failing, set, NULL, &j));
	return j.confounded ? "confounded" : j.unknown ? "unknown" : verdict_name(j.verdict);
}

/* --- the cut is sufficient --- */

struct question_counts {
	uint32_t sufficient, unknown, complaints;
};

/* Is the whole cut at this time of the failing run sufficient, in both directions? Points are left out at
   which what differs waits in no variable. */
static inline void question_check_cut(struct question *q, const char *name, uint64_t time,
                                      struct question_counts *counts)
{
	struct dd_set cut;
	const char *a, *b;
	char *names;

	question_at(q, time);
	if (state_diff_hidden(q->point.diff))
		return;
	infer_cut(&q->point, q->dual, &cut);
	a = question_exact(q, &cut, false);
	b = question_exact(q, &cut, true);
	names = question_names(q, &cut);
	if (!strcmp(a, "unknown") || !strcmp(b, "unknown")) {
		counts->unknown++;
	} else if (!strcmp(a, "fail") && !strcmp(b, "pass")) {
		counts->sufficient++;
	} else if (cut.size) {
		print_message("%s: {%s} at %llu: the reference %s, the failing run %s\n", name,
		              names, (unsigned long long)time, a, b);
		counts->complaints++;
	}
	free(names);
	dd_set_deinit(&cut);
}

/* The same at so many points, from `first` on to the symptom. */
static inline void question_check_cuts(struct question *q, const char *name, uint64_t first,
                                       uint32_t points, struct question_counts *counts)
{
	uint64_t end = q->pair.symptom.failing_time;
	uint64_t step = end > first + points ? (end - first) / points : 1;

	for (uint64_t time = first; time <= end; time += step)
		if (alignment_of_a(&q->pair.alignment, time))
			question_check_cut(q, name, time, counts);
}

static inline const char *question_practical(struct question *q, const struct dd_set *set,
                                             bool in_failing)
{
	enum verdict verdict;

	pair_must(hybrid_ask(&q->hybrids, &q->point, in_failing ? HYBRID_FAILING : HYBRID_REFERENCE,
	                     set, NULL, &verdict));
	return verdict_name(verdict);
}

#endif
