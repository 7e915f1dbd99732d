/* The search for plausible edits: see search.h. */
#include "edit/search.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/guard.h"
#include "base/mem.h"
#include "edit/value.h"
#include "trace/path.h"
#include "trace/walk.h"
#include "trial/trial_scratch.h"

#define FEW_EDITS    4000u  /* of the narrow classes: then all are tried at once */
#define MOST_NARROW  6000u  /* in one image: each is code */
#define MOST_WIDE    60000u /* these are rows of tables */
#define ROWS_OF_COPY 8u     /* rows that cost as much as a copied statement, which is code */
/* Of a thrifty search: */
#define ENOUGH_ALIKE 3u /* of a line and kind that all known runs agree with */
#define FEW_TESTS    3u /* rule few accidents out, so more lines are looked at */
#define WORTH                                                                                      \
	0.8 /* least weight beside the best one, once the fault is among the lines that were found for sure */
#define WORTH_FEW     0.25 /* the same with fewer tests */
#define NAMED         2.0 /* times the weight of what is on such a line: several kinds there are a sign */
#define PATIENCE      600u /* tries since the last such line */
#define MOST_OTHERS   10u  /* that did the same as one in all known runs */
#define BATCH         32u  /* tries between two looks at what was found */
#define MOST_KIND     8u   /* of a kind and class that are run after the first was plausible */
#define LEAST_WORK    (1ull << 20) /* that a try may do: see server_work() */
#define MORE_WORK     4u           /* times that of known runs */
#define HANG_PART     32u /* of the work of a run that does not end is as much as is looked at */
#define SCOUT_SECONDS 30.0
#define MOST_WATCHED  400u  /* places of edits by value */
#define MOST_FITTED   1500u /* edits by value */
#define LESS_READ     0.5 /* weight of an edit with an expression, beside that of one with a variable */
#define READ_SECONDS  4.0 /* that it may take to find out which data was read */
#define READ_COST     60  /* times the walk over the run, at most about */

/* --- what was executed --- */

#define RECENT 1024u

MAP_DEFINE_U64(record_set, bool);

struct executed {
	VEC(bool **) blocks;       /* by module and function: of each block; NULL: nothing of it */
	struct record_set records; /* of plans, by address: their blocks were executed */
	const struct plan_record *recent[RECENT]; /* some that are there, by a hash */
	struct walk *walk;
	bool dies; /* of a signal */
};

static void pass(struct executed *x, const struct plan_record *record)
{
	const struct plan_record **recent = &x->recent[((uintptr_t)record >> 4) % RECENT];

	if (record == *recent)
		return;
	*recent = record;
	*record_set_put(&x->records, (uintptr_t)record) = true;
}

static void take_record(void *context, const struct plan_record *record, bool entered)
{
	pass(context, record);
}

static void ignore(void *context)
{
}

static void ignore_module(void *context, uint32_t module)
{
}

static void ignore_given(void *context, struct effects effects)
{
}

/* It may die before it has written anything. */
static void pass_entered(void *context, struct program_place place, uint64_t frame,
                         const uint8_t *byvals, const uint8_t *arguments, uint32_t size)
{
	struct executed *x = context;
	const struct plan_function *f = program_function(walk_program(x->walk), place);

	pass(x, &f->records.at[f->blocks.at[0].first]);
}

static void pass_reached(void *context, uint32_t block, const struct plan_record *record)
{
	pass(context, record);
}

static void pass_executed(void *context, uint32_t block, const struct plan_record *record,
                          const uint8_t *bytes)
{
	pass(context, record);
}

/* From records to blocks. */
static void list_blocks(struct executed *x)
{
	const struct program *program = walk_program(x->walk);

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;
		bool **functions = NULL;

		for (uint32_t f = 0; plan && f < plan->functions.size; f++) {
			const struct plan_function *function = &plan->functions.at[f];
			bool *blocks = NULL;

			for (uint32_t r = 0; r < function->blocks.size; r++) {
				const struct plan_block *block = &function->blocks.at[r];
				bool found = false;

				for (uint32_t i = 0; i < block->count && !found; i++)
					found = record_set_find(
						&x->records,
						(uintptr_t)&function->records.at[block->first + i]);
				if (!found)
					continue;
				if (!blocks)
					blocks = mem_alloc(function->blocks.size + 1);
				blocks[r] = true;
			}
			/* It may have died in a block that wrote nothing yet. */
			if (blocks && x->dies)
				memset(blocks, true, function->blocks.size);
			if (blocks && !functions)
				functions =
					mem_alloc((plan->functions.size + 1) * sizeof(*functions));
			if (blocks)
				functions[f] = blocks;
		}
		*vec_push(&x->blocks) = functions;
	}
}

/* --- the search --- */

/* Edits at one place with the same values in the failing run. */
struct task {
	uint32_t edit; /* index in all: the likeliest of its class */
	uint32_t changed;
	double weight;
};

MAP_DEFINE_U64(class_map, uint32_t);

/* Which edits are generated at once. */
struct round {
	bool narrow, wide, watch;
	const struct edit_fitted *fitted;
	uint32_t fitted_count;
	uint32_t most;
	bool first; /* of its classes */
};

/* An edit that is being tried, and choices of its table that did the same in all its runs so far: a run with one of
   them is a run with all. */
struct attempt {
	uint32_t edit;
	uint32_t first, count; /* its table of choices; else none */
	VEC(uint32_t) others;
	uint32_t next; /* test that comes next; 0: the failing run */
	bool busy;
	struct edit_found found;
};

struct work {
	const struct edit_search_options *options;
	struct edit_search *out;
	struct input failing;     /* as the pool has it */
	VEC(struct input) inputs; /* of tests, the same */
	VEC(struct edit_module) modules;
	VEC(struct edit *) edits; /* by id */
	struct trial_scratch scratch;
	char *image;
	struct trials *trials;
	struct trials_options pool;
	struct trial_result *rights;     /* of tests: how they end without an edit */
	bool *fails;                     /* and whether that is not right */
	VEC(struct hence_scout) seen;    /* in the failing run, by id */
	VEC(struct hence_scout) seen_of; /* in tests: test * (edits + 1) + id */
	VEC(struct task) tasks;
	VEC(struct attempt) attempts;
	VEC(bool) settled;         /* by id: done with, or among the others of an attempt */
	struct class_map expanded; /* classes of plausible edits: their members are tried */
	struct class_map lines;    /* of which edits were run, by a hash */
	uint64_t base_work;
	double least;         /* weight that is worth a try: see look_at_gain() */
	double best;          /* weight of the likeliest edit that all known runs agree with */
	double missed;        /* how likely the fault is at none of the lines with such an edit */
	VEC(uint32_t) agreed; /* such edits that were not looked at yet */
	struct class_map fitting; /* such edits, by a hash of line and kind */
	uint64_t last_line; /* edits that were run when the last line with such an edit was found */
	struct class_map named; /* how likely the fault is at a line with such an edit, in 1/1000 */
	double left;            /* edits of more weight were in earlier rounds */
	struct edit_reads *reads; /* NULL: not known */
	double read_until;
	double began;
	uint32_t logged; /* records that the logs of watched places take, after those of edits */
};

