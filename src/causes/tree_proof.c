/* Experiments on nodes of the cause tree: see tree.h. */
#include <stdlib.h>

#include "causes/tree.h"

void tree_proof_deinit(struct tree_proof *proof)
{
	free(proof->file);
	free(proof->function);
	free(proof->changed);
	free(proof->from);
	free(proof->to);
	free(proof->point.file);
	free(proof->point.function);
}
