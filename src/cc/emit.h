/* From hooked IR to an object or assembly file, with the un-hooked IR inside. */
#ifndef HENCE_CC_EMIT_H
#define HENCE_CC_EMIT_H

#include "base/error.h"
#include "cc/instrument.h"
#include "model/ir.h"

/* Adds a section with the compressed bitcode to what will be emitted from the module, and gives its
   hash. */
MUST_USE struct hence_error *emit_add_ir(LLVMModuleRef module, const void *bitcode, size_t size,
                                         uint8_t hash[16]);

/* Answers __builtin_object_size() and __builtin_constant_p() in un-hooked IR, as the code generator
   would at -O0. */
MUST_USE struct hence_error *emit_answer_questions(LLVMModuleRef module, bool *changed);

/* Inlines the hooks, puts their cursors into registers, and runs the code generator; nothing else
   touches the IR. */
MUST_USE struct hence_error *emit_module(LLVMModuleRef module, const struct cc_emit *emit);

/* The same for code that is loaded into a running program (src/edit), as fast as it can be had: an
   object in memory, position independent. Caller frees with LLVMDisposeMemoryBuffer(). */
MUST_USE struct hence_error *emit_object(LLVMModuleRef module, LLVMMemoryBufferRef *out);

#endif
