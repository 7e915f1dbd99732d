/* `hence reduce`: the smallest input that still fails, or the smallest difference to one that does
   not. */
#include "base/guard.h"
#include "explain/input_search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diff.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "reduce/reduce.h"
#include "report/json.h"

/* Where it goes. A single varied part is a file; several are files in a directory. */
struct reduce_output {
	const char *path; /* NULL: nowhere */
	bool folder;
	bool arguments; /* vary */
	double last;    /* when it was written */
};

struct reduce_report {
	const struct options *options;
	const struct reduce_result *result;
	const struct reduce_output *output;
};

/* --- -o: the smallest failing input so far, always complete on disk --- */

#define INTERVAL 0.3 /* seconds between two versions of the file */

/* --- -o: where --- */

static bool arguments_vary(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT && input->parts.at[i].varied)
			return true;
	return false;
}

/* Arguments together are one. */
static uint32_t count_varied(const struct input *input)
{
	uint32_t count = arguments_vary(input);

	for (uint32_t i = 0; i < input->parts.size; i++)
		count += input->parts.at[i].kind != INPUT_ARGUMENT && input->parts.at[i].varied;
	return count;
}

static struct hence_error *refuse_same(const char *path, const char *name)
{
	struct stat a, b;

	if (!name || stat(path, &a) || stat(name, &b) || a.st_dev != b.st_dev ||
	    a.st_ino != b.st_ino)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "-o %s is the failing input itself, which must stay; name another file",
	                    path);
}

/* No file of the user's may be replaced by a smaller one. */
static struct hence_error *check_same(const struct options *options, const char *path)
{
	const struct failure_options *failure = &options->report.failure;
	struct hence_error *error = refuse_same(path, failure->input);

	for (uint32_t i = 0; !error && i < failure->files.size; i++)
		error = refuse_same(path, failure->files.at[i]);
	for (uint32_t i = 0; !error && i < failure->pass_inputs.size; i++)
		error = refuse_same(path, failure->pass_inputs.at[i]);
	return error;
}

static struct hence_error *open_folder(const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot make the directory %s",
		                        path);
	if (!stat(path, &info) && !S_ISDIR(info.st_mode))
		return error_create(HENCE_ERROR_INPUT,
		                    "-o %s is a file, but several parts of the input vary; name a "
		                    "directory for them",
		                    path);
	if (access(path, W_OK | X_OK))
		return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write to %s", path);
	return NULL;
}

/* The name of a part in the directory. Caller frees. */
static char *file_name(const struct input_part *part)
{
	const char *slash;

	switch (part->kind) {
	case INPUT_ARGUMENT: return mem_strdup("args");
	case INPUT_STDIN: return mem_strdup("stdin");
	case INPUT_VARIABLE: return str_format("env-%s", part->name);
	case INPUT_FILE: break;
	}
	slash = strrchr(part->name, '/');
	return mem_strdup(slash ? slash + 1 : part->name);
}

static struct hence_error *check_names(const struct options *options, const struct input *input,
                                       const char *folder)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		char *name = file_name(part);
		char *path = str_format("%s/%s", folder, name);

		if (part->varied)
			error = check_same(options, path);
		for (uint32_t j = 0; !error && part->kind == INPUT_FILE && j < i; j++) {
			char *before = file_name(&input->parts.at[j]);

			if (input->parts.at[j].varied && !strcmp(before, name))
				error = error_create(HENCE_ERROR_INPUT,
				                     "-o %s: two parts of the input would both be "
				                     "%s there; reduce one at a time",
				                     folder, name);
			free(before);
		}
		free(path);
		free(name);
	}
	return error;
}

/* Finds out before the search what would fail after it: a missing folder, a file of the user's. */
static struct hence_error *reduce_output_open(const struct options *options,
                                              const struct input *original,
                                              struct reduce_output *out)
{
	const char *path = options->report.out;
	struct hence_error *error;
	struct stat info;
	bool folder;

	*out = (struct reduce_output){0};
	if (!path)
		return NULL;
	folder = count_varied(original) > 1 || (!stat(path, &info) && S_ISDIR(info.st_mode));
	if (folder)
		error = open_folder(path);
	else
		error = run_check_output(path, "-o", true);
	if (!error)
		error = folder ? check_names(options, original, path) : check_same(options, path);
	if (error)
		return error;
	out->path = path;
	out->folder = folder;
	out->arguments = arguments_vary(original);
	return NULL;
}