static bool is_over(struct work *w)
{
	if (w->options->stop && w->options->stop(w->options->context))
		w->out->stopped = true;
	return w->out->stopped;
}

static void note(struct work *w, char *text)
{
	free(w->out->note);
	w->out->note = text;
}

/* --- inputs --- */

static bool has_stdin(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return true;
	return false;
}

/* All inputs of a pool have the same parts. */
static void make_inputs(struct work *w)
{
	const struct edit_search_options *o = w->options;
	bool any = has_stdin(o->failing);

	for (uint32_t i = 0; i < o->test_count; i++)
		any |= has_stdin(&o->tests[i].input);
	input_copy(&w->failing, o->failing);
	if (any && !has_stdin(&w->failing))
		input_add_bytes(&w->failing, INPUT_STDIN, NULL, "", 0);
	for (uint32_t i = 0; i < o->test_count; i++)
		input_copy(vec_push(&w->inputs), &o->tests[i].input);
}

/* --- judging --- */

static bool ended_alike(const struct outcome *a, const struct outcome *b)
{
	return a->kind == b->kind && a->status == b->status && a->signal == b->signal;
}

static bool same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && !memcmp(str_text(a), str_text(b), a->length);
}

/* Is the failing run right, by the whole oracle? */
static bool passes(const struct oracle *oracle, const struct trial_result *r)
{
	if (oracle->options->expected && !oracle->options->test)
		return oracle_is_expected(oracle, &r->output) &&
		       oracle_exits_well(oracle, &r->outcome);
	return oracle_judge(oracle, r) == VERDICT_PASS;
}

static bool is_output(const struct edit_test *t, const struct str *output)
{
	size_t length = t->output.length;

	if (t->line && output->length == length + 1 && output->text[length] == '\n')
		return !memcmp(output->text, str_text(&t->output), length);
	return same_text(output, &t->output);
}

static bool is_right(const struct edit_test *t, const struct trial_result *r)
{
	if (!t->has_output && !t->has_status)
		return true;
	return r->outcome.kind == OUTCOME_EXITED &&
	       (!t->has_status || r->outcome.status == t->status) &&
	       (!t->has_output || is_output(t, &r->output));
}

static bool test_is_right(struct work *w, uint32_t test, const struct trial_result *r)
{
	const struct edit_test *t = &w->options->tests[test];

	if (!w->fails[test])
		return ended_alike(&r->outcome, &w->rights[test].outcome) &&
		       same_text(&r->output, &w->rights[test].output);
	return is_right(t, r);
}

/* --- images and pools --- */

/* Lines that are alike otherwise are told apart a little, so that any number of edits can be chosen. */
static double weight_of(const struct work *w, const struct edit *e)
{
	double weight = edit_kinds[e->kind].one;

	if (e->a.kind == EDIT_READ || e->b.kind == EDIT_READ)
		weight *= LESS_READ;
	/* Nobody executes a declaration: data is as suspicious as the line that reads it. */
	if (w->options->suspicion && e->file)
		weight *= 0.1 + w->options->suspicion(w->options->context,
		                                      e->reader ? e->reader : e->file,
		                                      e->reader ? e->reader_line : e->line);
	return weight + 1e-6 * (double)(map_hash_u64(e->line) % 1024) / 1024;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? 1 : *x > *y ? -1 : 0;
}

static uint64_t line_key(const struct edit *e)
{
	uint64_t key = e->line;

	for (const char *c = e->file; c && *c; c++)
		key = map_hash_u64(key ^ (uint8_t)*c);
	return key;
}

static uint64_t kind_key(const struct edit *e)
{
	return map_hash_u64(line_key(e) ^ (uint64_t)(e->kind + 1) << 40);
}

/* Has it been long since an edit was found at a line that had none? Then others will hardly come. */
static bool is_patience_over(const struct work *w)
{
	return w->best > 0 && w->out->run > w->last_line + PATIENCE;
}

/* Is it worth a try, after what was found? */
static bool is_gain(struct work *w, const struct edit *e, double weight)
{
	const uint32_t *fitting;

	if (!w->options->thrifty)
		return true;
	if (class_map_find(&w->named, line_key(e)))
		weight *= NAMED;
	fitting = class_map_find(&w->fitting, kind_key(e));
	return !is_patience_over(w) && weight >= w->least && (!fitting || *fitting < ENOUGH_ALIKE);
}

/* At edits that all known runs agree with. The likelier it is that the fault is at one of the lines with such an edit, the less
   is gained by those that are unlikely beside it. */
static void look_at_gain(struct work *w)
{
	uint32_t tests = w->options->test_count;

	for (uint32_t i = 0; i < w->agreed.size; i++) {
		const struct edit *e = w->edits.at[w->agreed.at[i]];
		double likely = tests ? edit_kinds[e->kind].all : edit_kinds[e->kind].one;
		uint32_t *known, share = (uint32_t)(1000 * likely);

		(*class_map_put(&w->fitting, kind_key(e)))++;
		/* What is made from the expected output of one run always has it. */
		if (!tests &&
		    (e->kind == EDIT_TEXT || e->kind == EDIT_ANSWER || e->kind == EDIT_PRINTED))
			continue;
		known = class_map_put(&w->named, line_key(e));
		if (!*known)
			w->last_line = w->out->run;
		if (share > *known) {
			w->missed *= (1000.0 - share) / (1000.0 - *known);
			*known = share;
		}
		w->best = fmax(w->best, weight_of(w, e));
	}
	w->agreed.size = 0;
	w->least = (tests < FEW_TESTS ? WORTH_FEW : WORTH) * (1 - w->missed) * w->best;
}

/* The weight that an edit must have so that about that many are left, of those that were not in earlier rounds. */
static double find_threshold(const struct work *w, uint32_t most)
{
	VEC(double) all = VEC_INIT;
	double threshold = 0;

	for (uint32_t m = 0; m < w->modules.size; m++)
		for (uint32_t i = 0; i < w->modules.at[m].edits.size; i++) {
			const struct edit *e = &w->modules.at[m].edits.at[i];
			double weight = weight_of(w, e);
			uint32_t rows = e->where == EDIT_COPY ? ROWS_OF_COPY : 1;

			while (weight <= w->left && !e->follows && rows--)
				*vec_push(&all) = weight;
		}
	if (all.size > most) {
		qsort(all.at, all.size, sizeof(*all.at), by_value);
		threshold = all.at[most];
		/* All of one line and kind go together. */
		if (threshold == all.at[0])
			threshold = nextafter(threshold, 0);
	}
	vec_deinit(&all);
	return threshold;
}

