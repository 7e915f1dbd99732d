/* Which statements `hence trace` shows, and when it shows none, what is near. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/trace.h"

#define MOST_NAMES 8u /* that a message lists */

MAP_DEFINE_U64(line_map, uint64_t);

struct trace_filter {
	const struct trace_options *options;
	bool shown;            /* something was */
	bool reached;          /* a statement of the right place was executed */
	bool in_range;         /* and its number was right */
	struct line_map lines; /* of the file of --line that were executed */
};

struct trace_filter *trace_filter_create(const struct trace_options *options)
{
	struct trace_filter *f = mem_alloc(sizeof(*f));

	f->options = options;
	return f;
}

void trace_filter_destroy(struct trace_filter *f)
{
	if (!f)
		return;
	line_map_deinit(&f->lines);
	free(f);
}

static bool is_place(struct trace_filter *f, const struct walk_place *place)
{
	const struct trace_options *o = f->options;

	if (o->function && strcmp(o->function, place->function))
		return false;
	if (!o->file)
		return true;
	if (!describe_is_file(place->file, o->file))
		return false;
	++*line_map_put(&f->lines, place->line);
	return place->line == o->line;
}

bool trace_filter_place(struct trace_filter *f, uint64_t number, const struct walk_place *place)
{
	const struct trace_options *o = f->options;

	if (!is_place(f, place))
		return false;
	f->reached = true;
	if (number < o->from || (o->to && number > o->to))
		return false;
	f->in_range = true;
	f->shown |= !o->variable;
	return true;
}

/* --- variables --- */

static bool is_name(const struct name *name, const char *variable)
{
	return name_belongs(str_text(&name->text), variable) ||
	       (name->qualified && name_belongs(str_text(&name->text) + name->qualified, variable));
}

/* By the name in the source, or since that is where a pointer leads. */
static bool is_variable(struct names *names, const struct name *name, const char *variable)
{
	struct names_use use = {.size = name->size};
	struct name other = {0};
	bool is = is_name(name, variable);

	if (is || !names_find_variable(names, name->address, &use, &other))
		return is;
	is = is_name(&other, variable);
	name_deinit(&other);
	return is;
}

bool trace_filter_values(struct trace_filter *f, struct names *names, const struct described *s)
{
	const char *variable = f->options->variable;
	bool is = !variable;

	for (uint32_t i = 0; !is && i < s->writes.size; i++)
		is = is_variable(names, &s->writes.at[i].name, variable);
	for (uint32_t i = 0; !is && i < s->reads.size; i++)
		is = is_variable(names, &s->reads.at[i].name, variable);
	f->shown |= is;
	return is;
}

/* --- nothing was shown --- */

struct name_list {
	const char **at;
	uint32_t size, room;
};

static void add_name(struct name_list *list, const char *name)
{
	for (uint32_t i = 0; i < list->size; i++)
		if (!strcmp(list->at[i], name))
			return;
	*vec_push(list) = name;
}

static void list_functions(const struct program *program, struct name_list *out)
{
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++)
			*vec_push(out) = plan->functions.at[i].name;
	}
}

static bool has_name(const struct name_list *list, const char *name)
{
	for (uint32_t i = 0; i < list->size; i++)
		if (!strcmp(list->at[i], name))
			return true;
	return false;
}

static struct hence_error *no_function(const struct trace_filter *f, const struct program *program)
{
	const char *wanted = f->options->function, *near;
	struct name_list all = {0};
	struct hence_error *error;

	list_functions(program, &all);
	near = cli_nearest(wanted, all.at, all.size);
	if (has_name(&all, wanted))
		error = error_create(HENCE_ERROR_INPUT, "%s() was not executed", wanted);
	else if (near)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the program has no function %s(); did you mean %s()?", wanted,
		                     near);
	else
		error = error_create(HENCE_ERROR_INPUT,
		                     "no function %s() was built with hence cc in this program",
		                     wanted);
	vec_deinit(&all);
	return error;
}