/* --- -o: writing --- */

static int write_bytes(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			bytes += done;
			size -= (size_t)done;
		}
	}
	return 0;
}

/* A new file beside it takes its place when it is complete. */
static struct hence_error *replace(const char *path, const struct str *bytes)
{
	char *temporary GUARD_FREE = str_format("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	mode_t mask = umask(0);
	struct hence_error *error = NULL;

	umask(mask);
	if (fd < 0 || fchmod(fd, 0666 & ~mask) || write_bytes(fd, str_text(bytes), bytes->length) ||
	    fsync(fd) || rename(temporary, path))
		error = error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write %s", path);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && error)
		unlink(temporary);
	return error;
}

static struct hence_error *write_part(const struct reduce_output *output,
                                      const struct input_part *part, const struct str *bytes)
{
	char *name GUARD_FREE = file_name(part);
	char *path =
		output->folder ? str_format("%s/%s", output->path, name) : mem_strdup(output->path);
	struct hence_error *error = NULL;

	/* A variable that is not there has no file in a directory. */
	if (part->unset && output->folder)
		unlink(path);
	else
		error = replace(path, bytes);
	free(path);
	return error;
}

static struct hence_error *write_all(const struct reduce_output *output,
                                     const struct input *failing)
{
	static const struct input_part arguments = {.kind = INPUT_ARGUMENT};
	struct hence_error *error = NULL;
	struct str words = STR_INIT;

	if (output->arguments) {
		/* All varied arguments, with a 0 after each. */
		for (uint32_t i = 0; i < failing->parts.size; i++) {
			const struct input_part *part = &failing->parts.at[i];

			if (part->kind != INPUT_ARGUMENT)
				continue;
			str_add_bytes(&words, str_text(&part->bytes), part->bytes.length);
			str_add_char(&words, '\0');
		}
		error = write_part(output, &arguments, &words);
		str_deinit(&words);
	}
	for (uint32_t i = 0; !error && i < failing->parts.size; i++)
		if (failing->parts.at[i].varied && failing->parts.at[i].kind != INPUT_ARGUMENT)
			error = write_part(output, &failing->parts.at[i],
			                   &failing->parts.at[i].bytes);
	return error;
}

/* Replaces what is there in one step, so that it is complete at any moment; `always`: also if it was
   done a moment ago. */
static struct hence_error *reduce_output_write(struct reduce_output *output,
                                               const struct input *failing, bool always)
{
	struct hence_error *error;
	double now;

	if (!output->path)
		return NULL;
	now = budget_clock();
	if (!always && now - output->last < INTERVAL)
		return NULL;
	error = write_all(output, failing);
	output->last = now;
	return error;
}

/* --- what of an input can be shown as it is --- */

/* The bytes of a str have a 0 after them, so that no character reaches over the end. */
static size_t character(const char *bytes)
{
	return json_utf8_length((const unsigned char *)bytes);
}

/* Is it text that can be shown as it is? */
static bool reduce_is_text(const struct str *bytes)
{
	for (size_t i = 0; i < bytes->length; i++) {
		unsigned char c = (unsigned char)bytes->text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 127)
			return false;
	}
	return reduce_is_utf8(bytes);
}

/* --- JSON: the result; the manual page describes it --- */

static void add_place(struct str *out, const char *file, int line, const char *function)
{
	if (file)
		json_add_member(out, "file", file);
	if (line > 0)
		json_add_number(out, "line", (unsigned)line);
	if (function)
		json_add_member(out, "function", function);
}

