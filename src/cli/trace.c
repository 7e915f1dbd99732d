/* `hence trace`: runs a program, and prints each statement that it executed, with its values. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/budget.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "words/describe.h"
#include "report/json.h"
#include "report/source.h"

struct trace_printer {
	FILE *file;
	bool json;
	int place_width, function_width;
};

/* --- --check: what the decoder computed against what was recorded --- */

struct checked {
	uint64_t instructions;
	uint64_t mismatches;
	uint64_t guesses;
	uint32_t tapes;
};

static void add_place(struct names *names, uint32_t code, struct str *out)
{
	struct walk_place place = names_place(names, code);

	if (place.file)
		str_printf(out, "%s:%u:%u in ", place.file, place.line, place.column);
	str_printf(out, "%s()", place.function);
}

static void add_difference(const struct execution_mismatch *m, struct str *out)
{
	static const char *const what[] = {
		[MISMATCH_LOAD] = "a load",
		[MISMATCH_BRANCH] = "a branch",
		[MISMATCH_SWITCH] = "a switch",
		[MISMATCH_JUMP] = "a computed goto",
		[MISMATCH_RETURN] = "a callback's result",
	};
	uint32_t size = m->size ? m->size : 8;

	str_printf(out, ": %s", what[m->kind]);
	if (m->kind == MISMATCH_LOAD)
		str_printf(out, " of %u byte%s at %#llx", m->size, m->size == 1 ? "" : "s",
		           (unsigned long long)m->address);
	str_add(out, " should give ");
	ctype_print_raw(m->expected, size, out);
	str_add(out, ", but ");
	ctype_print_raw(m->recorded, size, out);
	str_add(out, " was recorded");
}

/* What is no function is described in words: inline assembly, a signal handler. Of the latter the place is
   not exact. */
static void add_culprit(struct names *names, const struct run *run,
                        const struct execution_mismatch *m, struct str *out)
{
	str_add(out, "; before it ");
	if (strchr(m->culprit, ' ')) {
		str_printf(out, "%s ran near ", m->culprit);
		add_place(names, m->culprit_code, out);
		return;
	}
	add_place(names, m->culprit_code, out);
	str_printf(out, " called %s()%s", m->culprit,
	           outside_table_find(run->table, m->culprit) ? "" : ", which has no model");
}

static void print_mismatch_json(struct names *names, const struct execution_mismatch *m, FILE *file)
{
	struct walk_place place = names_place(names, m->code);
	static const char *const kinds[] = {
		[MISMATCH_LOAD] = "load",     [MISMATCH_BRANCH] = "branch",
		[MISMATCH_SWITCH] = "switch", [MISMATCH_JUMP] = "jump",
		[MISMATCH_RETURN] = "return",
	};
	struct str line = STR_INIT;

	str_printf(&line, "{\"mismatch\":\"%s\",\"statement\":%llu,\"function\":", kinds[m->kind],
	           (unsigned long long)m->statement + 1);
	json_add_string(&line, place.function);
	if (place.file) {
		str_add(&line, ",\"file\":");
		json_add_string(&line, place.file);
		str_printf(&line, ",\"line\":%u,\"column\":%u", place.line, place.column);
	}
	str_printf(&line, ",\"address\":\"%#llx\",\"expected\":\"%#llx\",\"recorded\":\"%#llx\"",
	           (unsigned long long)m->address, (unsigned long long)m->expected,
	           (unsigned long long)m->recorded);
	if (m->culprit) {
		str_add(&line, ",\"between\":");
		json_add_string(&line, m->culprit);
	}
	fprintf(file, "%s}\n", str_text(&line));
	str_deinit(&line);
}

static void print_mismatches(const struct run *run, struct execution *e, bool json, FILE *file,
                             struct checked *total)
{
	struct names *names = names_create(e);
	uint32_t kept;
	uint64_t count;
	const struct execution_mismatch *all = execution_mismatches(e, &kept, &count);

