/* The chain of an explanation as a code flow of SARIF: see sarif.h. */
#include <string.h>

#include "report/explanation_words.h"
#include "report/json.h"
#include "report/sarif.h"

/* --- what variables are --- */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* A variable is a key of an object: of two of one name, the later says whose it is; if that is the same, too, which
   of them it is. */
static void add_name(struct str *out, const struct explanation_step *step, uint32_t number)
{
	const struct explanation_value *v = &step->values.at[number];
	unsigned before = 0, alike = 0;

	for (uint32_t i = 0; i < number; i++) {
		const struct explanation_value *other = &step->values.at[i];

		before += is_same(other->name, v->name);
		alike += is_same(other->name, v->name) && is_same(other->function, v->function);
	}
	str_add(out, v->name);
	if (before && v->function)
		str_printf(out, " of %s()", v->function);
	if (alike || (before && !v->function))
		str_printf(out, " (%u)", before + 1);
}

/* `failing`: the values there; else those of the reference, as texts only. */
static void add_values(struct sarif *s, const struct explanation_step *step, const char *key,
                       bool failing)
{
	json_add_key(s->out, key);
	str_add_char(s->out, '{');
	for (uint32_t i = 0; i < step->values.size; i++) {
		const struct explanation_value *v = &step->values.at[i];
		const char *value = failing ? v->failing : v->reference;
		struct str name = STR_INIT;

		if (!v->name || !*v->name)
			continue;
		add_name(&name, step, i);
		if (failing)
			sarif_add_message(s, str_text(&name), value ? value : "(does not exist)");
		else
			json_add_known(s->out, str_text(&name), value);
		str_deinit(&name);
	}
	str_add_char(s->out, '}');
}

static bool has_names(const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (step->values.at[i].name && *step->values.at[i].name)
			return true;
	return false;
}

/* --- what a step is --- */

/* The words that the standard has for it (3.38.8); kinds that it has none for are our own. */
static void add_kinds(struct sarif *s, const struct explanation_step *step)
{
	const char *kind = step->kind ? step->kind : "value";

	json_add_key(s->out, "kinds");
	str_add_char(s->out, '[');
	if (!strcmp(kind, "call"))
		str_add(s->out, "\"call\",\"function\"");
	else if (!strcmp(kind, "input"))
		str_add(s->out, "\"acquire\",\"taint\"");
	else if (!strcmp(kind, "value"))
		str_add(s->out, step->transition ? "\"acquire\",\"value\"" : "\"value\"");
	else
		json_add_string(s->out, kind);
	str_add_char(s->out, ']');
}

/* Places in the order that they were executed in, if their times are all known; else they are in order. */
static uint32_t execution_order(const struct explanation *e, uint32_t number)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < e->steps.size; i++) {
		if (!e->steps.at[i].time)
			return number + 1;
		before += e->steps.at[i].time < e->steps.at[number].time;
	}
	return before + 1;
}

/* How deep calls are at a place is not known; main() is the outermost function for sure. */
static unsigned nesting(const struct explanation_place *place)
{
	return place->function && strcmp(place->function, "main") ? 1 : 0;
}

static void add_properties(struct sarif *s, const struct explanation_step *step)
{
	json_add_key(s->out, "properties");
	str_add_char(s->out, '{');
	json_add_known(s->out, "kind", step->kind);
	json_add_flag(s->out, "transition", step->transition);
	json_add_flag(s->out, step->observed ? "observed" : "proven",
	              step->observed || step->proven);
	if (step->apart)
		json_add_flag(s->out, "apart", true);
	if (step->usual)
		json_add_flag(s->out, "usual", true);
	json_add_known(s->out, "method", step->method);
	if (has_names(step))
		add_values(s, step, "reference", false);
	json_add_key(s->out, "experiments");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < step->proofs.size; i++)
		str_printf(s->out, "%s%llu", i ? "," : "",
		           (unsigned long long)step->proofs.at[i].experiment);
	str_add(s->out, "]}");
}

/* --- steps --- */

static void add_message(struct sarif *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	struct str text = STR_INIT, cause = STR_INIT;

	str_add(&text, !number ? "" : step->apart ? "also, " : "therefore ");
	explanation_add_step_short(&text, step, &explanation_unmarked, EXPLANATION_SHORT_VALUE);
	if (!step->proven && !step->observed)
		str_add(&text, " (not proven)");
	explanation_add_cause(&cause, step);
	if (cause.length)
		str_printf(&text, "; %s", str_text(&cause));
	sarif_add_message(s, "message", str_text(&text));
	str_deinit(&text);
	str_deinit(&cause);
}

static void add_step(struct sarif *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);

	sarif_open(s);
	json_add_key(s->out, "location");
	str_add_char(s->out, '{');
	sarif_add_location(s, place);
	add_message(s, number);
	str_add_char(s->out, '}');
	add_kinds(s, step);
	if (has_names(step))
		add_values(s, step, "state", true);
	json_add_number(s->out, "nestingLevel", nesting(place));
	json_add_number(s->out, "executionOrder", execution_order(s->e, number));
	json_add_member(s->out, "importance",
	                step->transition || step->observed ? "essential" : "important");
	add_properties(s, step);
	str_add_char(s->out, '}');
}

void sarif_add_flow(struct sarif *s)
{
	struct str verdict = STR_INIT;

	explanation_add_verdict(&verdict, s->e);
	json_add_key(s->out, "codeFlows");
	str_add(s->out, "[{");
	sarif_add_message(s, "message",
	                  verdict.length ? str_text(&verdict)
	                                 : "From the input to the failure: each step follows from "
	                                   "the one before, unless it says 'also'.");
	json_add_key(s->out, "threadFlows");
	str_add(s->out, "[{");
	json_add_key(s->out, "locations");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < s->e->steps.size; i++)
		add_step(s, i);
	str_add(s->out, "]}]}]");
	str_deinit(&verdict);
}
