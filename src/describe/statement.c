/* What one executed statement did: from its instruction and the values that are there after it. */
#include <string.h>

#include "describe/work.h"

void described_deinit(struct described *s)
{
	for (uint32_t i = 0; i < s->reads.size; i++) {
		name_deinit(&s->reads.at[i].name);
		str_deinit(&s->reads.at[i].value);
	}
	for (uint32_t i = 0; i < s->writes.size; i++) {
		name_deinit(&s->writes.at[i].name);
		str_deinit(&s->writes.at[i].value);
	}
	vec_deinit(&s->reads);
	vec_deinit(&s->writes);
	str_deinit(&s->text);
	str_deinit(&s->result);
	str_deinit(&s->arguments);
	memset(s, 0, sizeof(*s));
}

/* --- stores --- */

static bool is_result(LLVMValueRef storage)
{
	LLVMUseRef use = LLVMGetFirstUse(storage), next;

	if (LLVMIsAArgument(storage))
		return true;
	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef load = LLVMGetUser(use);

		next = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL;
		if (next && LLVMIsAReturnInst(LLVMGetUser(next)))
			return true;
	}
	return false;
}

static const struct ctype *result_type(const struct describer *d)
{
	const struct code_function *f = d->scope.a->function;
	const struct ctype *type =
		types_of_function(names_types(d->scope.names, f->place.module), f->plan->function);

	return type ? type->target : NULL;
}

static struct described_value *name_write(struct describer *d, LLVMValueRef pointer, uint64_t size,
                                          bool whole)
{
	struct names_use use = {.size = size, .whole = whole};
	struct described_value *write = vec_push(&d->out->writes);

	if (LLVMIsAStoreInst(d->instruction))
		use.instruction = d->instruction;
	if (describe_is_internal(d, pointer)) {
		write->name.address = bits_of(d, pointer);
		write->name.size = size;
		if (is_result(pointer))
			write->name.part.type = result_type(d);
		str_add(&write->name.text, is_result(pointer) ? "(return value)" : "(temporary)");
	} else {
		names_of_pointer(d->scope.names, d->scope.a, pointer, &use, &write->name);
	}
	return write;
}

static void add_assignment(struct describer *d, const struct described_value *write)
{
	str_printf(&d->out->text, "%s = %s", str_text(&write->name.text), str_text(&write->value));
}

static void describe_store(struct describer *d)
{
	LLVMValueRef value = LLVMGetOperand(d->instruction, 0);
	LLVMValueRef pointer = LLVMGetOperand(d->instruction, 1);
	struct described_value *write;

	d->out->kind = DESCRIBED_STORE;
	describe_collect(d, value, false, 0);
	describe_collect(d, pointer, true, 0);
	write = name_write(d, pointer, d->insn->bytes, false);
	if (LLVMIsAConstantFP(value) || (!write->name.part.type && d->insn->bytes <= 8))
		describe_operand(&d->scope, value, &write->value);
	else
		describe_memory(d, &write->name, &write->value);
	add_assignment(d, write);
}

/* What is copied, unless it is an initial value that stands in the source. */
static void add_source(struct describer *d, LLVMValueRef from, const struct names_use *use)
{
	struct described_value *read;

	if (LLVMIsAGlobalVariable(from) && LLVMGetLinkage(from) == LLVMPrivateLinkage)
		return;
	read = vec_push(&d->out->reads);
	names_of_pointer(d->scope.names, d->scope.a, from, use, &read->name);
	describe_memory(d, &read->name, &read->value);
}

/* memcpy and memset that the compiler made of assignments, and calls of them that it knows. */
static void describe_block(struct describer *d, bool copies)
{
	uint64_t size = bits_of(d, LLVMGetOperand(d->instruction, 2));
	LLVMValueRef to = LLVMGetOperand(d->instruction, 0);
	struct names_use use = {.size = size, .whole = true};
	struct described_value *write;

	d->out->kind = copies ? DESCRIBED_COPY : DESCRIBED_FILL;
	describe_collect(d, to, true, 0);
	if (copies) {
		LLVMValueRef from = LLVMGetOperand(d->instruction, 1);

		describe_collect(d, from, true, 0);
		add_source(d, from, &use);
	} else {
		describe_collect(d, LLVMGetOperand(d->instruction, 1), false, 0);
	}
	describe_collect(d, LLVMGetOperand(d->instruction, 2), false, 0);
	write = name_write(d, to, size, true);
	describe_memory(d, &write->name, &write->value);
	add_assignment(d, write);
}

static void describe_atomic(struct describer *d)
{
	struct described_value *write;

	d->out->kind = DESCRIBED_STORE;
	for (int i = 1; i < LLVMGetNumOperands(d->instruction); i++)
		describe_collect(d, LLVMGetOperand(d->instruction, (unsigned)i), false, 0);
	write = name_write(d, LLVMGetOperand(d->instruction, 0), (uint64_t)d->insn->imm, false);
	describe_memory(d, &write->name, &write->value);
	add_assignment(d, write);
}

/* --- the ends of blocks --- */

