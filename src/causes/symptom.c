/* Finds the symptom: see symptom.h. */
#include "causes/symptom_work.h"

#include "align/versions.h"
#include "causes/criterion.h"

void symptom_set_place(struct symptom *symptom, const char *file, const char *function,
                       unsigned line, unsigned column)
{
	symptom->file = file ? mem_strdup(file) : NULL;
	symptom->function = function ? mem_strdup(function) : NULL;
	symptom->line = line;
	symptom->column = column;
}

/* --- how the run ends --- */

static void show_end(const struct outcome *outcome, struct str *out)
{
	switch (outcome->kind) {
	case OUTCOME_EXITED: str_printf(out, "exit status %d", outcome->status); break;
	case OUTCOME_SIGNALLED: str_add(out, outcome_signal_name(outcome->signal)); break;
	case OUTCOME_TIMED_OUT: str_add(out, "no end"); break;
	default: str_add(out, "an unknown end");
	}
}

static struct hence_error *find_end(struct symptom_search *s)
{
	const struct outcome *failing = &s->failing->result->outcome;
	const struct outcome *reference = &s->reference->result->outcome;
	struct criterion criterion = {0};
	struct hence_error *error;

	if (reference->kind != OUTCOME_EXITED)
		return error_create(HENCE_ERROR_INPUT, "the reference does not end as it should");
	error = criterion_of_failure(s->failing->recording, failing, 0, &criterion);
	if (error)
		return error;
	s->out->kind = SYMPTOM_END;
	/* What it died of has not ended. */
	s->out->failing_time =
		s->alignment->a_statements + (failing->kind == OUTCOME_SIGNALLED ? 1 : 0);
	s->out->reference_time = s->alignment->b_statements;
	show_end(failing, &s->out->failing);
	show_end(reference, &s->out->reference);
	str_add(&s->out->what, "the program ");
	if (s->oracle->failure.kind == FAILURE_TEST)
		str_printf(&s->out->what, "exits with %d", failing->status);
	else
		oracle_write_text(s->oracle, &s->out->what);
	symptom_set_place(s->out, criterion.file, criterion.function, criterion.line,
	                  criterion.column);
	criterion_deinit(&criterion);
	return NULL;
}

/* --- all --- */

static uint64_t first_difference(const struct str *a, const struct str *b)
{
	uint64_t at = 0;

	while (at < a->length && at < b->length && a->text[at] == b->text[at])
		at++;
	return at;
}

static bool same_output(const struct symptom_search *s)
{
	const struct str *a = &s->failing->result->output, *b = &s->reference->result->output;

	return a->length == b->length && first_difference(a, b) == a->length;
}

/* The oracle looks for the wrong line; in the run that it judged first, it knows which one. */
static uint64_t wrong_byte(const struct symptom_search *s)
{
	const struct failure *failure = &s->oracle->failure;
	const struct str *output = &s->failing->result->output, *line = &failure->line;
	uint64_t start = failure->wrong - failure->column;

	if (!failure->missing && !s->oracle->options->other &&
	    start + line->length <= output->length &&
	    !memcmp(str_text(output) + start, str_text(line), line->length))
		return failure->wrong;
	return oracle_wrong_byte(s->oracle, s->failing->result);
}

static struct hence_error *find(struct symptom_search *s)
{
	enum failure_kind kind = s->oracle->failure.kind;

	/* That the wrong line is somewhere in the output of another input says nothing. */
	if (kind == FAILURE_OUTPUT ? same_output(s)
	                           : oracle_judge(s->oracle, s->reference->result) == VERDICT_FAIL)
		return error_create(HENCE_ERROR_INPUT, "the reference fails as well");
	if (kind == FAILURE_OUTPUT)
		return symptom_find_output(s, wrong_byte(s));
	if (kind == FAILURE_TEST && !same_output(s))
		return symptom_find_output(s, first_difference(&s->failing->result->output,
		                                               &s->reference->result->output));
	if (kind == FAILURE_TEST && outcome_exit_code(&s->failing->result->outcome) ==
	                                    outcome_exit_code(&s->reference->result->outcome))
		return error_create(HENCE_ERROR_INPUT,
		                    "both runs print the same and end in the same way: only the "
		                    "test sees a difference");
	return find_end(s);
}

/* The failure in the other version of the program: the same statement, where it is there. */
static void translate(const struct versions *versions, struct failure *failure)
{
	struct place *place = &failure->outcome.place;
	struct outcome_assert *assertion = &failure->outcome.assertion;
	const char *file;
	unsigned line;

	if (place->function &&
	    versions_line(versions, place->function, (unsigned)place->line, &file, &line)) {
		place->file = (char *)file;
		place->line = (int)line;
	}
	if (assertion->function &&
	    versions_line(versions, assertion->function, (unsigned)assertion->line, &file, &line)) {
		assertion->file = (char *)file;
		assertion->line = (int)line;
	}
}

static struct symptom_judge *judge_create(const struct symptom_search *s)
{
	struct symptom_judge *judge = mem_alloc(sizeof(*judge));

	judge->alignment = s->alignment;
	judge->settings = *s->oracle->options;
	judge->settings.other = judge->settings.test = false;
	for (uint32_t i = 0; i < 2; i++) {
		judge->oracles[i] = *s->oracle;
		judge->oracles[i].options = &judge->settings;
	}
	if (s->alignment->versions)
		translate(s->alignment->versions, &judge->oracles[false].failure);
	judge->sides[true].run = *s->failing;
	judge->sides[false].run = *s->reference;
	return judge;
}

struct hence_error *symptom_find(const struct symptom_run *failing,
                                 const struct symptom_run *reference,
                                 const struct alignment *alignment, const struct oracle *oracle,
                                 struct symptom *out)
{
	struct symptom found = {0};
	struct symptom_search s = {failing, reference, alignment, oracle, &found};
	struct hence_error *error;

	found.judge = judge_create(&s);
	error = find(&s);
	if (error)
		symptom_deinit(&found);
	else
		*out = found;
	return error;
}

void symptom_deinit(struct symptom *symptom)
{
	if (!symptom->judge)
		return;
	for (uint32_t i = 0; i < 2; i++)
		passes_map_deinit(&symptom->judge->sides[i].passes);
	symptom_text_deinit(&symptom->judge->text);
	free(symptom->judge);
	str_deinit(&symptom->what);
	str_deinit(&symptom->failing);
	str_deinit(&symptom->reference);
	free(symptom->file);
	free(symptom->function);
	*symptom = (struct symptom){0};
}