/* The edits that a search has for these functions. */
static struct edit_wish wish_for(const struct edit_search_options *o, const bool *functions)
{
	const struct oracle_options *oracle = o->oracle->options;

	return (struct edit_wish){.functions = functions,
	                          .narrow = true,
	                          .wide = true,
	                          .tables = true,
	                          .read_source = o->read_source,
	                          .printed = o->printed,
	                          .expected = oracle->test ? NULL : oracle->expected};
}

static struct hence_error *generate(struct work *w, const struct program *program,
                                    const struct executed *x, const struct round *round)
{
	struct hence_error *error = NULL;
	double threshold;
	uint32_t id = 0;

	for (uint32_t m = 0; m < x->blocks.size && !error; m++) {
		struct edit_wish wish = wish_for(w->options, NULL);
		struct edit_module *module;

		if (!x->blocks.at[m])
			continue;
		wish.blocks = x->blocks.at[m];
		wish.narrow = round->narrow;
		wish.wide = round->wide;
		wish.watch = round->watch;
		wish.fitted = round->fitted;
		wish.fitted_count = round->fitted_count;
		wish.tables = false;
		wish.reads = w->reads;
		module = vec_push(&w->modules);
		error = edit_module_open(&program->modules.at[m], m, module);
		if (!error)
			edit_generate(module, &wish);
	}
	*vec_push(&w->edits) = NULL;
	edit_follow(w->modules.at, w->modules.size);
	threshold = error ? 0 : find_threshold(w, round->most);
	for (uint32_t m = 0; m < w->modules.size && !error; m++) {
		struct edit_module *module = &w->modules.at[m];

		for (uint32_t i = 0; i < module->edits.size; i++) {
			struct edit *e = &module->edits.at[i];
			double weight;

			if (e->follows)
				continue;
			weight = weight_of(w, e);
			w->out->generated += round->first;
			if (weight > w->left || weight <= threshold || !is_gain(w, e, weight))
				continue;
			e->id = ++id;
			if (e->where == EDIT_POKE)
				e->poke.edit = id;
			*vec_push(&w->edits) = e;
		}
	}
	edit_follow(w->modules.at, w->modules.size);
	for (uint32_t i = 1; i < w->edits.size && round->watch; i++) {
		w->edits.at[i]->choice.constant = w->edits.size + w->logged;
		w->logged += HENCE_WATCH_PASSES * hence_watch_size(w->edits.at[i]->slots->count);
	}
	w->left = threshold;
	return error;
}

static bool has_chosen(const struct edit_module *module)
{
	for (uint32_t i = 0; i < module->edits.size; i++)
		if (module->edits.at[i].id)
			return true;
	return false;
}

static struct hence_error *build(struct work *w)
{
	struct image image = {0};
	struct hence_error *error = trial_scratch_create(&w->scratch);

	for (uint32_t m = 0; m < w->modules.size && !error; m++)
		if (has_chosen(&w->modules.at[m]))
			error = edit_build(&w->modules.at[m], NULL, &image);
	if (!error) {
		w->image = str_format("%s/edits", w->scratch.path);
		error = image_write(&image, w->image);
	}
	image_deinit(&image);
	return error;
}

/* Does the failing run fail as before in code that was compiled anew? That code has no debug information, so places in it are
   not known. */
static bool fails_alike(const struct oracle *oracle, const struct trial_result *r)
{
	const struct outcome *a = &oracle->failure.outcome, *b = &r->outcome;

	if (oracle_judge(oracle, r) == VERDICT_FAIL)
		return true;
	if (oracle->failure.kind == FAILURE_CRASH)
		return ended_alike(a, b) && !b->assertion.text;
	return oracle->failure.kind == FAILURE_ASSERT && ended_alike(a, b) && b->assertion.text &&
	       !strcmp(a->assertion.text, b->assertion.text) &&
	       a->assertion.line == b->assertion.line;
}

static struct hence_error *open_pool(struct work *w)
{
	const struct edit_search_options *o = w->options;
	struct trial_result first = {.test = -1};
	struct hence_error *error;

	w->pool = (struct trials_options){.program = o->program,
	                                  .name = o->name,
	                                  .input = &w->failing,
	                                  .workers = o->workers,
	                                  .timeout = o->timeout,
	                                  .test = o->test,
	                                  .image = w->image,
	                                  .unconfined = o->unconfined,
	                                  .known = o->known,
	                                  .stop = o->stop,
	                                  .context = o->context};
	error = trials_create(&w->pool, &w->trials, &first);
	if (error)
		return error;
	if (!w->trials) {
		w->out->stopped = true;
	} else if (!fails_alike(o->oracle, &first)) {
		note(w, str_format("the program does not fail in the same way when its code is "
		                   "compiled anew, so no edits were tried"));
		trials_destroy(w->trials);
		w->trials = NULL;
	}
	w->base_work = first.work;
	trial_result_deinit(&first);
	return NULL;
}

/* Runs the program once. False in *ended: the search is over. */
static struct hence_error *run_once(struct work *w, const struct input *input,
                                    struct trial_edit edit, bool *ended,
                                    struct trial_result *result, struct str *seen)
{
	struct hence_error *error = trials_start_edited(w->trials, input, edit, 0);
	uint64_t id;

	*ended = false;
	while (!error && !*ended && !is_over(w))
		error = trials_poll(w->trials, 0.1, ended);
	w->out->runs++;
	if (!error && *ended)
		return trials_wait_scouts(w->trials, &id, result, seen);
	trials_cancel(w->trials, 0);
	return error;
}

static bool hangs(const struct work *w)
{
	return w->options->oracle->failure.kind == FAILURE_HANG;
}

/* `result` is how the run ends without an edit. `seen` has room for the logs, too. */
static struct hence_error *scout(struct work *w, const struct input *input,
                                 struct trial_result *result, struct hence_scout *seen)
{
	bool endless = hangs(w) && input == &w->failing;
	struct trial_edit edit = {.number = HENCE_EDIT_SCOUT,
	                          .count = w->edits.size + w->logged,
	                          .work = endless ? LEAST_WORK + w->base_work / HANG_PART
	                                          : UINT64_MAX,
	                          .seconds = SCOUT_SECONDS};
	struct str bytes = STR_INIT;
	bool ended;
	struct hence_error *error = run_once(w, input, edit, &ended, result, &bytes);

