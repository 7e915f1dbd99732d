/* --check of `hence trace`: what the decoder computed against what was recorded. */
#include <string.h>

#include "cli/record.h"
#include "cli/trace.h"
#include "report/json.h"

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

/* What is no function is told in words: inline assembly, a signal handler. Of the latter the place is
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

static void print_mismatch(struct names *names, const struct run *run,
                           const struct execution_mismatch *m, FILE *file)
{
	struct str text = STR_INIT;

	add_place(names, m->code, &text);
	add_difference(m, &text);
	str_printf(&text, ", statement %llu", (unsigned long long)m->statement + 1);
	if (m->culprit)
		add_culprit(names, run, m, &text);
	fprintf(file, "%s\n", str_text(&text));
	str_deinit(&text);
}

static void print_json(struct names *names, const struct execution_mismatch *m, FILE *file)
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
			print_json(names, &all[i], file);
		else
			print_mismatch(names, run, &all[i], file);
	if (count > kept && !json)
		fprintf(file, "... and %llu more\n", (unsigned long long)(count - kept));
	total->mismatches += count;
	total->guesses += execution_guesses(e);
	total->instructions += execution_instances(e);
	total->tapes++;
	names_destroy(names);
}

static struct hence_error *check_one(struct run *run, const struct trace_options *options,
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
		print_mismatches(run, e, options->json, file, total);
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

struct hence_error *trace_check(struct run *run, const struct trace_options *options, FILE *file,
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
	print_total(&total, options->json, file);
	*clean = !total.mismatches;
	return NULL;
}
