/* The program with one edit in force: see edited.h. */
#include "edit/edited.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/path.h"
#include "trace/walk.h"
#include "trial/trial_tree.h"

/* Reads the module anew with the edits of one function, and finds the one that is meant. */
static struct hence_error *open_module(const struct program_module *loaded, uint32_t number,
                                       uint32_t function, const char *name, struct edit_module *out,
                                       const struct edit **edit)
{
	bool *functions = mem_alloc(loaded->plan->functions.size + 1);
	struct edit_fitted fitted;
	const struct edit_wish wish = {
		.functions = functions,
		.narrow = true,
		.wide = true,
		.tables = true,
		.fitted = &fitted,
		.fitted_count = edit_read_fitted(name, loaded->plan, number, &fitted)};
	struct hence_error *error = edit_module_open(loaded, number, out);

	functions[function] = true;
	if (!error) {
		edit_generate(out, &wish);
		*edit = edit_named(out, name);
	}
	free(functions);
	return error;
}

static struct hence_error *refuse(const char *name)
{
	return error_create(HENCE_ERROR_INPUT, "the program has no edit '%s'", name);
}

static struct hence_error *make(struct edited *e, const struct recording *run,
                                const struct program_module *loaded, uint32_t number,
                                uint32_t function, const char *name)
{
	struct edit_module code = {0};
	const struct edit *edit = NULL, *same = NULL;
	struct hence_error *error = open_module(loaded, number, function, name, &e->module, &edit);

	if (!error && !edit)
		error = refuse(name);
	if (!error && edit->a.kind == EDIT_STRING)
		error = error_create(HENCE_ERROR_INPUT,
		                     "a run with another string literal cannot be recorded yet");
	if (!error)
		error = open_module(loaded, number, function, name, &code, &same);
	if (!error && !same)
		error = refuse(name);
	if (error) {
		edit_module_close(&code);
		return error;
	}
	e->edit.function = edit->where == EDIT_POKE ? UINT32_MAX : edit->function;
	if (edit->where != EDIT_POKE)
		edit_apply(&e->module, edit);
	/* With the selector at 0, pokes of edit 0 are in force. */
	if (same->where == EDIT_POKE)
		((struct edit *)same)->poke.edit = 0;
	error = edit_build(&code, same, &e->image);
	edit_module_close(&code);
	if (error)
		return error;
	memcpy(e->edit.hash, loaded->hash, 16);
	e->edit.plan = loaded->plan;
	e->edit.address = e->image.code;
	e->edit.sites = e->image.sites.at;
	e->edit.site_count = e->edit.function == UINT32_MAX ? 0 : e->image.sites.size;
	e->modules = modules_create_edited(run->modules, loaded->hash, e->module.plan);
	error = trial_scratch_create(&e->scratch);
	if (error)
		return error;
	e->path = str_format("%s/edit", e->scratch.path);
	error = image_write(&e->image, e->path);
	if (error || !e->image.debug || e->edit.function == UINT32_MAX)
		return error;
	e->symbols = str_format("%s/edit.o", e->scratch.path);
	return trial_write(e->symbols, str_text(&e->image.symbols), e->image.symbols.length, 0600);
}

struct hence_error *edited_create(const struct recording *run, const char *name, bool debug,
                                  struct edited **out)
{
	struct edited *e = mem_alloc(sizeof(*e));
	struct walk *walk = NULL;
	const struct program *program;
	uint64_t statements;
	struct hence_error *error = path_program(run, &program, &statements);
	bool found = false;

	e->scratch.lock = -1;
	e->image.debug = debug;
	if (!error && strstr(name, ":defined:"))
		error = error_create(
			HENCE_ERROR_INPUT,
			"a run with another value of a macro or an enumerator cannot be "
			"recorded yet");
	if (!error && !program) {
		error = walk_create(run->modules, run->folder, run->tape, &walk);
		if (!error)
			error = walk_to_end(walk, run->death);
		if (!error)
			program = walk_program(walk);
	}
	for (uint32_t m = 0; !error && !found && m < program->modules.size; m++) {
		const struct program_module *module = &program->modules.at[m];

		for (uint32_t f = 0; module->plan && f < module->plan->functions.size && !found;
		     f++) {
			if (!edit_names(name, &module->plan->functions.at[f], m))
				continue;
			found = true;
			error = make(e, run, module, m, f, name);
		}
	}
	if (!error && !found)
		error = refuse(name);
	/* What is loaded belongs to the walk, or to the path. */
	e->module.loaded = NULL;
	walk_destroy(walk);
	if (error)
		edited_destroy(e);
	else
		*out = e;
	return error;
}

void edited_destroy(struct edited *e)
{
	if (!e)
		return;
	if (e->modules)
		modules_destroy(e->modules);
	edit_module_close(&e->module);
	image_deinit(&e->image);
	if (e->scratch.path)
		trial_scratch_destroy(&e->scratch);
	free(e->path);
	free(e->symbols);
	free(e);
}