static void add_failure(const struct oracle *oracle, struct str *out)
{
	const struct failure *failure = &oracle->failure;
	const struct outcome *outcome = &failure->outcome;
	const struct outcome_assert *assertion = &outcome->assertion;
	struct str text = STR_INIT;

	json_add_key(out, "failure");
	str_add_char(out, '{');
	json_add_member(out, "kind", failure_kind_name(failure->kind));
	oracle_write_text(oracle, &text);
	json_add_member(out, "text", str_text(&text));
	str_deinit(&text);
	if (failure->kind == FAILURE_ASSERT && assertion->text) {
		add_place(out, assertion->file, assertion->line, assertion->function);
		json_add_member(out, "message", assertion->text);
	} else {
		add_place(out, outcome->place.file, outcome->place.line, outcome->place.function);
	}
	if (outcome->kind == OUTCOME_SIGNALLED)
		json_add_member(out, "signal", outcome_signal_name(outcome->signal));
	if (outcome->kind == OUTCOME_EXITED)
		json_add_number(out, "status", (unsigned)outcome->status);
	str_add_char(out, '}');
}

static void add_flaky(const struct reduce_flaky *flaky, struct str *out)
{
	if (!flaky->count)
		return;
	json_add_key(out, "flaky");
	str_add_char(out, '{');
	json_add_number(out, "inputs", flaky->count);
	json_add_member(out, "first", flaky->first);
	json_add_member(out, "other", flaky->other);
	str_add_char(out, '}');
}

/* --- the difference of two inputs: a unified diff, part by part --- */

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
	/* What cannot be seen is written as \ooo. */
	for (size_t i = 0; i < size - whole;) {
		unsigned char c = (unsigned char)line->bytes[i];
		size_t step = character(line->bytes + i);

		if (!step || (c < ' ' && c != '\t') || c == 127)
			str_printf(sheet->out, "\\%03o", c);
		else
			str_add_bytes(sheet->out, line->bytes + i, step);
		i += step ? step : 1;
	}
	str_add(sheet->out, sheet->color && *color ? PLAIN "\n" : "\n");
	if (!whole)
		str_add(sheet->out, "\\ no newline at the end\n");
}

/* --- diff: hunks --- */

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

/* --- diff: parts --- */

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

static bool add_part_diff(struct sheet *sheet, const char *name, const char *from_name,
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
		for (uint32_t i = 0; i < diff.hunks.size;) {
			uint32_t end = group_end(&diff, i);

			add_group(sheet, &a, &b, &diff.hunks.at[i], end - i);
			i = end;
		}
	}
	diff_deinit(&diff);
	diff_texts_deinit(&a);
	diff_texts_deinit(&b);
	return differ;
}

static bool add_arguments_diff(struct sheet *sheet, const struct input *from, const char *from_name,
                               const struct input *to, const char *to_name)
{
	struct str a GUARD(str_deinit) = STR_INIT, b GUARD(str_deinit) = STR_INIT;
	bool differ;

	list_arguments(from, &a);
	list_arguments(to, &b);
	differ = add_part_diff(sheet, "arguments", from_name, &a, to_name, &b);
	return differ;
}

/* A unified diff of two inputs, part by part; at most `most` lines of it. False: they are equal. */
static bool reduce_diff(const struct input *from, const char *from_name, const struct input *to,
                        const char *to_name, uint32_t most, bool color, struct str *out)
{
	struct sheet sheet = {.out = out, .most = most, .color = color};
	bool differ = add_arguments_diff(&sheet, from, from_name, to, to_name);
	uint32_t i = reduce_count_arguments(from);

	for (uint32_t j = reduce_count_arguments(to); j < to->parts.size; i++, j++) {
		char *name = input_part_text(to, j);

		differ |= add_part_diff(&sheet, name, from_name, &from->parts.at[i].bytes, to_name,
		                        &to->parts.at[j].bytes);
		free(name);
	}
	if (sheet.hidden)
		str_printf(out, "... %u more lines\n", sheet.hidden);
	return differ;
}

/* --- diff: in a word --- */

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

/* Where two similar texts differ, such as 'byte 16: "A" is added'; nothing if that is no short answer. */
static void reduce_diff_short(const struct input *from, const struct input *to, struct str *out)
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

#define MOST_LINES       60  /* of a diff */
#define MOST_INLINE      400 /* bytes of standard input in a command line */
#define MOST_SHOWN       2000
#define MOST_LINES_SHOWN 30

/* --- text: how to see the failure again --- */

static const struct input_part *find_kind(const struct input *input, enum input_kind kind)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == kind)
			return &input->parts.at[i];
	return NULL;
}

