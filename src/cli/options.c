/* The table of options, and what comes from it: see options.h. */
#include "cli/options.h"
#include "base/guard.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sets of commands --- */

#define METHODS (COMMAND_EXPLAIN | COMMAND_TRANSITIONS | COMMAND_CHAIN | COMMAND_COMPARE)

/* Reports that can be saved. */
#define SAVES (METHODS | COMMAND_FIX | COMMAND_TREE)

/* They search for the reasons of a failure, and record it. */
#define SEARCHES (SAVES | COMMAND_CHOP | COMMAND_SWITCH)

/* They run a program that may fail, on its input or on part of it. */
#define FAILURES (SEARCHES | COMMAND_REDUCE)

/* They record one run as it is. */
#define RECORDS (COMMAND_RUN | COMMAND_TRACE | COMMAND_SLICE)

/* What stands after the options is a program with its arguments. */
#define PROGRAMS (FAILURES | RECORDS)

/* It may be sources, which are compiled. */
#define SOURCES SAVES

/* The ending of the file of -o says the format. */
#define ENDINGS (SEARCHES | COMMAND_RANK | COMMAND_SHOW)

/* What stands beside the options are operands, before, between or after them. */
#define OPERANDS (COMMAND_SHOW | COMMAND_VERIFY | COMMAND_GDB | COMMAND_EVAL)

#define ALL (~0u)

/* --- values --- */

enum kind {
	FLAG,    /* bool; no value */
	TEXT,    /* const char * */
	LIST,    /* VEC(const char *), to which the value is added */
	NUMBER,  /* uint64_t of at least 1 */
	SECONDS, /* double above 0 */
	SIZE,    /* uint64_t of at least 1M, like 500M */
	CHOICE,  /* int: which of `choices` */
	HOOK,    /* `take` */
};

struct option {
	unsigned commands; /* that have it */
	const char *name;  /* "--output"; NULL: it has only the letter */
	char letter;       /* 0: none */
	const char
		*value; /* what --help calls its value; "[=WHEN]": it may be left out; NULL: none */
	enum kind kind;
	size_t at;        /* of the field of struct options */
	const char *help; /* NULL: the line of another option has it */
	const char *const
		*choices; /* the words it takes, or begins with; NULL ends them. NULL: any */
	struct hence_error *(*take)(struct options *options, const char *name, const char *text);
};

static struct hence_error *refuse(const char *name, const char *text, const char *wanted)
{
	return error_create(HENCE_ERROR_INPUT, "%s %s: give %s", name, text, wanted);
}

static struct hence_error *take_seconds(const char *name, const char *text, double *out)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !isfinite(seconds) || seconds <= 0)
		return refuse(name, text, "a number of seconds above 0");
	*out = seconds;
	return NULL;
}

static struct hence_error *take_size(const char *name, const char *text, uint64_t *out)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long size = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
	int shift = 0;

	if (unit) {
		shift = 10 * (int)(unit - units + 1);
		end++;
	}
	if (end == text || *text == '-' || *end || size >= 1ull << (62 - shift) ||
	    size << shift < 1 << 20)
		return refuse(name, text, "a size of at least 1M, like 500M or 20G");
	*out = (uint64_t)size << shift;
	return NULL;
}

