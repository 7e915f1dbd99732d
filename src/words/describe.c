/* What a statement did: see describe.h. */
#include "words/describe.h"

#include <string.h>

/* A statement that is being described. */
struct describer {
	struct describe_scope scope;
	struct execution *e;
	const struct code_insn *insn;
	LLVMValueRef instruction;
	bool inside; /* a call whose callee is about to begin */
	struct described *out;
};

static inline const struct code_slot *slot_of(const struct describer *d, LLVMValueRef value)
{
	return names_slot(d->scope.names, d->scope.a, value);
}

static inline uint64_t bits_of(const struct describer *d, LLVMValueRef value)
{
	const struct code_slot *slot = slot_of(d, value);

	return slot ? slot->bits : 0;
}

static inline bool is_pointer(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static inline bool describe_is_zero(LLVMValueRef value)
{
	return LLVMIsConstant(value) && LLVMIsNull(value);
}

/* ------ values that depend on the way that was taken: `a && b`, `a || b`, `c ? x : y` ------ */

/* The way that a phi of the block under way was reached; false: nobody knows any more. */
static bool find_way(const struct activation *a, LLVMValueRef phi, unsigned *way)
{
	const struct code_function *f = a->function;

	for (uint32_t i = f->blocks[a->block]; i < a->pc && f->insns[i].op == CODE_PHI; i++) {
		const struct code_phi *more = f->insns[i].more;

		for (uint32_t k = 0; f->instructions[i] == phi && k < more->count; k++)
			if (more->from[k].block == a->came) {
				*way = k;
				return true;
			}
	}
	return false;
}

/* The branch that ends the block and decides whether the phi is reached; NULL: there is none. */
static LLVMValueRef deciding_branch(LLVMValueRef phi, unsigned way)
{
	LLVMValueRef branch = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, way));

	return LLVMIsABranchInst(branch) && LLVMIsConditional(branch) ? branch : NULL;
}

/* Is it && or ||? Then each side but the last brings the same constant when it decides alone. */
static bool is_logic(LLVMValueRef phi)
{
	unsigned count = LLVMCountIncoming(phi);
	LLVMValueRef first = LLVMGetIncomingValue(phi, 0);

	if (count < 2 || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
	    LLVMGetIntTypeWidth(LLVMTypeOf(phi)) != 1 || !LLVMIsAConstantInt(first))
		return false;
	for (unsigned k = 0; k + 1 < count; k++)
		if (LLVMGetIncomingValue(phi, k) != first || !deciding_branch(phi, k))
			return false;
	return true;
}

/* Was the side evaluated before the next one? Of `(a || b) && c`, b need not have been. */
static bool was_evaluated(LLVMValueRef phi, unsigned side)
{
	LLVMValueRef branch = deciding_branch(phi, side);
	LLVMBasicBlockRef next = LLVMGetSuccessor(branch, 0);
	LLVMUseRef use;

	if (next == LLVMGetInstructionParent(phi))
		next = LLVMGetSuccessor(branch, 1);
	use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
	return use && !LLVMGetNextUse(use);
}

/* A side that is not the last. A negation that clang made of swapped targets is put back. */
static void add_side(const struct describe_scope *scope, LLVMValueRef phi, unsigned side,
                     bool either, struct str *out)
{
	LLVMValueRef branch = deciding_branch(phi, side);
	bool first = LLVMGetSuccessor(branch, 0) == LLVMGetInstructionParent(phi);

	if (first != either)
		str_add(out, "!(");
	describe_expression(scope, LLVMGetCondition(branch), out);
	if (first != either)
		str_add_char(out, ')');
}

/* The sides that come before, in the order of their blocks: that of the phi is none. When it is not
   certain which of them were evaluated, they are `...`. */
static void add_sides(const struct describe_scope *scope, LLVMValueRef phi, const char *sign,
                      bool either, struct str *out)
{
	unsigned last = LLVMCountIncoming(phi) - 1;
	LLVMBasicBlockRef block =
		LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(phi)));

	for (unsigned k = 0; k < last; k++)
		if (!was_evaluated(phi, k)) {
			str_printf(out, "...%s", sign);
			return;
		}
	for (; block; block = LLVMGetNextBasicBlock(block))
		for (unsigned k = 0; k < last; k++)
			if (LLVMGetIncomingBlock(phi, k) == block) {
				add_side(scope, phi, k, either, out);
				str_add(out, sign);
			}
}