	if (!error && bytes.length == edit.count * sizeof(*seen))
		memcpy(seen, bytes.text, bytes.length);
	/* Nobody knows what would have come after its end. */
	if (!error && ended && result->outcome.kind == OUTCOME_TIMED_OUT) {
		for (uint32_t i = 0; i < w->edits.size; i++)
			if (!seen[i].differs)
				seen[i] = (struct hence_scout){.executed = seen[i].executed,
				                               .differs = 1};
		if (input != &w->failing) {
			edit.number = edit.count = 0;
			trial_result_deinit(result);
			error = run_once(w, input, edit, &ended, result, &bytes);
		}
	}
	str_deinit(&bytes);
	return error;
}

/* The work after which a try is cut: a few times that of the known runs, so that loops without end do not take
   long. Alone, the failing run may be a short one. */
static uint64_t most_work(const struct work *w, uint32_t next)
{
	uint64_t most = 0, base = hangs(w) ? 0 : w->base_work;

	if (next)
		most = w->rights[next - 1].work;
	for (uint32_t t = 0; t < w->options->test_count && !next; t++)
		most = w->rights[t].work > most ? w->rights[t].work : most;
	if (!w->options->test_count)
		return LEAST_WORK + (hangs(w) ? w->base_work / HANG_PART : 10 * base);
	return LEAST_WORK + MORE_WORK * (most > base ? most : base);
}

/* Are they choices of one table? Neither need be there. */
static bool is_same_table(const struct edit *a, const struct edit *b)
{
	return a && b && a->where == EDIT_CHOICE && b->where == EDIT_CHOICE && a->at == b->at &&
	       a->slots == b->slots && a->to == b->to;
}

/* --- the order --- */

static uint64_t class_key(const struct work *w, uint32_t id)
{
	const struct edit *e = w->edits.at[id];
	uint64_t key = w->seen.at[id].values;

	/* What a copied statement computes is not known. Edits by value are few, and of those of one class fewer. */
	if (!key || e->where == EDIT_COPY || e->fitted)
		return 0;
	key = map_hash_u64(key ^
	                   map_hash_u64((uint64_t)(uintptr_t)e->at ^ (uint64_t)e->where << 56 ^
	                                (uint64_t)e->operand << 48));
	/* Two arguments change, or control goes elsewhere: only the same edits are alike. */
	if (e->kind == EDIT_EXCHANGED || e->where == EDIT_CHOICE)
		key = map_hash_u64(key ^ (uint64_t)e->kind << 32 ^ (uint64_t)e->code ^
		                   (uint64_t)(uintptr_t)e->slots);
	return key ? key : 1;
}

static int by_weight(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	/* The fewer executions it changes, the likelier. */
	if (x->changed != y->changed)
		return x->changed < y->changed ? -1 : 1;
	return x->edit < y->edit ? -1 : x->edit > y->edit;
}

/* An assertion that says something else is no repair. */
static bool is_assertion(const struct work *w, const struct edit *e)
{
	const struct outcome_assert *a = &w->options->oracle->failure.outcome.assertion;

	return w->options->oracle->failure.kind == FAILURE_ASSERT && e->file && a->file &&
	       e->line == (unsigned)a->line && !strcmp(e->file, a->file);
}

/* --- trying --- */

static void found_init(struct work *w, uint32_t id, struct edit_found *f)
{
	const struct edit *e = w->edits.at[id];
	const struct edit_module *m = NULL;

	for (uint32_t i = 0; i < w->modules.size; i++)
		if (w->modules.at[i].number == e->module)
			m = &w->modules.at[i];
	assert(m);
	*f = (struct edit_found){.kind = e->kind,
	                         .line = e->line,
	                         .column = e->column,
	                         .condition = e->condition,
	                         .operand = e->operand,
	                         .part = e->part,
	                         .class = class_key(w, id),
	                         .changed = w->seen.at[id].differs,
	                         .fitted = e->fitted,
	                         .quiet = true};
	f->name = edit_name(m, e);
	f->file = e->file ? mem_strdup(e->file) : NULL;
	f->function = mem_strdup(m->plan->functions.at[e->function].name);
	f->was = e->was ? mem_strdup(e->was) : NULL;
	f->is = e->is ? mem_strdup(e->is) : NULL;
	f->failing_of = 1;
}

static void found_deinit(struct edit_found *f)
{
	free(f->name);
	free(f->file);
	free(f->function);
	free(f->was);
	free(f->is);
}

static const struct hence_scout *seen_in(const struct work *w, uint32_t test, uint32_t id)
{
	return &w->seen_of.at[test * w->edits.size + id];
}

static bool is_idle_in(const struct work *w, uint32_t test, uint32_t id)
{
	return !w->fails[test] && w->edits.at[id]->where != EDIT_POKE &&
	       !seen_in(w, test, id)->differs;
}

static struct attempt *attempt_add(struct work *w, uint32_t id)
{
	struct attempt *a = NULL;

	for (uint32_t i = 0; i < w->attempts.size && !a; i++)
		if (!w->attempts.at[i].edit)
			a = &w->attempts.at[i];
	if (!a)
		a = vec_push(&w->attempts);
	*a = (struct attempt){.edit = id, .first = id};
	/* The choices of a table have numbers that follow each other. */
	if (w->edits.at[id]->where == EDIT_CHOICE) {
		uint32_t end = id + 1;

		while (is_same_table(w->edits.at[a->first - 1], w->edits.at[id]))
			a->first--;
		while (end < w->edits.size && is_same_table(w->edits.at[end], w->edits.at[id]))
			end++;
		a->count = end - a->first;
	}
	found_init(w, id, &a->found);
	return a;
}

static void attempt_end(struct attempt *a)
{
	found_deinit(&a->found);
	vec_deinit(&a->others);
	*a = (struct attempt){.busy = true};
}

/* What was found of one edit is true of another that did the same. */
static void found_copy(struct work *w, uint32_t id, const struct edit_found *from,
                       struct edit_found *out)
{
	found_init(w, id, out);
	out->failing = from->failing;
	out->failing_of = from->failing_of;
	out->passing = from->passing;
	out->passing_of = from->passing_of;
	out->experiment = from->experiment;
	out->less = from->less;
	out->quiet = from->quiet;
}

/* Those of the others that do something else in the test that is next (`seen` of the table; NULL: which is without a run)
   go their own way from there on. */