/* Digits only; 0 is a number. */
static bool is_number(const char *text, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

static struct hence_error *take_choice(const char *name, const char *text,
                                       const char *const *choices, int *out)
{
	struct str list = STR_INIT;
	struct hence_error *error;

	for (int i = 0; choices[i]; i++) {
		if (!strcmp(text, choices[i])) {
			*out = i;
			str_deinit(&list);
			return NULL;
		}
		str_printf(&list, "%s%s", i ? choices[i + 1] ? ", " : " or " : "", choices[i]);
	}
	error = refuse(name, text, str_text(&list));
	str_deinit(&list);
	return error;
}

/* A part of a word, which lives as long as the options. */
static char *keep_text(struct options *o, const char *text, size_t length)
{
	return *vec_push(&o->texts) = mem_strndup(text, length);
}

/* --- hooks: formats and colours --- */

static struct hence_error *take_format(struct options *o, const char *name, const char *text)
{
	const char *names[REPORT_FORMATS + 1] = {NULL};
	int formats[REPORT_FORMATS], count = 0, chosen = 0;
	struct hence_error *error;

	assert(explanation_format_count == REPORT_FORMATS);
	for (int i = 0; i < REPORT_FORMATS; i++)
		if (o->report.formats & 1u << i) {
			names[count] = explanation_formats[i].name;
			formats[count++] = i;
		}
	error = take_choice(name, text, names, &chosen);
	if (error)
		return error;
	o->report.format = (enum report_format)formats[chosen];
	o->report.has_format = true;
	return NULL;
}

static struct hence_error *take_json(struct options *o, const char *name, const char *text)
{
	o->report.format = REPORT_JSON;
	o->report.has_format = true;
	return NULL;
}

static const char *const whens[] = {"auto", "always", "never", NULL};

/* Without a value it is always. */
static struct hence_error *take_color(struct options *o, const char *name, const char *text)
{
	int chosen = COLOR_ALWAYS;
	struct hence_error *error = text ? take_choice(name, text, whens, &chosen) : NULL;

	if (!error)
		o->report.color = (enum color_when)chosen;
	return error;
}

/* --- hooks: places, inputs and outputs --- */

/* FILE:N. */
static struct hence_error *take_line(struct options *o, const char *name, const char *text)
{
	const char *colon = strrchr(text, ':');
	char *end;
	unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;

	if (!colon || colon == text || !line || line > UINT32_MAX || *end)
		return refuse(name, text, "FILE:N, like sort.c:12");
	o->file = keep_text(o, text, (size_t)(colon - text));
	o->line = (unsigned)line;
	return NULL;
}

/* FILE:LINE[:VAR]. A file's name may have colons: the first one that a number follows counts. */
static struct hence_error *take_at(struct options *o, const char *name, const char *text)
{
	const char *colon;
	unsigned long line = 0;
	char *end = NULL;

	for (colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		line = isdigit((unsigned char)colon[1]) ? strtoul(colon + 1, &end, 10) : 0;
		if (colon > text && line && line < UINT32_MAX && (!*end || *end == ':'))
			break;
	}
	if (!colon || (*end && !end[1]))
		return refuse(name, text,
		              "FILE:LINE or FILE:LINE:VARIABLE, like sort.c:12 or sort.c:12:a[2]");
	o->file = keep_text(o, text, (size_t)(colon - text));
	o->line = (unsigned)line;
	o->at_variable = *end ? end + 1 : NULL;
	return NULL;
}

static struct hence_error *take_instance(struct options *o, const char *name, const char *text)
{
	char *end;

	errno = 0;
	o->instance = strtoll(text, &end, 10);
	if (end == text || *end || errno || !o->instance)
		return refuse(
			name, text,
			"1 for the first execution of the line, 2 for the second, -1 for the last");
	return NULL;
}

static struct hence_error *take_status(struct options *o, const char *name, const char *text)
{
	uint64_t status;

	if (!is_number(text, &status) || status > 255)
		return refuse(name, text, "a number from 0 to 255");
	o->report.failure.has_status = true;
	o->report.failure.status = (int)status;
	return NULL;
}

/* [STREAM:]BYTE. */
static struct hence_error *take_output(struct options *o, const char *name, const char *text)
{
	const char *colon = strrchr(text, ':');

	if (colon == text || !is_number(colon ? colon + 1 : text, &o->byte))
		return refuse(name, text,
		              "the number of a byte, from 0 on, like 12, stderr:0 or result.txt:4");
	o->has_output = true;
	o->stream = colon ? keep_text(o, text, (size_t)(colon - text)) : NULL;
	return NULL;
}

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
static struct hence_error *take_argument(struct options *o, const char *name, const char *text)
{
	struct slice_input input = {.kind = SLICE_ARGUMENT};
	char *end;
	unsigned long index = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || index > 1u << 24 ||
	    (*end && (*end != ':' || !read_range(end + 1, &input))))
		return refuse(
			name, text,
			"its number, 1 for the first, and bytes of it if you like: 2 or 2:0-3");
	input.index = (uint32_t)index;
	*vec_push(&o->inputs) = input;
	return NULL;
}

/* RANGE of standard input, NAME, or NAME:RANGE. */
static struct hence_error *take_input(struct options *o, const char *name, const char *text)
{
	struct slice_input input = {.kind = SLICE_STREAM};
	const char *colon = strrchr(text, ':');

	if (!*text || colon == text)
		return refuse(name, text,
		              "bytes of standard input, like 0-3, or of a file that the program "
		              "reads, like data.txt:0-3");
	if (!read_range(text, &input)) {
		bool ranged = colon && read_range(colon + 1, &input);

		input.name = ranged ? keep_text(o, text, (size_t)(colon - text)) : text;
	}
	if (input.name && !strcmp(input.name, "stdin"))
		input.name = NULL;
	*vec_push(&o->inputs) = input;
	return NULL;
}

static struct hence_error *take_variable(struct options *o, const char *name, const char *text)
{
	if (!getenv(text))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s %s: the environment has no such variable", name, text);
	*vec_push(&o->inputs) = (struct slice_input){.kind = SLICE_VARIABLE, .name = text};
	return NULL;
}

static struct hence_error *take_condition(struct options *o, const char *name, const char *text)
{
	if (o->condition)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is given twice; join the conditions with &&", name);
	o->condition = text;
	return NULL;
}

/* --- the table --- */

static const char *const methods[] = {"all", "compare", "chain", "transitions", "tree", NULL};
static const char *const algorithms[] = {"dependence", "hierarchical", NULL};
static const char *const formulas[] = {"ochiai", "tarantula", "dstar", NULL};
static const char *const units[] = {"auto", "lines", "tokens", "bytes", "records=", NULL};

#define AT(field) offsetof(struct options, field)

