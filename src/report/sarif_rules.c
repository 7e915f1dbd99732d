/* The rules of SARIF: a kind of failure each. Ids are for ever: who has silenced one must find it so again. */
#include <string.h>

#include "report/json.h"
#include "report/sarif.h"

#define PREFIX "hence/"

static const struct rule {
	const char *id, *name, *brief, *full;
} rules[] = {
	{PREFIX "crash", "Crash", "The program dies of a signal.",
         "The program was ended by a signal that it did not send itself on purpose, such as "
         "SIGSEGV or SIGFPE."},
	{PREFIX "assert", "AssertionFailure", "An assertion does not hold.",
         "The program found by itself that something is not so that its author took for granted, "
         "and gave up."},
	{PREFIX "wrong-output", "WrongOutput", "The program puts out something else than expected.",
         "What the program puts out differs from what was given as right."},
	{PREFIX "exit", "WrongExitStatus",
         "The program ends with another exit status than expected.",
         "The program says by its exit status that it failed, or that it did not when it should "
         "have."},
	{PREFIX "hang", "Hang", "The program does not come to an end.",
         "The program was stopped because it took longer than it was given."},
	{PREFIX "memory", "MemoryError", "The program uses memory that it must not use.",
         "The program reads or writes memory outside of an object, after its life, or before it "
         "has a value."},
	{PREFIX "test", "TestFailure", "A test of the program fails.",
         "A command that judges the program's run says that it failed."},
	{PREFIX "failure", "Failure", "The program fails.",
         "The program fails in a way that has no rule of its own."},
};

#define RULES (sizeof(rules) / sizeof(*rules))

static const char help[] = "The code flow leads from the input to the failure: each step tells "
			   "variables whose values decide whether the "
			   "program fails, and the value that they have in a run that passes. A "
			   "step that is proven was tried: with the other "
			   "value the program does not fail, or the run that passes does. Related "
			   "locations are where to look first.";

unsigned sarif_rule_index(const char *kind)
{
	unsigned i = 0;

	while (i < RULES - 1 && !(kind && !strcmp(rules[i].id + strlen(PREFIX), kind)))
		i++;
	return i;
}

const char *sarif_rule_id(unsigned index)
{
	return rules[index].id;
}

void sarif_add_rules(struct sarif *s)
{
	json_add_key(s->out, "rules");
	str_add_char(s->out, '[');
	for (unsigned i = 0; i < RULES; i++) {
		sarif_open(s);
		json_add_member(s->out, "id", sarif_rule_id(i));
		json_add_member(s->out, "name", rules[i].name);
		sarif_add_message(s, "shortDescription", rules[i].brief);
		sarif_add_message(s, "fullDescription", rules[i].full);
		sarif_add_message(s, "help", help);
		str_add(s->out, ",\"defaultConfiguration\":{\"level\":\"error\"}}");
	}
	str_add_char(s->out, ']');
}
