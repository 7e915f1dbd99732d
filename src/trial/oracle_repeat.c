/* Several runs of one input: see oracle_repeat.h. */
#include "trial/oracle_repeat.h"

#include <stdlib.h>

/* What a run did, and what that means. Caller frees. */
static char *describe(const struct trial_result *result, enum verdict verdict)
{
	struct str text = STR_INIT;

	if (result->test >= 0)
		str_printf(&text, "the test exited with status %d", result->test);
	else
		outcome_write_text(&result->outcome, &text);
	str_printf(&text, ": %s", verdict_name(verdict));
	return str_steal(&text);
}

bool oracle_repeat_add(struct oracle_repeat *repeat, const struct oracle *oracle,
                       const struct trial_result *result, uint32_t wanted)
{
	enum verdict verdict = oracle_judge(oracle, result);

	repeat->runs++;
	if (repeat->runs == 1) {
		repeat->verdict = verdict;
		repeat->first = describe(result, verdict);
	} else if (verdict != repeat->verdict && !repeat->disagree) {
		repeat->disagree = true;
		repeat->second = describe(result, verdict);
	}
	return repeat->disagree || repeat->runs >= wanted;
}

enum verdict oracle_repeat_verdict(const struct oracle_repeat *repeat)
{
	return repeat->disagree ? VERDICT_UNRESOLVED : repeat->verdict;
}

void oracle_repeat_deinit(struct oracle_repeat *repeat)
{
	free(repeat->first);
	free(repeat->second);
	*repeat = (struct oracle_repeat){0};
}