static void describe_branch(struct describer *d)
{
	LLVMValueRef condition = LLVMGetCondition(d->instruction);
	const struct code_slot *slot = slot_of(d, condition);
	const char *way = slot && slot->bits & 1 ? "true" : "false";

	d->out->kind = DESCRIBED_BRANCH;
	describe_collect(d, condition, false, 0);
	describe_expression(&d->scope, condition, &d->out->text);
	if (slot && slot->undefined & 1)
		way = "undefined";
	str_add(&d->out->result, way);
	str_printf(&d->out->text, " is %s", way);
}

static bool has_case(const struct describer *d, uint64_t value)
{
	for (unsigned i = 0; i < ir_case_count(d->instruction); i++)
		if (LLVMConstIntGetZExtValue(ir_case_value(d->instruction, i)) == value)
			return true;
	return false;
}

static void describe_switch(struct describer *d)
{
	LLVMValueRef value = LLVMGetOperand(d->instruction, 0);

	d->out->kind = DESCRIBED_SWITCH;
	describe_collect(d, value, false, 0);
	str_add(&d->out->text, "switch (");
	describe_expression(&d->scope, value, &d->out->text);
	str_add(&d->out->text, ")");
	if (has_case(d, bits_of(d, value))) {
		str_add(&d->out->result, "case ");
		describe_operand(&d->scope, value, &d->out->result);
	} else {
		str_add(&d->out->result, "default");
	}
	str_printf(&d->out->text, ": %s", str_text(&d->out->result));
}

static void describe_return(struct describer *d)
{
	d->out->kind = DESCRIBED_RETURN;
	str_add(&d->out->text, "return");
	if (!LLVMGetNumOperands(d->instruction))
		return;
	describe_collect(d, LLVMGetOperand(d->instruction, 0), false, 0);
	describe_typed(&d->scope, result_type(d), LLVMGetOperand(d->instruction, 0),
	               &d->out->result);
	str_printf(&d->out->text, " %s", str_text(&d->out->result));
}

/* --- all --- */

/* va_start, va_end, va_copy, inline assembly: by their name. */
static void describe_other(struct describer *d)
{
	const char *name = LLVMIsACallInst(d->instruction) ? ir_intrinsic(d->instruction) : NULL;

	d->out->kind = d->insn->op == CODE_JUMP ? DESCRIBED_JUMP : DESCRIBED_OTHER;
	if (!name) {
		str_add(&d->out->text, d->insn->op == CODE_JUMP ? "goto *" : "asm");
		if (d->insn->op == CODE_JUMP)
			describe_expression(&d->scope, LLVMGetOperand(d->instruction, 0),
			                    &d->out->text);
		return;
	}
	str_printf(&d->out->text, "%.*s(", (int)strcspn(name, "."), name);
	describe_argument(&d->scope, LLVMGetOperand(d->instruction, 0), &d->out->text);
	str_add_char(&d->out->text, ')');
}

static void describe(struct describer *d)
{
	switch (d->insn->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE: describe_store(d); break;
	case CODE_COPY: describe_block(d, true); break;
	case CODE_FILL: describe_block(d, false); break;
	case CODE_ATOMIC: describe_atomic(d); break;
	case CODE_BRANCH: describe_branch(d); break;
	case CODE_SWITCH: describe_switch(d); break;
	case CODE_RETURN: describe_return(d); break;
	case CODE_CALL: describe_call(d); break;
	default: describe_other(d);
	}
}

/* Where the statement begins: behind the one before it in the block. */
static uint32_t find_first(const struct code_function *f, uint32_t block, uint32_t last)
{
	uint32_t first = last;

	while (first > f->blocks[block] && !(f->insns[first - 1].flags & CODE_STATEMENT))
		first--;
	return first;
}

/* What an instruction has written itself. */
static uint64_t find_written(const struct execution *e, const struct activation *a,
                             const struct code_insn *insn, uint64_t *size)
{
	switch (insn->op) {
	case CODE_STORE:
	case CODE_STORE_WIDE: *size = insn->bytes; return execution_slot(e, a, insn->b)->bits;
	case CODE_COPY:
	case CODE_FILL:
		*size = execution_slot(e, a, insn->c)->bits;
		return execution_slot(e, a, insn->a)->bits;
	case CODE_ATOMIC: *size = (uint64_t)insn->imm; return execution_slot(e, a, insn->a)->bits;
	default: *size = 0; return 0;
	}
}

void describe_stand_at(struct names *names, struct execution *e)
{
	const struct activation *a = execution_top(e, 0);
	uint64_t size, address = find_written(e, a, &a->function->insns[a->pc - 1], &size);

	names_at(names, 0, find_first(a->function, a->block, a->pc - 1), address, size);
}

void describe_statement(struct names *names, struct execution *e, bool inside,
                        struct described *out)
{
	const struct activation *a = execution_top(e, 0);
	struct describer d = {.scope = {names, a}, .e = e, .inside = inside, .out = out};

	d.insn = &a->function->insns[a->pc - 1];
	d.instruction = a->function->instructions[a->pc - 1];
	describe_stand_at(names, e);
	describe(&d);
	names_at(names, 0, 0, 0, 0);
}

uint32_t describe_instance(const struct execution *e)
{
	const struct activation *a = execution_top(e, 0);

	if (a->function->insns[a->pc - 1].op == CODE_CALL)
		return a->call;
	return (uint32_t)(EXECUTION_FIRST + execution_instances(e) - 1);
}
