/* Prints a chop: sizes, then its lines from the failure to the input. */
#include <stdlib.h>

#include "cli/chop.h"
#include "cli/reduce.h"
#include "report/json.h"
#include "report/source.h"

/* --- the order: what was executed last comes first --- */

static uint32_t last_instance(const struct listing_line *line)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (s->instances.size && s->instances.at[s->instances.size - 1].instance > last)
			last = s->instances.at[s->instances.size - 1].instance;
	}
	return last;
}

static int by_time(const void *a, const void *b)
{
	uint32_t first = last_instance(a), second = last_instance(b);

	return (first < second) - (first > second);
}

static void order(struct listing *listing)
{
	qsort(listing->lines.at, listing->lines.size, sizeof(*listing->lines.at), by_time);
}

/* --- for a person --- */

static void add_failure(const struct chop_answer *a, struct str *out)
{
	str_printf(out, "%s ", a->command->report.failure.command[0]);
	oracle_write_text(&a->reduced->oracle, out);
}

static void print_input(const struct chop_answer *a, FILE *file)
{
	struct str text = STR_INIT;

	deciding_write_text(a->deciding, &text);
	if (!a->command->as_given)
		fprintf(file, "input: %llu of %llu bytes are enough (%llu tests)\n",
		        (unsigned long long)a->reduced->reduced,
		        (unsigned long long)a->reduced->original,
		        (unsigned long long)a->reduced->tests);
	if (!a->deciding->inputs.size)
		fputs("it fails without any input\n", file);
	else
		fprintf(file, "%s: %s\n", a->isolated ? "what decides" : "what matters",
		        str_text(&text));
	str_deinit(&text);
}

/* Lines that are in the chop only because no input reaches them. */
static uint64_t count_independent(const struct listing *listing)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < listing->lines.size; i++)
		count += listing->lines.at[i].chosen && listing->lines.at[i].independent;
	return count;
}

static void print_sizes(const struct chop_answer *a, FILE *file)
{
	fprintf(file,
	        "lines: %llu in the chop, %llu of them (marked =) reached by no input; %llu in the "
	        "backward slice, %llu in the forward slice, %llu executed, %llu in the program\n",
	        (unsigned long long)a->listing->chosen,
	        (unsigned long long)count_independent(a->listing), (unsigned long long)a->backward,
	        (unsigned long long)a->forward, (unsigned long long)a->listing->executed,
	        (unsigned long long)a->listing->program);
}

static void print_text(const struct chop_answer *a, FILE *file)
{
	const struct listing_style style = {.colour = a->command->coloured};
	struct str failure = STR_INIT, notes = STR_INIT;

	add_failure(a, &failure);
	fprintf(file, "%s%s%s\n", style.colour ? "\x1b[1m" : "", str_text(&failure),
	        style.colour ? "\x1b[0m" : "");
	if (a->criterion->why.length)
		fprintf(file, "%s\n", str_text(&a->criterion->why));
	print_input(a, file);
	print_sizes(a, file);
	for (uint32_t i = 0; i < a->notes.size; i++)
		fprintf(file, "%s\n", a->notes.at[i]);
	fputs("\nfrom the failure back to the input:\n", file);
	listing_print_sequence(a->listing, &style, file, &notes);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
	str_deinit(&notes);
	str_deinit(&failure);
}

/* --- for programs --- */

static void add_failure_json(const struct chop_answer *a, struct str *out)
{
	const struct criterion *c = a->criterion;
	struct str text = STR_INIT;

	add_failure(a, &text);
	json_add_key(out, "failure");
	str_add_char(out, '{');
	json_add_member(out, "kind", failure_kind_name(a->reduced->oracle.failure.kind));
	if (c->file) {
		json_add_member(out, "file", c->file);
		json_add_number(out, "line", c->line);
	}
	if (c->function)
		json_add_member(out, "function", c->function);
	json_add_member(out, "message", str_text(&text));
	if (c->why.length)
		json_add_member(out, "why", str_text(&c->why));
	str_add_char(out, '}');
	str_deinit(&text);
}

static void add_sizes(const struct chop_answer *a, struct str *out)
{
	json_add_key(out, "sizes");
	str_add_char(out, '{');
	json_add_number(out, "program", a->listing->program);
	json_add_number(out, "executed", a->listing->executed);
	json_add_number(out, "backward", a->backward);
	json_add_number(out, "forward", a->forward);
	json_add_number(out, "chop", a->listing->chosen);
	json_add_number(out, "independent", count_independent(a->listing));
	str_add_char(out, '}');
}

static void add_notes(const struct chop_answer *a, struct str *out)
{
	json_add_key(out, "notes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->notes.size; i++) {
		str_add(out, i ? "," : "");
		json_add_string(out, a->notes.at[i]);
	}
	str_add_char(out, ']');
}

static void print_json(const struct chop_answer *a, FILE *file)
{
	struct str out = STR_INIT, deciding = STR_INIT;

	deciding_write_text(a->deciding, &deciding);
	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	reduce_add_command(a->command->report.failure.command, &out);
	add_failure_json(a, &out);
	add_sizes(a, &out);
	json_add_key(&out, "reduced_input");
	str_add_char(&out, '{');
	reduce_add_inputs(a->reduced, &out);
	str_add_char(&out, '}');
	json_add_member(&out, "deciding", str_text(&deciding));
	json_add_key(&out, "chop");
	listing_add_json(a->listing, &out);
	add_notes(a, &out);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
	str_deinit(&out);
	str_deinit(&deciding);
}

void chop_print(const struct chop_answer *a, FILE *file)
{
	order(a->listing);
	switch (a->command->report.format) {
	case REPORT_JSON: print_json(a, file); break;
	case REPORT_GCC: listing_print_gcc(a->listing, file); break;
	default: print_text(a, file); break;
	}
}