/* In the order of --help: what a command has for itself, then its output, the recording, the failure. */
static const struct option table[] = {
	/* explain and the commands of single methods */
	{COMMAND_EXPLAIN, "--method", 0, "METHOD", CHOICE, AT(method),
         .help = "all (the default), compare, chain, transitions, or tree: only that one; tree "
                 "looks at the failing run alone",
         .choices = methods},
	{COMMAND_EXPLAIN, "--no-edits", 0, NULL, FLAG, AT(no_edits),
         .help = "do not look for small changes of the code with which it passes"},
	{COMMAND_TRANSITIONS, "--all-points", 0, NULL, FLAG, AT(all_points),
         .help = "also a table of all points that were looked at, and what was isolated"},
	{COMMAND_CHAIN, "--algorithm", 0, "NAME", CHOICE, AT(algorithm),
         .help = "dependence: go from definition to definition (the default); hierarchical: search "
                 "by halves in the tree of calls; the same chain",
         .choices = algorithms},
	{COMMAND_CHAIN, "--against", 0, "FILE", TEXT, AT(against),
         .help = "measure the chain against that of a report (saved with --json), such as the one "
                 "with the corrected program as reference"},
	{COMMAND_COMPARE, "--dual-slice", 0, NULL, FLAG, AT(dual_slice),
         .help = "print the statements of both runs that lead to what is different in them"},
	{COMMAND_COMPARE, "--no-rails", 0, NULL, FLAG, AT(no_rails),
         .help = "let experiments go where they go, for comparison"},
	{COMMAND_COMPARE, "--exact", 0, NULL, FLAG, AT(exact),
         .help = "take what the exact model finds, in which only the dual slice is executed, and "
                 "report where experiments find something else"},
	{COMMAND_COMPARE, "--count", 0, NULL, FLAG, AT(count),
         .help = "also report how many experiments it takes at the same points to find what "
                 "decides among all values that differ"},
	{COMMAND_FIX, "--patch", 0, "FILE", TEXT, AT(patch),
         .help = "write the best change as a unified diff of the source; - is standard output, "
                 "where nothing else is printed then"},
	{COMMAND_FIX, "--all", 0, NULL, FLAG, AT(all), .help = "show all changes, not the best 5"},
	{METHODS, "--no-reduce", 0, NULL, FLAG, AT(as_given),
         .help = "explain the input as it is; only what it is compared with is searched for"},
	{METHODS, "--save", 0, "FILE", TEXT, AT(report.save),
         .help = "write the report as JSON as well, for hence show, verify and gdb"},
	{COMMAND_EXPLAIN, "--tests", 0, "FILE", TEXT, AT(tests),
         .help = "tests of the program, as of hence rank: the lines that they execute are evidence "
                 "for the suspects"},
	{COMMAND_FIX, "--tests", 0, "FILE", TEXT, AT(tests),
         .help = "tests of the program, as of hence rank: changes are tried on them, too"},
	{COMMAND_FIX, "--save", 0, "FILE", TEXT, AT(report.save),
         .help = "write the report as JSON as well, for hence show"},

	/* tree */
	{COMMAND_TREE, "--check", 0, "'FILE:LINE: EXPR'", HOOK, 0,
         .help = "a condition in C that should hold at that line; the tree begins where it is "
                 "false for the first time",
         .take = take_condition},
	{COMMAND_TREE, "--levels", 0, "N", NUMBER, AT(levels),
         .help = "levels below the failure that are computed (3)"},
	{COMMAND_TREE, "--nodes", 0, "N", NUMBER, AT(nodes), .help = "most causes (400)"},
	{COMMAND_TREE, "--show", 0, "N", NUMBER, AT(show),
         .help = "levels that the text shows; deeper causes are counted"},
	{COMMAND_TREE, "--full", 0, NULL, FLAG, AT(report.full),
         .help = "print all causes, and all of those that were tried in vain"},
	{COMMAND_TREE, "--correct", 0, "FUNC,...", LIST, AT(correct),
         .help = "functions that hold no causes (repeatable)"},
	{COMMAND_TREE, "--correct-file", 0, "FILE", TEXT, AT(correct_file),
         .help = "the same, one name a line, # begins a comment (hence.correct, if there is one)"},
	{COMMAND_TREE, "--no-experiments", 0, NULL, FLAG, AT(no_experiments),
         .help = "do not try the causes"},
	{COMMAND_TREE, "--interactive", 'i', NULL, FLAG, AT(interactive),
         .help = "walk through the tree and say what is suspicious"},
	{COMMAND_TREE, "--answers", 0, "FILE", TEXT, AT(answers),
         .help = "the same, with answers from a file"},
	{COMMAND_TREE, "--session", 0, "FILE", TEXT, AT(session),
         .help = "keep the answers there, and go on with them next time"},
	{COMMAND_TREE, "--smt", 0, "DIR", TEXT, AT(smt),
         .help = "write the contradiction of each cause to DIR, for SMT solvers"},
	{COMMAND_TREE, "--save", 0, "FILE", TEXT, AT(report.save),
         .help = "write the tree as JSON as well, for hence show"},

	/* chop, switch */
	{COMMAND_CHOP, "--isolate", 0, NULL, FLAG, AT(isolate),
         .help = "begin with the difference to the nearest input that passes, also when it was "
                 "found and not given: a smaller answer that may miss the fault"},
	{COMMAND_CHOP, "--no-reduce", 0, NULL, FLAG, AT(as_given),
         .help = "take the input as it is"},
	{COMMAND_SWITCH, "--first", 0, NULL, FLAG, AT(first),
         .help = "try branches in the order in which they are executed"},
	{COMMAND_SWITCH, "--all", 0, NULL, FLAG, AT(all),
         .help = "try all of them; otherwise five that are found are enough"},

	/* run */
	{COMMAND_RUN, "--account", 0, "FILE", TEXT, AT(report.run.account),
         .help = "write the account to FILE, as lines 'key: value'"},
	{COMMAND_RUN, "--io", 0, "FILE", TEXT, AT(report.run.io),
         .help = "write to FILE which call read and which wrote which bytes"},
	{COMMAND_RUN, "--check-repeat", 0, NULL, FLAG, AT(report.run.check_repeat),
         .help = "run twice and compare the recordings (exit code 3: they differ)"},
	{COMMAND_RUN, "--no-walk", 0, NULL, FLAG, AT(report.run.no_walk),
         .help = "do not count what was executed"},
	{COMMAND_RUN, "--verbose", 'v', NULL, FLAG, AT(report.run.verbose),
         .help = "also times, and the slowdown against a run without recording"},

	/* trace */
	{COMMAND_TRACE, "--function", 0, "F", TEXT, AT(function),
         .help = "only statements of this function"},
	{COMMAND_TRACE, "--line", 0, "FILE:N", HOOK, 0, .help = "only statements of this line",
         .take = take_line},
	{COMMAND_TRACE, "--variable", 0, "V", TEXT, AT(variable),
         .help = "only statements that read or write it: x, list->next, main.buf"},
	{COMMAND_TRACE, "--from", 0, "N", NUMBER, AT(from),
         .help = "only statements from this number on"},
	{COMMAND_TRACE, "--to", 0, "N", NUMBER, AT(to),
         .help = "only statements up to this number"},
	{COMMAND_TRACE, "--check", 0, NULL, FLAG, AT(check),
         .help = "print no statements: check that everything that was computed is what was "
                 "recorded (exit code 3: it is not)"},

	/* slice */
	{COMMAND_SLICE, "--at", 0, "FILE:LINE[:VAR]", HOOK, 0,
         .help = "slice from a line, or from a variable as it is right after it", .take = take_at},
	{COMMAND_SLICE, "--instance", 0, "N", HOOK, 0,
         .help = "at its Nth execution, -1 is the last (default)", .take = take_instance},
	{COMMAND_SLICE, "--output", 0, "[NAME:]BYTE", HOOK, 0,
         .help = "slice from a byte, from 0 on, of standard output, of stderr, or of a file that "
                 "the program wrote",
         .take = take_output},
	{COMMAND_SLICE, "--expect", 0, "FILE", TEXT, AT(report.failure.expect),
         .help = "slice from the first byte of standard output that is not as in FILE"},
	{COMMAND_SLICE, "--expect-text", 0, "TEXT", TEXT, AT(report.failure.expect_text),
         .help = "the same, as a word"},
	{COMMAND_SLICE, "--forward", 0, NULL, FLAG, AT(forward),
         .help = "what depends on something, instead of what it depends on; from --at, or from "
                 "input:"},
	{COMMAND_SLICE, "--argument", 0, "N[:RANGE]", HOOK, 0,
         .help = "argument N, or bytes of it, like 1:0-3", .take = take_argument},
	{COMMAND_SLICE, "--input", 0, "[NAME:]RANGE", HOOK, 0,
         .help = "bytes of standard input or of a file", .take = take_input},
	{COMMAND_SLICE, "--env", 0, "NAME", HOOK, 0, .help = "a variable of the environment",
         .take = take_variable},
	{COMMAND_SLICE | COMMAND_CHOP, "--relevant", 0, NULL, FLAG, AT(relevant),
         .help = "also branches that, taken the other way, could have mattered"},
	{COMMAND_SLICE, "--data", 0, NULL, FLAG, AT(data),
         .help = "only data: not the branches that decided what was executed"},
	{COMMAND_SLICE, "--depth", 0, "N", NUMBER, AT(depth),
         .help = "of --format dot: so many dependences from the criterion (4)"},
	{COMMAND_SLICE | COMMAND_TRACE, "--process", 0, "N", NUMBER, AT(process),
         .help = "of several recorded processes the Nth (default: the first)"},

	/* rank */
	{COMMAND_RANK, "--tests", 0, "FILE", TEXT, AT(tests), .help = "the tests"},
	{COMMAND_RANK, "--formula", 0, "NAME", CHOICE, AT(formula),
         .help = "ochiai, tarantula or dstar", .choices = formulas},
	{COMMAND_RANK, "--failing", 0, "N", NUMBER, AT(failing),
         .help = "explain the failure of test N; otherwise the first one"},
	{COMMAND_RANK, "--no-explain", 0, NULL, FLAG, AT(no_explain),
         .help = "only what the tests execute"},
	{COMMAND_RANK, "--most", 0, "N", NUMBER, AT(most), .help = "lines that are shown (10)"},

	/* verify, gdb */
	{COMMAND_VERIFY, "--step", 0, "N", NUMBER, AT(step),
         .help = "only the experiments of step N"},
	{COMMAND_GDB, "--reference", 0, NULL, FLAG, AT(reference),
         .help = "stop in the run that the failing one is compared with"},
	{COMMAND_GDB, "--batch", 0, NULL, FLAG, AT(batch),
         .help = "print what is displayed, and end"},
	{COMMAND_VERIFY | COMMAND_GDB, "--anyway", 0, NULL, FLAG, AT(anyway),
         .help = "use a program that was rebuilt since"},
	{COMMAND_VERIFY, "--unconfined", 0, NULL, FLAG, AT(report.failure.unconfined),
         .help = "allow a report that was made with this option to be run so again"},
	{COMMAND_GDB, "--unconfined", 0, NULL, FLAG, AT(report.failure.unconfined),
         .help = "let the program do what you may do; also for a report that was made so"},

	/* eval */
	{COMMAND_EVAL, "--methods", 0, "LIST", TEXT, AT(methods),
         .help = "only these, with commas between: explain, transitions, chain, patched, compare, "
                 "tree, chop, slice, relevant, switch, fix"},
	{COMMAND_EVAL, "--only", 0, "TEXT", TEXT, AT(only),
         .help = "only cases with TEXT in their names"},
	{COMMAND_EVAL, "--time", 0, "SECONDS", SECONDS, AT(report.failure.time),
         .help = "for each method (60); it is stopped when it needs twice as much"},
	{COMMAND_EVAL, "--build-time", 0, "SECONDS", SECONDS, AT(build_time),
         .help = "for each build (600)"},
	{COMMAND_EVAL, "--jobs", 'j', "N", NUMBER, AT(report.failure.jobs),
         .help = "cases at a time (one for each core)"},
	{COMMAND_EVAL, "--reports", 0, "DIR", TEXT, AT(reports),
         .help = "keep the reports of the methods in DIR/CASE/METHOD.json"},
	{COMMAND_EVAL, "--tables", 0, "FILE", TEXT, AT(tables),
         .help = "print the tables of results that were kept with -o"},
	{COMMAND_EVAL, "--pdg", 0, "PROGRAM", TEXT, AT(program),
         .help = "print the program dependence graph of a program, as JSON"},

	/* output */
	{METHODS | COMMAND_SHOW, "--format", 0, "FORMAT", HOOK, 0,
         .help = "text, json (--json for short), sarif (for code review), html (a page that needs "
                 "nothing else), dot (a graph), gcc (for editors); else what the ending of -o "
                 "says: .json, .sarif, .html or .dot",
         .take = take_format},
	{COMMAND_FIX, "--format", 0, "FORMAT", HOOK, 0,
         .help = "text, json (--json for short), sarif (for code review), html (a page that needs "
                 "nothing else), gcc (for editors); else what the ending of -o says: .json, .sarif "
                 "or .html",
         .take = take_format},
	{COMMAND_TREE | COMMAND_SLICE, "--format", 0, "FORMAT", HOOK, 0,
         .help = "text, json (--json for short), dot (for graphviz), gcc (for editors)",
         .take = take_format},
	{COMMAND_CHOP | COMMAND_SWITCH | COMMAND_RANK, "--format", 0, "FORMAT", HOOK, 0,
         .help = "text, json (--json for short), gcc (for editors)", .take = take_format},
	{COMMAND_REDUCE, "--format", 0, "FORMAT", HOOK, 0, .help = "text, json (--json for short)",
         .take = take_format},
	{COMMAND_TRACE, "--json", 0, NULL, HOOK, 0, .help = "one JSON object per line",
         .take = take_json},
	{COMMAND_VERIFY, "--json", 0, NULL, HOOK, 0, .help = "the answer as JSON",
         .take = take_json},
	{SEARCHES | COMMAND_SHOW | COMMAND_SLICE | COMMAND_RANK | COMMAND_REDUCE, "--json", 0, NULL,
         HOOK, 0, .help = NULL, .take = take_json},
	{SEARCHES | COMMAND_SHOW | COMMAND_RANK | COMMAND_TRACE, "--output", 'o', "FILE", TEXT,
         AT(report.out), .help = "write to FILE"},
	{COMMAND_SLICE, NULL, 'o', "FILE", TEXT, AT(report.out), .help = "write to FILE"},
	{COMMAND_REDUCE, "--output", 'o', "FILE", TEXT, AT(report.out),
         .help = "write the reduced input to FILE (a directory for several parts)"},
	{COMMAND_EVAL, "--output", 'o', "FILE", TEXT, AT(report.out),
         .help = "write the results to FILE, as JSON"},
	{METHODS | COMMAND_FIX | COMMAND_SHOW, "--full", 0, NULL, FLAG, AT(report.full),
         .help = "fold and shorten nothing"},
	{SEARCHES | COMMAND_SHOW | COMMAND_SLICE | COMMAND_RANK | COMMAND_REDUCE, "--color", 0,
         "[=WHEN]", HOOK, 0, .help = "auto, always or never", .choices = whens, .take = take_color},

	/* the recording */
	{RECORDS, "--stdin", 0, "FILE", TEXT, AT(report.run.input),
         .help = "standard input of the program"},
	{RECORDS | SEARCHES | COMMAND_RANK, "--models", 0, "FILE", LIST, AT(report.run.models),
         .help = "models of further outside functions (repeatable)"},
	{RECORDS | SEARCHES | COMMAND_RANK, "--tape-limit", 0, "SIZE", SIZE,
         AT(report.run.tape_limit), .help = "most that one process may record, like 500M (8G)"},
	{RECORDS, "--timeout", 0, "SECONDS", SECONDS, AT(report.run.timeout),
         .help = "kill the program after that time"},
	{RECORDS, "--time", 0, "SECONDS", SECONDS, AT(report.run.time),
         .help = "read the tape no longer than that (30)"},

	/* the failure */
	{FAILURES, "--stdin", 0, "FILE", TEXT, AT(report.failure.input),
         .help = "standard input of the program; it may be reduced"},
	{FAILURES, "--file", 0, "PATH", LIST, AT(report.failure.files),
         .help = "a file that the program reads and that may be reduced (repeatable)"},
	{FAILURES, "--env", 0, "NAME", LIST, AT(report.failure.variables),
         .help = "a variable of the environment that may be reduced (repeatable)"},
	{FAILURES, "--args", 0, NULL, FLAG, AT(report.failure.arguments),
         .help = "the arguments may be reduced; without any of these four, arguments and "
                 "redirected standard input are"},
	{FAILURES, "--by", 0, "UNIT", TEXT, AT(report.failure.by),
         .help = "auto, lines, tokens, bytes, or records=REGEX", .choices = units},
	{FAILURES, "--pass", 0, "'ARGS'", LIST, AT(report.failure.pass),
         .help = "arguments with which it does not fail (repeatable)"},
	{FAILURES, "--pass-stdin", 0, "FILE", LIST, AT(report.failure.pass_inputs),
         .help = "standard input with which it does not fail (repeatable)"},
	{FAILURES, "--pass-file", 0, "PATH=FILE", LIST, AT(report.failure.pass_files),
         .help = "a file with which it does not fail, in place of PATH (repeatable)"},
	{FAILURES, "--pass-prog", 0, "PROG", TEXT, AT(report.failure.pass_program),
         .help = "a build of the program whose output is right"},
	{FAILURES, "--expect", 0, "FILE", TEXT, AT(report.failure.expect),
         .help = "what it should print"},
	{FAILURES, "--expect-text", 0, "TEXT", TEXT, AT(report.failure.expect_text),
         .help = "the same, as a word"},
	{FAILURES, "--expect-file", 0, "OUT=RIGHT", LIST, AT(report.failure.expect_files),
         .help = "what it should write to the file OUT is in RIGHT (repeatable)"},
	{FAILURES, "--expect-status", 0, "N", HOOK, 0,
         .help = "the status that it should exit with", .take = take_status},
	{FAILURES, "--test", 0, "COMMAND", TEXT, AT(report.failure.test),
         .help = "judges a run: exit code 0 good, 125 cannot say, others bad"},
	{FAILURES, "--invert", 0, NULL, FLAG, AT(report.failure.invert),
         .help = "the test says 0 for bad"},
	{FAILURES, "--any-failure", 0, NULL, FLAG, AT(report.failure.any),
         .help = "any failure counts, not only the same one"},
	{FAILURES, "--timeout", 0, "SECONDS", SECONDS, AT(report.failure.timeout),
         .help = "a run that takes longer hangs"},
	{COMMAND_RANK, "--timeout", 0, "SECONDS", SECONDS, AT(report.failure.timeout),
         .help = "a run that takes longer hangs (10)"},
	{FAILURES, "--repeat", 0, "N", NUMBER, AT(report.failure.repeat),
         .help = "a verdict counts only if N runs agree"},
	{FAILURES | COMMAND_VERIFY, "--jobs", 'j', "N", NUMBER, AT(report.failure.jobs),
         .help = "runs at a time (one for each core)"},
	{COMMAND_RANK, "--jobs", 'j', "N", NUMBER, AT(report.failure.jobs),
         .help = "tests, and experiments, at the same time (one for each core)"},
	{FAILURES, "--time", 0, "SECONDS", SECONDS, AT(report.failure.time),
         .help = "the search ends after that time with the best so far"},
	{COMMAND_RANK, "--time", 0, "SECONDS", SECONDS, AT(report.failure.time),
         .help = "ends the search for causes"},
	{COMMAND_VERIFY, "--time", 0, "SECONDS", SECONDS, AT(report.failure.time),
         .help = "what is not tried after that time cannot be tried"},
	{FAILURES | COMMAND_RANK, "--unconfined", 0, NULL, FLAG, AT(report.failure.unconfined),
         .help = "runs may write and connect as the program may; for kernels without Landlock"},
	{ALL, "--help", 'h', NULL, FLAG, AT(help), .help = "this text"},
};