/* Appends `a && b`; what was not evaluated is `...`. False: the phi is none, and nothing is
   appended. */
static bool describe_choice(const struct describe_scope *scope, LLVMValueRef phi, struct str *out)
{
	unsigned way, last = LLVMCountIncoming(phi) - 1;
	const char *sign;
	bool either;

	if (!is_logic(phi) || !find_way(scope->a, phi, &way))
		return false;
	either = LLVMConstIntGetZExtValue(LLVMGetIncomingValue(phi, 0)) != 0;
	sign = either ? " || " : " && ";
	if (way < last) {
		add_side(scope, phi, way, either, out);
		str_printf(out, "%s...", sign);
		return true;
	}
	add_sides(scope, phi, sign, either, out);
	if (LLVMIsAPHINode(LLVMGetIncomingValue(phi, last)))
		str_add(out, "...");
	else
		describe_expression(scope, LLVMGetIncomingValue(phi, last), out);
	return true;
}

LLVMValueRef describe_decider(const struct describe_scope *scope, LLVMValueRef phi)
{
	unsigned way;

	if (!find_way(scope->a, phi, &way))
		return NULL;
	if (is_logic(phi) && way + 1 < LLVMCountIncoming(phi))
		return LLVMGetCondition(deciding_branch(phi, way));
	return LLVMGetIncomingValue(phi, way);
}

/* ------ values as C ------ */

/* By the type of where they were loaded from, or as LLVM's type suggests. */

#define LONGEST 80 /* characters of a value */

/* --- by type --- */

static const struct ctype floats[] = {
	{.kind = CTYPE_FLOAT, .size = 4, .name = "float"},
	{.kind = CTYPE_FLOAT, .size = 8, .name = "double"},
	{.kind = CTYPE_FLOAT, .size = 16, .name = "long double"},
};

static const struct ctype any_pointer = {.kind = CTYPE_POINTER, .size = 8};

/* The type that LLVM's suggests; NULL: a number. */
static const struct ctype *plain_type(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind: return &floats[0];
	case LLVMDoubleTypeKind: return &floats[1];
	case LLVMX86_FP80TypeKind: return &floats[2];
	case LLVMPointerTypeKind: return &any_pointer;
	default: return NULL;
	}
}

/* Bytes that a value of LLVM's type has; 0: it is not a scalar. */
static uint64_t plain_size(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return (LLVMGetIntTypeWidth(type) + 7) / 8;
	case LLVMFloatTypeKind: return 4;
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind: return 8;
	case LLVMX86_FP80TypeKind: return 16;
	default: return 0;
	}
}

/* Appends a value of this type; NULL: as LLVM's type suggests. */
static void describe_typed(const struct describe_scope *scope, const struct ctype *type,
                           LLVMValueRef value, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, value);
	uint64_t size = plain_size(LLVMTypeOf(value)), bits[2] = {0}, undefined[2] = {0};
	struct ctype_part part = {.type = type};

	if (LLVMIsAConstantFP(value)) {
		LLVMBool lost;

		str_printf(out, "%g", LLVMConstRealGetDouble(value, &lost));
		return;
	}
	if (!slot || !size || size > 16) {
		str_add(out, "...");
		return;
	}
	for (uint64_t w = 0; w < (size + 7) / 8; w++) {
		bits[w] = slot[w].bits;
		undefined[w] = slot[w].undefined;
	}
	if (!type || (ctype_strip(type) && ctype_strip(type)->size != size))
		part.type = plain_type(LLVMTypeOf(value));
	names_print(scope->names, &part, (const uint8_t *)bits, (const uint8_t *)undefined, size,
	            slot->object, LONGEST, out);
}

/* --- loads --- */

void describe_load(const struct describe_scope *scope, LLVMValueRef load, struct name *out)
{
	struct names_use use = {.instruction = load};

	use.size = plain_size(LLVMTypeOf(load));
	if (LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMX86_FP80TypeKind)
		use.size = 0;
	names_of_pointer(scope->names, scope->a, LLVMGetOperand(load, 0), &use, out);
}