static struct hence_error *no_line(const struct trace_filter *f)
{
	const struct trace_options *o = f->options;
	uint64_t before = 0, after = UINT64_MAX;
	struct str near = STR_INIT;
	struct hence_error *error;

	if (!f->lines.size)
		return error_create(
			HENCE_ERROR_INPUT,
			"nothing of %s was executed%s; name the file as it was compiled", o->file,
			o->function ? " in that function" : "");
	map_each(&f->lines, i)
	{
		uint64_t line = f->lines.at[i].key;

		if (line < o->line && line > before)
			before = line;
		if (line > o->line && line < after)
			after = line;
	}
	if (before)
		str_printf(&near, "%llu", (unsigned long long)before);
	if (after != UINT64_MAX)
		str_printf(&near, "%s%llu", before ? " and " : "", (unsigned long long)after);
	error = error_create(HENCE_ERROR_INPUT,
	                     "no statement of %s:%llu was executed; the nearest that was: line%s "
	                     "%s",
	                     o->file, (unsigned long long)o->line,
	                     before && after != UINT64_MAX ? "s" : "", str_text(&near));
	str_deinit(&near);
	return error;
}

/* Variables of executed functions, and those at file scope. */
static void list_variables(struct names *names, struct execution *e, struct name_list *out)
{
	const struct code *code = execution_code_table(e);
	const struct program *program = walk_program(execution_walk(e));

	for (uint32_t i = 0; i < code->functions.size; i++) {
		const struct code_function *f = code->functions.at[i];
		const struct variable_list *list = variables_of_function(
			names_variables(names, f->place.module), f->plan->function);

		for (uint32_t k = 0; list && k < list->size; k++)
			if (!list->at[k]->artificial)
				add_name(out, list->at[k]->name);
	}
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t g = 0; plan && g < plan->globals.size; g++) {
			const struct variable *v =
				variables_of_global(names_variables(names, m), plan->globals.at[g]);

			if (v && v->name && strncmp(v->name, "__", 2))
				add_name(out, v->name);
		}
	}
}

static void add_names(const struct name_list *list, struct str *out)
{
	for (uint32_t i = 0; i < list->size && i < MOST_NAMES; i++)
		str_printf(out, "%s%s", i ? ", " : "", list->at[i]);
	if (list->size > MOST_NAMES)
		str_add(out, ", ...");
}

static struct hence_error *no_variable(const struct trace_filter *f, struct names *names,
                                       struct execution *e)
{
	const char *wanted = f->options->variable, *near;
	char *first = mem_strndup(wanted, strcspn(wanted, ".[-"));
	struct name_list all = {0};
	struct str text = STR_INIT;
	struct hence_error *error;

	list_variables(names, e, &all);
	near = cli_nearest(first, all.at, all.size);
	add_names(&all, &text);
	if (has_name(&all, first))
		error = error_create(HENCE_ERROR_INPUT,
		                     "no statement of what was chosen read or wrote %s", wanted);
	else if (near)
		error = error_create(
			HENCE_ERROR_INPUT,
			"no function that was executed has a variable %s; did you mean %s?", first,
			near);
	else
		error = error_create(HENCE_ERROR_INPUT,
		                     "no function that was executed has a variable %s; there are: "
		                     "%s",
		                     first, str_text(&text));
	str_deinit(&text);
	vec_deinit(&all);
	free(first);
	return error;
}

struct hence_error *trace_filter_explain(const struct trace_filter *f, struct names *names,
                                         struct execution *e)
{
	const struct trace_options *o = f->options;

	if (f->shown)
		return NULL;
	if (!f->reached && o->function && !f->lines.size)
		return no_function(f, walk_program(execution_walk(e)));
	if (!f->reached && o->file)
		return no_line(f);
	if (f->reached && !f->in_range)
		return error_create(HENCE_ERROR_INPUT,
		                    "no such statement is in the range of --from and --to; "
		                    "%llu statements were executed",
		                    (unsigned long long)execution_statements(e));
	return f->in_range && o->variable ? no_variable(f, names, e) : NULL;
}
