/* Functions in a form that is evaluated fast: see code.h. Single instructions are in code_insn.c. */
#include "trace/code.h"

#include <string.h>

#include "model/control.h"
#include "trace/coder.h"

void code_init(struct code *code, const struct program *program, struct objects *objects)
{
	memset(code, 0, sizeof(*code));
	code->program = program;
	code->objects = objects;
}

void code_deinit(struct code *code)
{
	for (uint32_t i = 0; i < code->functions.size; i++)
		free(code->functions.at[i]->postdominators);
	vec_deinit(&code->functions);
	code_map_deinit(&code->map);
	arena_deinit(&code->arena);
}

static bool is_debug(LLVMValueRef instruction)
{
	const char *intrinsic = ir_intrinsic(instruction);

	return intrinsic && !strncmp(intrinsic, "dbg.", 4);
}

/* --- slots --- */

static uint32_t take_slots(struct coder *c, LLVMValueRef value)
{
	uint32_t words = eval_type_words(c->module->plan->layout, LLVMTypeOf(value));
	uint32_t slot = c->function->slots;

	if (words == UINT32_MAX)
		words = 1;
	c->function->slots += words;
	*operand_map_put(&c->operands, (uint64_t)value) = slot << 1;
	return slot;
}

static bool has_value(LLVMValueRef instruction)
{
	return LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
}

static void list_parameters(struct coder *c)
{
	struct code_function *f = c->function;
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMValueRef function = f->plan->function;

	f->parameter_count = LLVMCountParams(function);
	f->parameters =
		arena_new_array(&c->code->arena, struct code_parameter, f->parameter_count + 1);
	for (uint32_t i = 0; i < f->parameter_count; i++) {
		LLVMValueRef value = LLVMGetParam(function, i);
		LLVMTypeRef byval = ir_parameter_type(function, i, "byval");
		struct code_parameter *p = &f->parameters[i];

		p->bytes = ir_store_size(layout, LLVMTypeOf(value));
		p->words = eval_type_words(layout, LLVMTypeOf(value));
		p->byval = byval ? ir_store_size(layout, byval) : 0;
		p->letter = ir_type_letter(LLVMTypeOf(value));
		p->slot = take_slots(c, value);
	}
}

/* Numbers instructions and blocks, and gives each result its slots. */
static void number(struct coder *c)
{
	struct code_function *f = c->function;
	const struct plan_function *plan = f->plan;
	LLVMValueRef i;

	f->blocks = arena_new_array(&c->code->arena, uint32_t, plan->blocks.size + 1);
	for (uint32_t b = 0; b < plan->blocks.size; b++) {
		f->blocks[b] = f->size;
		*operand_map_put(&c->blocks, (uint64_t)plan->blocks.at[b].block) = b;
		for (i = LLVMGetFirstInstruction(plan->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			if (is_debug(i))
				continue;
			f->size++;
			if (has_value(i))
				take_slots(c, i);
		}
	}
	f->blocks[plan->blocks.size] = f->size;
}

static void list_objects(struct coder *c)
{
	struct code_function *f = c->function;

	f->objects = arena_new_array(&c->code->arena, uint32_t, f->plan->locals.size + 1);
	for (uint32_t i = 0; i < f->plan->locals.size; i++)
		if (!f->plan->locals.at[i].private_)
			f->objects[f->object_count++] = i;
}

static void translate(struct coder *c)
{
	struct code_function *f = c->function;
	uint32_t n = 0;
	LLVMValueRef i;

	f->insns = arena_new_array(&c->code->arena, struct code_insn, f->size);
	f->instructions = arena_new_array(&c->code->arena, LLVMValueRef, f->size);
	c->record = f->plan->records.at;
	c->records_end = c->record + f->plan->records.size;
	for (uint32_t b = 0; b < f->plan->blocks.size; b++)
		for (i = LLVMGetFirstInstruction(f->plan->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			if (is_debug(i))
				continue;
			f->instructions[n] = i;
			coder_insn(c, i, &f->insns[n]);
			n++;
		}
}

static void mark_statements(struct code_function *f)
{
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		const struct plan_block *block = &f->plan->blocks.at[b];
		const struct plan_statement *first =
			f->plan->statements.at + block->first_statement;

		for (uint32_t s = 0; s < block->statements; s++)
			f->insns[f->blocks[b] + first[s].instruction_number].flags |= CODE_BEGINS;
	}
}

/* Records are listed in the order of instructions; assembly may have several. */
const struct plan_record *coder_record(struct coder *c, LLVMValueRef instruction)
{
	const struct plan_record *found;

	if (c->record == c->records_end || c->record->instruction != instruction)
		return NULL;
	found = c->record++;
	return found;
}

static void list_makers(struct coder *c)
{
	struct code_function *f = c->function;

	f->makers = arena_new_array(&c->code->arena, uint32_t, f->slots + 1);
	for (uint32_t i = 0; i < f->parameter_count; i++)
		f->makers[f->parameters[i].slot] = CODE_PARAMETER | i;
	for (uint32_t i = 0; i < f->size; i++)
		if (f->insns[i].words)
			f->makers[f->insns[i].to] = i;
}

static void keep_constants(struct coder *c)
{
	struct code_function *f = c->function;

	f->constants = arena_new_array(&c->code->arena, struct code_slot, c->constants.size + 1);
	if (c->constants.size)
		memcpy(f->constants, c->constants.at, c->constants.size * sizeof(*f->constants));
}

static struct code_function *make(struct code *code, struct program_place place)
{
	struct code_function *f = arena_new(&code->arena, struct code_function);
	struct coder c = {
		.code = code, .module = &code->program->modules.at[place.module], .function = f};

	f->place = place;
	f->plan = program_function(code->program, place);
	f->first = code->size;
	list_parameters(&c);
	number(&c);
	list_objects(&c);
	translate(&c);
	mark_statements(f);
	keep_constants(&c);
	list_makers(&c);
	f->postdominators = control_postdominators(f->plan);
	code->size += f->size;
	*vec_push(&code->functions) = f;
	vec_deinit(&c.constants);
	operand_map_deinit(&c.operands);
	operand_map_deinit(&c.blocks);
	return f;
}

const struct code_function *code_function(struct code *code, struct program_place place)
{
	uint64_t key = (uint64_t)place.module << 32 | place.function;
	struct code_function **found = code_map_put(&code->map, key);

	if (!*found) {
		place.block = 0;
		*found = make(code, place);
	}
	return *found;
}

const struct code_function *code_of(const struct code *code, uint32_t number_)
{
	uint32_t low = 0, high = code->functions.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (code->functions.at[middle]->first <= number_)
			low = middle;
		else
			high = middle;
	}
	return code->functions.at[low];
}