/* What feeds the program: printf '...' | */
static void add_feed(const struct reduce_report *report, const struct input *input, struct str *out)
{
	const struct input_part *part = find_kind(input, INPUT_STDIN);

	if (!part || !part->varied || report->output->path || part->bytes.length > MOST_INLINE ||
	    !part->bytes.length)
		return;
	str_add(out, "printf %b ");
	str_add_char(out, '\'');
	for (size_t i = 0; i < part->bytes.length; i++) {
		unsigned char c = (unsigned char)part->bytes.text[i];

		if (c == '\n')
			str_add(out, "\\n");
		else if (c == '\\')
			str_add(out, "\\\\");
		else if (c < ' ' || c >= 127 || c == '\'')
			str_printf(out, "\\0%03o", c);
		else
			str_add_char(out, (char)c);
	}
	str_add(out, "' | ");
}

/* Where its standard input comes from otherwise. */
static void add_redirection(const struct reduce_report *report, const struct input *input,
                            struct str *out)
{
	const struct input_part *part = find_kind(input, INPUT_STDIN);
	const char *file = report->options->report.failure.input;

	if (!part)
		return;
	if (part->varied && report->output->path) {
		str_add(out, " <");
		failure_words_quote(report->output->path, strlen(report->output->path), out);
		str_add(out, report->output->folder ? "/stdin" : "");
	} else if (part->varied && !part->bytes.length) {
		str_add(out, " </dev/null");
	} else if (part->varied && part->bytes.length > MOST_INLINE) {
		str_add(out, " <FILE");
	} else if (!part->varied && file) {
		str_add(out, " <");
		failure_words_quote(file, strlen(file), out);
	}
}

/* Those to be unset first: env -u A B=value */
static void add_variables(const struct input *input, struct str *out)
{
	bool env = false;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		if (!input->parts.at[i].unset)
			continue;
		str_printf(out, "%s-u %s ", env ? "" : "env ", input->parts.at[i].name);
		env = true;
	}
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind != INPUT_VARIABLE || part->unset)
			continue;
		str_printf(out, "%s=", part->name);
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
		str_add_char(out, ' ');
	}
}

/* --- text: what is left --- */

static void add_hex(const struct str *bytes, struct str *out)
{
	size_t size = bytes->length < MOST_SHOWN / 4 ? bytes->length : MOST_SHOWN / 4;

	for (size_t i = 0; i < size; i += 16) {
		str_printf(out, "    %06zx ", i);
		for (size_t j = i; j < i + 16 && j < size; j++)
			str_printf(out, " %02x", (unsigned char)bytes->text[j]);
		str_add_char(out, '\n');
	}
	if (size < bytes->length)
		str_printf(out, "    ... %zu more bytes\n", bytes->length - size);
}

/* Indented, so that it cannot be taken for something else. */
static void add_lines(const struct str *bytes, struct str *out)
{
	size_t most = bytes->length < MOST_SHOWN ? bytes->length : MOST_SHOWN, i = 0;
	bool begins = true;

	for (uint32_t lines = 0; i < most && lines < MOST_LINES_SHOWN; i++) {
		if (begins)
			str_add(out, "    ");
		str_add_char(out, bytes->text[i]);
		begins = bytes->text[i] == '\n';
		lines += begins;
	}
	if (!begins)
		str_add_char(out, '\n');
	if (i < bytes->length)
		str_printf(out, "    ... %zu more bytes\n", bytes->length - i);
}

static void add_contents(const struct input *input, uint32_t i, struct str *out)
{
	const struct input_part *part = &input->parts.at[i];
	char *name GUARD_FREE = input_part_text(input, i);

	str_printf(
		out, "\n%s%s\n", name,
		part->bytes.length ? ":"
		: part->unset      ? " is not set"
		: part->kind == INPUT_FILE
			? " is empty: it fails without any of it; does the program read that file?"
			: " is empty");
	if (reduce_is_text(&part->bytes))
		add_lines(&part->bytes, out);
	else
		add_hex(&part->bytes, out);
}

/* --- text: the account --- */

static void add_plural(struct str *out, uint64_t number, const char *one, const char *many)
{
	run_add_number(out, number);
	str_printf(out, " %s", number == 1 ? one : many);
}

static const char *end_text(const struct reduce_report *report)
{
	if (report->result->end == REDUCE_STOPPED)
		return "; incomplete: the search was ended before it was done";
	return "; 1-minimal by ";
}

