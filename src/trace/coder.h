/* Inside the translation of functions: what code*.c share. */
#ifndef HENCE_TRACE_CODER_H
#define HENCE_TRACE_CODER_H

#include "trace/code.h"

MAP_DEFINE_U64(operand_map, uint32_t);

/* A function that is being translated. */
struct coder {
	struct code *code;
	const struct program_module *module;
	struct code_function *function;
	struct operand_map operands; /* of LLVM's values */
	struct operand_map blocks;   /* numbers of LLVM's blocks */
	VEC(struct code_slot) constants;
	bool unreadable; /* the last instruction has a constant that we cannot evaluate */
	const struct plan_record *record, *records_end; /* those that were not asked for yet */
};

/* The next record, if it is of this instruction. */
const struct plan_record *coder_record(struct coder *c, LLVMValueRef instruction);

/* The operand that a value is. */
uint32_t coder_operand(struct coder *c, LLVMValueRef value);

/* Translates one instruction. */
void coder_insn(struct coder *c, LLVMValueRef instruction, struct code_insn *out);

/* Translates one that follows from its operands alone, by eval.h. */
void coder_eval(struct coder *c, LLVMValueRef instruction, struct code_insn *out);

/* Marks an instruction as one that we cannot evaluate. */
void coder_unsupported(struct coder *c, struct code_insn *out, const char *what);

/* --- code_calls.c --- */

void coder_call(struct coder *c, LLVMValueRef call, struct code_insn *out);

/* --- code_memory.c --- */

void coder_load(struct coder *c, LLVMValueRef load, struct code_insn *out);
void coder_store(struct coder *c, LLVMValueRef store, struct code_insn *out);
void coder_alloca(struct coder *c, LLVMValueRef alloca_, struct code_insn *out);
void coder_atomic(struct coder *c, LLVMValueRef atomic, struct code_insn *out);
void coder_gep(struct coder *c, LLVMValueRef gep, struct code_insn *out);

#endif
