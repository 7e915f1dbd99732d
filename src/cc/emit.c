/* From hooked IR to an object or assembly file: see emit.h. */
#include "cc/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include <llvm-c/Transforms/PassBuilder.h>

#include "base/mem.h"
#include "base/str.h"
#include "runtime/protocol.h"

/* Two FNV-1a hashes with different starts: enough to name a blob, not a signature. */
static void hash_bytes(const uint8_t *bytes, size_t size, uint8_t hash[16])
{
	uint64_t a = 0xcbf29ce484222325ull, b = 0x9ae16a3b2f90404full;

	for (size_t i = 0; i < size; i++) {
		a = (a ^ bytes[i]) * 0x100000001b3ull;
		b = (b ^ bytes[i]) * 0x9fb21c651e98df25ull;
	}
	memcpy(hash, &a, 8);
	memcpy(hash + 8, &b, 8);
}

/* Assembly that puts bytes into the section: .ascii with octal escapes, a line each 64 bytes. */
static void add_bytes(struct str *text, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "01234567";

	for (size_t i = 0; i < size; i++) {
		char octal[4] = {'\\', digits[bytes[i] >> 6], digits[bytes[i] >> 3 & 7],
		                 digits[bytes[i] & 7]};

		if (i % 64 == 0)
			str_add(text, i ? "\"\n.ascii \"" : ".ascii \"");
		str_add_bytes(text, octal, 4);
	}
	if (size)
		str_add(text, "\"\n");
}

/* With a checksum, so that a damaged blob is noticed before LLVM reads it. */
static size_t compress(void *to, size_t room, const void *from, size_t size)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t result;

	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	result = ZSTD_compress2(context, to, room, from, size);
	ZSTD_freeCCtx(context);
	return result;
}

struct hence_error *emit_add_ir(LLVMModuleRef module, const void *bitcode, size_t size,
                                uint8_t hash[16])
{
	size_t room = ZSTD_compressBound(size);
	struct hence_ir_header header = {.protocol = HENCE_PROTOCOL, .llvm = HENCE_LLVM};
	struct str text = STR_INIT;
	uint8_t *packed = mem_alloc(room);

	memcpy(header.magic, HENCE_IR_MAGIC, 8);
	hash_bytes(bitcode, size, header.hash);
	header.plain_size = size;
	header.size = compress(packed, room, bitcode, size);
	if (ZSTD_isError(header.size)) {
		free(packed);
		return error_create(HENCE_ERROR_INTERNAL, "cannot compress IR: %s",
		                    ZSTD_getErrorName(header.size));
	}
	str_printf(&text, "\n.pushsection %s,\"\",@progbits\n.p2align 3\n", HENCE_IR_SECTION);
	add_bytes(&text, (const uint8_t *)&header, sizeof(header));
	add_bytes(&text, packed, header.size);
	str_add(&text, ".p2align 3\n.popsection\n");
	LLVMAppendModuleInlineAsm(module, str_text(&text), text.length);
	memcpy(hash, header.hash, 16);
	str_deinit(&text);
	free(packed);
	return NULL;
}

static bool has_flag(LLVMModuleRef module, const char *name)
{
	return LLVMGetModuleFlag(module, name, strlen(name)) != NULL;
}

static struct hence_error *make_machine(LLVMModuleRef module, LLVMRelocMode relocation,
                                        LLVMCodeGenOptLevel level, LLVMTargetMachineRef *out)
{
	const char *triple = LLVMGetTarget(module);
	struct hence_error *error;
	LLVMTargetRef target;
	char *message;

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
	if (LLVMGetTargetFromTriple(triple, &target, &message)) {
		error = error_create(HENCE_ERROR_INPUT, "target %s is not supported: %s", triple,
		                     message);
		LLVMDisposeMessage(message);
		return error;
	}
	*out = LLVMCreateTargetMachine(target, triple, "", "", level, relocation,
	                               LLVMCodeModelDefault);
	return NULL;
}