static void add_account(const struct reduce_report *report, struct str *out)
{
	const struct reduce_result *result = report->result;

	if (result->chosen >= 0)
		str_add(out, "a difference of ");
	add_plural(out, result->chosen >= 0 ? result->differed : result->original, "byte", "bytes");
	str_add(out, " reduced to ");
	run_add_number(out, result->chosen >= 0 ? result->differs : result->reduced);
	str_printf(out, "%s%s\n", end_text(report),
	           result->end == REDUCE_DONE && result->unit ? result->unit : "");
	add_plural(out, result->tests, "test", "tests");
	str_add(out, " (");
	run_add_number(out, result->verdicts[VERDICT_FAIL]);
	str_add(out, " failed, ");
	run_add_number(out, result->verdicts[VERDICT_PASS]);
	str_add(out, " passed, ");
	run_add_number(out, result->verdicts[VERDICT_UNRESOLVED]);
	str_printf(out, " unresolved) in %.2f s\n", result->seconds);
}

static void add_flaky_text(const struct reduce_result *result, struct str *out)
{
	if (!result->flaky.count)
		return;
	str_add(out, "runs of the same input did not agree for ");
	add_plural(out, result->flaky.count, "input", "inputs");
	str_printf(out, "; of the first, one run %s, another %s\n", result->flaky.first,
	           result->flaky.other);
}

/* --- text: the difference --- */

static void add_difference(const struct reduce_report *report, struct str *out)
{
	const struct reduce_result *result = report->result;
	const struct input *original = &report->result->given;
	bool color = report_use_color(report->options->report.color, NULL);

	str_add_char(out, '\n');
	if (!result->has_passing) {
		reduce_diff(original, "original", &result->failing, "reduced", MOST_LINES, color,
		            out);
		return;
	}
	if (result->chosen < 0)
		str_add(out, "nearest passing input found:\n");
	reduce_diff_short(&result->passing, &result->failing, out);
	reduce_diff(&result->passing, "passing", &result->failing, "failing", MOST_LINES, color,
	            out);
}

/* The command line alone does not show the failure: files are still as the user has them. */
static bool has_file(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].varied && input->parts.at[i].kind == INPUT_FILE)
			return true;
	return false;
}

static void reduce_report_text(const struct reduce_report *report, struct str *out)
{
	const struct input *failing = &report->result->failing;
	const struct options *options = report->options;
	const char *name = options->report.failure.command[0];

	str_add(out, report_use_color(options->report.color, NULL) ? "\033[1m" : "");
	str_printf(out, "%s ", options->report.failure.command[0]);
	oracle_write_text(&report->result->oracle, out);
	str_add(out, report_use_color(options->report.color, NULL) ? "\033[m\n" : "\n");
	add_account(report, out);
	add_flaky_text(report->result, out);
	if (report->result->refused)
		str_printf(out, "%u of the passing inputs did not pass and %s not used\n",
		           report->result->refused, report->result->refused == 1 ? "was" : "were");
	str_printf(out, "\nto see it again%s:\n    ",
	           has_file(failing) ? ", with the contents below" : "");
	add_feed(report, failing, out);
	add_variables(failing, out);
	failure_words_quote(name, strlen(name), out);
	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct input_part *part = &failing->parts.at[i];

		if (part->kind != INPUT_ARGUMENT)
			continue;
		str_add_char(out, ' ');
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
	}
	add_redirection(report, failing, out);
	str_add_char(out, '\n');
	for (uint32_t i = 0; i < failing->parts.size; i++)
		if (failing->parts.at[i].varied && failing->parts.at[i].kind != INPUT_ARGUMENT)
			add_contents(failing, i, out);
	add_difference(report, out);
}

/* --- the command --- */

#define NOT_PROVEN 3 /* exit code: see design.md */

/* What happens during the search; `search` comes first, so that its callbacks find it. */
struct reducing {
	struct search search;
	struct reduce_output output;
	struct hence_error *problem; /* the output could not be written */
};

static void better(void *context, const struct input *failing)
{
	struct reducing *reducing = context;

	if (!reducing->problem)
		reducing->problem = reduce_output_write(&reducing->output, failing, false);
}

