/* Failure-inducing chains: see chain.h. */
#include "methods/chain.h"

struct hence_error *chain_find(const struct symptom_run *failing,
                               const struct symptom_run *reference,
                               const struct alignment *alignment, const struct symptom *symptom,
                               const struct chain_options *options, struct causes *out)
{
	const struct backward_options backward = {
		.failing_pool = options->failing_pool,
		.reference_pool = options->reference_pool,
		.workers = options->workers,
		.algorithm = options->algorithm,
		.infer = {.way = HYBRID_REFERENCE},
		.stop = options->stop,
		.progress = options->progress,
		.context = options->context,
	};

	return backward_find(failing, reference, alignment, symptom, &backward, out);
}
