/* Preparing and running an instruction: see eval.h. What it computes is in the other files here. */
#include "eval/prepared.h"

#include <assert.h>
#include <string.h>

/* --- types --- */

static enum eval_format format_of(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) <= 128 ? EVAL_INTEGER : EVAL_OTHER;
	case LLVMPointerTypeKind: return EVAL_INTEGER;
	case LLVMHalfTypeKind: return EVAL_HALF;
	case LLVMBFloatTypeKind: return EVAL_BFLOAT;
	case LLVMFloatTypeKind: return EVAL_FLOAT;
	case LLVMDoubleTypeKind: return EVAL_DOUBLE;
	case LLVMX86_FP80TypeKind: return EVAL_FP80;
	case LLVMFP128TypeKind: return EVAL_FP128;
	default: return EVAL_OTHER;
	}
}

struct eval_scalar eval_scalar_of(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	struct eval_scalar scalar = {.format = EVAL_OTHER};

	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		scalar.lanes = LLVMGetVectorSize(type);
		type = LLVMGetElementType(type);
	}
	scalar.format = format_of(type);
	if (scalar.format != EVAL_OTHER)
		scalar.bits = (uint32_t)LLVMSizeOfTypeInBits(layout, type);
	return scalar;
}

static bool is_supported(LLVMTypeRef type);

static bool are_members_supported(LLVMTypeRef type)
{
	if (LLVMIsOpaqueStruct(type))
		return false;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
		if (!is_supported(LLVMStructGetTypeAtIndex(type, i)))
			return false;
	return true;
}

/* Can a value of the type be copied about? */
static bool is_supported(LLVMTypeRef type)
{
	LLVMTypeRef element;

	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return true;
	case LLVMStructTypeKind: return are_members_supported(type);
	case LLVMArrayTypeKind: return is_supported(LLVMGetElementType(type));
	case LLVMVectorTypeKind:
		/* LLVM packs elements, which the code generator cannot do with these. */
		element = LLVMGetElementType(type);
		return is_supported(element) && LLVMGetTypeKind(element) != LLVMX86_FP80TypeKind;
	default: return format_of(type) != EVAL_OTHER;
	}
}

uint32_t eval_type_words(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	uint64_t bytes;

	if (!is_supported(type))
		return UINT32_MAX;
	bytes = LLVMStoreSizeOfType(layout, type);
	return bytes / 8 < UINT32_MAX / 64 ? (uint32_t)((bytes + 7) / 8) : UINT32_MAX;
}

/* --- preparing --- */

static eval_preparer *preparer_of(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor: return eval_prepare_integer;
	case LLVMICmp: return eval_prepare_compare;
	case LLVMFAdd:
	case LLVMFSub:
	case LLVMFMul:
	case LLVMFDiv:
	case LLVMFRem:
	case LLVMFCmp: return eval_prepare_float;
	case LLVMFNeg: return eval_prepare_sign;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMAddrSpaceCast: return eval_prepare_resize;
	case LLVMBitCast:
	case LLVMFreeze: return eval_prepare_copy;
	case LLVMSelect: return eval_prepare_select;
	case LLVMFPToUI:
	case LLVMFPToSI: return eval_prepare_to_int;
	case LLVMUIToFP:
	case LLVMSIToFP: return eval_prepare_from_int;
	case LLVMFPTrunc:
	case LLVMFPExt: return eval_prepare_to_float;
	case LLVMExtractValue:
	case LLVMInsertValue: return eval_prepare_aggregate;
	case LLVMExtractElement:
	case LLVMInsertElement: return eval_prepare_element;
	case LLVMShuffleVector: return eval_prepare_shuffle;
	case LLVMCall: return eval_prepare_intrinsic;
	default: return NULL;
	}
}

static bool are_operands_supported(const struct eval_request *r)
{
	int count = r->opcode == LLVMCall ? (int)LLVMGetNumArgOperands(r->value)
	                                  : LLVMGetNumOperands(r->value);

	for (int i = 0; i < count; i++)
		if (!is_supported(LLVMTypeOf(LLVMGetOperand(r->value, (unsigned)i))))
			return false;
	return true;
}

/* Everything but `run`, as for one element. */
static bool describe(struct eval_request *r, struct eval *e)
{
	LLVMTypeRef type = LLVMTypeOf(r->value);
	LLVMValueRef second;

	e->words = eval_type_words(r->layout, type);
	if (e->words == UINT32_MAX || !are_operands_supported(r))
		return false;
	e->total = (uint32_t)LLVMSizeOfTypeInBits(r->layout, type);
	r->to = eval_scalar_of(r->layout, type);
	if (LLVMGetNumOperands(r->value) > 0)
		r->from = eval_scalar_of(r->layout, LLVMTypeOf(LLVMGetOperand(r->value, 0)));
	e->bits = r->to.bits;
	e->format = (uint8_t)r->to.format;
	e->from = r->from.bits;
	e->from_format = (uint8_t)r->from.format;
	e->code = (uint8_t)r->opcode;
	e->arity = (uint8_t)LLVMGetNumOperands(r->value);
	e->is_lane = r->to.lanes > 0;
	second = e->arity > 1 ? LLVMGetOperand(r->value, 1) : NULL;
	e->fixed = second && LLVMIsConstant(second);
	return true;
}

