/* The difference of two inputs as a person likes it: a unified diff, part by part. */
#include <string.h>

#include "cli/reduce.h"
#include "base/diff.h"

#define CONTEXT 3 /* lines around a difference */

#define RED   "\033[31m"
#define GREEN "\033[32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[m"

/* What is written so far. */
struct sheet {
	struct str *out;
	uint32_t lines, most;
	uint32_t hidden; /* lines that found no room */
	bool color;
};

static bool has_room(struct sheet *sheet)
{
	if (sheet->lines++ < sheet->most)
		return true;
	sheet->hidden++;
	return false;
}

/* One line with its mark. */
static void add_line(struct sheet *sheet, char mark, const struct diff_text *line)
{
	const char *color = mark == '-' ? RED : mark == '+' ? GREEN : "";
	size_t size = line->size;
	bool whole = size && line->bytes[size - 1] == '\n';

	if (!has_room(sheet))
		return;
	str_printf(sheet->out, "%s%c", sheet->color ? color : "", mark);
	reduce_add_visible(sheet->out, line->bytes, size - whole);
	str_add(sheet->out, sheet->color && *color ? PLAIN "\n" : "\n");
	if (!whole)
		str_add(sheet->out, "\\ no newline at the end\n");
}

/* --- hunks --- */

/* Hunks that are so near that their context meets go together. */
static uint32_t group_end(const struct diff *diff, uint32_t from)
{
	uint32_t to = from + 1;

	while (to < diff->hunks.size &&
	       diff->hunks.at[to].from_a -
	                       (diff->hunks.at[to - 1].from_a + diff->hunks.at[to - 1].count_a) <=
	               2 * CONTEXT)
		to++;
	return to;
}

static void add_position(struct sheet *sheet, uint32_t from_a, uint32_t count_a, uint32_t from_b,
                         uint32_t count_b)
{
	if (!has_room(sheet))
		return;
	str_printf(sheet->out, "%s@@ -%u,%u +%u,%u @@%s\n", sheet->color ? CYAN : "",
	           from_a + !!count_a, count_a, from_b + !!count_b, count_b,
	           sheet->color ? PLAIN : "");
}

static void add_group(struct sheet *sheet, const struct diff_texts *a, const struct diff_texts *b,
                      const struct diff_hunk *hunks, uint32_t count)
{
	const struct diff_hunk *last = &hunks[count - 1];
	uint32_t before = hunks->from_a < CONTEXT ? hunks->from_a : CONTEXT;
	uint32_t rest = a->list.size - (last->from_a + last->count_a);
	uint32_t after = rest < CONTEXT ? rest : CONTEXT;
	uint32_t at = hunks->from_a - before, end = last->from_a + last->count_a + after;
	uint32_t at_b = hunks->from_b - before, end_b = last->from_b + last->count_b + after;

	add_position(sheet, at, end - at, at_b, end_b - at_b);
	for (uint32_t i = 0; i < count; i++) {
		for (; at < hunks[i].from_a; at++)
			add_line(sheet, ' ', &a->list.at[at]);
		for (; at < hunks[i].from_a + hunks[i].count_a; at++)
			add_line(sheet, '-', &a->list.at[at]);
		for (uint32_t j = 0; j < hunks[i].count_b; j++)
			add_line(sheet, '+', &b->list.at[hunks[i].from_b + j]);
	}
	for (; at < end; at++)
		add_line(sheet, ' ', &a->list.at[at]);
}

static void add_hunks(struct sheet *sheet, const struct diff_texts *a, const struct diff_texts *b,
                      const struct diff *diff)
{
	for (uint32_t i = 0; i < diff->hunks.size;) {
		uint32_t end = group_end(diff, i);

		add_group(sheet, a, b, &diff->hunks.at[i], end - i);
		i = end;
	}
}

/* --- parts --- */