	for (uint32_t i = 0; i < kept; i++)
		if (json)
			print_mismatch_json(names, &all[i], file);
		else {
			struct str text = STR_INIT;

			add_place(names, all[i].code, &text);
			add_difference(&all[i], &text);
			str_printf(&text, ", statement %llu",
			           (unsigned long long)all[i].statement + 1);
			if (all[i].culprit)
				add_culprit(names, run, &all[i], &text);
			fprintf(file, "%s\n", str_text(&text));
			str_deinit(&text);
		}
	if (count > kept && !json)
		fprintf(file, "... and %llu more\n", (unsigned long long)(count - kept));
	total->mismatches += count;
	total->guesses += execution_guesses(e);
	total->instructions += execution_instances(e);
	total->tapes++;
	names_destroy(names);
}

static struct hence_error *check_one(struct run *run, const struct options *options,
                                     struct modules *modules, const struct run_tape *recorded,
                                     FILE *file, struct checked *total)
{
	struct execution_options settings = {.table = run->table};
	struct walk_place death;
	bool died = record_death(&recorded->outcome, &death);
	struct execution *e = NULL;
	struct hence_error *error =
		execution_create(modules, run->session.path, recorded->tape->number, &settings, &e);

	if (!error)
		error = execution_run(e, died ? &death : NULL);
	if (!error)
		print_mismatches(run, e, options->report.format == REPORT_JSON, file, total);
	execution_destroy(e);
	return error;
}

static void print_total(const struct checked *total, bool json, FILE *file)
{
	struct str text = STR_INIT;

	if (json) {
		fprintf(file,
		        "{\"instructions\":%llu,\"tapes\":%u,\"mismatches\":%llu,\"guesses\":%llu}"
		        "\n",
		        (unsigned long long)total->instructions, total->tapes,
		        (unsigned long long)total->mismatches, (unsigned long long)total->guesses);
		return;
	}
	str_add(&text, "checked ");
	run_add_number(&text, total->instructions);
	str_add(&text, " instructions");
	if (total->tapes > 1)
		str_printf(&text, " of %u processes", total->tapes);
	str_add(&text, ": ");
	if (total->mismatches)
		run_add_number(&text, total->mismatches);
	else
		str_add(&text, "no");
	str_printf(&text, " mismatch%s", total->mismatches == 1 ? "" : "es");
	if (total->guesses) {
		str_add(&text, "; of ");
		run_add_number(&text, total->guesses);
		str_printf(&text, " value%s half is a guess", total->guesses == 1 ? "" : "s");
	}
	fprintf(file, "%s\n", str_text(&text));
	str_deinit(&text);
}

/* Decodes all tapes and prints what does not fit. *clean: there is nothing. */
static struct hence_error *trace_check(struct run *run, const struct options *options, FILE *file,
                                       bool *clean)
{
	struct modules *modules = modules_create();
	struct checked total = {0};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < run->recorded.size; i++)
		if (run->recorded.at[i].tape->condition == TAPE_GOOD)
			error = check_one(run, options, modules, &run->recorded.at[i], file,
			                  &total);
	modules_destroy(modules);
	if (error)
		return error;
	print_total(&total, options->report.format == REPORT_JSON, file);
	*clean = !total.mismatches;
	return NULL;
}

/* --- memory errors, one line each --- */

/* An instruction belongs to the statement that ends next; a call is counted when it begins. */
static uint64_t statement_of(const struct execution_error *error)
{
	return error->outside ? error->statement : error->statement + 1;
}