static void split(struct work *w, uint32_t number, const struct hence_scout *seen)
{
	struct attempt *a = &w->attempts.at[number], *apart = NULL;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < a->others.size; i++) {
		uint32_t id = a->others.at[i];

		if (seen ? !seen[id - a->first].differs : is_idle_in(w, a->next - 1, id)) {
			a->others.at[kept++] = id;
		} else if (!apart) {
			struct edit_found found;

			apart = attempt_add(w, id);
			a = &w->attempts.at[number];
			apart->next = a->next;
			found_copy(w, id, &a->found, &found);
			found_deinit(&apart->found);
			apart->found = found;
		} else {
			*vec_push(&apart->others) = id;
		}
	}
	a->others.size = kept;
}

/* Goes on to the next test that is not decided without a run. False: all are done, or a run that passed does not stay as it
   was, so it is not plausible. */
static bool advance(struct work *w, uint32_t number)
{
	while (w->attempts.at[number].next <= w->options->test_count) {
		struct attempt *a = &w->attempts.at[number];
		const struct edit_found *f = &a->found;

		if (f->passing < f->passing_of)
			return false;
		if (!a->next || !is_idle_in(w, a->next - 1, a->edit))
			return true;
		split(w, number, NULL);
		a = &w->attempts.at[number];
		a->found.passing++;
		a->found.passing_of++;
		a->next++;
	}
	return false;
}

static void keep(struct work *w, struct attempt *a)
{
	const struct edit_found *f = &a->found;

	if (!w->out->found.size)
		w->out->first = budget_clock() - w->began;
	if (w->options->thrifty && f->passing == f->passing_of && f->failing == f->failing_of)
		*vec_push(&w->agreed) = a->edit;
	for (uint32_t i = 0; i < a->others.size && (i < MOST_OTHERS || !w->options->thrifty); i++)
		found_copy(w, a->others.at[i], &a->found, vec_push(&w->out->found));
	*vec_push(&w->out->found) = a->found;
	memset(&a->found, 0, sizeof(a->found));
}

/* The other edits of the class of a plausible one. Once they are in force, variables have other values,
   so they may end otherwise: each is run. Of those that are code, a few of each kind will do; those that have other
   values in other runs come first. Choices are decided many at a time. */
static void add_members(struct work *w, uint32_t id)
{
	uint64_t key = class_key(w, id);
	uint32_t of_kind[EDIT_KINDS] = {0};
	struct class_map alike = MAP_INIT;

	if (!key || (*class_map_put(&w->expanded, key))++)
		return;
	for (uint32_t again = 0; again < 2; again++)
		for (uint32_t i = 1; i < w->edits.size; i++) {
			const struct edit *e = w->edits.at[i];
			uint64_t values = (uint64_t)e->kind + 1;
			uint32_t *first;

			if (!w->seen.at[i].differs || w->settled.at[i] || class_key(w, i) != key)
				continue;
			for (uint32_t t = 0; t < w->options->test_count; t++)
				values = map_hash_u64(values ^ seen_in(w, t, i)->values);
			first = class_map_put(&alike, values);
			if (e->where == EDIT_CHOICE ? again
			                            : of_kind[e->kind] == MOST_KIND ||
			                                      (again ? *first == i : *first))
				continue;
			*first = i;
			of_kind[e->kind]++;
			*vec_push(&w->tasks) = (struct task){.edit = i};
		}
	class_map_deinit(&alike);
}

/* What came of a run; `seen` of the choices of its table. True: the attempt is over. */
static bool learn(struct work *w, uint32_t number, const struct trial_result *r,
                  const struct hence_scout *seen)
{
	struct attempt *a = &w->attempts.at[number];
	uint32_t test = a->next - 1;
	bool right;

	if (!a->next) {
		right = passes(w->options->oracle, r);
		for (uint32_t i = 0; seen && i < a->count; i++) {
			uint32_t id = a->first + i;

			if (id == a->edit || seen[i].differs || w->settled.at[id] ||
			    !w->seen.at[id].differs)
				continue;
			w->settled.at[id] = true;
			if (right)
				*vec_push(&a->others) = id;
		}
		if (!right)
			return true;
		a->found.failing = 1;
		a->found.experiment = w->out->runs;
		a->found.less = w->base_work && r->work * 2 < w->base_work;
	} else {
		right = test_is_right(w, test, r);
		if (seen)
			split(w, number, seen);
		a = &w->attempts.at[number];
		if (w->fails[test]) {
			a->found.failing += right;
			a->found.failing_of++;
		} else {
			a->found.quiet = false;
			a->found.passing += right;
			a->found.passing_of++;
		}
	}
	a->next++;
	return false;
}

static struct hence_error *try_all(struct work *w)
{
	struct hence_error *error = NULL;
	uint32_t next = 0, under_way = 0, shown = 0, classes = w->tasks.size, batch = 0;

	while (!error) {
		struct trial_result result = {.test = -1};
		uint32_t chosen = UINT32_MAX;
		bool begun = false, ended = false;
		struct str seen = STR_INIT;
		uint64_t id;

		/* Those that passed so far come first. */
		for (uint32_t i = 0; i < w->attempts.size && chosen == UINT32_MAX; i++) {
			if (w->attempts.at[i].busy)
				continue;
			if (advance(w, i)) {
				chosen = i;
				continue;
			}
			add_members(w, w->attempts.at[i].edit);
			for (uint32_t k = 0; k < w->attempts.at[i].others.size; k++)
				add_members(w, w->attempts.at[i].others.at[k]);
			keep(w, &w->attempts.at[i]);
			attempt_end(&w->attempts.at[i]);
		}
		/* What is tried next must not depend on which of several workers is the fastest: so all is looked at when none
		   is under way. */
		if (batch == BATCH && w->options->thrifty && !under_way && chosen == UINT32_MAX) {
			look_at_gain(w);
			batch = 0;
		}
		while (chosen == UINT32_MAX && next < w->tasks.size && !is_over(w) &&
		       (batch < BATCH || !w->options->thrifty)) {
			uint32_t edit = w->tasks.at[next++].edit;
			const struct edit *e = w->edits.at[edit];

			if (!is_gain(w, e, weight_of(w, e)))
				continue;
			w->out->run += next <= classes;
			if (w->settled.at[edit])
				continue;
			batch++;
			w->settled.at[edit] = true;
			if (e->file && !(*class_map_put(&w->lines, line_key(e)))++)
				w->out->lines++;
			chosen = (uint32_t)(attempt_add(w, edit) - w->attempts.at);
		}
		if (chosen != UINT32_MAX && trials_ready(w->trials)) {
			struct attempt *a = &w->attempts.at[chosen];
			const struct input *input =
				a->next ? &w->inputs.at[a->next - 1] : &w->failing;

			error = trials_start_edited(
				w->trials, input,
				(struct trial_edit){.number = a->edit,
			                            .first = a->first,
			                            .count = a->count,
			                            .work = most_work(w, a->next)},
				chosen);
			a->busy = true;
			under_way++;
			w->out->runs++;
			begun = true;
		}
		if (error || (!under_way && chosen == UINT32_MAX))
			break;
		if (begun && trials_ready(w->trials))
			continue;
		error = trials_poll(w->trials, 0.2, &ended);
		if (!error && ended) {
			error = trials_wait_scouts(w->trials, &id, &result, &seen);
			under_way--;
			if (!error) {
				w->attempts.at[id].busy = false;
				if (learn(w, (uint32_t)id, &result,
				          seen.length ? (void *)seen.text : NULL))
					attempt_end(&w->attempts.at[id]);
			}
			trial_result_deinit(&result);
			str_deinit(&seen);
		}
		if (w->options->progress && w->out->run != shown)
			w->options->progress(w->options->context, shown = (uint32_t)w->out->run,
			                     "edits");
	}
	look_at_gain(w);
	return error;
}

