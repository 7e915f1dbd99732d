/* The command line of `hence slice`. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/slice.h"
#include "cli/words.h"

#define DEPTH 4u /* of a graph, when none is given */

static char *keep_text(struct slice_command *c, char *text)
{
	*vec_push(&c->texts) = text;
	return text;
}

/* --- places --- */

/* FILE:LINE[:VAR]. A file's name may have colons: the first one behind which there is a number
   counts. */
static struct hence_error *take_at(struct words *words, struct slice_command *c)
{
	const char *text, *colon;
	struct hence_error *error = words_value(words, "--at", &text);
	unsigned long line = 0;
	char *end = NULL;

	if (error)
		return error;
	for (colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		line = isdigit((unsigned char)colon[1]) ? strtoul(colon + 1, &end, 10) : 0;
		if (colon > text && line && line < UINT32_MAX && (!*end || *end == ':'))
			break;
	}
	if (!colon || (*end && !end[1]))
		return error_create(HENCE_ERROR_INPUT,
		                    "--at %s: give FILE:LINE or FILE:LINE:VARIABLE, like sort.c:12 "
		                    "or sort.c:12:a[2]",
		                    text);
	c->file = keep_text(c, mem_strndup(text, (size_t)(colon - text)));
	c->line = (unsigned)line;
	c->variable = *end ? keep_text(c, mem_strdup(end + 1)) : NULL;
	return NULL;
}

static struct hence_error *take_instance(struct words *words, struct slice_command *c)
{
	const char *text;
	struct hence_error *error = words_value(words, "--instance", &text);
	char *end;

	if (error)
		return error;
	errno = 0;
	c->instance = strtoll(text, &end, 10);
	if (end == text || *end || errno || !c->instance)
		return error_create(HENCE_ERROR_INPUT,
		                    "--instance %s: give 1 for the first execution of the line, 2 "
		                    "for the second, -1 for the last",
		                    text);
	return NULL;
}

static bool is_number(const char *text, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* [STREAM:]BYTE. */
static struct hence_error *take_output(struct words *words, struct slice_command *c)
{
	const char *text, *colon;
	struct hence_error *error = words_value(words, "--output", &text);

	if (error)
		return error;
	colon = strrchr(text, ':');
	c->output = true;
	if (colon == text || !is_number(colon ? colon + 1 : text, &c->byte))
		return error_create(HENCE_ERROR_INPUT,
		                    "--output %s: give the number of a byte, from 0 on, like 12, "
		                    "stderr:0 or result.txt:4",
		                    text);
	c->stream = colon ? keep_text(c, mem_strndup(text, (size_t)(colon - text))) : NULL;
	return NULL;
}

/* --- input --- */

/* FROM, FROM-TO (both are in it) or FROM- (to the end). */
static bool read_range(const char *text, struct slice_input *out)
{
	char *end;
	uint64_t to;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	out->from = to = strtoull(text, &end, 10);
	if (*end == '-' && !end[1]) {
		out->to = UINT64_MAX;
		return !errno;
	}
	if (*end == '-' && isdigit((unsigned char)end[1]))
		to = strtoull(end + 1, &end, 10);
	out->to = to + 1;
	return !*end && !errno && to >= out->from && to < UINT64_MAX;
}

/* N or N:RANGE. */
static struct hence_error *take_argument(struct words *words, struct slice_command *c)
{
	struct slice_input input = {.kind = SLICE_ARGUMENT};
	const char *text;
	struct hence_error *error = words_value(words, "--argument", &text);
	unsigned long index;
	char *end;

	if (error)
		return error;
	index = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || index > 1u << 24 ||
	    (*end && (*end != ':' || !read_range(end + 1, &input))))
		return error_create(HENCE_ERROR_INPUT,
		                    "--argument %s: give its number, 1 for the first, and bytes of "
		                    "it if you like: 2 or 2:0-3",
		                    text);
	input.index = (uint32_t)index;
	*vec_push(&c->inputs) = input;
	return NULL;
}

