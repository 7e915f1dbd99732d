/* The tests of a file: see suite.h. */
#include "spectra/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct hence_error *refuse(const char *what)
{
	return error_create(HENCE_ERROR_INPUT, "%s", what);
}

/* --- one line --- */

/* What is being read. */
struct reader {
	struct suite_words words;
	struct suite_test test;
	bool expects; /* something stood behind => */
	bool exits;   /* an exit status did */
};

static struct hence_error *take_input(struct reader *r)
{
	enum suite_word_kind kind;
	struct str word = STR_INIT;
	bool any;
	struct hence_error *error = suite_next_word(&r->words, &kind, &word, &any);

	if (!error && (!any || kind != SUITE_WORD))
		error = refuse("no file behind '<'");
	else if (!error && r->test.input)
		error = refuse("two files for standard input; a test has one");
	else if (!error)
		r->test.input = mem_strdup(str_text(&word));
	str_deinit(&word);
	return error;
}

/* What stands behind 'exit'. */
static struct hence_error *take_status(struct reader *r)
{
	enum suite_word_kind kind;
	struct str word = STR_INIT;
	bool any;
	struct hence_error *error = suite_next_word(&r->words, &kind, &word, &any);
	const char *text = str_text(&word);
	size_t digits = strspn(text, "0123456789");

	if (!error && (!any || kind != SUITE_WORD || !digits || digits > 3 || text[digits] ||
	               atoi(text) > 255))
		error = refuse("'exit' needs an exit status from 0 to 255 behind it");
	else if (!error)
		r->test.status = atoi(text);
	r->exits = true;
	str_deinit(&word);
	return error;
}

static struct hence_error *take_expected_word(struct reader *r, const char *word)
{
	if (!strcmp(word, "exit"))
		return take_status(r);
	if (*word == '@' && word[1]) {
		r->test.expected = SUITE_OUTPUT;
		r->test.output_file = mem_strdup(word + 1);
	} else if (!strcmp(word, "passes")) {
		r->test.expected = SUITE_PASSES;
	} else if (!strcmp(word, "fails")) {
		r->test.expected = SUITE_FAILS;
	} else {
		return error_create(HENCE_ERROR_INPUT,
		                    "'%s' is nothing to expect; write \"TEXT\", @FILE, exit "
		                    "STATUS, passes or fails",
		                    word);
	}
	return NULL;
}

static struct hence_error *take_expected(struct reader *r)
{
	enum suite_word_kind kind;
	struct str word = STR_INIT;
	bool any;
	struct hence_error *error;

	if (!r->test.command.size)
		return refuse("no program before '=>'");
	r->words.expects = true;
	error = suite_next_word(&r->words, &kind, &word, &any);
	if (!error && !any) {
		error = refuse("nothing behind '=>'; write \"TEXT\", @FILE, exit STATUS, passes "
		               "or fails");
	} else if (!error && kind == SUITE_TEXT && strlen(str_text(&word)) < word.length) {
		error = refuse("a zero byte cannot be written here; put what is right into a file: "
		               "=> @FILE");
	} else if (!error && kind == SUITE_TEXT) {
		r->test.expected = SUITE_OUTPUT;
		r->test.output = word;
		word = (struct str)STR_INIT;
	} else if (!error) {
		error = take_expected_word(r, kind == SUITE_WORD   ? str_text(&word)
		                              : kind == SUITE_FROM ? "<"
		                                                   : "=>");
	}
	r->expects = true;
	str_deinit(&word);
	return error;
}

static struct hence_error *take_word(struct reader *r, const char *word)
{
	const char *equals = strchr(word, '=');

	if (r->expects && r->test.expected == SUITE_OUTPUT && !r->exits && !strcmp(word, "exit"))
		return take_status(r);
	if (r->expects)
		return error_create(HENCE_ERROR_INPUT, "'%s' stands behind what is expected", word);
	if (r->test.input && !r->test.command.size)
		return refuse("no program before '<'");
	if (!r->test.command.size && equals && !memchr(word, '/', (size_t)(equals - word)))
		return error_create(HENCE_ERROR_INPUT,
		                    "'%s': variables cannot be set here; set it in the environment "
		                    "of hence",
		                    word);
	*vec_push(&r->test.command) = mem_strdup(word);
	return NULL;
}

static struct hence_error *take_line(struct reader *r)
{
	struct hence_error *error = NULL;
	bool any = true;

	while (!error && any) {
		enum suite_word_kind kind;
		struct str word = STR_INIT;

		error = suite_next_word(&r->words, &kind, &word, &any);
		if (error || !any)
			;
		else if (kind == SUITE_WORD)
			error = take_word(r, str_text(&word));
		else if (kind == SUITE_FROM && r->expects)
			error = refuse("'<' stands behind what is expected; write it before '=>'");
		else if (kind == SUITE_FROM)
			error = take_input(r);
		else if (r->expects)
			error = refuse("more than one thing is expected");
		else
			error = take_expected(r);
		str_deinit(&word);
	}
	if (!error && !r->test.command.size && r->test.input)
		error = refuse("no program before '<'");
	return error;
}