/* What was made for a round. */
static void end_round(struct work *w)
{
	class_map_deinit(&w->expanded);
	w->expanded = (struct class_map)MAP_INIT;
	trials_destroy(w->trials);
	w->trials = NULL;
	for (uint32_t i = 0; i < w->attempts.size; i++)
		attempt_end(&w->attempts.at[i]);
	for (uint32_t i = 0; i < w->modules.size; i++)
		edit_module_close(&w->modules.at[i]);
	for (uint32_t i = 0; w->rights && i < w->options->test_count; i++)
		trial_result_deinit(&w->rights[i]);
	if (w->scratch.path)
		trial_scratch_destroy(&w->scratch);
	w->scratch = (struct trial_scratch){.lock = -1};
	free(w->rights);
	free(w->fails);
	free(w->image);
	w->rights = NULL;
	w->fails = NULL;
	w->image = NULL;
	w->logged = 0;
	w->modules.size = w->edits.size = w->seen.size = w->seen_of.size = w->tasks.size =
		w->attempts.size = w->settled.size = 0;
}

static void work_deinit(struct work *w)
{
	end_round(w);
	edit_reads_destroy(w->reads);
	for (uint32_t i = 0; i < w->inputs.size; i++)
		input_deinit(&w->inputs.at[i]);
	input_deinit(&w->failing);
	vec_deinit(&w->inputs);
	vec_deinit(&w->modules);
	vec_deinit(&w->edits);
	vec_deinit(&w->seen);
	vec_deinit(&w->seen_of);
	vec_deinit(&w->tasks);
	vec_deinit(&w->attempts);
	vec_deinit(&w->settled);
	class_map_deinit(&w->expanded);
	class_map_deinit(&w->lines);
	vec_deinit(&w->agreed);
	class_map_deinit(&w->fitting);
	class_map_deinit(&w->named);
}

static struct hence_error *run_round(struct work *w)
{
	struct trial_result result = {.test = -1};
	struct hence_error *error = is_over(w) ? NULL : build(w);

	if (!error && !is_over(w))
		error = open_pool(w);
	if (error || !w->trials)
		return error;
	vec_reserve(&w->seen, w->edits.size);
	w->seen.size = w->edits.size;
	memset(w->seen.at, 0, w->seen.size * sizeof(*w->seen.at));
	error = scout(w, &w->failing, &result, w->seen.at);
	trial_result_deinit(&result);
	vec_reserve(&w->settled, w->edits.size);
	w->settled.size = w->edits.size;
	memset(w->settled.at, 0, w->settled.size);
	vec_reserve(&w->seen_of, (w->options->test_count + 1) * w->edits.size);
	memset(w->seen_of.at, 0, w->seen_of.room * sizeof(*w->seen_of.at));
	w->rights = mem_alloc((w->options->test_count + 1) * sizeof(*w->rights));
	w->fails = mem_alloc(w->options->test_count + 1);
	w->out->failing = w->out->passing = 0;
	for (uint32_t t = 0; t < w->options->test_count && !error && !is_over(w); t++) {
		error = scout(w, &w->inputs.at[t], &w->rights[t],
		              &w->seen_of.at[t * w->edits.size]);
		w->fails[t] = !error && !is_right(&w->options->tests[t], &w->rights[t]);
		w->out->failing += w->fails[t];
		w->out->passing += !w->fails[t];
	}
	if (!error && !is_over(w)) {
		struct class_map classes = MAP_INIT;
		uint32_t kept = 0;

		for (uint32_t id = 1; id < w->edits.size; id++) {
			const struct edit *e = w->edits.at[id];
			struct task *task;

			if (e->where != EDIT_POKE && !w->seen.at[id].differs) {
				w->out->idle++;
				continue;
			}
			if (is_assertion(w, e))
				continue;
			task = vec_push(&w->tasks);
			task->edit = id;
			task->changed = w->seen.at[id].differs;
			task->weight = weight_of(w, e);
		}
		qsort(w->tasks.at, w->tasks.size, sizeof(*w->tasks.at), by_weight);
		for (uint32_t i = 0; i < w->tasks.size; i++) {
			uint64_t key = class_key(w, w->tasks.at[i].edit);
			uint32_t *known = key ? class_map_put(&classes, key) : NULL;

			if (known && *known) {
				/* Waits for the first of its class. */
				continue;
			}
			w->tasks.at[kept++] = w->tasks.at[i];
			if (known)
				*known = kept;
		}
		w->tasks.size = kept;
		class_map_deinit(&classes);
		error = try_all(w);
	}
	return error;
}

/* --- by value --- */

static int by_suspicion(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->edit < y->edit ? -1 : x->edit > y->edit;
}

static void add_passes(const struct work *w, uint32_t id, const struct hence_scout *seen,
                       struct value_log *log, bool failing)
{
	const struct edit *e = w->edits.at[id];
	uint32_t count =
		seen[id].executed < HENCE_WATCH_PASSES ? seen[id].executed : HENCE_WATCH_PASSES;

	for (uint32_t n = 0; n < count; n++) {
		const void *pass =
			&seen[e->choice.constant + n * hence_watch_size(e->slots->count)];

		if (failing)
			*vec_push(&log->failing) = pass;
		else
			*vec_push(&log->passing) = pass;
	}
}

struct fitted_list {
	struct edit_fitted *at;
	uint32_t size, room;
};

/* Logs the watched places in all runs, and looks up the edits that fit, at the most suspicious places first. */
static struct hence_error *look_up(struct work *w, struct fitted_list *out)
{
	uint32_t records = w->edits.size + w->logged, known = w->options->test_count;
	struct hence_error *error = build(w);
	struct hence_scout *seen = NULL;
	bool *passes = mem_alloc(known + 1);

