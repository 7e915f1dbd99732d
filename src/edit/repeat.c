/* Edits that a report names, made again: see repeat.h. */
#include "edit/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/walk.h"
#include "trial/trial_scratch.h"

/* An edit of the program that is one of the report. */
struct match {
	struct edit *edit;
	uint32_t item;
};

struct work {
	const struct edit_search_options *options;
	struct edit_repeat *items;
	uint32_t count;
	VEC(struct edit_module) modules;
	VEC(struct match) matches;
	uint32_t ids;
	struct trial_scratch scratch;
	char *image;
};

/* --- which edits --- */

static const char defined[] = ":defined:";

/* The functions of the module that are named; NULL: none. Caller frees. */
static bool *find_functions(const struct work *w, const struct plan *plan, uint32_t module)
{
	bool *functions = mem_alloc(plan->functions.size + 1), any = false;

	/* A name for a constant is used in any module. */
	for (uint32_t i = 0; i < w->count; i++)
		any |= strstr(w->items[i].name, defined) != NULL;

	for (uint32_t f = 0; f < plan->functions.size; f++)
		for (uint32_t i = 0; i < w->count && !functions[f]; i++) {
			functions[f] = edit_names(w->items[i].name, &plan->functions.at[f], module);
			any |= functions[f];
		}
	if (any)
		return functions;
	free(functions);
	return NULL;
}

static void find_matches(struct work *w, struct edit_module *module)
{
	for (uint32_t n = 0; n < module->edits.size; n++) {
		struct edit *e = &module->edits.at[n];
		char *name = NULL;

		for (uint32_t i = 0; i < w->count && e->file; i++) {
			struct edit_repeat *item = &w->items[i];

			/* Where data stands, the source says, which may be gone. */
			if ((item->line != e->line && e->where != EDIT_POKE) ||
			    strcmp(item->file, e->file))
				continue;
			if (!name)
				name = edit_name(module, e);
			if (strcmp(item->name, name))
				continue;
			*vec_push(&w->matches) = (struct match){e, i};
			item->edits++;
			e->id = 1;
		}
		free(name);
	}
}

/* Choices of a table are built together, under numbers that follow each other. */
static void number_edits(struct work *w, struct edit_module *module)
{
	for (uint32_t n = 1; n < module->edits.size; n++)
		if (module->edits.at[n - 1].id &&
		    edit_is_same_table(&module->edits.at[n - 1], &module->edits.at[n]))
			module->edits.at[n].id = 1;
	for (uint32_t n = module->edits.size; n-- > 1;)
		if (module->edits.at[n].id &&
		    edit_is_same_table(&module->edits.at[n - 1], &module->edits.at[n]))
			module->edits.at[n - 1].id = 1;
	for (uint32_t n = 0; n < module->edits.size; n++) {
		struct edit *e = &module->edits.at[n];

		/* It is the one that is named, of all places that change together. */
		e->follows = e->group && !e->id;
		if (!e->id)
			continue;
		e->id = ++w->ids;
		e->poke.edit = e->id;
	}
}

static struct hence_error *find_edits(struct work *w, const struct program *program)
{
	struct hence_error *error = NULL;

	for (uint32_t m = 0; m < program->modules.size && !error; m++) {
		const struct program_module *loaded = &program->modules.at[m];
		bool *functions = loaded->plan ? find_functions(w, loaded->plan, m) : NULL;
		struct edit_wish wish = edit_wish_for(w->options, functions);
		VEC(struct edit_fitted) fitted = VEC_INIT;
		struct edit_module *module;

		if (!functions)
			continue;
		for (uint32_t i = 0; i < w->count; i++) {
			struct edit_fitted one;

			if (edit_read_fitted(w->items[i].name, loaded->plan, m, &one))
				*vec_push(&fitted) = one;
		}
		wish.fitted = fitted.at;
		wish.fitted_count = fitted.size;
		module = vec_push(&w->modules);
		error = edit_module_open(loaded, m, module);
		if (!error) {
			edit_generate(module, &wish);
			find_matches(w, module);
			number_edits(w, module);
		}
		vec_deinit(&fitted);
		free(functions);
	}
	edit_follow(w->modules.at, w->modules.size);
	return error;
}