/* What a value was before it was converted. */
static LLVMValueRef describe_without_casts(LLVMValueRef value)
{
	while (LLVMIsACastInst(value))
		value = LLVMGetOperand(value, 0);
	return value;
}

/* The C type of what is loaded; NULL: it is not a load, or not known. */
static const struct ctype *describe_loaded_type(const struct describe_scope *scope,
                                                LLVMValueRef value)
{
	struct name name = {0};
	const struct ctype *type;

	value = describe_without_casts(value);
	if (!LLVMIsALoadInst(value))
		return NULL;
	describe_load(scope, value, &name);
	type = name.known ? ctype_strip(name.part.type) : NULL;
	name_deinit(&name);
	return type;
}

/* Clang takes a bit-field out of its unit by shifts and masks: the load that they are of. */
static LLVMValueRef field_load(LLVMValueRef value)
{
	uint32_t offset, size;

	for (int i = 0; i < 3 && LLVMIsABinaryOperator(value); i++) {
		if (!LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
			return NULL;
		value = LLVMGetOperand(value, 0);
	}
	return LLVMIsALoadInst(value) && names_bits(value, &offset, &size) ? value : NULL;
}

/* Appends the bit-field that the value is; false: it is none, and nothing is appended. */
static bool describe_field(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	LLVMValueRef load = LLVMIsABinaryOperator(value) ? field_load(value) : NULL;
	struct name name = {0};
	bool is;

	if (!load)
		return false;
	describe_load(scope, load, &name);
	is = name.known && name.part.bit_size;
	if (is && scope->values)
		describe_typed(scope, NULL, value, out);
	else if (is)
		str_add(out, str_text(&name.text));
	name_deinit(&name);
	return is;
}

void describe_operand(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	const struct ctype *type = describe_loaded_type(scope, value);
	LLVMValueRef from = describe_without_casts(value);

	/* A char that was made an int is still one to the reader. */
	if (type && type->kind == CTYPE_CHAR && from != value)
		describe_typed(scope, type, from, out);
	else
		describe_typed(scope, from == value ? type : NULL, value, out);
}

void describe_case(const struct describe_scope *scope, LLVMValueRef switch_, uint32_t index,
                   struct str *out)
{
	LLVMValueRef value = ir_case_value(switch_, index);
	const struct ctype *type = describe_loaded_type(scope, LLVMGetOperand(switch_, 0));
	uint64_t bits = LLVMConstIntGetZExtValue(value), undefined = 0;
	uint64_t size = plain_size(LLVMTypeOf(value));
	struct ctype_part part = {.type = type};

	if (type && type->kind == CTYPE_CHAR)
		size = 1;
	else if (!type || type->size != size)
		part.type = plain_type(LLVMTypeOf(value));
	names_print(scope->names, &part, (const uint8_t *)&bits, (const uint8_t *)&undefined, size,
	            0, LONGEST, out);
}

/* ------ isdigit() and its like ------ */

/* Ctype.h makes them a look into a table, and people know only the names. */

/* Does a macro of the C library make the call, so that its name stands in no program? */
static bool describe_is_hidden(LLVMValueRef call)
{
	LLVMValueRef callee = ir_callee(call);
	const char *name;
	size_t length;

	name = callee ? LLVMGetValueName2(callee, &length) : "";
	return !strcmp(name, "__ctype_b_loc") || !strcmp(name, "__errno_location");
}

/* Bits of glibc's table, as a little-endian machine sees them. */
static const char *class_name(uint64_t mask)
{
	static const char *const names[16] = {
		"isblank",  "iscntrl", "ispunct", "isalnum", NULL,      NULL,
		NULL,       NULL,      "isupper", "islower", "isalpha", "isdigit",
		"isxdigit", "isspace", "isprint", "isgraph",
	};

	for (unsigned i = 0; i < 16; i++)
		if (mask == 1u << i)
			return names[i];
	return NULL;
}

/* Does the pointer come out of __ctype_b_loc()? */
static bool is_table(LLVMValueRef pointer)
{
	LLVMValueRef call = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;

	return call && LLVMIsACallInst(call) && describe_is_hidden(call);
}

/* The name of the function that the value is the result of, and its argument; NULL: it is none. */
static const char *describe_class(LLVMValueRef value, LLVMValueRef *character)
{
	LLVMValueRef load, element;
	const char *name;

	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAnd ||
	    !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
		return NULL;
	load = describe_without_casts(LLVMGetOperand(value, 0));
	element = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
	if (!element || !LLVMIsAGetElementPtrInst(element) || LLVMGetNumOperands(element) != 2 ||
	    !is_table(LLVMGetOperand(element, 0)))
		return NULL;
	name = class_name(LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)));
	if (name)
		*character = LLVMGetOperand(element, 1);
	return name;
}