static void print_error_json(const struct execution_error *error, const struct walk_place *place,
                             const char *what, FILE *file)
{
	struct str line GUARD(str_deinit) = STR_INIT;

	str_printf(&line, "{\"error\":\"%s\",\"statement\":%llu", describe_error_kind(error->kind),
	           (unsigned long long)statement_of(error));
	if (place->file) {
		str_add(&line, ",\"file\":");
		json_add_string(&line, place->file);
		str_printf(&line, ",\"line\":%u,\"column\":%u", place->line, place->column);
	}
	str_add(&line, ",\"function\":");
	json_add_string(&line, place->function);
	str_add(&line, ",\"text\":");
	json_add_string(&line, what);
	if (error->address)
		str_printf(&line, ",\"address\":\"%#llx\",\"size\":%llu",
		           (unsigned long long)error->address, (unsigned long long)error->size);
	fprintf(file, "%s,\"count\":%llu}\n", str_text(&line), (unsigned long long)error->count);
}

/* Prints all: to stderr, or as JSON to `json` if that is not NULL. `halted`: the end was not
   reached. */
static void trace_errors_print(struct names *names, struct describe_errors *described, FILE *json,
                               bool halted)
{
	uint32_t count;
	const struct execution_error *errors;

	describe_errors_follow(described);
	errors = execution_errors(names_execution(names), &count);
	for (uint32_t i = 0; i < count; i++) {
		struct walk_place place = names_place(names, errors[i].code);
		struct str what = STR_INIT;

		if (halted && errors[i].kind == ERROR_FAULT)
			continue;
		describe_error(described, i, &what);
		if (json)
			print_error_json(&errors[i], &place, str_text(&what), json);
		else {
			fputs("hence: ", stderr);
			if (place.file)
				fprintf(stderr, "%s:%u:%u in ", place.file, place.line,
				        place.column);
			fprintf(stderr, "%s(): %s, statement %llu", place.function, str_text(&what),
			        (unsigned long long)statement_of(&errors[i]));
			if (errors[i].count == 2)
				fputs(" (and once more)", stderr);
			else if (errors[i].count > 2)
				fprintf(stderr, " (and %llu more times)",
				        (unsigned long long)errors[i].count - 1);
			fputc('\n', stderr);
		}
		str_deinit(&what);
	}
}

/* --- which statements are shown; and if none is, what is near --- */

#define MOST_NAMES 8u /* that a message lists */

MAP_DEFINE_U64(line_map, uint64_t);

struct trace_filter {
	const struct options *options;
	bool shown;            /* something was */
	bool reached;          /* a statement of the right place was executed */
	bool in_range;         /* and its number was right */
	struct line_map lines; /* of the file of --line that were executed */
};

static void trace_filter_destroy(struct trace_filter *f)
{
	if (!f)
		return;
	line_map_deinit(&f->lines);
	free(f);
}

static bool is_place(struct trace_filter *f, const struct walk_place *place)
{
	const struct options *o = f->options;

	if (o->function && strcmp(o->function, place->function))
		return false;
	if (!o->file)
		return true;
	if (!describe_is_file(place->file, o->file))
		return false;
	++*line_map_put(&f->lines, place->line);
	return place->line == o->line;
}

/* May the statement be shown, as far as its number and place go? */
static bool trace_filter_place(struct trace_filter *f, uint64_t number,
                               const struct walk_place *place)
{
	const struct options *o = f->options;

	if (!is_place(f, place))
		return false;
	f->reached = true;
	if (number < o->from || (o->to && number > o->to))
		return false;
	f->in_range = true;
	f->shown |= !o->variable;
	return true;
}

/* --- the filter: variables --- */

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

/* And as far as the places go that it read and wrote? */
static bool trace_filter_values(struct trace_filter *f, struct names *names,
                                const struct described *s)
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

/* --- the filter: nothing was shown --- */

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

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++)
			*vec_push(&all) = plan->functions.at[i].name;
	}
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
	const struct options *o = f->options;
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
	error = error_create(
		HENCE_ERROR_INPUT,
		"no statement of %s:%llu was executed; the nearest that was: line%s %s", o->file,
		(unsigned long long)o->line, before && after != UINT64_MAX ? "s" : "",
		str_text(&near));
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