#define ROWS (sizeof(table) / sizeof(*table))

/* --- reading --- */

static struct hence_error *refuse_unknown(const struct command *command, const char *name)
{
	const char *names[2 * ROWS], *near;
	char letters[ROWS][3];
	size_t count = 0;

	for (size_t i = 0; i < ROWS; i++) {
		if (!(table[i].commands & command->bit))
			continue;
		if (table[i].name)
			names[count++] = table[i].name;
		if (table[i].letter) {
			memcpy(letters[i], (char[]){'-', table[i].letter, '\0'}, 3);
			names[count++] = letters[i];
		}
	}
	near = cli_nearest(name, names, count);
	if (near)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence %s has no option %s; did you mean %s?", command->name,
		                    name, near);
	return error_create(HENCE_ERROR_INPUT, "hence %s has no option %s; see 'hence %s --help'",
	                    command->name, name, command->name);
}

static struct hence_error *take(const struct option *row, struct options *o, const char *name,
                                const char *text)
{
	void *field = (char *)o + row->at;
	VEC(const char *) list;
	uint64_t number;

	switch (row->kind) {
	case FLAG: *(bool *)field = true; return NULL;
	case TEXT: *(const char **)field = text; return NULL;
	case LIST:
		/* Copied, since each VEC() is a type of its own. */
		memcpy(&list, field, sizeof(list));
		*vec_push(&list) = text;
		memcpy(field, &list, sizeof(list));
		return NULL;
	case NUMBER:
		if (!is_number(text, &number) || !number)
			return refuse(name, text, "a whole number above 0");
		*(uint64_t *)field = number;
		return NULL;
	case SECONDS: return take_seconds(name, text, field);
	case SIZE: return take_size(name, text, field);
	case CHOICE: return take_choice(name, text, row->choices, field);
	case HOOK: return row->take(o, name, text);
	}
	return NULL;
}

