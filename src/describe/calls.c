/* What a call that was executed did: see statement.c. */
#include <string.h>

#include "describe/work.h"

#define MOST 4096u /* bytes behind an argument that are looked at */

static const char *name_through_pointer(const struct describer *d, const struct code_call *call)
{
	const struct code_slot *slot = execution_slot(d->e, d->scope.a, call->callee);
	const struct program *program = walk_program(execution_walk(d->e));
	const struct program_place *place = slot ? program_at(program, slot->bits) : NULL;
	const char *const *name;

	if (place)
		return program_function(program, *place)->name;
	name = slot ? name_at_map_find(&program->outside, slot->bits) : NULL;
	return name ? *name : "?";
}

const char *describe_plain_name(const char *name)
{
	if (!strncmp(name, "__isoc99_", 9) || !strncmp(name, "__isoc23_", 9))
		return name + 9;
	return name;
}

/* Is the first parameter the place for the result? */
static bool has_place(const struct code_function *f)
{
	return f->parameter_count && ir_parameter_type(f->plan->function, 0, "sret");
}

/* Parameters as they were declared, when each of LLVM's from `first` on is one of C's; NULL: it is
   not so. */
static const struct variable_list *
parameters(const struct describer *d, const struct code_function *f, uint32_t count, uint32_t first)
{
	const struct variable_list *list = variables_of_function(
		names_variables(d->scope.names, f->place.module), f->plan->function);

	if (f->parameter_count > count || !list || list->size < f->parameter_count - first)
		return NULL;
	for (uint32_t i = first; i < f->parameter_count; i++)
		if (list->at[i - first]->argument != i - first + 1)
			return NULL;
	return list;
}

static void print_structure(const struct describer *d, const struct ctype *type, uint64_t address,
                            uint64_t size, struct str *out)
{
	struct name name = {.address = address, .size = size, .part = {.type = type}};

	describe_memory(d, &name, out);
}

static void add_parameter(struct describer *d, const struct code_argument *argument,
                          LLVMValueRef value, const struct variable *p)
{
	struct str *out = &d->out->arguments;

	if (out->length)
		str_add(out, ", ");
	if (p)
		str_printf(out, "%s = ", p->name);
	if (argument->byval)
		print_structure(d, p ? p->type : NULL, bits_of(d, value), argument->byval, out);
	else if (describe_address(&d->scope, value, p ? p->type : NULL, out))
		return;
	else if (p)
		describe_typed(&d->scope, p->type, value, out);
	else
		describe_operand(&d->scope, value, out);
}

static void add_parameters(struct describer *d, const struct code_call *call)
{
	const struct code_function *f = execution_callee(d->e);
	uint32_t first = has_place(f) ? 1 : 0;
	const struct variable_list *list = parameters(d, f, call->count, first);

	for (uint32_t i = first; i < call->count; i++)
		add_parameter(d, &call->arguments[i], LLVMGetOperand(d->instruction, i),
		              list && i < f->parameter_count ? list->at[i - first] : NULL);
}

static void add_arguments(struct describer *d, const struct code_call *call)
{
	for (uint32_t i = 0; i < call->count; i++) {
		if (i)
			str_add(&d->out->arguments, ", ");
		describe_argument(&d->scope, LLVMGetOperand(d->instruction, i), &d->out->arguments);
	}
}

/* What the outside function has written behind an argument. */
static void add_effect(struct describer *d, LLVMValueRef pointer)
{
	struct memory *memory = execution_memory(d->e);
	uint64_t address = bits_of(d, pointer), size;
	struct names_use use = {.whole = true};
	struct described_value *write;
	uint32_t source;

	if (address < 4096 || !is_pointer(pointer))
		return;
	size = memory_source_run(memory, address, MOST, &source);
	if (source != d->scope.a->call)
		return;
	write = vec_push(&d->out->writes);
	use.size = size;
	names_of_pointer(d->scope.names, d->scope.a, pointer, &use, &write->name);
	describe_memory(d, &write->name, &write->value);
}

void describe_call(struct describer *d)
{
	const struct code_call *call = d->insn->more;
	LLVMTypeRef type = LLVMTypeOf(d->instruction);

	d->out->kind = DESCRIBED_CALL;
	d->out->callee =
		describe_plain_name(call->name ? call->name : name_through_pointer(d, call));
	for (uint32_t i = 0; i < call->count; i++)
		describe_collect(d, LLVMGetOperand(d->instruction, i),
		                 call->arguments[i].byval != 0, 0);
	if (d->inside)
		add_parameters(d, call);
	else
		add_arguments(d, call);
	str_printf(&d->out->text, "%s%s(%s)", d->inside || d->out->calls_back ? "call " : "",
	           d->out->callee, str_text(&d->out->arguments));
	if (d->inside || d->out->unfinished || d->out->calls_back)
		return;
	for (uint32_t i = 0; i < call->count; i++)
		add_effect(d, LLVMGetOperand(d->instruction, i));
	if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
		return;
	describe_operand(&d->scope, d->instruction, &d->out->result);
	str_printf(&d->out->text, " = %s", str_text(&d->out->result));
}