static struct hence_error *no_variable(const struct trace_filter *f, struct names *names,
                                       struct execution *e)
{
	const char *wanted = f->options->variable, *near;
	char *first GUARD_FREE = mem_strndup(wanted, strcspn(wanted, ".[-"));
	struct name_list all = {0};
	struct str text GUARD(str_deinit) = STR_INIT;
	struct hence_error *error;

	list_variables(names, e, &all);
	near = cli_nearest(first, all.at, all.size);
	for (uint32_t i = 0; i < all.size && i < MOST_NAMES; i++)
		str_printf(&text, "%s%s", i ? ", " : "", all.at[i]);
	if (all.size > MOST_NAMES)
		str_add(&text, ", ...");
	if (has_name(&all, first))
		error = error_create(HENCE_ERROR_INPUT,
		                     "no statement of what was chosen read or wrote %s", wanted);
	else if (near)
		error = error_create(
			HENCE_ERROR_INPUT,
			"no function that was executed has a variable %s; did you mean %s?", first,
			near);
	else
		error = error_create(
			HENCE_ERROR_INPUT,
			"no function that was executed has a variable %s; there are: %s", first,
			str_text(&text));
	vec_deinit(&all);
	return error;
}

/* Why nothing was shown. NULL: something was. */
static struct hence_error *trace_filter_explain(const struct trace_filter *f, struct names *names,
                                                struct execution *e)
{
	const struct options *o = f->options;

	if (f->shown)
		return NULL;
	if (!f->reached && o->function && !f->lines.size)
		return no_function(f, walk_program(execution_walk(e)));
	if (!f->reached && o->file)
		return no_line(f);
	if (f->reached && !f->in_range)
		return error_create(HENCE_ERROR_INPUT,
		                    "no such statement is in the range of --from and --to; %llu "
		                    "statements were executed",
		                    (unsigned long long)execution_statements(e));
	return f->in_range && o->variable ? no_variable(f, names, e) : NULL;
}

/* --- printing an executed statement --- */

#define WIDEST 159 /* characters of a line */

/* --- printing: a line of text --- */

/* `same`: a value that need not be told again; NULL: none. */
static void add_values(const struct described_value *values, uint32_t count, const char *word,
                       const char *same, struct str *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const char *value = str_text(&values[i].value);

		str_printf(out, "%s%s", i ? ", " : word, str_text(&values[i].name.text));
		if (!same || strcmp(same, value))
			str_printf(out, " = %s", value);
	}
}

/* Adds what the text of the statement does not say itself; what a call did comes first, since long
   lines are cut. */
static void add_notes(const struct described *s, struct str *out)
{
	bool writes = s->kind == DESCRIBED_CALL && s->writes.size;
	const char *same = s->kind == DESCRIBED_COPY ? str_text(&s->writes.at[0].value) : NULL;

	if (s->unfinished)
		str_add(out, "  did not return");
	if (!s->reads.size && !writes)
		return;
	str_add(out, "   (");
	if (writes)
		add_values(s->writes.at, s->writes.size, "wrote ", NULL, out);
	if (s->reads.size && writes)
		str_add(out, "; ");
	add_values(s->reads.at, s->reads.size, "read ", same, out);
	str_add_char(out, ')');
}

/* Shortens a line, not in the middle of a character. */
static void cut(struct str *line)
{
	size_t at = WIDEST - 3;

	if (line->length <= WIDEST)
		return;
	while (at && ((unsigned char)line->text[at] & 0xc0) == 0x80)
		at--;
	line->length = at;
	line->text[at] = '\0';
	str_add(line, "...");
}

static void widen(int *width, int length, int most)
{
	if (length > *width)
		*width = length < most ? length : most;
}