/* The option at **words, which is moved past it and its value: --name, --name VALUE, --name=VALUE, -x, -x VALUE or -xVALUE. */
static struct hence_error *read_one(const struct command *command, char ***words, struct options *o)
{
	const char *word = *(*words)++, *value = NULL;
	bool is_long = word[1] == '-', optional;
	size_t length = is_long ? strcspn(word, "=") : strlen(word);
	char *name GUARD_FREE = mem_strndup(word, length);
	const struct option *row = NULL;
	struct hence_error *error = NULL;

	if (is_long && word[length])
		value = word + length + 1;
	for (size_t i = 0; i < ROWS && !row; i++) {
		if (!(table[i].commands & command->bit))
			continue;
		if (is_long ? table[i].name && !strcmp(name, table[i].name)
		            : table[i].letter == word[1] && (!word[2] || table[i].value))
			row = &table[i];
	}
	if (row && !is_long && word[2]) {
		value = word + 2;
		name[2] = '\0';
	}
	optional = row && row->value && row->value[0] == '[' && row->value[1] == '=';
	if (!row)
		error = refuse_unknown(command, name);
	else if (!row->value && value)
		error = error_create(HENCE_ERROR_INPUT, "%s takes no value", name);
	else if (row->value && !value && !optional) {
		if (**words && strcmp(**words, "--"))
			value = *(*words)++;
		else
			error = error_create(HENCE_ERROR_INPUT,
			                     "%s needs a value; see 'hence %s --help'", name,
			                     command->name);
	}
	if (!error)
		error = take(row, o, name, value);
	return error;
}

