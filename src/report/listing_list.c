/* A listing for programs: lines that editors jump to, and JSON. */
#include "report/json.h"
#include "report/listing.h"

/* --- gcc --- */

static void print_instance(const struct listing *l, const struct listing_line *line,
                           const struct listing_statement *s,
                           const struct listing_instance *instance, FILE *file)
{
	fprintf(file, "%s:%u:%u: note: %s [in %s, %llu of %llu]%s\n", l->files.at[line->file].name,
	        line->line, s->column, instance->text, line->function,
	        (unsigned long long)instance->number, (unsigned long long)s->executed,
	        s->criterion   ? " (criterion)"
	        : s->potential ? " (potential)"
	                       : "");
}

static void print_line(const struct listing *l, const struct listing_line *line, FILE *file)
{
	if (!line->statements.size)
		fprintf(file, "%s:%u:1: note: part of a statement [in %s]\n",
		        l->files.at[line->file].name, line->line, line->function);
	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (s->instances.size)
			print_instance(l, line, s, &s->instances.at[0], file);
		if (s->instances.size > 1)
			print_instance(l, line, s, &s->instances.at[s->instances.size - 1], file);
	}
}

void listing_print_gcc(const struct listing *l, FILE *file)
{
	for (uint32_t i = 0; i < l->lines.size; i++)
		print_line(l, &l->lines.at[i], file);
}

/* --- JSON --- */

static void add_instances(const struct listing_statement *s, struct str *out)
{
	for (uint32_t i = 0; i < s->instances.size; i++) {
		const struct listing_instance *instance = &s->instances.at[i];

		if (out->text[out->length - 1] != '[')
			str_add_char(out, ',');
		str_add_char(out, '{');
		json_add_number(out, "number", instance->number);
		json_add_number(out, "of", s->executed);
		json_add_number(out, "statement", instance->statement);
		json_add_number(out, "column", s->column);
		json_add_member(out, "text", instance->text);
		if (s->criterion) {
			json_add_key(out, "criterion");
			str_add(out, "true");
		}
		str_add_char(out, '}');
	}
}

static void add_flag(struct str *out, const char *key, bool flag)
{
	if (!flag)
		return;
	json_add_key(out, key);
	str_add(out, "true");
}

static void add_line(const struct listing *l, const struct listing_line *line, struct str *out)
{
	str_add_char(out, '{');
	json_add_member(out, "file", l->files.at[line->file].name);
	json_add_number(out, "line", line->line);
	json_add_member(out, "function", line->function);
	json_add_number(out, "count", line->count);
	add_flag(out, "criterion", line->criterion);
	add_flag(out, "potential", line->potential);
	add_flag(out, "independent", line->independent && line->chosen);
	add_flag(out, "outside", !line->chosen);
	json_add_key(out, "instances");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < line->statements.size; i++)
		add_instances(&line->statements.at[i], out);
	str_add(out, "]}");
}

void listing_add_json(const struct listing *l, struct str *out)
{
	str_add_char(out, '[');
	for (uint32_t i = 0; i < l->lines.size; i++) {
		if (i)
			str_add_char(out, ',');
		add_line(l, &l->lines.at[i], out);
	}
	str_add_char(out, ']');
}