/* Makes columns as wide as the statements of a function need them, within limits. */
static void trace_measure(struct trace_printer *printer, LLVMValueRef function, const char *name)
{
	LLVMValueRef last = LLVMGetLastInstruction(LLVMGetLastBasicBlock(function));
	const char *file;
	unsigned length;

	widen(&printer->function_width, (int)strlen(name), 16);
	if (!LLVMInstructionGetDebugLoc(last))
		return;
	file = LLVMGetDebugLocFilename(last, &length);
	widen(&printer->place_width,
	      (int)strlen(file) + snprintf(NULL, 0, ":%u", LLVMGetDebugLocLine(last)), 30);
}

/* --- printing: an object of JSON --- */

static void add_string(struct str *out, const char *key, const char *text)
{
	str_printf(out, ",\"%s\":", key);
	json_add_string(out, text);
}

static void add_list(struct str *out, const char *key, const struct described_value *values,
                     uint32_t count)
{
	str_printf(out, ",\"%s\":[", key);
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? ",{\"name\":" : "{\"name\":");
		json_add_string(out, str_text(&values[i].name.text));
		add_string(out, "value", str_text(&values[i].value));
		if (values[i].name.address)
			str_printf(out, ",\"address\":\"%#llx\",\"size\":%llu",
			           (unsigned long long)values[i].name.address,
			           (unsigned long long)values[i].name.size);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void print_statement_json(struct trace_printer *printer, const struct described *s)
{
	static const char *const kinds[] = {
		[DESCRIBED_STORE] = "store",   [DESCRIBED_COPY] = "copy",
		[DESCRIBED_FILL] = "fill",     [DESCRIBED_BRANCH] = "branch",
		[DESCRIBED_SWITCH] = "switch", [DESCRIBED_JUMP] = "jump",
		[DESCRIBED_CALL] = "call",     [DESCRIBED_RETURN] = "return",
		[DESCRIBED_OTHER] = "other",
	};
	struct str line = STR_INIT;

	str_printf(&line, "{\"statement\":%llu", (unsigned long long)s->number);
	if (s->place.file) {
		add_string(&line, "file", s->place.file);
		str_printf(&line, ",\"line\":%u,\"column\":%u", s->place.line, s->place.column);
	}
	add_string(&line, "function", s->place.function);
	str_printf(&line, ",\"depth\":%u", s->depth);
	add_string(&line, "kind", kinds[s->kind]);
	add_string(&line, "text", str_text(&s->text));
	if (s->callee) {
		add_string(&line, "callee", s->callee);
		add_string(&line, "arguments", str_text(&s->arguments));
	}
	if (s->unfinished || s->calls_back)
		str_add(&line, ",\"returned\":false");
	if (s->result.length)
		add_string(&line, "result", str_text(&s->result));
	add_list(&line, "reads", s->reads.at, s->reads.size);
	add_list(&line, "writes", s->writes.at, s->writes.size);
	fprintf(printer->file, "%s}\n", str_text(&line));
	str_deinit(&line);
}

/* --- decoding: statements are printed as they go by and forgotten, so a run of any length can be traced --- */

#define LOOK 0xffffu /* statements between looks at the clock, less 1 */

struct tracer {
	const struct options *options;
	struct run *run;
	struct execution *e;
	struct names *names;
	struct trace_filter *filter;
	struct describe_errors *errors;
	struct trace_printer printer;
	VEC(const char *) files; /* that were looked at: did they change? */
	bool measured;
	double until;
	bool halted;
	bool late; /* since the time was over */
};

/* --- decoding: sources that changed --- */

static void look_at_source(struct tracer *t, const struct activation *a, const char *file)
{
	const struct program *program = walk_program(execution_walk(t->e));
	const char *elf = program->modules.at[a->function->place.module].path;
	const char *name;
	char *directory;
	unsigned length;

	for (uint32_t i = 0; i < t->files.size; i++)
		if (t->files.at[i] == file)
			return;
	*vec_push(&t->files) = file;
	name = LLVMGetDebugLocDirectory(a->function->instructions[a->pc - 1], &length);
	directory = name ? mem_strndup(name, length) : mem_strdup(".");
	if (source_is_newer(directory, file, elf))
		run_note(t->run, "note: %s changed after %s was built: lines may not fit", file,
		         t->run->program.name);
	free(directory);
}