/* RANGE of standard input, NAME, or NAME:RANGE. */
static struct hence_error *take_input(struct words *words, struct slice_command *c)
{
	struct slice_input input = {.kind = SLICE_STREAM};
	const char *text, *colon;
	struct hence_error *error = words_value(words, "--input", &text);

	if (error)
		return error;
	colon = strrchr(text, ':');
	if (!*text || colon == text)
		return error_create(HENCE_ERROR_INPUT,
		                    "--input %s: give bytes of standard input, like 0-3, or of a "
		                    "file that the program reads, like data.txt:0-3",
		                    text);
	if (!read_range(text, &input)) {
		bool ranged = colon && read_range(colon + 1, &input);

		input.name = keep_text(c, ranged ? mem_strndup(text, (size_t)(colon - text))
		                                 : mem_strdup(text));
	}
	if (input.name && !strcmp(input.name, "stdin"))
		input.name = NULL;
	*vec_push(&c->inputs) = input;
	return NULL;
}

static struct hence_error *take_variable(struct words *words, struct slice_command *c)
{
	struct slice_input input = {.kind = SLICE_VARIABLE};
	struct hence_error *error = words_value(words, "--env", &input.name);

	if (!error && !getenv(input.name))
		error = error_create(HENCE_ERROR_INPUT,
		                     "--env %s: the environment has no such variable", input.name);
	if (!error)
		*vec_push(&c->inputs) = input;
	return error;
}

/* --- form --- */

static struct hence_error *take_format(struct words *words, struct slice_command *c)
{
	static const char *const names[] = {"text", "gcc", "json", "dot"};
	const char *text;
	struct hence_error *error = words_value(words, "--format", &text);

	if (error)
		return error;
	for (unsigned i = 0; i < 4; i++)
		if (!strcmp(text, names[i])) {
			c->format = (enum slice_format)i;
			return NULL;
		}
	return error_create(HENCE_ERROR_INPUT, "--format %s: give text, gcc, json or dot", text);
}

static struct hence_error *take_colour(struct words *words, bool *always, bool *never)
{
	const char *text = words->value;

	words->value = NULL;
	*always = !text || !strcmp(text, "always");
	*never = text && !strcmp(text, "never");
	if (*always || *never || !strcmp(text, "auto"))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "--color=%s: give always, never or auto", text);
}

static struct hence_error *unknown(const struct words *words, const char *name)
{
	static const char *const names[] = {
		"--at",    "--instance", "--output",      "--forward",    "--argument", "--input",
		"--env",   "--relevant", "--data",        "--process",    "--format",   "--json",
		"--depth", "--color",    "--expect",      "--stdin",      "--models",   "--timeout",
		"--time",  "--help",     "--expect-text", "--tape-limit",
	};

	return words_unknown(words, name, names, sizeof(names) / sizeof(*names));
}

/* Options without a value, or with a plain one. */
static bool take_plain(struct slice_command *c, struct words *words, const char *name,
                       struct hence_error **error)
{
	if (!strcmp(name, "--forward"))
		c->forward = true;
	else if (!strcmp(name, "--relevant"))
		c->relevant = true;
	else if (!strcmp(name, "--data"))
		c->data = true;
	else if (!strcmp(name, "--json"))
		c->format = SLICE_JSON;
	else if (!strcmp(name, "--process"))
		*error = words_number(words, name, &c->process);
	else if (!strcmp(name, "--depth"))
		*error = words_number(words, name, &c->depth);
	else if (!strcmp(name, "-o"))
		*error = words_value(words, name, &c->out);
	else if (!strcmp(name, "--expect"))
		*error = words_value(words, name, &c->expect);
	else if (!strcmp(name, "--expect-text"))
		*error = words_value(words, name, &c->expect_text);
	else
		return false;
	c->depth_given |= !strcmp(name, "--depth");
	return true;
}