/* The instruction's word in LLVM's text: "  %1 = fadd fast float ..." gives fadd. */
static const char *word_of(const struct eval_request *r)
{
	const char *intrinsic = r->opcode == LLVMCall ? ir_intrinsic(r->value) : NULL;
	char *text, *word, *end;
	const char *result;

	if (intrinsic)
		return arena_printf(r->arena, "llvm.%s", intrinsic);
	if (!LLVMIsAInstruction(r->value))
		return "a constant expression";
	text = LLVMPrintValueToString(r->value);
	word = strstr(text, " = ");
	word = word ? word + 3 : text + strspn(text, " ");
	end = word + strcspn(word, " ");
	result = arena_strndup(r->arena, word, (size_t)(end - word));
	LLVMDisposeMessage(text);
	return result;
}

static const char *refuse(const struct eval_request *r)
{
	LLVMTypeRef type = LLVMTypeOf(r->value);
	char *name;
	const char *text;

	if (LLVMGetNumOperands(r->value) > 0 && r->opcode != LLVMCall)
		type = LLVMTypeOf(LLVMGetOperand(r->value, 0));
	name = LLVMPrintTypeToString(type);
	text = arena_printf(r->arena, "%s of %s", word_of(r), name);
	LLVMDisposeMessage(name);
	return text;
}

const char *eval_prepare(LLVMTargetDataRef layout, LLVMValueRef instruction, struct arena *arena,
                         const struct eval **out)
{
	struct eval_request r = {.layout = layout, .value = instruction, .arena = arena};
	struct eval *e = arena_new(arena, struct eval);
	eval_preparer *prepare;

	if (LLVMIsAInstruction(instruction))
		r.opcode = LLVMGetInstructionOpcode(instruction);
	else if (LLVMIsAConstantExpr(instruction))
		r.opcode = LLVMGetConstOpcode(instruction);
	else
		return "a value that no instruction computes";
	prepare = preparer_of(r.opcode);
	if (!prepare || !describe(&r, e) || (!prepare(&r, e) && !eval_prepare_long(&r, e)))
		return refuse(&r);
	if (e->is_lane && !e->whole && !eval_wrap_lanes(&r, e))
		return refuse(&r);
	assert(e->run);
	*out = e;
	return NULL;
}

bool eval_has_feature(LLVMValueRef instruction, const char *feature)
{
	static const char key[] = "target-features";
	LLVMValueRef function;
	LLVMAttributeRef attribute;
	const char *list, *at;
	size_t wanted = strlen(feature);
	unsigned length;

	if (!LLVMIsAInstruction(instruction))
		return false;
	function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	attribute = LLVMGetStringAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key, sizeof(key) - 1);
	list = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
	for (at = list; (at = strstr(at, feature)); at += wanted)
		if (at > list && at[-1] == '+' && (at[wanted] == ',' || !at[wanted]))
			return true;
	return false;
}

/* --- running --- */

bool eval_run(const struct eval *eval, const struct eval_value *operands, struct eval_value *result)
{
	if (eval->run(eval, operands, result))
		return true;

	uint32_t rest = eval->total % 64;

	for (uint32_t i = 0; i < eval->words; i++) {
		result->bits[i] = 0;
		result->undef[i] = ~0ull;
	}
	if (rest && eval->words == eval->total / 64 + 1)
		result->undef[eval->words - 1] = (1ull << rest) - 1;

	return false;
}

uint32_t eval_words(const struct eval *eval)
{
	return eval->words;
}

/* --- bits anywhere --- */

u128 eval_get_at(const uint64_t *words, uint32_t at, uint32_t bits)
{
	u128 value = 0;

	for (uint32_t done = 0; done < bits;) {
		uint32_t shift = (at + done) % 64;
		uint32_t part = 64 - shift < bits - done ? 64 - shift : bits - done;
		uint64_t word = words[(at + done) / 64] >> shift;

		value |= (u128)(word & (uint64_t)eval_mask(part)) << done;
		done += part;
	}
	return value;
}

void eval_put_at(uint64_t *words, uint32_t at, uint32_t bits, u128 value)
{
	for (uint32_t done = 0; done < bits;) {
		uint32_t shift = (at + done) % 64;
		uint32_t part = 64 - shift < bits - done ? 64 - shift : bits - done;
		uint64_t mask = (uint64_t)eval_mask(part) << shift;
		uint64_t *word = &words[(at + done) / 64];

		*word = (*word & ~mask) | ((uint64_t)(value >> done) << shift & mask);
		done += part;
	}
}