	if (!error && !is_over(w))
		error = open_pool(w);
	if (!error && w->trials)
		seen = mem_alloc((known + 1ul) * records * sizeof(*seen));
	for (uint32_t t = 0; t <= known && seen && !error && !is_over(w); t++) {
		struct trial_result result = {.test = -1};
		const struct input *input = t < known ? &w->inputs.at[t] : &w->failing;

		error = scout(w, input, &result, seen + (size_t)t * records);
		passes[t] = t < known && !error && is_right(&w->options->tests[t], &result);
		trial_result_deinit(&result);
	}
	for (uint32_t id = 1; id < w->edits.size && seen && !error; id++)
		*vec_push(&w->tasks) =
			(struct task){.edit = id, .weight = weight_of(w, w->edits.at[id])};
	if (w->tasks.size)
		qsort(w->tasks.at, w->tasks.size, sizeof(*w->tasks.at), by_suspicion);
	for (uint32_t i = 0; i < w->tasks.size && !is_over(w); i++) {
		const struct edit *e = w->edits.at[w->tasks.at[i].edit];
		struct value_log log = {.slots = e->slots};
		struct value_rows rows = {0};

		for (uint32_t t = 0; t <= known; t++)
			if (passes[t] || t == known)
				add_passes(w, e->id, seen + (size_t)t * records, &log, t == known);
		value_fit(&log, &rows);
		for (uint32_t r = 0; r < rows.size && out->size < MOST_FITTED; r++)
			*vec_push(out) = (struct edit_fitted){.module = e->module,
			                                      .function = e->function,
			                                      .ordinal = e->ordinal,
			                                      .operand = e->operand,
			                                      .choice = rows.at[r]};
		vec_deinit(&rows);
		vec_deinit(&log.passing);
		vec_deinit(&log.failing);
	}
	free(passes);
	free(seen);
	return error;
}

static bool is_read_over(void *context)
{
	struct work *w = context;

	return budget_clock() > w->read_until || is_over(w);
}

/* Which data the failing run read. That a long run takes too long to decode is no error. */
static struct hence_error *find_reads(struct work *w)
{
	w->read_until = budget_clock() + READ_SECONDS;
	if (w->out->walk * READ_COST > READ_SECONDS)
		return NULL;
	return edit_reads_find(w->options->run, is_read_over, w, &w->reads);
}

/* A small program is tried with all edits at once. In a larger one those that change what is there come first, at the
   most suspicious lines, and then those that add something; at last those by value. */
static struct hence_error *perform(struct work *w, const struct program *program,
                                   const struct executed *x)
{
	struct round narrow = {.narrow = true, .most = MOST_NARROW, .first = true};
	struct round wide = {.wide = true, .most = MOST_WIDE, .first = true};
	struct hence_error *error;
	bool few;

	w->left = INFINITY;
	error = find_reads(w);
	if (!error)
		error = generate(w, program, x, &narrow);
	if (!error && w->edits.size == 1)
		note(w, str_format("the functions that it executed have no code that could be "
		                   "edited"));
	few = w->out->generated <= FEW_EDITS && !w->options->thrifty;
	narrow.first = false;
	while (!error && !few && w->edits.size > 1 && !w->out->note && !is_over(w)) {
		error = run_round(w);
		end_round(w);
		if (!error && !w->out->note && w->left > 0 && !is_patience_over(w))
			error = generate(w, program, x, &narrow);
	}
	if (error || w->out->note || is_over(w) || is_patience_over(w))
		return error;
	end_round(w);
	if (few)
		w->out->generated = 0;
	wide.narrow = few;
	w->left = INFINITY;
	do {
		error = generate(w, program, x, &wide);
		if (!error && w->edits.size > 1)
			error = run_round(w);
		end_round(w);
		wide.first = false;
	} while (!error && !w->out->note && w->left > 0 && !is_over(w) && !is_patience_over(w));
	/* One by value counts less than any that was found. */
	if (!error && !w->out->note && !is_over(w) && w->least <= 0) {
		/* Edits by value: places are watched, edits looked up, and those tried. Without a passing run nothing says what
		   would have to stay. */
		struct round watch = {.watch = true, .most = MOST_WATCHED};
		struct round fitted = {.most = UINT32_MAX, .first = true};
		struct fitted_list rows = {0};

		w->left = INFINITY;
		if (w->out->passing)
			error = generate(w, program, x, &watch);
		if (!error && w->edits.size > 1)
			error = look_up(w, &rows);
		end_round(w);
		w->left = INFINITY;
		fitted.fitted = rows.at;
		fitted.fitted_count = rows.size;
		if (!error && rows.size && !w->out->note && !is_over(w))
			error = generate(w, program, x, &fitted);
		if (!error && w->edits.size > 1)
			error = run_round(w);
		end_round(w);
		vec_deinit(&rows);
	}
	return error;
}

struct hence_error *edit_search(const struct edit_search_options *options, struct edit_search *out)
{
	const struct recording *run = options->run;
	struct work w = {.options = options,
	                 .out = out,
	                 .began = budget_clock(),
	                 .missed = 1,
	                 .scratch.lock = -1};
	struct executed x = {.dies = run->death};
	const struct walk_follower follower = {.context = &x,
	                                       .loaded = ignore_module,
	                                       .given = ignore_given,
	                                       .entered = pass_entered,
	                                       .reached = pass_reached,
	                                       .executed = pass_executed,
	                                       .left = ignore,
	                                       .interrupted = ignore,
	                                       .unwound = ignore_module,
	                                       .resumed = pass_reached};
	struct walk *own = NULL;
	struct hence_error *error = path_records(run, take_record, &x, &x.walk);

	*out = (struct edit_search){0};
	if (error && options->stop && options->stop(options->context)) {
		error_destroy(error);
		error = NULL;
		out->stopped = true;
	}
	if (!error && !out->stopped && !x.walk) {
		error = walk_create(run->modules, run->folder, run->tape, &own);
		x.walk = own;
	}
	if (!error && own) {
		walk_follow(x.walk, &follower);
		error = walk_to_end_unless(x.walk, run->death, options->stop, options->context,
		                           &out->stopped);
	}
	out->walk = own ? budget_clock() - w.began : path_seconds(run);
	make_inputs(&w);
	if (!error && !out->stopped) {
		list_blocks(&x);
		error = perform(&w, walk_program(x.walk), &x);
	}
	work_deinit(&w);
	const struct program *program = x.walk ? walk_program(x.walk) : NULL;

	for (uint32_t m = 0; m < x.blocks.size; m++) {
		for (uint32_t f = 0;
		     x.blocks.at[m] && f < program->modules.at[m].plan->functions.size; f++)
			free(x.blocks.at[m][f]);
		free(x.blocks.at[m]);
	}
	vec_deinit(&x.blocks);
	record_set_deinit(&x.records);
	walk_destroy(own);
	return error;
}

