/* Failure-inducing chains: see chain.h. */
#include "methods/chain.h"

struct hence_error *chain_find(const struct comparison *pair, enum backward_algorithm algorithm,
                               struct causes *out)
{
	const struct backward_options options = {.algorithm = algorithm,
	                                         .infer = {.way = HYBRID_REFERENCE}};

	return backward_find(pair, &options, out);
}
