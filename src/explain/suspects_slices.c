/* Lines in slices, as evidence: see suspects_slices.h. */
#include "explain/suspects_slices.h"

#include "methods/chop.h"
#include "failure/criterion.h"
#include "methods/deciding.h"
#include "report/listing.h"

void suspect_lines_deinit(struct suspect_lines *lines)
{
	for (uint32_t i = 0; i < lines->all.size; i++)
		explanation_place_deinit(&lines->all.at[i]);
	vec_deinit(&lines->all);
}

static bool has(const struct suspect_lines *lines, const char *file, unsigned line)
{
	for (uint32_t i = 0; i < lines->all.size; i++)
		if (lines->all.at[i].line == line && !strcmp(lines->all.at[i].file, file))
			return true;
	return false;
}

static void add(struct suspect_lines *lines, const char *file, unsigned line, const char *function)
{
	if (line && file && !has(lines, file, line))
		*vec_push(&lines->all) = (struct explanation_place){
			.file = mem_strdup(file),
			.line = line,
			.function = function ? mem_strdup(function) : NULL};
}

/* --- the dual slice --- */

static void add_code(struct suspect_lines *lines, struct code *table, uint32_t code)
{
	const struct code_function *f = code_of(table, code);
	LLVMValueRef instruction = f->instructions[code - f->first];
	unsigned length;

	if (LLVMInstructionGetDebugLoc(instruction))
		add(lines, LLVMGetDebugLocFilename(instruction, &length),
		    LLVMGetDebugLocLine(instruction), f->plan->name);
}

void suspect_lines_add_dual(struct suspect_lines *lines, const struct dual *dual)
{
	struct execution *e = (struct execution *)dual_execution(dual, 0);
	roaring_bitmap_t *codes = roaring_bitmap_create();
	roaring_uint32_iterator_t *i;
	uint32_t first, end;

	execution_kept(e, &first, &end);
	for (uint32_t instance = first; instance < end; instance++)
		if (dual_has(dual, 0, instance))
			roaring_bitmap_add(codes, execution_code(e, instance));
	for (i = roaring_create_iterator(codes); i->has_value; roaring_advance_uint32_iterator(i))
		add_code(lines, execution_code_table(e), i->current_value);
	roaring_free_uint32_iterator(i);
	roaring_bitmap_free(codes);
}

/* --- the chop --- */

static struct hence_error *list(const struct suspect_chop *c, const struct chop *chop,
                                const struct criterion *criterion, struct suspect_lines *lines)
{
	const struct listing_choice choice = {.codes = chop->codes,
	                                      .instances = chop->backward.instances,
	                                      .special = chop->independent,
	                                      .only_lines = true,
	                                      .end = criterion->end};
	struct listing listing;
	struct hence_error *error = listing_collect(c->run, &choice, &listing);

	if (error)
		return error;
	for (uint32_t i = 0; i < listing.lines.size; i++)
		if (listing.lines.at[i].chosen)
			add(lines, listing.files.at[listing.lines.at[i].file].name,
			    listing.lines.at[i].line, listing.lines.at[i].function);
	listing_deinit(&listing);
	return NULL;
}

static struct hence_error *add_chop(const struct suspect_chop *c, const struct criterion *criterion,
                                    struct suspect_lines *lines)
{
	const struct slice_options options = {.stop = budget_stops, .context = (void *)c->budget};
	struct deciding deciding;
	struct hence_error *error;
	struct chop chop;

	deciding_find(c->failing, c->passing, &deciding);
	error = chop_compute(c->run, criterion->at.at, criterion->at.size, deciding.inputs.at,
	                     deciding.inputs.size, &options, &chop);
	if (!error) {
		error = list(c, &chop, criterion, lines);
		chop_deinit(&chop);
	}
	deciding_deinit(&deciding);
	return error;
}

struct hence_error *suspect_lines_add_chop(struct suspect_lines *lines,
                                           const struct suspect_chop *c)
{
	struct criterion criterion;
	struct hence_error *error =
		criterion_of_result(c->run, c->oracle, c->result, &c->result->outcome, &criterion);

	if (error)
		return error;
	if (criterion.at.size)
		error = add_chop(c, &criterion, lines);
	criterion_deinit(&criterion);
	return error;
}

/* --- as evidence --- */

void suspects_add_lines(struct explanation *e, const struct suspect_lines *lines,
                        enum suspect_row row, const char *words, struct explain_sources *sources)
{
	for (uint32_t i = 0; i < lines->all.size; i++) {
		const struct explanation_place *at = &lines->all.at[i];
		struct explanation_place place =
			explain_place(sources, at->file, at->line, 0, at->function);

		suspects_add(e, &place, row, 1, mem_strdup(words));
		explanation_place_deinit(&place);
	}
}