/* An output that cannot be written ends the search. */
static bool stop(void *context)
{
	struct reducing *reducing = context;

	return reducing->problem;
}

static void print(const struct reduce_report *report)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	if (report->options->report.format == REPORT_JSON) {
		const struct reduce_result *result = report->result;

		str_add_char(&text, '{');
		json_add_number(&text, "hence", 1);
		reduce_add_command(report->options->report.failure.command, &text);
		add_failure(&result->oracle, &text);
		reduce_add_inputs(result, &text);
		json_add_number(&text, "tests", result->tests);
		json_add_number(&text, "cached", result->cached);
		json_add_key(&text, "verdicts");
		str_add_char(&text, '{');
		json_add_number(&text, "pass", result->verdicts[VERDICT_PASS]);
		json_add_number(&text, "fail", result->verdicts[VERDICT_FAIL]);
		json_add_number(&text, "unresolved", result->verdicts[VERDICT_UNRESOLVED]);
		str_add_char(&text, '}');
		json_add_number(&text, "runs", result->runs);
		json_add_number(&text, "forked", result->forked);
		json_add_key(&text, "seconds");
		str_printf(&text, "%.3f", result->seconds);
		add_flaky(&result->flaky, &text);
		str_add(&text, "}\n");
	} else
		reduce_report_text(report, &text);
	fwrite(str_text(&text), 1, text.length, stdout);
}

/* People who give only the command mean what is in its files. */
static void hint_at_files(const struct failure_options *options)
{
	struct stat info;

	if (failure_options_name_input(options))
		return;
	for (char **word = options->command + 1; *word; word++)
		if (!stat(*word, &info) && S_ISREG(info.st_mode)) {
			fprintf(stderr,
			        "hence: the argument %s is a file, which was not varied; to reduce "
			        "it, say --file %s\n",
			        *word, *word);
			return;
		}
}

static struct hence_error *finish(const struct reduce_report *report, struct reducing *reducing,
                                  int *code)
{
	const struct reduce_result *result = report->result;
	struct hence_error *error;

	if (result->end != REDUCE_DONE && result->end != REDUCE_STOPPED) {
		*code = cli_refuse_search(&report->options->report.failure, result);
		return NULL;
	}
	error = reduce_output_write(&reducing->output, &result->failing, true);
	hint_at_files(&report->options->report.failure);
	print(report);
	*code = result->end == REDUCE_DONE ? 0 : NOT_PROVEN;
	return error;
}

static struct hence_error *perform(const struct options *options, struct failure_case *failure,
                                   int *code)
{
	struct reducing reducing = {.search.stop = stop};
	struct reduce_result result = {0};
	struct reduce_report report = {options, &result, &reducing.output};
	struct hence_error *error, *later = NULL;
	bool found = false;

	error = failure_case_read(&options->report.failure, failure);
	if (!error)
		error = reduce_output_open(options, &failure->input, &reducing.output);
	if (error)
		return error;
	reducing.search.context = &reducing;
	failure->reduce.better = better;
	progress_watch(&reducing.search);
	search_begin(&reducing.search, &options->report.failure, &failure->reduce);
	error = reduce_run(&failure->reduce, &result, &found);
	cli_end_search(&reducing.search, &result);
	/* What was found is printed in any case. */
	if (!error || found)
		later = finish(&report, &reducing, code);
	reduce_result_deinit(&result);
	error_destroy(reducing.problem);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

static struct hence_error *reduce(struct options *options, int *code)
{
	struct failure_case failure = {0};
	struct hence_error *error = perform(options, &failure, code);

	failure_case_deinit(&failure);
	return error;
}

const struct command command_reduce = {
	.name = "reduce",
	.bit = COMMAND_REDUCE,
	.formats = 1u << REPORT_TEXT | 1u << REPORT_JSON,
	.usage = "hence reduce [OPTIONS] -- PROGRAM ARGS...",
	.summary = "find the smallest input with which a program still fails",
	.about = "Finds the smallest input with which a program still fails in the same way; with "
		 "an input that passes, the smallest difference between the two. Any program will "
		 "do, also one that was not built with hence cc. No file of yours is changed: the "
		 "program runs confined.",
	.run = reduce,
};
