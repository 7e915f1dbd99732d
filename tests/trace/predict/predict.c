/*
 * predict MODELS FOLDER [DESCRIPTOR]: decodes the first tape of the session in FOLDER and prints what
 * the program must have written to DESCRIPTOR (1 if there is none). The tape is all it looks at.
 * Whatever was not as predicted is said on stderr, and the exit code is 1: a load or branch that is
 * not as on the tape, a guess, an instruction that cannot be evaluated, output that is not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outside/table.h"
#include "trace/execution.h"

static unsigned complaints;

#define complain(...)                                                                              \
	do {                                                                                       \
		fprintf(stderr, __VA_ARGS__);                                                      \
		fputc('\n', stderr);                                                               \
		complaints++;                                                                      \
	} while (0)

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "predict: %s\n", error->message);
	exit(2);
}

/* --- the self-check --- */

static void print_mismatch(struct execution *e, const struct execution_mismatch *m)
{
	static const char *const kinds[] = {[MISMATCH_LOAD] = "load",
	                                    [MISMATCH_BRANCH] = "branch",
	                                    [MISMATCH_SWITCH] = "switch",
	                                    [MISMATCH_JUMP] = "jump",
	                                    [MISMATCH_RETURN] = "return"};
	const struct code_function *f = code_of(execution_code_table(e), m->code);
	LLVMValueRef instruction = f->instructions[m->code - f->first];
	char *text = LLVMPrintValueToString(instruction);

	complain("%s mismatch in %s, line %u: expected %llx, recorded %llx (after %s):%s",
	         kinds[m->kind], f->plan->name, LLVMGetDebugLocLine(instruction),
	         (unsigned long long)m->expected, (unsigned long long)m->recorded,
	         m->culprit ? m->culprit : "-", text);
	LLVMDisposeMessage(text);
}

static void check_mismatches(struct execution *e)
{
	const struct execution_mismatch *all;
	uint64_t count;
	uint32_t kept;

	all = execution_mismatches(e, &kept, &count);
	for (uint32_t i = 0; i < kept && i < 5; i++)
		print_mismatch(e, &all[i]);
	if (count)
		complain("%llu mismatches", (unsigned long long)count);
	if (execution_guesses(e))
		complain("%llu guesses", (unsigned long long)execution_guesses(e));
}

static void check_counts(struct execution *e)
{
	const struct walk_counts *walked = walk_counts(execution_walk(e));

	if (execution_instances(e) != walked->instructions)
		complain("%llu instances, but %llu instructions were walked",
		         (unsigned long long)execution_instances(e),
		         (unsigned long long)walked->instructions);
	if (execution_statements(e) != walked->statements)
		complain("%llu statements, but %llu were walked",
		         (unsigned long long)execution_statements(e),
		         (unsigned long long)walked->statements);
	if (!execution_instances(e))
		complain("nothing was executed");
}

/* --- the output --- */

/* Pieces must follow each other, and be found by each of their bytes. */
static void check_piece(const struct outputs_stream *stream, const struct outputs_piece *piece,
                        uint64_t offset)
{
	if (piece->offset != offset)
		complain("a piece is at %llu, the one before ends at %llu",
		         (unsigned long long)piece->offset, (unsigned long long)offset);
	if (piece->size && (outputs_at(stream, offset) != piece ||
	                    outputs_at(stream, offset + piece->size - 1) != piece))
		complain("the piece at %llu is not found", (unsigned long long)offset);
	if (!piece->known)
		complain("%llu bytes of output at %llu are not known",
		         (unsigned long long)piece->size, (unsigned long long)offset);
}

static void print_stream(const struct outputs_stream *stream)
{
	uint64_t offset = 0;

	for (uint32_t i = 0; stream && i < stream->pieces.size; i++) {
		const struct outputs_piece *piece = &stream->pieces.at[i];

		check_piece(stream, piece, offset);
		if (piece->known)
			fwrite(outputs_piece_bytes(stream, piece), 1, piece->size, stdout);
		offset += piece->size;
	}
	if (stream && offset != stream->size)
		complain("the pieces do not add up to the stream");
}

int main(int argc, char **argv)
{
	struct execution_options options = {.outputs = true};
	struct modules *modules = modules_create();
	struct execution *e;
	void *table;
	size_t size;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: predict MODELS FOLDER [DESCRIPTOR]\n");
		return 2;
	}
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	options.table = table;
	must(execution_create(modules, argv[2], 0, &options, &e));
	must(execution_run(e, NULL));
	check_mismatches(e);
	check_counts(e);
	print_stream(outputs_stream(execution_outputs(e), argc > 3 ? atoi(argv[3]) : 1));
	if (outputs_mismatches(execution_outputs(e)))
		complain("%llu calls wrote another number of bytes",
		         (unsigned long long)outputs_mismatches(execution_outputs(e)));
	execution_destroy(e);
	modules_destroy(modules);
	free(table);
	return fflush(stdout) || complaints ? 1 : 0;
}
