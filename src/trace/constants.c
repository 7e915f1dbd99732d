/* Constants of LLVM as bytes: see constants.h. */
#include "trace/constants.h"

#include <string.h>

#include "model/ir.h"

#define LARGEST 64u /* bytes of a constant that is no aggregate: a vector */

struct writer {
	const struct program_module *module;
	LLVMTargetDataRef layout;
	const struct constants_sink *sink;
};

bool constants_address(const struct program_module *module, LLVMValueRef global, uint64_t *out)
{
	uint64_t *found;

	while (LLVMIsAGlobalAlias(global))
		global = LLVMAliasGetAliasee(global);
	found = value_map_find(&module->values, (uint64_t)global);
	if (found)
		*out = *found;
	return found != NULL;
}

LLVMValueRef constants_base(LLVMValueRef constant)
{
	for (;;) {
		if (LLVMIsAGlobalAlias(constant))
			constant = LLVMAliasGetAliasee(constant);
		else if (LLVMIsAConstantExpr(constant) &&
		         (LLVMGetConstOpcode(constant) == LLVMGetElementPtr ||
		          LLVMGetConstOpcode(constant) == LLVMAddrSpaceCast ||
		          LLVMGetConstOpcode(constant) == LLVMBitCast))
			constant = LLVMGetOperand(constant, 0);
		else
			return LLVMIsAGlobalVariable(constant) ? constant : NULL;
	}
}

/* --- scalars --- */

static bool scalar(const struct writer *w, LLVMValueRef constant, uint64_t *out);

static bool offset_from(const struct writer *w, LLVMValueRef gep, uint64_t *out)
{
	int64_t offset;

	if (!scalar(w, LLVMGetOperand(gep, 0), out) || !ir_constant_offset(w->layout, gep, &offset))
		return false;
	*out += (uint64_t)offset;
	return true;
}

static uint64_t masked(LLVMTypeRef type, uint64_t value)
{
	unsigned width = 64;

	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		width = LLVMGetIntTypeWidth(type);
	return width >= 64 ? value : value & ((1ull << width) - 1);
}

static bool expression(const struct writer *w, LLVMValueRef e, uint64_t *out)
{
	uint64_t a, b;

	switch (LLVMGetConstOpcode(e)) {
	case LLVMGetElementPtr: return offset_from(w, e, out);
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMTrunc:
		if (!scalar(w, LLVMGetOperand(e, 0), &a))
			return false;
		*out = masked(LLVMTypeOf(e), a);
		return true;
	case LLVMAdd:
	case LLVMSub:
	case LLVMXor:
		if (!scalar(w, LLVMGetOperand(e, 0), &a) || !scalar(w, LLVMGetOperand(e, 1), &b))
			return false;
		*out = LLVMGetConstOpcode(e) == LLVMAdd   ? a + b
		       : LLVMGetConstOpcode(e) == LLVMSub ? a - b
		                                          : a ^ b;
		*out = masked(LLVMTypeOf(e), *out);
		return true;
	default: return false;
	}
}

/* A constant of up to 64 bits that stands for itself or for an address. */
static bool scalar(const struct writer *w, LLVMValueRef constant, uint64_t *out)
{
	uint64_t *label;

	if (LLVMIsNull(constant) || LLVMIsUndef(constant)) {
		*out = 0;
		return true;
	}
	if (LLVMIsAConstantInt(constant)) {
		*out = LLVMConstIntGetZExtValue(constant);
		return true;
	}
	if (LLVMIsABlockAddress(constant)) {
		label = value_map_find(&w->module->values,
		                       (uint64_t)LLVMGetBlockAddressBasicBlock(constant));
		if (label)
			*out = *label;
		return label != NULL;
	}
	if (LLVMIsAConstantExpr(constant))
		return expression(w, constant, out);
	return constants_address(w->module, constant, out);
}

/* --- wide and floating constants: LLVM says them in text only --- */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

#define WIDE 32u /* words of the widest integer */

/* Multiplies a number and adds to it. */
static void shift_in(uint64_t *number, uint32_t words, unsigned base, unsigned next)
{
	uint64_t carry = next;

	for (uint32_t i = 0; i < words; i++) {
		unsigned __int128 product = (unsigned __int128)number[i] * base + carry;

		number[i] = (uint64_t)product;
		carry = (uint64_t)(product >> 64);
	}
}

static void negate(uint64_t *number, uint32_t words)
{
	uint64_t carry = 1;

	for (uint32_t i = 0; i < words; i++) {
		number[i] = ~number[i] + carry;
		carry = carry && !number[i];
	}
}

/* 'i136 -5' */
static void parse_integer(const char *text, uint64_t number[WIDE])
{
	bool negative;

	text = strchr(text, ' ') + 1;
	negative = *text == '-';
	for (text += negative; digit(*text) >= 0; text++)
		shift_in(number, WIDE, 10, (unsigned)digit(*text));
	if (negative)
		negate(number, WIDE);
}

/* 'double 0x3FF0000000000000', 'double 1.5', 'x86_fp80 0xK3FFF...', 'half 0xH3C00' */
static unsigned __int128 parse_hex(const char *text)
{
	unsigned __int128 number = 0;

	for (; digit(*text) >= 0; text++)
		number = number * 16 + (unsigned)digit(*text);
	return number;
}

/* fp128 is written as two words, the low one first. */
static unsigned __int128 parse_quad(const char *text)
{
	unsigned __int128 number = parse_hex(text);

	return number << 64 | number >> 64;
}

