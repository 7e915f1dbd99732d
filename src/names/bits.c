/*
 * Which bit-field a load or store is about: clang moves the whole unit that bit-fields share, and
 * what it does with the value tells which bits are meant.
 *
 *	read, signed      ashr (shl UNIT, up), down
 *	read, unsigned    and (lshr UNIT, from), mask
 *	write             or (and UNIT, ~mask), value
 */
#include "names/work.h"

static bool is_mask(uint64_t bits, uint32_t *offset, uint32_t *size)
{
	if (!bits)
		return false;
	*offset = (uint32_t)__builtin_ctzll(bits);
	bits >>= *offset;
	*size = (uint32_t)__builtin_popcountll(bits);
	return *size == 64 || bits == (1ull << *size) - 1;
}

static bool is_binary(LLVMValueRef value, LLVMOpcode opcode, uint64_t *right)
{
	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != opcode ||
	    !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
		return false;
	*right = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
	return true;
}

/* The only instruction that uses a value; NULL: none or several. */
static LLVMValueRef only_user(LLVMValueRef value)
{
	LLVMUseRef use = LLVMGetFirstUse(value);

	return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

static uint64_t all_bits(uint32_t width)
{
	return width >= 64 ? UINT64_MAX : (1ull << width) - 1;
}

static bool bits_of_store(LLVMValueRef store, uint32_t width, uint32_t *offset, uint32_t *size)
{
	LLVMValueRef value = LLVMGetOperand(store, 0);
	uint64_t kept;

	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMOr)
		return false;
	if (!is_binary(LLVMGetOperand(value, 0), LLVMAnd, &kept))
		return false;
	return is_mask(~kept & all_bits(width), offset, size);
}

static bool bits_of_load(LLVMValueRef load, uint32_t width, uint32_t *offset, uint32_t *size)
{
	LLVMValueRef user = only_user(load), next;
	uint64_t first, second;

	if (!user)
		return false;
	next = only_user(user);
	if (is_binary(user, LLVMAnd, &first))
		return is_mask(first, offset, size);
	if (is_binary(user, LLVMLShr, &first)) {
		*offset = (uint32_t)first;
		if (next && is_binary(next, LLVMAnd, &second))
			return is_mask(second, &width, size) && !width;
		*size = width - *offset;
		return true;
	}
	if (is_binary(user, LLVMShl, &first) && next && is_binary(next, LLVMAShr, &second)) {
		*size = width - (uint32_t)second;
		*offset = (uint32_t)(second - first);
		return second >= first;
	}
	if (!is_binary(user, LLVMAShr, &first))
		return false;
	*offset = (uint32_t)first;
	*size = width - *offset;
	return true;
}

bool names_bits(LLVMValueRef instruction, uint32_t *offset, uint32_t *size)
{
	bool stores = LLVMIsAStoreInst(instruction);
	LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(instruction, 0) : instruction);
	uint32_t width;

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return false;
	width = LLVMGetIntTypeWidth(type);
	if (width > 64)
		return false;
	return stores ? bits_of_store(instruction, width, offset, size)
	              : bits_of_load(instruction, width, offset, size);
}

bool names_is_refill(LLVMValueRef load)
{
	LLVMValueRef keep = only_user(load), either = keep ? only_user(keep) : NULL;
	LLVMValueRef store = either ? only_user(either) : NULL;
	uint64_t mask;

	return store && is_binary(keep, LLVMAnd, &mask) &&
	       LLVMGetInstructionOpcode(either) == LLVMOr && LLVMIsAStoreInst(store) &&
	       LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}