/* Do they go together? Those of one command only are its own affair. */
static struct hence_error *check(const struct report_options *report)
{
	const struct failure_options *f = &report->failure;
	/* What is right is said in one way. */
	const char *const right[] = {
		f->expect ? "--expect" : NULL,
		f->expect_text ? "--expect-text" : NULL,
		f->test ? "--test" : NULL,
		f->pass_program ? "--pass-prog" : NULL,
	};
	const char *before = NULL;

	if (f->jobs > 1024)
		return error_create(HENCE_ERROR_INPUT, "-j %llu: give at most 1024",
		                    (unsigned long long)f->jobs);
	if (f->repeat > 1000000)
		return error_create(HENCE_ERROR_INPUT, "--repeat %llu: give at most 1000000",
		                    (unsigned long long)f->repeat);
	if (f->pass.size && f->pass_inputs.size && f->pass.size != f->pass_inputs.size)
		return error_create(
			HENCE_ERROR_INPUT,
			"there are %u --pass and %u --pass-stdin; the first goes with the first "
			"and so on, so give as many of both, or only one kind",
			f->pass.size, f->pass_inputs.size);
	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
		if (before && right[i])
			return error_create(HENCE_ERROR_INPUT,
			                    "%s and %s do not go together; leave one out", before,
			                    right[i]);
		before = right[i] ? right[i] : before;
	}
	for (uint32_t i = 0; i < f->pass_files.size; i++) {
		const char *is = strchr(f->pass_files.at[i], '=');

		if (!is || is == f->pass_files.at[i] || !is[1])
			return refuse("--pass-file", f->pass_files.at[i],
			              "a file of the failing run and the one in its place, like "
			              "conf=good.conf");
	}
	if ((f->has_status || f->expect_files.size) && (f->test || f->pass_program))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s and %s do not go together; leave one out",
		                    f->has_status ? "--expect-status" : "--expect-file",
		                    f->test ? "--test" : "--pass-prog");
	if (f->invert && !f->test)
		return error_create(HENCE_ERROR_INPUT,
		                    "--invert is about a test; give one with --test COMMAND");
	if (report->save && report->out && !strcmp(report->save, report->out))
		return error_create(
			HENCE_ERROR_INPUT,
			"-o and --save are the same file, %s; give two, or only one with --json",
			report->out);
	return NULL;
}