/* ------ what an executed statement read ------ */

/* The loads that its values come from. */

#define SHOWN            64u   /* characters of a value */
#define MOST_PLACES_READ 4096u /* bytes that are looked at for one */
#define DEEPEST_READ     24

/* --- values in memory --- */

/* Appends what lies at a place now. */
static void describe_memory(const struct describer *d, const struct name *name, struct str *out)
{
	struct memory *memory = execution_memory(d->e);
	uint64_t size = name->size < MOST_PLACES_READ ? name->size : MOST_PLACES_READ;
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

/* Is it memory of the compiler's own, such as the place of the result? */
static bool describe_is_internal(const struct describer *d, LLVMValueRef pointer)
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

static const char *describe_plain_name(const char *name);

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

static void describe_collect(struct describer *d, LLVMValueRef value, bool address, int depth);

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

/* Lists the loads that a value comes from; `address`: the value only says where something lies. A
   pointer that is loaded for that is part of the name of the place. `depth` is 0. */
static void describe_collect(struct describer *d, LLVMValueRef value, bool address, int depth)
{
	if (LLVMIsAPHINode(value))
		value = describe_decider(&d->scope, value);
	if (!value || !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) ||
	    LLVMIsAAllocaInst(value) || depth > DEEPEST_READ || d->out->reads.size > 64 ||
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

/* ------ what a call that was executed did ------ */

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

/* The name of a function as the source has it: glibc's scanf() has another inside, by the version of C. */
static const char *describe_plain_name(const char *name)
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

static bool describe_address(const struct describe_scope *scope, LLVMValueRef value,
                             const struct ctype *type, struct str *out);

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

static void describe_argument(const struct describe_scope *scope, LLVMValueRef value,
                              struct str *out);

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

static void describe_call(struct describer *d)
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
	else {
		for (uint32_t i = 0; i < call->count; i++) {
			if (i)
				str_add(&d->out->arguments, ", ");
			describe_argument(&d->scope, LLVMGetOperand(d->instruction, i),
			                  &d->out->arguments);
		}
	}
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

/* ------ expressions as C ------ */

/* What the code of a value was in the source, as far as the IR still tells. */

#define DEEPEST 12

/* --- operators --- */

static const char *operator_of(LLVMValueRef value)
{
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMICmp:
		switch (LLVMGetICmpPredicate(value)) {
		case LLVMIntEQ: return "==";
		case LLVMIntNE: return "!=";
		case LLVMIntUGT:
		case LLVMIntSGT: return ">";
		case LLVMIntUGE:
		case LLVMIntSGE: return ">=";
		case LLVMIntULT:
		case LLVMIntSLT: return "<";
		default: return "<=";
		}
	case LLVMFCmp:
		switch (LLVMGetFCmpPredicate(value)) {
		case LLVMRealOEQ:
		case LLVMRealUEQ: return "==";
		case LLVMRealONE:
		case LLVMRealUNE: return "!=";
		case LLVMRealOGT:
		case LLVMRealUGT: return ">";
		case LLVMRealOGE:
		case LLVMRealUGE: return ">=";
		case LLVMRealOLT:
		case LLVMRealULT: return "<";
		case LLVMRealOLE:
		case LLVMRealULE: return "<=";
		default: return NULL;
		}
	case LLVMAdd:
	case LLVMFAdd: return "+";
	case LLVMSub:
	case LLVMFSub: return "-";
	case LLVMMul:
	case LLVMFMul: return "*";
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMFDiv: return "/";
	case LLVMURem:
	case LLVMSRem: return "%";
	case LLVMAnd: return "&";
	case LLVMOr: return "|";
	case LLVMXor: return "^";
	case LLVMShl: return "<<";
	case LLVMLShr:
	case LLVMAShr: return ">>";
	default: return NULL;
	}
}

/* Is it a comparison that clang compares with 0 once more, as in `if ((a < b) != 0)`? */
static bool is_doubled(LLVMValueRef value)
{
	LLVMValueRef inner;

	if (!LLVMIsAICmpInst(value) || LLVMGetICmpPredicate(value) != LLVMIntNE ||
	    !describe_is_zero(LLVMGetOperand(value, 1)))
		return false;
	inner = describe_without_casts(LLVMGetOperand(value, 0));
	return LLVMIsAICmpInst(inner) || LLVMIsAFCmpInst(inner);
}

/* How tightly operators bind, as far as readers know it by heart: with shifts and bits everything is put in
   parentheses. */
enum binding {
	BINDS_NOT,
	BINDS_BITS,
	BINDS_COMPARISON,
	BINDS_SUM,
	BINDS_PRODUCT,
	BINDS_UNARY,
};

static enum binding binding_of(const char *sign)
{
	if (strchr("*/%", *sign))
		return BINDS_PRODUCT;
	if (strchr("+-", *sign))
		return BINDS_SUM;
	if (!strcmp(sign, "<<") || !strcmp(sign, ">>") || strchr("&|^", *sign))
		return BINDS_BITS;
	return BINDS_COMPARISON;
}

/* Where an expression stands: in how many others, and how tightly it must bind to need no parentheses. */
struct within {
	int depth;
	enum binding least;
};

static const struct within alone = {0, BINDS_NOT};

/* An operand of an operator. */
static struct within operand_of(struct within at, enum binding binding, bool right)
{
	at.depth++;
	switch (binding) {
	case BINDS_COMPARISON: at.least = BINDS_SUM; break;
	case BINDS_SUM: at.least = right ? BINDS_PRODUCT : BINDS_SUM; break;
	case BINDS_PRODUCT: at.least = right ? BINDS_UNARY : BINDS_PRODUCT; break;
	default: at.least = BINDS_UNARY;
	}
	return at;
}

static void express(const struct describe_scope *scope, LLVMValueRef value, struct within at,
                    struct str *out);

/* A character as C; false: it has no such form, and nothing is appended. */
static bool add_character(const struct ctype *type, long long number, struct str *out)
{
	bool is = type && type->kind == CTYPE_CHAR && number >= ' ' && number < 127;

	if (is)
		str_printf(out, number == '\'' || number == '\\' ? "'\\%c'" : "'%c'", (char)number);
	return is;
}

/* A constant that a char or an enum is compared with is one, too. */
static void express_side(const struct describe_scope *scope, LLVMValueRef value, LLVMValueRef other,
                         struct within at, struct str *out)
{
	const struct ctype *type = NULL;
	long long number = 0;

	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		number = LLVMConstIntGetSExtValue(value);
		type = describe_loaded_type(scope, other);
	}
	if (add_character(type, number, out))
		return;
	if (type && type->kind == CTYPE_ENUM && type->size <= sizeof(number))
		ctype_print(type, (uint8_t *)&number, NULL, type->size, 0, out);
	else
		express(scope, value, at, out);
}

