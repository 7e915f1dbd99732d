/* Until symbolic evaluation and the solver are there: nothing has a term, so the cause tree follows data. Goes away with the
   last of them. */
#include "solve/refute.h"

#define WEAK __attribute__((weak))

WEAK struct symbolic *symbolic_create(const struct execution *execution, struct terms *terms)
{
	(void)terms;
	return (struct symbolic *)execution;
}

WEAK void symbolic_destroy(struct symbolic *symbolic)
{
	(void)symbolic;
}

WEAK term symbolic_branch(struct symbolic *symbolic, uint32_t instance, uint32_t way)
{
	(void)symbolic, (void)instance, (void)way;
	return 0;
}

WEAK term symbolic_operand(struct symbolic *symbolic, uint32_t instance, uint32_t operand)
{
	(void)symbolic, (void)instance, (void)operand;
	return 0;
}

WEAK term symbolic_memory(struct symbolic *symbolic, uint64_t address, uint32_t size,
                          const uint32_t *writers, const uint8_t *values)
{
	(void)symbolic, (void)address, (void)size, (void)writers, (void)values;
	return 0;
}

WEAK bool symbolic_address(struct symbolic *symbolic, uint32_t instance, uint32_t which, term *out,
                           uint64_t *value)
{
	(void)symbolic, (void)instance, (void)which, (void)out, (void)value;
	return false;
}

WEAK struct solver *solver_create(struct terms *terms, const struct solver_options *options)
{
	(void)terms, (void)options;
	return NULL;
}

WEAK void solver_destroy(struct solver *solver)
{
	(void)solver;
}

WEAK struct solver_counts solver_counts(const struct solver *solver)
{
	(void)solver;
	return (struct solver_counts){0};
}

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