/* In single quotes, as one word for the shell. */
static void add_quoted(struct str *out, const char *text)
{
	str_add_char(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			str_add(out, "'\\''");
		else
			str_add_char(out, *text);
	str_add_char(out, '\'');
}

/* The path of a file that a test reads, wherever it runs. */
static struct hence_error *add_path(const char *option, const char *path, struct str *out)
{
	char *absolute = realpath(path, NULL);

	if (!absolute)
		return error_from_errno(HENCE_ERROR_INPUT, "%s: cannot read %s", option, path);
	add_quoted(out, absolute);
	free(absolute);
	return NULL;
}

/* Files that the program should write can be seen only by who looks at them when it has ended: a test does, which then also
   judges what else is expected. */
static struct hence_error *make_test(struct options *o)
{
	struct failure_options *f = &o->report.failure;
	struct hence_error *error = NULL;
	struct str line = STR_INIT, text = STR_INIT;
	bool printed = f->expect || f->expect_text;

	if (!f->expect_files.size)
		return NULL;
	str_printf(&line, "\"$@\"%s; test $? -eq %d || exit 1",
	           printed ? " >\"$TMPDIR/printed\"" : "", f->has_status ? f->status : 0);
	if (f->expect_text) {
		str_add(&line, "; printf '%s\\n' ");
		add_quoted(&line, f->expect_text);
		str_add(&line, " | cmp -s - \"$TMPDIR/printed\" || exit 1");
	} else if (f->expect) {
		str_add(&line, "; cmp -s \"$TMPDIR/printed\" ");
		error = add_path("--expect", f->expect, &line);
		str_add(&line, " || exit 1");
	}
	str_add(&text, "does not write ");
	for (uint32_t i = 0; !error && i < f->expect_files.size; i++) {
		const char *pair = f->expect_files.at[i], *right = strchr(pair, '=');
		char *out = mem_strndup(pair, strcspn(pair, "="));

		if (!right || right == pair || !right[1]) {
			error = refuse("--expect-file", pair, "two files, like out.txt=right.txt");
		} else {
			str_add(&line, "; cmp -s ");
			add_quoted(&line, out);
			str_add_char(&line, ' ');
			error = add_path("--expect-file", right + 1, &line);
			str_add(&line, " || exit 1");
			str_printf(&text, "%s%s", i ? ", " : "", out);
		}
		free(out);
	}
	str_add(&text, printed || f->has_status ? " and all else as expected" : " as expected");
	if (!error) {
		f->test = keep_text(o, str_text(&line), line.length);
		f->test_text = keep_text(o, str_text(&text), text.length);
		f->expect = f->expect_text = NULL;
		f->has_status = false;
	}
	str_deinit(&line);
	str_deinit(&text);
	return error;
}

/* What stands after the options is the command; `prog.c -lm -- ARGS` has words for the compiler, up to '--'. */
static void take_command(const struct command *command, struct options *o)
{
	struct report_options *r = &o->report;
	char **at = o->words;
	size_t length = *at ? strlen(*at) : 0;

	r->failure.command = r->run.command = at;
	if (!(command->bit & SOURCES) || length < 3 || strcmp(*at + length - 2, ".c") ||
	    !strcmp(at[-1], "--"))
		return;
	r->sources = at;
	while (at[r->source_count] && strcmp(at[r->source_count], "--"))
		r->source_count++;
	at += r->source_count;
	r->failure.command = at + (*at != NULL);
}

static void print_notice(const char *text)
{
	fprintf(stderr, "hence: %s\n", text);
}

struct hence_error *options_read(const struct command *command, char **words, struct options *o)
{
	struct hence_error *error = NULL;

	o->report.formats = command->formats;
	o->report.failure.notice = print_notice;
	o->report.run.tape_limit = RUN_TAPE_LIMIT;
	o->report.run.time = RUN_TIME;
	while (!error && *words && strcmp(*words, "--"))
		/* '-' alone is standard input, and no option. */
		if (**words == '-' && (*words)[1])
			error = read_one(command, &words, o);
		else if (command->bit & OPERANDS)
			*vec_push(&o->operands) = *words++;
		else
			break;
	if (!error && *words && !strcmp(*words, "--"))
		words++;
	/* Only gdb has something else after '--'. */
	while (!error && command->bit & OPERANDS & ~COMMAND_GDB && *words)
		*vec_push(&o->operands) = *words++;
	o->words = words;
	if (error || o->help)
		return error;
	if (command->bit & PROGRAMS && !*words)
		return error_create(HENCE_ERROR_INPUT,
		                    "no program given; use 'hence %s [OPTIONS] -- ./prog ARGS'",
		                    command->name);
	error = check(&o->report);
	if (!error)
		error = make_test(o);
	if (error)
		return error;
	if (command->bit & ENDINGS)
		report_options_choose_format(&o->report);
	if (command->bit & PROGRAMS)
		take_command(command, o);
	return NULL;
}

void options_deinit(struct options *o)
{
	report_options_deinit(&o->report);
	vec_deinit(&o->operands);
	vec_deinit(&o->correct);
	vec_deinit(&o->inputs);
	vec_free(&o->texts);
}

/* --- printing --- */

#define COLUMN 22u /* where the help of an option begins */
#define WIDTH  90u

/* Prints a text in lines of WIDTH, from `column` on. Ends of lines in the text stay, and blanks after them. */
static void print_wrapped(const char *text, unsigned column, FILE *file)
{
	size_t at = column;

	while (*text) {
		size_t gap = strspn(text, " "), length = strcspn(text + gap, " \n");

		if (at > column && at + gap + length > WIDTH) {
			fprintf(file, "\n%*s", (int)column, "");
			at = column;
		} else {
			fprintf(file, "%*s", (int)gap, "");
			at += gap;
		}
		fwrite(text + gap, 1, length, file);
		at += length;
		text += gap + length;
		if (*text == '\n') {
			fputc(*text++, file);
			at = column;
		}
	}
	fputc('\n', file);
}

void options_print_help(const struct command *command, FILE *file)
{
	fprintf(file, "%s\n\n", command->usage);
	print_wrapped(command->about, 0, file);
	fputc('\n', file);
	for (size_t i = 0; i < ROWS; i++) {
		const struct option *row = &table[i];
		struct str left = STR_INIT;

		if (!(row->commands & command->bit) || !row->help)
			continue;
		str_add(&left, "  ");
		if (row->letter)
			str_printf(&left, "-%c%s", row->letter, row->name ? ", " : "");
		str_add(&left, row->name ? row->name : "");
		if (row->value)
			str_printf(&left, "%s%s", strncmp(row->value, "[=", 2) ? " " : "",
			           row->value);
		if (left.length >= COLUMN)
			fprintf(file, "%s\n%*s", str_text(&left), (int)COLUMN, "");
		else
			fprintf(file, "%-*s", (int)COLUMN, str_text(&left));
		print_wrapped(row->help, COLUMN, file);
		str_deinit(&left);
	}
}

void options_print_list(const struct command *command, FILE *file)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct option *row = &table[i];
		struct str words = STR_INIT;

		if (!(row->commands & command->bit))
			continue;
		for (size_t k = 0; row->choices && row->choices[k]; k++)
			str_printf(&words, "%s%s", k ? " " : "", row->choices[k]);
		for (unsigned k = 0; row->take == take_format && k < REPORT_FORMATS; k++)
			if (command->formats & 1u << k)
				str_printf(&words, "%s%s", words.length ? " " : "",
				           explanation_formats[k].name);
		if (row->name)
			fprintf(file, "%s\t%s\t%s\n", row->name, str_text(&words),
			        row->help ? row->help : "");
		if (row->letter)
			fprintf(file, "-%c\t%s\t%s\n", row->letter, str_text(&words),
			        row->help ? row->help : "");
		str_deinit(&words);
	}
}
