/* A condition that the user gives: see violation.h. */
#include <ctype.h>
#include <string.h>

#include "causes/violation_check.h"

#define ANEW 4096u /* terms after which those of single evaluations are dropped */

/* --- the text --- */

void violation_check_deinit(struct violation_check *check)
{
	free(check->file);
	free(check->expression);
	*check = (struct violation_check){0};
}

static struct hence_error *malformed(const char *text)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "'%s' is not FILE:LINE: CONDITION, as in 'list.c:12: n >= 0'", text);
}

/* FILE:LINE: in front; NULL: there is no such thing, or the line is no number. */
static const char *find_line(const char *text, unsigned *line)
{
	for (const char *at = strchr(text, ':'); at && at > text; at = strchr(at + 1, ':')) {
		const char *digits = at + 1 + strspn(at + 1, " ");
		size_t length = strspn(digits, "0123456789");
		const char *behind = digits + length + strspn(digits + length, " ");

		if (!length || length > 7 || *behind != ':')
			continue;
		*line = (unsigned)strtoul(digits, NULL, 10);
		return at;
	}
	return NULL;
}

struct hence_error *violation_check_parse(const char *text, struct violation_check *out)
{
	struct arena arena = ARENA_INIT;
	const struct check_node *root;
	struct hence_error *error;
	const char *expression;
	unsigned line = 0;
	const char *file = find_line(text, &line);

	if (!file || !line)
		return malformed(text);
	expression = strchr(file + 1, ':') + 1;
	while (isspace((unsigned char)*expression))
		expression++;
	error = check_parse(expression, &arena, &root);
	arena_deinit(&arena);
	if (error)
		return error;
	*out = (struct violation_check){.file = mem_strndup(text, (size_t)(file - text)),
	                                .line = line,
	                                .expression = mem_strdup(expression)};
	return NULL;
}

/* --- the first time that it is false --- */

enum answer {
	UNKNOWN,
	ELSEWHERE,
	HERE,
};

struct check_search {
	struct watch watch;
	struct violation_work *work;
	const struct check_node *root;
	struct arena arena;     /* of the tree */
	struct arena temporary; /* types, of an evaluation */
	struct terms *constants;
	struct check_evaluator evaluator;
	VEC(uint8_t) answers; /* enum answer, of the first instruction of a statement */
	uint64_t evaluated, skipped;
	char *why; /* it was skipped, the first time */
	struct hence_error *error;
	bool found;
};

/* The instruction that ends the statement which begins at the program counter. */
static uint32_t end_of_statement(const struct activation *a)
{
	uint32_t pc = a->pc;

	while (pc + 1 < a->function->size && !(a->function->insns[pc].flags & CODE_STATEMENT))
		pc++;
	return pc;
}

static enum answer ask(struct check_search *s, const struct activation *a)
{
	const struct violation_check *check = s->work->question->check;
	struct walk_place place =
		names_place(s->watch.names, a->function->first + end_of_statement(a));

	return place.file && place.line == check->line && describe_is_file(place.file, check->file)
	               ? HERE
	               : ELSEWHERE;
}

static bool is_here(struct check_search *s, const struct activation *a)
{
	uint32_t code = a->function->first + a->pc;

	while (s->answers.size <= code)
		*vec_push(&s->answers) = UNKNOWN;
	if (s->answers.at[code] == UNKNOWN)
		s->answers.at[code] = (uint8_t)ask(s, a);
	return s->answers.at[code] == HERE;
}

static void prepare(struct check_search *s, const struct activation *a)
{
	s->evaluator.names = s->watch.names;
	s->evaluator.a = a;
	s->evaluator.where = a->function->instructions[end_of_statement(a)];
	s->evaluator.arena = &s->temporary;
	if (terms_count(s->constants) > ANEW) {
		terms_release(s->constants, 1);
		arena_deinit(&s->temporary);
	}
	s->evaluator.terms = s->constants;
	s->evaluator.work = NULL;
}

/* It is false now: the same once more, as a claim about those who wrote what it reads. */
static void take(struct check_search *s, const struct activation *a)
{
	struct violation_work *w = s->work;
	uint32_t instance = execution_next(s->watch.e);
	term claim;

	s->found = true;
	violation_set_place(w->out, s->watch.names, a->function->first + end_of_statement(a),
	                    execution_statements(s->watch.e) + 1);
	str_add(&w->out->wanted, w->question->check->expression);
	check_print(&s->evaluator, s->root, &w->out->numbers);
	str_printf(&w->out->what, "%s does not hold", w->question->check->expression);
	if (s->evaluated == 2)
		str_add(&w->out->what, ": the first time, after it held once");
	else if (s->evaluated > 2)
		str_printf(&w->out->what, ": the first time, after it held %llu times",
		           (unsigned long long)(s->evaluated - 1));
	if (!violation_is_kept(w, instance)) {
		s->error = error_create(HENCE_ERROR_INPUT,
		                        "the condition is false for the first time in "
		                        "a part of the run that could not be kept");
		return;
	}
	s->evaluator.terms = w->terms;
	s->evaluator.work = w;
	claim = check_truth(&s->evaluator, s->root);
	violation_set_claim(w, instance, s->evaluator.problem ? 0 : claim);
}