struct reading {
	struct slice_command *command;
	bool always, never;
};

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct reading *r = context;
	struct slice_command *c = r->command;
	struct hence_error *error = NULL;

	if (run_options_take(&c->run, words, name, &error) || take_plain(c, words, name, &error))
		return error;
	if (!strcmp(name, "--at"))
		return take_at(words, c);
	if (!strcmp(name, "--instance"))
		return take_instance(words, c);
	if (!strcmp(name, "--output"))
		return take_output(words, c);
	if (!strcmp(name, "--argument"))
		return take_argument(words, c);
	if (!strcmp(name, "--input"))
		return take_input(words, c);
	if (!strcmp(name, "--env"))
		return take_variable(words, c);
	if (!strcmp(name, "--format"))
		return take_format(words, c);
	if (!strcmp(name, "--color"))
		return take_colour(words, &r->always, &r->never);
	return unknown(words, name);
}

/* --- what does not go together --- */

static struct hence_error *judge_forward(const struct slice_command *c)
{
	if (c->output || c->expect || c->expect_text)
		return error_create(HENCE_ERROR_INPUT,
		                    "a forward slice begins with input or with --at; leave out "
		                    "--output, --expect and --expect-text");
	if (c->relevant)
		return error_create(HENCE_ERROR_INPUT,
		                    "--relevant is for backward slices; leave out --forward");
	if (!c->file && !c->inputs.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "--forward: say from where, with --at FILE:LINE[:VARIABLE], "
		                    "--argument N, --input FROM-TO or --env NAME");
	return NULL;
}

static struct hence_error *judge_backward(const struct slice_command *c)
{
	int given = !!c->file + c->output + (c->expect || c->expect_text);

	if (c->inputs.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "--argument, --input and --env are where a forward slice "
		                    "begins; add --forward");
	if (given > 1)
		return error_create(HENCE_ERROR_INPUT, "give only one of --at, --output and "
		                                       "--expect: a slice has one criterion");
	return NULL;
}

static struct hence_error *judge(const struct slice_command *c)
{
	if (c->expect && c->expect_text)
		return error_create(HENCE_ERROR_INPUT,
		                    "give --expect FILE or --expect-text TEXT, not both");
	if (c->instance && !c->file)
		return error_create(HENCE_ERROR_INPUT,
		                    "--instance counts executions of a line; give it with --at "
		                    "FILE:LINE");
	if (c->depth_given && c->format != SLICE_DOT)
		return error_create(HENCE_ERROR_INPUT,
		                    "--depth is how far a graph goes; give it with --format dot");
	if (c->relevant && c->data)
		return error_create(HENCE_ERROR_INPUT,
		                    "--relevant adds branches, and --data leaves all out; give one "
		                    "of them");
	return c->forward ? judge_forward(c) : judge_backward(c);
}

/* NO_COLOR is the user's wish as well, but a later option counts more. */
static bool is_coloured(const struct slice_command *c, const struct reading *r)
{
	const char *no_color = getenv("NO_COLOR");

	if (r->always || r->never)
		return r->always;
	return !c->out && isatty(1) && !(no_color && *no_color);
}

struct hence_error *slice_command_parse(int argc, char **argv, struct slice_command *out)
{
	struct slice_command c = {.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                          .depth = DEPTH};
	struct reading r = {.command = &c};
	struct words words = {argv + 1, NULL, "slice"};
	struct hence_error *error = words_read(&words, take, &r);

	if (!error && !*words.at && !c.run.help)
		error = words_no_program(&words);
	if (!error && !c.run.help)
		error = judge(&c);
	c.run.command = words.at;
	c.coloured = is_coloured(&c, &r);
	if (error)
		slice_command_deinit(&c);
	else
		*out = c;
	return error;
}

void slice_command_deinit(struct slice_command *c)
{
	run_options_deinit(&c->run);
	for (uint32_t i = 0; i < c->texts.size; i++)
		free(c->texts.at[i]);
	vec_deinit(&c->texts);
	vec_deinit(&c->inputs);
}
