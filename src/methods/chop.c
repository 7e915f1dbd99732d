/* Failure-inducing chops: see chop.h. */
#include "methods/chop.h"

/* Takes from `codes` what input of this kind reaches. */
static struct hence_error *take_reached(const struct recording *run, enum slice_input_kind kind,
                                        const struct slice_options *options,
                                        roaring_bitmap_t *codes)
{
	const struct slice_input input = {.kind = kind};
	struct slice reached;
	struct hence_error *error = slice_forward(run, NULL, 0, &input, 1, options, &reached);

	if (error)
		return error;
	roaring_bitmap_andnot_inplace(codes, reached.codes);
	slice_deinit(&reached);
	return NULL;
}

/* Statements of the backward slice that no input reaches, and constants. After `if (argc < 2)` the
   number of arguments controls everything in main(), a wrong constant there as well. So that
   number, and checks by which main() ends early, count for what reads them, not for what comes
   after them. */
static struct hence_error *find_independent(const struct recording *run,
                                            const struct slice_options *options,
                                            const struct slice *backward, roaring_bitmap_t **out)
{
	const struct slice_options all = {
		.past_guards = true, .stop = options->stop, .context = options->context};
	const struct slice_options data = {
		.data_only = true, .stop = options->stop, .context = options->context};
	roaring_bitmap_t *codes = roaring_bitmap_copy(backward->ends);
	struct hence_error *error = take_reached(run, SLICE_ANY, &all, codes);

	if (!error)
		error = take_reached(run, SLICE_COUNT, &data, codes);
	if (error) {
		roaring_bitmap_free(codes);
		return error;
	}
	roaring_bitmap_or_inplace(codes, backward->constants);
	*out = codes;
	return NULL;
}

struct hence_error *chop_compute(const struct recording *run,
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

	chop.codes = roaring_bitmap_and(chop.backward.codes, chop.forward.codes);
	roaring_bitmap_andnot_inplace(chop.independent, chop.codes);
	roaring_bitmap_or_inplace(chop.codes, chop.independent);

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
