/* Prints a slice in the form that was asked for. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/slice.h"
#include "report/json.h"

/* --- for a person --- */

/* Columns of the terminal; 0: it is none. */
static unsigned terminal_width(FILE *file)
{
	struct winsize size;

	if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

static void print_legend(const struct slice_answer *a, FILE *file)
{
	bool potential = false;

	for (uint32_t i = 0; i < a->listing->lines.size; i++)
		potential |=
			a->listing->lines.at[i].potential && !a->listing->lines.at[i].criterion;
	if (potential)
		fputs("\n? taken the other way, this could have changed what a line of the slice "
		      "read\n",
		      file);
}

static void print_text(const struct slice_answer *a, FILE *file)
{
	struct listing_style style = {.colour = a->command->coloured,
	                              .width = terminal_width(file)};
	struct str notes = STR_INIT;

	fprintf(file, "%s%s%s\n", style.colour ? "\x1b[1m" : "", str_text(&a->title),
	        style.colour ? "\x1b[0m" : "");
	if (a->criterion->why.length)
		fprintf(file, "%s\n", str_text(&a->criterion->why));
	for (uint32_t i = 0; i < a->notes.size; i++)
		fprintf(file, "%s\n", a->notes.at[i]);
	listing_print_text(a->listing, &style, file, &notes);
	print_legend(a, file);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
	str_deinit(&notes);
}

/* --- for programs --- */

static void add_criterion(const struct criterion *c, struct str *out)
{
	json_add_key(out, "criterion");
	str_add_char(out, '{');
	json_add_member(out, "kind", criterion_kind_name(c->kind));
	json_add_member(out, "what", str_text(&c->what));
	if (c->why.length)
		json_add_member(out, "why", str_text(&c->why));
	if (c->file) {
		json_add_member(out, "file", c->file);
		json_add_number(out, "line", c->line);
		json_add_number(out, "column", c->column);
	}
	if (c->function)
		json_add_member(out, "function", c->function);
	str_add_char(out, '}');
}

static void add_sizes(const struct slice_answer *a, struct str *out)
{
	json_add_key(out, "sizes");
	str_add_char(out, '{');
	json_add_number(out, "program", a->listing->program);
	json_add_number(out, "executed", a->listing->executed);
	json_add_number(out, "slice", a->listing->chosen);
	json_add_number(out, "instances", roaring_bitmap_get_cardinality(a->slice->instances));
	json_add_number(out, "executed_instances", a->slice->total);
	json_add_number(out, "statements", a->slice->statements);
	str_add_char(out, '}');
}

static void add_notes(const struct slice_answer *a, struct str *out)
{
	json_add_key(out, "notes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->notes.size; i++) {
		if (i)
			str_add_char(out, ',');
		json_add_string(out, a->notes.at[i]);
	}
	str_add_char(out, ']');
}

static void print_json(const struct slice_answer *a, FILE *file)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	json_add_member(&out, "slice", a->command->forward ? "forward" : "backward");
	add_criterion(a->criterion, &out);
	add_sizes(a, &out);
	json_add_key(&out, "lines");
	listing_add_json(a->listing, &out);
	add_notes(a, &out);
	json_add_key(&out, "complete");
	str_add(&out, a->slice->stopped ? "false}" : "true}");
	fprintf(file, "%s\n", str_text(&out));
	str_deinit(&out);
}

void slice_print(const struct slice_answer *a, FILE *file)
{
	switch (a->command->format) {
	case SLICE_TEXT: print_text(a, file); break;
	case SLICE_GCC: listing_print_gcc(a->listing, file); break;
	case SLICE_JSON: print_json(a, file); break;
	case SLICE_DOT: graph_print_dot(a->graph, file); break;
	}
}
