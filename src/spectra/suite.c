/* The tests of a file: see suite.h. */
#include "spectra/suite.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------ words of a line ------ */

enum suite_word_kind {
	SUITE_WORD,
	SUITE_TEXT, /* "..." after =>: escapes are those of C */
	SUITE_FROM, /* < */
	SUITE_GIVES /* => */
};

struct suite_words {
	const char *at, *end;
	unsigned line;
	bool expects; /* after => */
};

/* What a shell would do something with; here it is refused, since it would silently not be done. */
static const char special[] = "|>&;`$()*?[";

static bool has(const struct suite_words *w)
{
	return w->at < w->end && *w->at;
}

/* A line that goes on below is one line. */
static bool skip_continuation(struct suite_words *w)
{
	size_t size = w->end - w->at >= 3 && w->at[1] == '\r' ? 3 : 2;

	if (w->end - w->at < (ptrdiff_t)size || w->at[0] != '\\' || w->at[size - 1] != '\n')
		return false;
	w->at += size;
	w->line++;
	return true;
}

static void skip_blanks(struct suite_words *w)
{
	while (has(w) && (strchr(" \t\r", *w->at) || *w->at == '\\'))
		if (*w->at != '\\')
			w->at++;
		else if (!skip_continuation(w))
			return;
	if (has(w) && *w->at == '#')
		while (has(w) && *w->at != '\n')
			w->at++;
}

/* Goes to the next line. False: there is none. */
static bool suite_next_line(struct suite_words *w)
{
	while (w->at < w->end && *w->at != '\n')
		w->at++;
	if (w->at >= w->end)
		return false;
	w->at++;
	w->line++;
	w->expects = false;
	return w->at < w->end;
}

/* --- quotes --- */

static struct hence_error *not_closed(char quote)
{
	return error_create(HENCE_ERROR_INPUT, "a %c is not closed; add another in the same line",
	                    quote);
}

/* "as in a shell": a backslash stands before what is special there. */
static struct hence_error *take_double(struct suite_words *w, struct str *out)
{
	for (w->at++; has(w) && *w->at != '"' && *w->at != '\n'; w->at++) {
		if (strchr("$`", *w->at))
			return error_create(HENCE_ERROR_INPUT,
			                    "'%c' is not expanded here; write '\\%c' if it is "
			                    "meant as it is",
			                    *w->at, *w->at);
		if (*w->at == '\\' && w->at + 1 < w->end && strchr("\"\\$`", w->at[1]))
			w->at++;
		str_add_char(out, *w->at);
	}
	if (!has(w) || *w->at != '"')
		return not_closed('"');
	w->at++;
	return NULL;
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The character behind a backslash, as in C. False: there is no such escape. */
static bool take_escape(struct suite_words *w, struct str *out)
{
	static const char names[] = "abefnrtv\\\"'", values[] = "\a\b\033\f\n\r\t\v\\\"'";
	const char *found = strchr(names, *w->at);
	unsigned value = 0;

	if (*w->at == 'x' && w->end - w->at > 2 && isxdigit((unsigned char)w->at[1]) &&
	    isxdigit((unsigned char)w->at[2])) {
		str_add_char(out, (char)(digit(w->at[1]) * 16 + digit(w->at[2])));
		w->at += 3;
	} else if (*w->at >= '0' && *w->at <= '7') {
		for (int i = 0; i < 3 && has(w) && *w->at >= '0' && *w->at <= '7'; i++)
			value = value * 8 + (unsigned)(*w->at++ - '0');
		str_add_char(out, (char)value);
	} else if (found) {
		str_add_char(out, values[found - names]);
		w->at++;
	} else {
		return false;
	}
	return true;
}

/* --- words --- */

static struct hence_error *take_plain(struct suite_words *w, struct str *out)
{
	struct hence_error *error = NULL;

	while (!error && has(w) && !strchr(" \t\r\n<", *w->at)) {
		if (*w->at == '\'') {
			/* 'as it is' */
			for (w->at++; has(w) && *w->at != '\'' && *w->at != '\n'; w->at++)
				str_add_char(out, *w->at);
			if (!has(w) || *w->at != '\'') {
				error = not_closed('\'');
			} else {
				w->at++;
			}
		} else if (*w->at == '"') {
			error = take_double(w, out);
		} else if (strchr(special, *w->at)) {
			if (*w->at == '>' || *w->at == '|')
				error = error_create(
					HENCE_ERROR_INPUT,
					"'%c' is not understood: a test is one program, with '< "
					"FILE' at most; write it in quotes if it is an argument",
					*w->at);
			else
				error = error_create(
					HENCE_ERROR_INPUT,
					"'%c' is not expanded here as a shell does it; write it in "
					"quotes if it is meant as it is",
					*w->at);
		} else if (*w->at == '\\') {
			if (skip_continuation(w))
				break;
			if (w->at + 1 < w->end)
				w->at++;
			str_add_char(out, *w->at++);
		} else {
			str_add_char(out, *w->at++);
		}
	}
	return error;
}

/* The next word of the line, for str_deinit() in any case. *any is false at its end. The error is
   about the line, without its number. */
static struct hence_error *suite_next_word(struct suite_words *w, enum suite_word_kind *kind,
                                           struct str *out, bool *any)
{
	skip_blanks(w);
	*any = w->at < w->end && *w->at != '\n';
	*kind = SUITE_WORD;
	if (!*any)
		return NULL;
	if (!*w->at)
		return error_create(HENCE_ERROR_INPUT, "there is a zero byte; is it a text file?");
	if (w->end - w->at >= 2 && !strncmp(w->at, "=>", 2)) {
		*kind = SUITE_GIVES;
		w->at += 2;
		return NULL;
	}
	if (*w->at == '<') {
		*kind = SUITE_FROM;
		w->at++;
		return NULL;
	}
	if (w->expects && *w->at == '"') {
		*kind = SUITE_TEXT;
		/* "as in C" */
		for (w->at++; has(w) && *w->at != '"' && *w->at != '\n';) {
			if (*w->at != '\\') {
				str_add_char(out, *w->at++);
				continue;
			}
			w->at++;
			if (!has(w) || !take_escape(w, out))
				return error_create(HENCE_ERROR_INPUT,
				                    "there is no escape '\\%c'; \\n, \\t, \\\\, "
				                    "\\\", \\x41 and the like are as in C",
				                    has(w) && *w->at != '\n' ? *w->at : ' ');
		}
		if (!has(w) || *w->at != '"')
			return not_closed('"');
		w->at++;
		return NULL;
	}
	return take_plain(w, out);
}

/* ------ tests ------ */

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