/* --- runs --- */

static struct hence_error *build(struct work *w)
{
	struct image image = {0};
	struct hence_error *error = trial_scratch_create(&w->scratch);

	for (uint32_t m = 0; m < w->modules.size && !error; m++) {
		bool any = false;

		for (uint32_t n = 0; n < w->modules.at[m].edits.size && !any; n++)
			any = w->modules.at[m].edits.at[n].id;
		if (any)
			error = edit_build(&w->modules.at[m], NULL, &image);
	}
	if (!error) {
		w->image = str_format("%s/edits", w->scratch.path);
		error = image_write(&image, w->image);
	}
	image_deinit(&image);
	return error;
}

static bool is_over(const struct work *w)
{
	return w->options->stop && w->options->stop(w->options->context);
}

static void learn(struct work *w, struct edit_repeat *item, const struct trial_result *result)
{
	enum verdict verdict = VERDICT_PASS;

	if (!edit_passes(w->options->oracle, result)) {
		verdict = oracle_judge(w->options->oracle, result);
		/* It does not print what is expected, be it another text than before. */
		if (verdict == VERDICT_PASS)
			verdict = VERDICT_FAIL;
	}
	if (!item->tried || verdict == VERDICT_PASS)
		item->outcome = verdict;
	item->tried = true;
}

static struct hence_error *try_all(struct work *w, struct trials *trials)
{
	struct hence_error *error = NULL;
	uint32_t next = 0, done = 0;
	bool over = false;

	while (!error && (done < next || (next < w->matches.size && !over))) {
		bool ended = false;
		uint64_t match;

		if (next < w->matches.size && !over && trials_ready(trials)) {
			error = trials_start_edited(
				trials, w->options->failing,
				(struct trial_edit){.number = w->matches.at[next].edit->id}, next);
			next++;
			over = is_over(w);
			continue;
		}
		error = trials_poll(trials, 0.2, &ended);
		if (!error && ended) {
			struct trial_result result = {.test = -1};

			error = trials_wait(trials, &match, &result);
			if (!error)
				learn(w, &w->items[w->matches.at[match].item], &result);
			trial_result_deinit(&result);
			done++;
			if (w->options->progress)
				w->options->progress(w->options->context, done, "edits");
		}
		over = over || is_over(w);
	}
	return error;
}

static struct hence_error *perform(struct work *w)
{
	struct trials_options pool;
	struct trial_result first = {.test = -1};
	struct trials *trials = NULL;
	struct hence_error *error = build(w);

	if (error)
		return error;
	pool = edit_pool(w->options, w->options->failing, w->image);
	error = trials_create(&pool, &trials, &first);
	if (!error && trials && !edit_fails_alike(w->options->oracle, &first))
		error = error_create(HENCE_ERROR_INPUT,
		                     "the program does not fail in the same way when its code is "
		                     "compiled anew");
	if (!error && trials)
		error = try_all(w, trials);
	trials_destroy(trials);
	trial_result_deinit(&first);
	return error;
}

struct hence_error *edit_repeat(const struct edit_search_options *options,
                                struct edit_repeat *items, uint32_t count)
{
	const struct recording *run = options->run;
	struct work w = {.options = options, .items = items, .count = count, .scratch.lock = -1};
	struct walk *walk = NULL;
	struct hence_error *error = walk_create(run->modules, run->folder, run->tape, &walk);

	if (!error)
		error = walk_to_end(walk, run->death);
	if (!error)
		error = find_edits(&w, walk_program(walk));
	if (!error && w.matches.size)
		error = perform(&w);
	for (uint32_t i = 0; i < w.modules.size; i++)
		edit_module_close(&w.modules.at[i]);
	if (w.scratch.path)
		trial_scratch_destroy(&w.scratch);
	walk_destroy(walk);
	free(w.image);
	vec_deinit(&w.modules);
	vec_deinit(&w.matches);
	return error;
}
