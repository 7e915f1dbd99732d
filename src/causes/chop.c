/* Failure-inducing chops: see chop.h. */
#include "causes/chop.h"

/* Statements of the backward slice that no input reaches. */
static struct hence_error *find_independent(const struct slice_run *run,
                                            const struct slice_options *options,
                                            const struct slice *backward, roaring_bitmap_t **out)
{
	const struct slice_input any = {.kind = SLICE_ANY};
	struct slice_options plain = *options;
	struct hence_error *error;
	struct slice reached;

	plain.edge = NULL;
	error = slice_forward(run, NULL, 0, &any, 1, &plain, &reached);
	if (error)
		return error;
	*out = roaring_bitmap_andnot(backward->codes, reached.codes);
	slice_deinit(&reached);
	return NULL;
}

static void intersect(struct chop *chop)
{
	chop->codes = roaring_bitmap_and(chop->backward.codes, chop->forward.codes);
	roaring_bitmap_andnot_inplace(chop->independent, chop->codes);
	roaring_bitmap_or_inplace(chop->codes, chop->independent);
}

struct hence_error *chop_compute(const struct slice_run *run,
                                 const struct slice_criterion *criteria, uint32_t count,
                                 const struct slice_input *inputs, uint32_t input_count,
                                 const struct slice_options *options, struct chop *out)
{
	struct hence_error *error;
	struct chop chop = {0};

	error = slice_backward(run, criteria, count, options, &chop.backward);
	if (error)
		return error;
	error = slice_forward(run, NULL, 0, inputs, input_count, options, &chop.forward);
	if (error)
		goto free_backward;
	error = find_independent(run, options, &chop.backward, &chop.independent);
	if (error)
		goto free_forward;
	intersect(&chop);
	*out = chop;
	return NULL;

free_forward:
	slice_deinit(&chop.forward);
free_backward:
	slice_deinit(&chop.backward);
	return error;
}

void chop_deinit(struct chop *chop)
{
	slice_deinit(&chop->backward);
	slice_deinit(&chop->forward);
	roaring_bitmap_free(chop->codes);
	roaring_bitmap_free(chop->independent);
	*chop = (struct chop){0};
}