/* The arguments as a text: one line each. */
static void list_arguments(const struct input *input, struct str *out)
{
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind != INPUT_ARGUMENT)
			continue;
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
		str_add_char(out, '\n');
	}
}

static bool add_part(struct sheet *sheet, const char *name, const char *from_name,
                     const struct str *from, const char *to_name, const struct str *to)
{
	struct diff_texts a = {VEC_INIT}, b = {VEC_INIT};
	struct diff diff;
	bool differ;

	diff_add_lines(&a, str_text(from), from->length);
	diff_add_lines(&b, str_text(to), to->length);
	diff_compute(&a, &b, &diff);
	differ = diff.hunks.size;
	if (differ) {
		str_printf(sheet->out, "--- %s %s\n+++ %s %s\n", from_name, name, to_name, name);
		add_hunks(sheet, &a, &b, &diff);
	}
	diff_deinit(&diff);
	diff_texts_deinit(&a);
	diff_texts_deinit(&b);
	return differ;
}

static bool add_arguments(struct sheet *sheet, const struct input *from, const char *from_name,
                          const struct input *to, const char *to_name)
{
	struct str a = STR_INIT, b = STR_INIT;
	bool differ;

	list_arguments(from, &a);
	list_arguments(to, &b);
	differ = add_part(sheet, "arguments", from_name, &a, to_name, &b);
	str_deinit(&a);
	str_deinit(&b);
	return differ;
}

static uint32_t count_arguments(const struct input *input)
{
	uint32_t count = 0;

	while (count < input->parts.size && input->parts.at[count].kind == INPUT_ARGUMENT)
		count++;
	return count;
}

bool reduce_diff(const struct input *from, const char *from_name, const struct input *to,
                 const char *to_name, uint32_t most, bool color, struct str *out)
{
	struct sheet sheet = {.out = out, .most = most, .color = color};
	bool differ = add_arguments(&sheet, from, from_name, to, to_name);
	uint32_t i = count_arguments(from);

	for (uint32_t j = count_arguments(to); j < to->parts.size; i++, j++) {
		char *name = input_part_text(to, j);

		differ |= add_part(&sheet, name, from_name, &from->parts.at[i].bytes, to_name,
		                   &to->parts.at[j].bytes);
		free(name);
	}
	if (sheet.hidden)
		str_printf(out, "... %u more lines\n", sheet.hidden);
	return differ;
}

/* --- in a word --- */

/* The bytes between the common ends. */
static void add_change(const char *name, const struct str *from, const struct str *to,
                       struct str *out)
{
	const char *a = str_text(from), *b = str_text(to);
	size_t begin = 0, end_a = from->length, end_b = to->length;

	while (begin < end_a && begin < end_b && a[begin] == b[begin])
		begin++;
	while (end_a > begin && end_b > begin && a[end_a - 1] == b[end_b - 1]) {
		end_a--;
		end_b--;
	}
	if ((end_a == begin && end_b == begin) || end_a - begin > 40 || end_b - begin > 40)
		return;
	str_printf(out, "%s, byte %zu: ", name, begin);
	if (end_a == begin)
		str_add(out, "nothing");
	else
		failure_words_quote(a + begin, end_a - begin, out);
	str_add(out, " passes, ");
	if (end_b == begin)
		str_add(out, "nothing");
	else
		failure_words_quote(b + begin, end_b - begin, out);
	str_add(out, " fails\n");
}

void reduce_diff_short(const struct input *from, const struct input *to, struct str *out)
{
	if (from->parts.size != to->parts.size)
		return;
	for (uint32_t i = 0; i < to->parts.size; i++) {
		char *name = input_part_text(to, i);

		if (from->parts.at[i].unset != to->parts.at[i].unset)
			str_printf(out, "%s: %s\n", name,
			           to->parts.at[i].unset ? "any value passes, not set fails"
			                                 : "not set passes, set fails");
		add_change(name, &from->parts.at[i].bytes, &to->parts.at[i].bytes, out);
		free(name);
	}
}
