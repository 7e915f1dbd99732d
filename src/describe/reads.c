/* What an executed statement read: the loads that its values come from. See statement.c. */
#include <string.h>

#include "describe/work.h"

#define SHOWN   64u   /* characters of a value */
#define MOST    4096u /* bytes that are looked at for one */
#define DEEPEST 24

/* --- values in memory --- */

void describe_memory(const struct describer *d, const struct name *name, struct str *out)
{
	struct memory *memory = execution_memory(d->e);
	uint64_t size = name->size < MOST ? name->size : MOST;
	uint8_t *bytes = mem_alloc(2 * size + 16), *undefined = bytes + size;

	memory_read(memory, name->address, size, bytes);
	memory_read_undefined(memory, name->address, size, undefined);
	if (name->part.type || size <= 8)
		names_print(d->scope.names, &name->part, bytes, undefined, size,
		            size == 8 ? memory_load(memory, name->address, 8).object : 0, SHOWN,
		            out);
	else
		str_add(out, "...");
	free(bytes);
}

/* --- reads --- */

static bool is_known_read(const struct described *s, const struct described_value *read)
{
	for (uint32_t i = 0; i < s->reads.size; i++)
		if (s->reads.at[i].name.address == read->name.address &&
		    !strcmp(str_text(&s->reads.at[i].name.text), str_text(&read->name.text)) &&
		    !strcmp(str_text(&s->reads.at[i].value), str_text(&read->value)))
			return true;
	return false;
}

static void free_value(struct described_value *value)
{
	name_deinit(&value->name);
	str_deinit(&value->value);
}

/* Takes what the read holds. */
static void add_read(struct describer *d, struct described_value *read)
{
	if (is_known_read(d->out, read))
		free_value(read);
	else
		*vec_push(&d->out->reads) = *read;
}

bool describe_is_internal(const struct describer *d, LLVMValueRef pointer)
{
	return (LLVMIsAAllocaInst(pointer) || LLVMIsAArgument(pointer)) &&
	       !variables_of_alloca(
		       names_variables(d->scope.names, d->scope.a->function->place.module),
		       pointer);
}

static void print_load(const struct describer *d, LLVMValueRef load, const struct name *name,
                       struct str *out)
{
	const struct code_slot *slot = slot_of(d, load);
	uint64_t words[32], undefined[32];
	uint64_t size = name->size <= sizeof(words) ? name->size : sizeof(words);

	if (!name->part.type && size <= 8) {
		describe_operand(&d->scope, load, out);
		return;
	}
	for (uint32_t w = 0; w < (size + 7) / 8; w++) {
		words[w] = slot[w].bits;
		undefined[w] = slot[w].undefined;
	}
	names_print(d->scope.names, &name->part, (uint8_t *)words, (uint8_t *)undefined, size,
	            slot->object, SHOWN, out);
}

static void add_load(struct describer *d, LLVMValueRef load)
{
	struct described_value read = {.value = STR_INIT};
	uint64_t bytes;

	if (describe_is_internal(d, LLVMGetOperand(load, 0)) || names_is_refill(load) ||
	    !slot_of(d, load))
		return;
	describe_load(&d->scope, load, &read.name);
	bytes = read.name.part.type ? ctype_strip(read.name.part.type)->size : 0;
	if (!read.name.size)
		read.name.size = bytes;
	print_load(d, load, &read.name, &read.value);
	add_read(d, &read);
}

/* The result of a call that the value is made from; that of the statement before is not told again
   when it is all of it. */
static void add_result(struct describer *d, LLVMValueRef call)
{
	LLVMValueRef callee = ir_callee(call);
	struct described_value read = {.value = STR_INIT};
	size_t length;

	if (!slot_of(d, call))
		return;
	str_printf(&read.name.text, "%s()",
	           callee ? describe_plain_name(LLVMGetValueName2(callee, &length)) : "*");
	describe_operand(&d->scope, call, &read.value);
	add_read(d, &read);
}

/* The result of isdigit() or its like, and what it was of; false: it is none. */
static bool add_class(struct describer *d, LLVMValueRef value, int depth)
{
	LLVMValueRef character;
	struct described_value read = {.value = STR_INIT};

	if (!describe_class(value, &character))
		return false;
	describe_collect(d, character, false, depth + 1);
	describe_expression(&d->scope, value, &read.name.text);
	describe_operand(&d->scope, value, &read.value);
	add_read(d, &read);
	return true;
}

void describe_collect(struct describer *d, LLVMValueRef value, bool address, int depth)
{
	if (LLVMIsAPHINode(value))
		value = describe_decider(&d->scope, value);
	if (!value || !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) ||
	    LLVMIsAAllocaInst(value) || depth > DEEPEST || d->out->reads.size > 64 ||
	    add_class(d, value, depth))
		return;
	if (LLVMIsACallInst(value) && !ir_intrinsic(value)) {
		if (depth && !ir_is_asm(value) && !describe_is_hidden(value))
			add_result(d, value);
		return;
	}
	if (LLVMIsALoadInst(value)) {
		describe_collect(d, LLVMGetOperand(value, 0), true, depth + 1);
		if (!address || !is_pointer(value))
			add_load(d, value);
		return;
	}
	for (int i = 0; i < LLVMGetNumOperands(value); i++) {
		LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);

		if (LLVMIsABasicBlock(operand) || LLVMIsAFunction(operand))
			continue;
		describe_collect(d, operand, address, depth + 1);
	}
}
