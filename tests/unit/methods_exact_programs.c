/*
 * The cut of the dual slice is sufficient in the exact model, in both directions, on the programs of
 * tests/explain: at points all along the runs, behind what they read. Not on `gcd`, which does not end.
 */
#include <dirent.h>
#include <stdio.h>
#include <wordexp.h>

#include "exact_question.h"

#define POINTS 25u /* of each program */

/* --- what `command` says --- */

struct command {
	char *expected; /* NULL: not known */
	struct input inputs[2];
};

static void read_file(const char *name, struct str *out)
{
	FILE *file = fopen(name, "r");
	char buffer[4096];
	size_t got;

	assert_non_null(file);
	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		str_add_bytes(out, buffer, got);
	fclose(file);
}

static void add_words(struct input *input, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		input_add_bytes(input, INPUT_ARGUMENT, NULL, words[i], strlen(words[i]));
}

static void add_text(struct input *input, const char *text)
{
	wordexp_t words;

	assert_int_equal(wordexp(text, &words, WRDE_NOCMD), 0);
	add_words(input, words.we_wordv, words.we_wordc);
	wordfree(&words);
}

static void add_stdin(struct input *input, const char *name)
{
	struct str text = STR_INIT;

	if (name)
		read_file(name, &text);
	input_add_bytes(input, INPUT_STDIN, NULL, str_text(&text), text.length);
	str_deinit(&text);
}

static void read_options(struct command *c, char **words, size_t count, size_t end)
{
	const char *pass = NULL, *in = NULL, *pass_in = NULL;
	struct str text = STR_INIT;

	for (size_t i = 0; i + 1 < end; i++) {
		const char *value = words[i + 1];

		if (!strcmp(words[i], "--pass"))
			pass = value;
		else if (!strcmp(words[i], "--stdin"))
			in = value;
		else if (!strcmp(words[i], "--pass-stdin"))
			pass_in = value;
		else if (!strcmp(words[i], "--expect"))
			read_file(value, &text);
		else if (!strcmp(words[i], "--expect-text"))
			str_printf(&text, "%s\n", value);
	}
	c->expected = text.length ? str_steal(&text) : NULL;
	add_words(&c->inputs[true], words + end + 2, count - end - 2);
	if (pass)
		add_text(&c->inputs[false], pass);
	else
		add_words(&c->inputs[false], words + end + 2, count - end - 2);
	add_stdin(&c->inputs[true], in);
	add_stdin(&c->inputs[false], pass_in ? pass_in : in);
}

static void read_command(struct command *c)
{
	struct str text = STR_INIT;
	wordexp_t words;
	size_t end = 0;

	*c = (struct command){0};
	read_file("command", &text);
	while (text.length && str_text(&text)[text.length - 1] == '\n')
		text.length--;
	str_add(&text, "");
	assert_int_equal(wordexp(str_text(&text), &words, WRDE_NOCMD), 0);
	while (strcmp(words.we_wordv[end], "--") != 0)
		end++;
	read_options(c, words.we_wordv, words.we_wordc, end);
	wordfree(&words);
	str_deinit(&text);
}

/* --- the cut is sufficient --- */

/* The last statement of the failing run behind which nothing of the slice is read from outside. */
static uint64_t last_input(const struct question *q)
{
	static const char *const readers[] = {"fgets",  "getchar", "fgetc",   "getc", "scanf",
	                                      "fscanf", "fread",   "getline", "read"};
	const struct execution *e = dual_execution(q->dual, 0);
	uint32_t first, end;
	uint64_t last = 0;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		const struct code_insn *insn =
			dual_has(q->dual, 0, i) ? execution_insn(e, i) : NULL;
		const struct code_call *call = insn && insn->op == CODE_CALL ? insn->more : NULL;

		for (uint32_t k = 0; call && call->name && k < sizeof(readers) / sizeof(*readers);
		     k++)
			if (strstr(call->name, readers[k]))
				last = dual_statement(q->dual, 0, i);
	}
	return last;
}

static void check_program(const char *name, struct question_counts *all)
{
	struct question_counts counts = {0};
	struct command c;
	struct question q;

	read_command(&c);
	memset(&q, 0, sizeof(q));
	for (unsigned i = 0; i < 2; i++)
		q.pair.runs[i].input = c.inputs[i];
	pair_complete(&q.pair, c.expected);
	pair_find_symptom(&q.pair);
	question_model(&q);
	question_check_cuts(&q, name, last_input(&q) + 2, POINTS, &counts);
	print_message("%s: sufficient at %u points, unknown at %u\n", name, counts.sufficient,
	              counts.unknown);
	all->sufficient += counts.sufficient;
	all->complaints += counts.complaints;
	question_end(&q);
	free(c.expected);
}

static void test_programs(void **state)
{
	char *path = str_format("%s/tests/explain", getenv("SRC"));
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	struct question_counts all = {0};

	for (int i = 0; i < count; i++) {
		char *make = str_format("test -f %1$s/%2$s/command && cp %1$s/%2$s/* . && "
		                        "$HENCE_CC -w *.c -o prog",
		                        path, entries[i]->d_name);

		if (entries[i]->d_name[0] != '.' && strcmp(entries[i]->d_name, "gcd") != 0 &&
		    !system(make)) {
			check_program(entries[i]->d_name, &all);
			assert_int_equal(system("find . -mindepth 1 -delete"), 0);
		}
		free(make);
		free(entries[i]);
	}
	free(entries);
	free(path);
	assert_true(all.sufficient > 400);
	assert_int_equal(all.complaints, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