static bool parse_float(LLVMTypeKind kind, LLVMValueRef constant, const char *text,
                        unsigned __int128 *out)
{
	const char *hex = strstr(text, " 0x");
	LLVMBool lost;
	uint64_t bits = 0;
	double value;
	float narrow;

	if (hex && strchr("KHRL", hex[3])) {
		*out = hex[3] == 'L' ? parse_quad(hex + 4) : parse_hex(hex + 4);
		return true;
	}
	if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
		return false;
	/* A float is written as the double with its value; a NaN as its bits. */
	if (hex) {
		bits = (uint64_t)parse_hex(hex + 3);
		memcpy(&value, &bits, sizeof(value));
	} else {
		value = LLVMConstRealGetDouble(constant, &lost);
	}
	if (kind == LLVMFloatTypeKind && value != value) {
		*out = (bits >> 32 & 0x80000000u) | 0x7f800000u | (bits >> 29 & 0x7fffff);
		return true;
	}
	narrow = (float)value;
	memcpy(&bits, kind == LLVMFloatTypeKind ? (void *)&narrow : (void *)&value,
	       kind == LLVMFloatTypeKind ? sizeof(narrow) : sizeof(value));
	*out = kind == LLVMFloatTypeKind ? (uint32_t)bits : bits;
	return true;
}

static bool wide(LLVMValueRef constant, uint64_t out[WIDE])
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	char *text = LLVMPrintValueToString(constant);
	unsigned __int128 number;
	bool done = true;

	if (kind == LLVMIntegerTypeKind) {
		parse_integer(text, out);
		if (LLVMGetIntTypeWidth(type) % 64)
			out[LLVMGetIntTypeWidth(type) / 64] &=
				(1ull << LLVMGetIntTypeWidth(type) % 64) - 1;
	} else {
		done = parse_float(kind, constant, text, &number);
		if (done)
			memcpy(out, &number, sizeof(number));
	}
	LLVMDisposeMessage(text);
	return done;
}

static bool is_wide(LLVMValueRef constant)
{
	if (LLVMIsAConstantFP(constant))
		return true;
	return LLVMIsAConstantInt(constant) && LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64;
}

/* --- aggregates --- */

static bool put(const struct writer *w, uint64_t at, LLVMValueRef constant);

static bool put_simple(const struct writer *w, uint64_t at, LLVMValueRef constant)
{
	uint64_t words[WIDE] = {0};
	uint32_t size = ir_store_size(w->layout, LLVMTypeOf(constant));

	if (size > sizeof(words) ||
	    !(is_wide(constant) ? wide(constant, words) : scalar(w, constant, words)))
		return false;
	w->sink->write(w->sink->context, at, (const uint8_t *)words, size);
	return true;
}

static bool put_string(const struct writer *w, uint64_t at, LLVMValueRef constant)
{
	size_t length;
	const char *text = LLVMGetAsString(constant, &length);

	w->sink->write(w->sink->context, at, (const uint8_t *)text, length);
	return true;
}

static bool put_elements(const struct writer *w, uint64_t at, LLVMValueRef constant, uint64_t count,
                         LLVMTypeRef element)
{
	uint64_t stride = LLVMABISizeOfType(w->layout, element);

	for (uint64_t i = 0; i < count; i++)
		if (!put(w, at + i * stride, LLVMGetAggregateElement(constant, (unsigned)i)))
			return false;
	return true;
}

static bool put_fields(const struct writer *w, uint64_t at, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);

	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
		if (!put(w, at + LLVMOffsetOfElement(w->layout, type, i),
		         LLVMGetAggregateElement(constant, i)))
			return false;
	return true;
}

/* Lanes of a vector lie closely; those of single bits share bytes. */
static bool put_lanes(const struct writer *w, uint64_t at, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant), element = LLVMGetElementType(type);
	unsigned count = LLVMGetVectorSize(type);
	unsigned bits = (unsigned)LLVMSizeOfTypeInBits(w->layout, element);
	uint8_t bytes[LARGEST] = {0};
	uint64_t lane;

	if (bits % 8 == 0) {
		for (unsigned i = 0; i < count; i++)
			if (!put(w, at + i * (bits / 8), LLVMGetAggregateElement(constant, i)))
				return false;
		return true;
	}
	if (bits != 1 || count > 8 * LARGEST)
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (!scalar(w, LLVMGetAggregateElement(constant, i), &lane))
			return false;
		bytes[i / 8] |= (uint8_t)((lane & 1) << i % 8);
	}
	w->sink->write(w->sink->context, at, bytes, (count + 7) / 8);
	return true;
}

static bool put(const struct writer *w, uint64_t at, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);

	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		return true;
	switch (LLVMGetTypeKind(type)) {
	case LLVMArrayTypeKind:
		if (LLVMIsAConstantDataArray(constant) && LLVMIsConstantString(constant))
			return put_string(w, at, constant);
		return put_elements(w, at, constant, LLVMGetArrayLength2(type),
		                    LLVMGetElementType(type));
	case LLVMStructTypeKind: return put_fields(w, at, constant);
	case LLVMVectorTypeKind: return put_lanes(w, at, constant);
	default: return put_simple(w, at, constant);
	}
}

bool constants_write(const struct program_module *module, LLVMValueRef constant,
                     const struct constants_sink *sink)
{
	struct writer writer = {module, module->plan->layout, sink};

	return put(&writer, 0, constant);
}

static void to_buffer(void *context, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
	memcpy((uint8_t *)context + offset, bytes, size);
}

bool constants_read(const struct program_module *module, LLVMValueRef constant, uint8_t *out)
{
	struct constants_sink sink = {to_buffer, out};

	memset(out, 0, ir_store_size(module->plan->layout, LLVMTypeOf(constant)));
	return constants_write(module, constant, &sink);
}