void edit_search_deinit(struct edit_search *search)
{
	for (uint32_t i = 0; i < search->found.size; i++)
		found_deinit(&search->found.at[i]);
	vec_deinit(&search->found);
	free(search->note);
}

/* --- edits that a report names --- */

/* An edit of the program that is one of those. */
struct match {
	struct edit *edit;
	uint32_t item;
};

struct named {
	struct work work;
	struct edit_repeat *items;
	uint32_t count;
	VEC(struct match) matches;
	uint32_t ids;
};

/* The functions of the module that are named; NULL: none. Caller frees. */
static bool *find_functions(const struct named *n, const struct plan *plan, uint32_t module)
{
	bool *functions = mem_alloc(plan->functions.size + 1), any = false;

	/* A name for a constant is used in any module. */
	for (uint32_t i = 0; i < n->count; i++)
		any |= strstr(n->items[i].name, ":defined:") != NULL;

	for (uint32_t f = 0; f < plan->functions.size; f++)
		for (uint32_t i = 0; i < n->count && !functions[f]; i++) {
			functions[f] = edit_names(n->items[i].name, &plan->functions.at[f], module);
			any |= functions[f];
		}
	if (any)
		return functions;
	free(functions);
	return NULL;
}

static void find_matches(struct named *n, struct edit_module *module)
{
	for (uint32_t k = 0; k < module->edits.size; k++) {
		struct edit *e = &module->edits.at[k];
		char *name GUARD_FREE = NULL;

		for (uint32_t i = 0; i < n->count && e->file; i++) {
			struct edit_repeat *item = &n->items[i];

			/* Where data lies, the source says, which may be gone. */
			if ((item->line != e->line && e->where != EDIT_POKE) ||
			    strcmp(item->file, e->file))
				continue;
			if (!name)
				name = edit_name(module, e);
			if (strcmp(item->name, name))
				continue;
			*vec_push(&n->matches) = (struct match){e, i};
			item->edits++;
			e->id = 1;
		}
	}
}

/* Choices of a table are built together, under numbers that follow each other. */
static void number_edits(struct named *n, struct edit_module *module)
{
	for (uint32_t i = 1; i < module->edits.size; i++)
		if (module->edits.at[i - 1].id &&
		    is_same_table(&module->edits.at[i - 1], &module->edits.at[i]))
			module->edits.at[i].id = 1;
	for (uint32_t i = module->edits.size; i-- > 1;)
		if (module->edits.at[i].id &&
		    is_same_table(&module->edits.at[i - 1], &module->edits.at[i]))
			module->edits.at[i - 1].id = 1;
	for (uint32_t i = 0; i < module->edits.size; i++) {
		struct edit *e = &module->edits.at[i];

		/* It is the one that is named, of all places that change together. */
		e->follows = e->group && !e->id;
		if (!e->id)
			continue;
		e->id = ++n->ids;
		e->poke.edit = e->id;
	}
}

static struct hence_error *find_edits(struct named *n, const struct program *program)
{
	struct hence_error *error = NULL;

	for (uint32_t m = 0; m < program->modules.size && !error; m++) {
		const struct program_module *loaded = &program->modules.at[m];
		bool *functions GUARD_FREE =
			loaded->plan ? find_functions(n, loaded->plan, m) : NULL;
		struct edit_wish wish = wish_for(n->work.options, functions);
		VEC(struct edit_fitted) fitted = VEC_INIT;
		struct edit_module *module;

		if (!functions)
			continue;
		for (uint32_t i = 0; i < n->count; i++) {
			struct edit_fitted one;

			if (edit_read_fitted(n->items[i].name, loaded->plan, m, &one))
				*vec_push(&fitted) = one;
		}
		wish.fitted = fitted.at;
		wish.fitted_count = fitted.size;
		module = vec_push(&n->work.modules);
		error = edit_module_open(loaded, m, module);
		if (!error) {
			edit_generate(module, &wish);
			find_matches(n, module);
			number_edits(n, module);
		}
		vec_deinit(&fitted);
	}
	edit_follow(n->work.modules.at, n->work.modules.size);
	return error;
}

/* What came of one of the edits that an item may be. */
static void judge(struct edit_repeat *item, const struct oracle *oracle,
                  const struct trial_result *result)
{
	enum verdict verdict = VERDICT_PASS;

	if (!passes(oracle, result)) {
		verdict = oracle_judge(oracle, result);
		/* It does not print what is expected, be it another text than before. */
		if (verdict == VERDICT_PASS)
			verdict = VERDICT_FAIL;
	}
	if (!item->tried || verdict == VERDICT_PASS)
		item->outcome = verdict;
	item->tried = true;
}

static struct hence_error *try_matches(struct named *n)
{
	struct work *w = &n->work;
	struct hence_error *error = NULL;
	uint32_t next = 0, done = 0;

	while (!error && (done < next || (next < n->matches.size && !is_over(w)))) {
		struct trial_result result GUARD(trial_result_deinit) = {.test = -1};
		bool ended = false;
		uint64_t match;

		if (next < n->matches.size && !is_over(w) && trials_ready(w->trials)) {
			error = trials_start_edited(
				w->trials, &w->failing,
				(struct trial_edit){.number = n->matches.at[next].edit->id}, next);
			next++;
			continue;
		}
		error = trials_poll(w->trials, 0.2, &ended);
		if (error || !ended)
			continue;
		error = trials_wait(w->trials, &match, &result);
		if (!error)
			judge(&n->items[n->matches.at[match].item], w->options->oracle, &result);
		done++;
		if (w->options->progress)
			w->options->progress(w->options->context, done, "edits");
	}
	return error;
}

struct hence_error *edit_repeat(const struct edit_search_options *options,
                                struct edit_repeat *items, uint32_t count)
{
	const struct recording *run = options->run;
	struct edit_search out = {0};
	struct named n = {.work = {.options = options, .out = &out, .scratch.lock = -1},
	                  .items = items,
	                  .count = count};
	struct walk *walk = NULL;
	struct hence_error *error = walk_create(run->modules, run->folder, run->tape, &walk);

	make_inputs(&n.work);
	if (!error)
		error = walk_to_end(walk, run->death);
	if (!error)
		error = find_edits(&n, walk_program(walk));
	if (!error && n.matches.size)
		error = build(&n.work);
	if (!error && n.matches.size)
		error = open_pool(&n.work);
	if (!error && out.note)
		error = error_create(HENCE_ERROR_INPUT, "%s", out.note);
	if (!error && n.work.trials)
		error = try_matches(&n);
	work_deinit(&n.work);
	walk_destroy(walk);
	vec_deinit(&n.matches);
	edit_search_deinit(&out);
	return error;
}