static void express_binary(const struct describe_scope *scope, LLVMValueRef value, const char *sign,
                           struct within at, struct str *out)
{
	LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
	enum binding binding = binding_of(sign);

	if (binding < at.least)
		str_add_char(out, '(');
	express_side(scope, left, right, operand_of(at, binding, false), out);
	str_printf(out, " %s ", sign);
	express_side(scope, right, left, operand_of(at, binding, true), out);
	if (binding < at.least)
		str_add_char(out, ')');
}

static void express_load(const struct describe_scope *scope, LLVMValueRef load, struct str *out)
{
	struct name name = {0};

	describe_load(scope, load, &name);
	if (scope->values) {
		const struct code_slot *slot = names_slot(scope->names, scope->a, load);

		/* What was loaded, in place of its name. */
		if (!slot || slot->undefined ||
		    !add_character(describe_loaded_type(scope, load), (long long)slot->bits, out))
			describe_operand(scope, load, out);
	} else if (name.known)
		str_add(out, str_text(&name.text));
	else
		describe_operand(scope, load, out);
	name_deinit(&name);
}

static void express_call(const struct describe_scope *scope, LLVMValueRef call, struct str *out)
{
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	if (scope->values) {
		describe_operand(scope, call, out);
		return;
	}
	str_printf(out, "%s()",
	           callee ? describe_plain_name(LLVMGetValueName2(callee, &length)) : "?");
}

