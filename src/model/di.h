/*
 * Debug information nodes: the questions that LLVM's C API does not answer. Operands lie at other
 * places in LLVM 19 than in 22, and some fields are no operands: those are read from the node's
 * text, which takes a few microseconds.
 *
 * Nodes and names are valid as long as the module.
 */
#ifndef HENCE_MODEL_DI_H
#define HENCE_MODEL_DI_H

#include "base/vec.h"
#include "model/ir.h"

/* The DWARF tags and encodings that C needs, as in the standard; LLVM's C API has no names. */
enum di_tag {
	DI_ARRAY = 0x01,
	DI_ENUM = 0x04,
	DI_MEMBER = 0x0d,
	DI_POINTER = 0x0f,
	DI_STRUCT = 0x13,
	DI_FUNCTION = 0x15,
	DI_TYPEDEF = 0x16,
	DI_UNION = 0x17,
	DI_BASE = 0x24,
	DI_CONST = 0x26,
	DI_VOLATILE = 0x35,
	DI_RESTRICT = 0x37,
	DI_ATOMIC = 0x47,
};

/* Nodes in the order of the program; a missing one is NULL. */
struct di_list {
	LLVMMetadataRef *at;
	uint32_t size, room;
};

/* The operands of any node; {0} for NULL. Caller frees with vec_deinit(). */
struct di_list di_operands(LLVMContextRef context, LLVMMetadataRef node);

/* What a derived type, an array or an enum is made of; NULL: void, or nothing. */
LLVMMetadataRef di_base_type(LLVMContextRef context, LLVMMetadataRef type);

/* Members, enumerators, dimensions of a composite type; of a function type its result and
   parameters. Caller frees with vec_deinit(). */
struct di_list di_elements(LLVMContextRef context, LLVMMetadataRef type);

/* Name and type of a variable or a function, name of an enumerator; NULL: it has none. The name
   is not terminated. */
const char *di_variable_name(LLVMContextRef context, LLVMMetadataRef variable, size_t *length);
LLVMMetadataRef di_variable_type(LLVMContextRef context, LLVMMetadataRef variable);
LLVMMetadataRef di_subprogram_type(LLVMContextRef context, LLVMMetadataRef subprogram);
const char *di_subprogram_name(LLVMContextRef context, LLVMMetadataRef subprogram, size_t *length);
const char *di_enumerator_name(LLVMContextRef context, LLVMMetadataRef node, size_t *length);

/* The scope around a lexical block; NULL: the node is none. */
LLVMMetadataRef di_parent_scope(LLVMContextRef context, LLVMMetadataRef scope);

/* Value of a node that stands for a constant integer, such as the count of a DISubrange. */
bool di_constant(LLVMContextRef context, LLVMMetadataRef node, int64_t *value);

/* The node as text. Caller frees with LLVMDisposeMessage(). Do not ask while an instruction uses
   the node (LLVM 19): LLVM then numbers the whole module for each text. */
char *di_text(LLVMContextRef context, LLVMMetadataRef node);

/* Of such a text, what follows `field: `; NULL: it is not there. */
const char *di_field(const char *text, const char *field);

/* The number in such a field; 0: it is not there. */
int64_t di_number(const char *text, const char *field);

#endif