/* --- the whole --- */

static void test_deinit(struct suite_test *test)
{
	for (uint32_t i = 0; i < test->command.size; i++)
		free(test->command.at[i]);
	vec_deinit(&test->command);
	free(test->input);
	str_deinit(&test->output);
	free(test->output_file);
}

void suite_deinit(struct suite *suite)
{
	for (uint32_t i = 0; i < suite->tests.size; i++)
		test_deinit(&suite->tests.at[i]);
	vec_deinit(&suite->tests);
}

static struct hence_error *at_line(const char *name, unsigned line, struct hence_error *error)
{
	struct hence_error *named =
		error_create(error->kind, "%s:%u: %s", name, line, error->message);

	error_destroy(error);
	return named;
}

struct hence_error *suite_parse(const char *name, const char *text, size_t size, struct suite *out)
{
	struct reader r = {.words = {.at = text, .end = text + size, .line = 1}};
	struct hence_error *error = NULL;

	*out = (struct suite){0};
	do {
		r.test = (struct suite_test){.line = r.words.line};
		r.expects = r.exits = false;
		error = take_line(&r);
		if (!error && r.test.command.size) {
			*vec_push(&r.test.command) = NULL;
			r.test.command.size--;
			*vec_push(&out->tests) = r.test;
		} else {
			test_deinit(&r.test);
		}
		if (error)
			return at_line(name, r.words.line, error);
	} while (suite_next_line(&r.words));
	if (out->tests.size)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s has no tests; write one in a line: ./prog ARGS => \"what is "
	                    "right\"",
	                    name);
}

/* --- contradictions --- */

static bool is_same_run(const struct suite_test *a, const struct suite_test *b)
{
	if (a->command.size != b->command.size || !a->input != !b->input ||
	    (a->input && strcmp(a->input, b->input)))
		return false;
	for (uint32_t i = 0; i < a->command.size; i++)
		if (strcmp(a->command.at[i], b->command.at[i]))
			return false;
	return true;
}

bool suite_has_status(const struct suite_test *test)
{
	return test->expected == SUITE_EXIT || test->expected == SUITE_OUTPUT;
}

/* In the line itself, the end of the last line may be left out. */
static bool is_same_output(const struct suite_test *a, const struct suite_test *b)
{
	size_t least = a->output.length < b->output.length ? a->output.length : b->output.length;
	const struct suite_test *longer = a->output.length > least ? a : b;
	const struct suite_test *shorter = longer == a ? b : a;

	if (memcmp(str_text(&a->output), str_text(&b->output), least))
		return false;
	return longer->output.length == least ||
	       (!shorter->output_file && longer->output.length == least + 1 &&
	        longer->output.text[least] == '\n');
}

/* That a test is known to pass, or to fail, goes with whatever is right. */
static bool contradict(const struct suite_test *a, const struct suite_test *b)
{
	if (suite_has_status(a) && suite_has_status(b))
		return a->status != b->status ||
		       (a->expected == SUITE_OUTPUT && b->expected == SUITE_OUTPUT &&
		        !is_same_output(a, b));
	return (a->expected == SUITE_PASSES && b->expected == SUITE_FAILS) ||
	       (a->expected == SUITE_FAILS && b->expected == SUITE_PASSES);
}

static struct hence_error *check_tests(const char *name, const struct suite *suite)
{
	for (uint32_t i = 1; i < suite->tests.size; i++)
		for (uint32_t k = 0; k < i; k++) {
			const struct suite_test *a = &suite->tests.at[k], *b = &suite->tests.at[i];

			if (is_same_run(a, b) && contradict(a, b))
				return error_create(
					HENCE_ERROR_INPUT,
					"%s:%u: something else is expected than in line %u, of the "
					"same command and input; leave one out",
					name, b->line, a->line);
		}
	return NULL;
}

/* --- files --- */

static struct hence_error *read_file(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	char buffer[65536];
	ssize_t got;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	if (!fstat(fd, &info) && S_ISDIR(info.st_mode))
		errno = EISDIR, got = -1;
	else
		while ((got = read(fd, buffer, sizeof(buffer))) > 0 && out)
			str_add_bytes(out, buffer, (size_t)got);
	if (got < 0) {
		struct hence_error *error =
			error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);

		close(fd);
		return error;
	}
	close(fd);
	return NULL;
}

struct hence_error *suite_read_files(const char *name, struct suite *suite)
{
	for (uint32_t i = 0; i < suite->tests.size; i++) {
		struct suite_test *test = &suite->tests.at[i];
		struct hence_error *error = NULL;

		if (test->input)
			error = read_file(test->input, NULL);
		if (!error && test->output_file)
			error = read_file(test->output_file, &test->output);
		if (error)
			return at_line(name, test->line, error);
	}
	return check_tests(name, suite);
}