static bool is_not(LLVMValueRef value)
{
	return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMXor &&
	       LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1 &&
	       LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* What has a form of its own; false: it has none, and nothing is appended. */
static bool express_special(const struct describe_scope *scope, LLVMValueRef value,
                            struct within at, struct str *out)
{
	LLVMValueRef character;
	const char *class = describe_class(value, &character);

	if (class) {
		str_printf(out, "%s(", class);
		express(scope, character, alone, out);
		str_add_char(out, ')');
		return true;
	}
	if (is_not(value)) {
		str_add_char(out, '!');
		express(scope, LLVMGetOperand(value, 0), operand_of(at, BINDS_UNARY, true), out);
		return true;
	}
	if (LLVMIsAPHINode(value) && !at.depth)
		return describe_choice(scope, value, out);
	return describe_field(scope, value, out);
}

static bool describe_place(const struct describe_scope *scope, LLVMValueRef value,
                           const struct ctype *pointer_type, struct str *out);

static void express(const struct describe_scope *scope, LLVMValueRef value, struct within at,
                    struct str *out)
{
	const char *sign = LLVMIsAInstruction(value) ? operator_of(value) : NULL;

	if (express_special(scope, value, at, out))
		return;
	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1)
			str_add(out, LLVMConstIntGetZExtValue(value) ? "1" : "0");
		else
			str_printf(out, "%lld", LLVMConstIntGetSExtValue(value));
	} else if (is_doubled(value))
		express(scope, describe_without_casts(LLVMGetOperand(value, 0)), at, out);
	else if (LLVMIsACastInst(value))
		express(scope, LLVMGetOperand(value, 0), at, out);
	else if (LLVMIsALoadInst(value))
		express_load(scope, value, out);
	else if (LLVMIsACallInst(value) && !ir_intrinsic(value) && !ir_is_asm(value))
		express_call(scope, value, out);
	else if (sign && at.depth < DEEPEST)
		express_binary(scope, value, sign, at, out);
	else if (!LLVMIsAGetElementPtrInst(value) || !describe_place(scope, value, NULL, out))
		describe_operand(scope, value, out);
}

void describe_expression(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	express(scope, value, alone, out);
}

/* --- conditions --- */

/* The opposite of a comparison; NULL: there is none that is true just when the other is not (NaN). */
static const char *opposite(LLVMValueRef value, const char *sign)
{
	static const char *const pairs[][2] = {{"==", "!="}, {"<", ">="}, {">", "<="}};
	bool integer = LLVMIsAICmpInst(value) != NULL;

	for (unsigned i = 0; i < (integer ? 3 : 1); i++)
		for (unsigned k = 0; k < 2; k++)
			if (!strcmp(sign, pairs[i][k]))
				return pairs[i][1 - k];
	return NULL;
}

void describe_truth(const struct describe_scope *scope, LLVMValueRef value, bool truth,
                    struct str *out)
{
	const char *sign;

	for (;; value = describe_without_casts(LLVMGetOperand(value, 0)))
		if (is_not(value))
			truth = !truth;
		else if (!is_doubled(value))
			break;
	sign = LLVMIsAICmpInst(value) || LLVMIsAFCmpInst(value) ? operator_of(value) : NULL;
	if (sign && !truth)
		sign = opposite(value, sign);
	if (sign) {
		express_binary(scope, value, sign, alone, out);
		return;
	}
	str_add(out, truth ? "" : "!(");
	express(scope, value, alone, out);
	str_add(out, truth ? "" : ")");
}

/* ------ addresses of what has a name, and arguments of functions, as C ------ */

/* --- addresses --- */

/* Is it an array that became a pointer to its first element? */
static bool is_decay(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 3 &&
	       LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) == LLVMArrayTypeKind &&
	       describe_is_zero(LLVMGetOperand(value, 1)) &&
	       describe_is_zero(LLVMGetOperand(value, 2));
}