/* --- decoding: one statement --- */

static void print_statement(struct tracer *t, enum execution_event event, uint64_t number)
{
	const struct activation *a = execution_top(t->e, 0);
	struct described s = {.number = number,
	                      .depth = execution_depth(t->e),
	                      .unfinished = event == EXECUTION_LEFT,
	                      .calls_back = event == EXECUTION_CALLS_BACK};

	if (!t->measured) {
		/* How wide `sort.c:120` and names of functions get, so that columns stay where they are. */
		const struct program *program = walk_program(execution_walk(t->e));

		for (uint32_t m = 0; m < program->modules.size; m++) {
			const struct plan *plan = program->modules.at[m].plan;

			for (uint32_t i = 0; plan && i < plan->functions.size; i++)
				trace_measure(&t->printer, plan->functions.at[i].function,
				              plan->functions.at[i].name);
		}
	}
	t->measured = true;
	s.place = names_place(t->names, a->function->first + a->pc - 1);
	if (s.place.file && *s.place.file)
		look_at_source(t, a, s.place.file);
	if (!trace_filter_place(t->filter, number, &s.place))
		return;
	describe_statement(t->names, t->e, event == EXECUTION_CALLS, &s);
	if (trace_filter_values(t->filter, t->names, &s)) {
		if (t->printer.json)
			print_statement_json(&t->printer, &s);
		else {
			struct str line = STR_INIT, place = STR_INIT;

			if (s.place.file)
				str_printf(&place, "%s:%u", s.place.file, s.place.line);
			widen(&t->printer.place_width, (int)place.length, 30);
			widen(&t->printer.function_width, (int)strlen(s.place.function), 24);
			str_printf(&line, "%7llu  %-*s  %-*s  %s", (unsigned long long)s.number,
			           t->printer.place_width, str_text(&place),
			           t->printer.function_width, s.place.function, str_text(&s.text));
			add_notes(&s, &line);
			cut(&line);
			fprintf(t->printer.file, "%s\n", str_text(&line));
			str_deinit(&line);
			str_deinit(&place);
		}
	}
	described_deinit(&s);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct tracer *t = context;

	if (t->halted)
		return;
	names_follow(t->names);
	describe_errors_follow(t->errors);
	print_statement(t, event, number);
	t->late = !(number & LOOK) && budget_clock() > t->until;
	t->halted = t->late || (t->options->to && number >= t->options->to);
	if (t->halted)
		walk_halt(execution_walk(e));
}

/* --- decoding: a tape --- */

/* Where a program was that did not end by itself: a loop may leave no statement behind. */
static void note_end(struct tracer *t, const struct run_tape *recorded)
{
	struct walk_place place;
	struct str text = STR_INIT;
	uint64_t count = execution_statements(t->e);

	if (recorded->outcome.kind != OUTCOME_TIMED_OUT || t->halted ||
	    !walk_where(execution_walk(t->e), 0, &place))
		return;
	str_printf(&text, "when it was stopped, after %llu statement%s, it was ",
	           (unsigned long long)count, count == 1 ? "" : "s");
	if (place.file)
		str_printf(&text, "at %s:%u ", place.file, place.line);
	str_printf(&text, "in %s()", place.function);
	if (place.outside)
		str_printf(&text, ", in a call of %s()", place.outside);
	run_note(t->run, "%s", str_text(&text));
	str_deinit(&text);
}

