/* Until refute() is there: nothing is refuted, so the cause tree follows data. Goes away with it. */
#include "solve/refute.h"

#define WEAK __attribute__((weak))

WEAK void refute(struct symbolic *symbolic, struct solver *solver,
                 const struct refute_question *question, struct refutation *out)
{
	(void)symbolic, (void)solver, (void)question;
	*out = (struct refutation){.how = REFUTED_NOT};
}

WEAK void refutation_deinit(struct refutation *refutation)
{
	vec_deinit(&refutation->core);
	vec_deinit(&refutation->transforming);
	vec_deinit(&refutation->conjuncts);
}

WEAK const struct execution *symbolic_execution(const struct symbolic *symbolic)
{
	return (const struct execution *)symbolic;
}

WEAK struct terms *symbolic_terms(const struct symbolic *symbolic)
{
	(void)symbolic;
	return NULL;
}

WEAK uint64_t symbolic_actual(void *symbolic, uint64_t number)
{
	(void)symbolic, (void)number;
	return 0;
}

WEAK uint32_t refute_propose(struct symbolic *symbolic, struct solver *solver,
                             const struct refute_question *question, uint32_t instance,
                             uint64_t *values, uint32_t room)
{
	(void)symbolic, (void)solver, (void)question, (void)instance, (void)values, (void)room;
	return 0;
}