/* As describe_address(), also of what was loaded. */
static bool describe_place(const struct describe_scope *scope, LLVMValueRef value,
                           const struct ctype *pointer_type, struct str *out)
{
	const struct ctype *type = names_pointee(scope->names, scope->a, value);
	const struct ctype *target = ctype_strip(pointer_type);
	struct names_use use = {.whole = true};
	struct name name = {0};
	bool known;

	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || !type)
		return false;
	type = ctype_strip(type);
	target = target && target->kind == CTYPE_POINTER ? ctype_strip(target->target) : NULL;
	/* `&s` and `&s.first` are the same address: the type of the pointer tells. */
	use.size = target && target->size && target->size < type->size ? target->size : type->size;
	names_of_pointer(scope->names, scope->a, value, &use, &name);
	known = name.known;
	if (name.part.type)
		type = ctype_strip(name.part.type);
	if (known && type->kind != CTYPE_ARRAY && is_decay(value) && name.text.length > 3)
		str_printf(out, "%.*s", (int)name.text.length - 3, str_text(&name.text));
	else if (known)
		str_printf(out, type->kind == CTYPE_ARRAY ? "%s" : "&%s", str_text(&name.text));
	name_deinit(&name);
	return known;
}

/* Appends `&x`, or `a` of an array, for the address of something that has a name in the source.
   `type` is that of the pointer; NULL: not known. False: it is none, and nothing is appended. */
static bool describe_address(const struct describe_scope *scope, LLVMValueRef value,
                             const struct ctype *type, struct str *out)
{
	return !LLVMIsALoadInst(value) && describe_place(scope, value, type, out);
}

/* --- arguments --- */

/* Has the call that is described just written what the pointer points to? */
static bool is_written(const struct describe_scope *scope, struct memory *memory, uint64_t address)
{
	uint32_t source;

	memory_source_run(memory, address, 1, &source);
	return source == scope->a->call;
}

static bool is_literal(LLVMValueRef value)
{
	return LLVMIsAGlobalVariable(value) && LLVMGetLinkage(value) == LLVMPrivateLinkage;
}

static bool print_text(const struct describe_scope *scope, struct memory *memory,
                       LLVMValueRef value, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, value);
	uint64_t address = slot ? slot->bits : 0;
	const struct ctype *type;

	if (!address || slot->undefined || is_written(scope, memory, address))
		return false;
	type = is_literal(value) ? NULL : ctype_strip(names_pointee(scope->names, scope->a, value));
	if (type && type->kind == CTYPE_ARRAY)
		type = ctype_strip(type->target);
	if (!is_literal(value) && (!type || type->kind != CTYPE_CHAR))
		return false;
	return names_print_text(scope->names, address, 48, out);
}

/* Appends what an argument of an outside function is: text in quotes where it points to text. */
static void describe_argument(const struct describe_scope *scope, LLVMValueRef value,
                              struct str *out)
{
	struct memory *memory = execution_memory(names_execution(scope->names));

	if (LLVMIsAFunction(value)) {
		size_t length;

		str_add(out, LLVMGetValueName2(value, &length));
		return;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || describe_is_zero(value)) {
		describe_operand(scope, value, out);
		return;
	}
	if (print_text(scope, memory, value, out))
		return;
	if (!describe_address(scope, value, NULL, out))
		describe_expression(scope, value, out);
}

/* ------ how people name source files ------ */

/* Does a path end with another one? */
static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), end_length = strlen(end);

	if (length < end_length || strcmp(path + length - end_length, end))
		return false;
	return length == end_length || path[length - end_length - 1] == '/';
}

static const char *without_dots(const char *path)
{
	while (!strncmp(path, "./", 2) || !strncmp(path, "../", 3))
		path = strchr(path, '/') + 1;
	return path;
}

bool describe_is_file(const char *file, const char *wanted)
{
	if (!file)
		return false;
	file = without_dots(file);
	wanted = without_dots(wanted);
	return ends_with(file, wanted) || (*wanted == '/' && ends_with(wanted, file));
}

/* ------ the whole ------ */

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
	case CODE_STORE_WIDE: {
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
		break;
	}
	case CODE_COPY: describe_block(d, true); break;
	case CODE_FILL: describe_block(d, false); break;
	case CODE_ATOMIC: describe_atomic(d); break;
	case CODE_BRANCH: {
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
		break;
	}
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