/* Decodes a tape and prints its statements. */
static struct hence_error *trace_decode(struct run *run, const struct options *options,
                                        const struct run_tape *recorded, struct modules *modules,
                                        FILE *out)
{
	struct tracer t = {.options = options,
	                   .run = run,
	                   .printer = {.file = out,
	                               .json = options->report.format == REPORT_JSON,
	                               .place_width = 8,
	                               .function_width = 4},
	                   .until = budget_clock() + options->report.run.time};
	struct execution_options settings = {
		.table = run->table, .statement = on_statement, .context = &t};
	struct walk_place death;
	bool died = record_death(&recorded->outcome, &death);
	struct hence_error *error = execution_create(modules, run->session.path,
	                                             recorded->tape->number, &settings, &t.e);

	if (error)
		return error;
	t.names = names_create(t.e);
	t.errors = describe_errors_create(t.names, t.e);
	t.filter = mem_alloc(sizeof(*t.filter));
	t.filter->options = options;
	error = execution_run(t.e, died ? &death : NULL);
	describe_errors_follow(t.errors);
	if (t.late)
		run_note(t.run,
		         "reading ended after %g seconds, at statement %llu; --time SECONDS allows "
		         "more",
		         t.options->report.run.time, (unsigned long long)execution_statements(t.e));
	note_end(&t, recorded);
	fflush(t.printer.file);
	trace_errors_print(t.names, t.errors, t.printer.json ? t.printer.file : NULL, t.halted);
	if (!error)
		error = trace_filter_explain(t.filter, t.names, t.e);
	trace_filter_destroy(t.filter);
	describe_errors_destroy(t.errors);
	names_destroy(t.names);
	execution_destroy(t.e);
	vec_deinit(&t.files);
	return error;
}

/* What does not go together. */
static struct hence_error *judge(const struct options *options)
{
	if (options->from && options->to && options->from > options->to)
		return error_create(HENCE_ERROR_INPUT, "--from %llu is after --to %llu",
		                    (unsigned long long)options->from,
		                    (unsigned long long)options->to);
	if (options->check && (options->function || options->file || options->variable ||
	                       options->from || options->to || options->process))
		return error_create(HENCE_ERROR_INPUT,
		                    "--check looks at everything; leave out --function, --line, "
		                    "--variable, --from, --to and --process");
	return NULL;
}

/* --- the command --- */

#define MISMATCHES 3 /* exit code of --check when something does not fit */

static struct hence_error *show(struct run *run, const struct options *options, FILE *file,
                                int *code)
{
	struct hence_error *error;
	struct modules *modules;
	const struct run_tape *recorded;
	bool clean = true;

	if (options->check) {
		error = trace_check(run, options, file, &clean);
		*code = clean ? 0 : MISMATCHES;
		return error;
	}
	error = record_choose(run, options->process, &recorded);
	if (error)
		return error;
	modules = modules_create();
	error = trace_decode(run, options, recorded, modules, file);
	modules_destroy(modules);
	return error;
}

static struct hence_error *trace(struct options *options, int *code)
{
	const char *out = options->report.out;
	struct run run = {
		.options = &options->report.run, .input = -1, .output = out ? -1 : STDERR_FILENO};
	struct hence_error *error = judge(options), *later;
	FILE *file;

	if (!error)
		error = run_check_output(out, "-o", false);
	if (!error)
		error = run_record(&run);
	if (!error)
		error = record_open(out, &file);
	if (!error) {
		error = show(&run, options, file, code);
		later = record_close(out, file);
		record_print_outcome(&run);
		if (error)
			error_destroy(later);
		else
			error = later;
	}
	run_deinit(&run);
	return error;
}

const struct command command_trace = {
	.name = "trace",
	.bit = COMMAND_TRACE,
	.formats = 1u << REPORT_TEXT | 1u << REPORT_JSON,
	.usage = "hence trace [OPTIONS] -- PROGRAM ARGS...",
	.summary = "run a program, and print each statement that it executed",
	.about = "Runs a program that was built with hence cc, and prints the statements that it "
		 "executed when it has ended, one per line, with the values that they read and "
		 "wrote. Memory errors are printed to standard error. The "
		 "program's own standard output goes to standard error, unless the trace goes to a "
		 "file. The exit code is 0 when the trace was printed (however the program ended), "
		 "2 for bad input, 4 for an internal error.",
	.run = trace,
};