static void refuse(struct check_search *s)
{
	const struct violation_check *check = s->work->question->check;

	s->error = error_create(HENCE_ERROR_INPUT, "the condition '%s' at %s:%u: column %u: %s",
	                        check->expression, check->file, check->line, s->evaluator.column,
	                        s->evaluator.problem);
}

static void evaluate(struct check_search *s, const struct activation *a)
{
	bool truth;

	prepare(s, a);
	truth = check_actual(&s->evaluator, check_truth(&s->evaluator, s->root));
	if (s->evaluator.problem && s->evaluator.wrong) {
		refuse(s);
	} else if (s->evaluator.problem) {
		s->skipped++;
		if (!s->why) {
			s->why = s->evaluator.problem;
			s->evaluator.problem = NULL;
		}
	} else {
		s->evaluated++;
		if (!truth)
			take(s, a);
	}
	free(s->evaluator.problem);
	s->evaluator.problem = NULL;
	if (s->found || s->error)
		watch_halt(&s->watch);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct check_search *s = (struct check_search *)watch;
	const struct activation *a = execution_top(watch->e, 0);

	if (event == EXECUTION_BEGINS && a && !s->found && !s->error && is_here(s, a))
		evaluate(s, a);
}

/* --- what comes of it --- */

static struct hence_error *held(struct check_search *s)
{
	const struct violation_check *check = s->work->question->check;
	struct str skipped = STR_INIT;
	struct hence_error *error;

	if (s->skipped)
		str_printf(&skipped, "; %llu time%s it could not be evaluated: %s",
		           (unsigned long long)s->skipped, s->skipped == 1 ? "" : "s", s->why);
	error = error_create(HENCE_ERROR_NOTHING,
	                     "the condition '%s' held each time at %s:%u (%llu evaluation%s)%s",
	                     check->expression, check->file, check->line,
	                     (unsigned long long)s->evaluated, s->evaluated == 1 ? "" : "s",
	                     str_text(&skipped));
	str_deinit(&skipped);
	return error;
}

static struct hence_error *unreadable(struct check_search *s)
{
	const struct violation_check *check = s->work->question->check;

	return error_create(
		HENCE_ERROR_INPUT,
		"the condition '%s' could not be evaluated at %s:%u (executed %llu time%s): "
		"%s",
		check->expression, check->file, check->line, (unsigned long long)s->skipped,
		s->skipped == 1 ? "" : "s", s->why);
}

static struct hence_error *finish(struct watch *watch)
{
	struct check_search *s = (struct check_search *)watch;

	if (s->error || s->found) {
		if (s->found && s->skipped)
			violation_note(s->work->out,
			               "before that it could not be evaluated %llu time%s: %s",
			               (unsigned long long)s->skipped, s->skipped == 1 ? "" : "s",
			               s->why);
		return s->error;
	}
	if (s->evaluated)
		return held(s);
	return s->skipped ? unreadable(s) : NULL;
}

/* Nothing was executed there: the criterion of a place says why. */
static struct hence_error *no_line(struct violation_work *w)
{
	const struct criterion_point point = {
		.file = w->question->check->file, .line = w->question->check->line, .instance = 1};
	struct criterion unused = {0};
	struct hence_error *error = criterion_of_place(w->run, &point, w->question->until, &unused);

	criterion_deinit(&unused);
	if (error)
		return error;
	return error_create(HENCE_ERROR_INPUT, "no statement begins at %s:%u",
	                    w->question->check->file, w->question->check->line);
}

struct hence_error *violation_of_check(struct violation_work *w)
{
	struct criterion unused = {0};
	struct check_search s = {.watch = {.run = w->run,
	                                   .until = w->question->until,
	                                   .begins = true,
	                                   .statement = on_statement,
	                                   .finish = finish,
	                                   .out = &unused},
	                         .work = w};
	struct hence_error *error = check_parse(w->question->check->expression, &s.arena, &s.root);

	w->out->failure = "check";
	if (!error) {
		s.constants = terms_create();
		error = watch_run(&s.watch);
		terms_destroy(s.constants);
	}
	if (!error && !s.found)
		error = no_line(w);
	free(s.why);
	vec_deinit(&s.answers);
	vec_deinit(&s.evaluator.known);
	arena_deinit(&s.arena);
	arena_deinit(&s.temporary);
	criterion_deinit(&unused);
	return error;
}