static struct hence_error *run_passes(LLVMModuleRef module, const char *passes,
                                      LLVMTargetMachineRef machine)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef failed = LLVMRunPasses(module, passes, machine, options);
	struct hence_error *error = NULL;
	char *message;

	LLVMDisposePassBuilderOptions(options);
	if (failed) {
		message = LLVMGetErrorMessage(failed);
		error = error_create(HENCE_ERROR_INTERNAL, "cannot run %s: %s", passes, message);
		LLVMDisposeErrorMessage(message);
	}
	return error;
}

static bool asks_about_code(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (!strncmp(name, "llvm.objectsize.", 16) ||
		    !strncmp(name, "llvm.is.constant.", 17))
			return true;
	}
	return false;
}

struct hence_error *emit_answer_questions(LLVMModuleRef module, bool *changed)
{
	*changed = asks_about_code(module);
	return *changed ? run_passes(module, "function(lower-constant-intrinsics)", NULL) : NULL;
}

static struct hence_error *write_file(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                      const struct cc_emit *emit)
{
	LLVMCodeGenFileType type =
		emit->kind == CC_EMIT_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
	struct hence_error *error;
	char *message;

	if (!LLVMTargetMachineEmitToFile(machine, module, (char *)emit->output, type, &message))
		return NULL;
	error = error_create(HENCE_ERROR_INPUT, "cannot write %s: %s", emit->output, message);
	LLVMDisposeMessage(message);
	unlink(emit->output);
	return error;
}

struct hence_error *emit_module(LLVMModuleRef module, const struct cc_emit *emit)
{
	LLVMTargetMachineRef machine;
	struct hence_error *error =
		make_machine(module, has_flag(module, "PIC Level") ? LLVMRelocPIC : LLVMRelocStatic,
	                     LLVMCodeGenLevelDefault, &machine);

	if (error)
		return error;
	error = run_passes(module, "always-inline,function(mem2reg)", machine);
	if (!error)
		error = write_file(module, machine, emit);
	LLVMDisposeTargetMachine(machine);
	return error;
}

#define PROCESSOR 4 /* attributes that say what processor a function is for */

/* False: none of them is there. */
static bool processor_of(LLVMValueRef function, LLVMAttributeRef out[PROCESSOR])
{
	static const char *const names[PROCESSOR] = {"target-cpu", "tune-cpu", "target-features",
	                                             "min-legal-vector-width"};
	bool found = false;

	for (int i = 0; i < PROCESSOR; i++) {
		out[i] = LLVMGetStringAttributeAtIndex(
			function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
			(unsigned)strlen(names[i]));
		found |= out[i] != NULL;
	}
	return found;
}

/* LLVM prepares at some cost for each processor that a function is for. If all functions of the program are for the same one,
   those that hence made are so, too. */
static void share_processor(LLVMModuleRef module)
{
	LLVMAttributeRef all[PROCESSOR], own[PROCESSOR];
	LLVMValueRef f;
	bool known = false;

	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || !processor_of(f, own))
			continue;
		if (!known)
			memcpy(all, own, sizeof(all));
		known = true;
		/* There is one of each text in a context. */
		if (memcmp(all, own, sizeof(all)))
			return;
	}
	for (f = LLVMGetFirstFunction(module); f && known; f = LLVMGetNextFunction(f))
		for (int i = 0; i < PROCESSOR && !LLVMIsDeclaration(f); i++)
			if (all[i])
				LLVMAddAttributeAtIndex(
					f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, all[i]);
}

struct hence_error *emit_object(LLVMModuleRef module, LLVMMemoryBufferRef *out)
{
	LLVMTargetMachineRef machine;
	struct hence_error *error =
		make_machine(module, LLVMRelocPIC, LLVMCodeGenLevelNone, &machine);
	char *message = NULL;

	if (error)
		return error;
	share_processor(module);
	error = run_passes(module, "always-inline,function(mem2reg)", machine);
	if (!error &&
	    LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, out)) {
		error = error_create(HENCE_ERROR_INTERNAL, "cannot compile edited code: %s",
		                     message);
		LLVMDisposeMessage(message);
	}
	LLVMDisposeTargetMachine(machine);
	return error;
}
