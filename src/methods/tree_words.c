/* What nodes of a cause tree are called: conditions and statements as C, where the decoder stands. */
#include "methods/tree_words.h"

#include "words/describe.h"

#define CASES 4u /* of a switch that are listed */

/* --- switches --- */

static bool is_taken(const struct describe_scope *scope, LLVMValueRef switch_, uint32_t index)
{
	const struct code_slot *slot =
		names_slot(scope->names, scope->a, LLVMGetOperand(switch_, 0));

	return slot && slot->bits == LLVMConstIntGetZExtValue(ir_case_value(switch_, index));
}

/* The block that a switch went to. */
static LLVMBasicBlockRef target_of(const struct describe_scope *scope, LLVMValueRef switch_)
{
	for (uint32_t i = 0; i < ir_case_count(switch_); i++)
		if (is_taken(scope, switch_, i))
			return LLVMGetSuccessor(switch_, i + 1);
	return LLVMGetSuccessor(switch_, 0);
}

/* Another case: `class != 2`; of the default `c == 'a' || c == 'b'`. */
static void add_other_case(const struct describe_scope *scope, LLVMValueRef switch_,
                           struct str *out)
{
	LLVMBasicBlockRef target = target_of(scope, switch_);
	bool other = target == LLVMGetSuccessor(switch_, 0);
	uint32_t listed = 0;

	for (uint32_t i = 0; i < ir_case_count(switch_); i++) {
		if ((LLVMGetSuccessor(switch_, i + 1) == target) == other)
			continue;
		if (listed)
			str_add(out, other ? " || " : " && ");
		if (listed++ == CASES) {
			str_add(out, "...");
			return;
		}
		describe_expression(scope, LLVMGetOperand(switch_, 0), out);
		str_add(out, other ? " == " : " != ");
		describe_case(scope, switch_, i, out);
	}
}

/* --- pointers --- */

/* The pointer that an access goes by, as far as it is not fixed; NULL: none. */
static LLVMValueRef pointer_of(LLVMValueRef instruction)
{
	LLVMValueRef callee;

	if (LLVMIsALoadInst(instruction))
		return LLVMGetOperand(instruction, 0);
	if (LLVMIsAStoreInst(instruction))
		return LLVMGetOperand(instruction, 1);
	if (!LLVMIsACallInst(instruction))
		return NULL;
	callee = LLVMGetCalledValue(instruction);
	if (LLVMIsAInstruction(callee))
		return callee;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(instruction); i++) {
		LLVMValueRef argument = LLVMGetOperand(instruction, i);

		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
		    LLVMIsAInstruction(argument) && !LLVMIsAAllocaInst(argument))
			return argument;
	}
	return NULL;
}

/* The last index of an element's address that is computed; NULL: there is none. */
static LLVMValueRef index_of(LLVMValueRef pointer)
{
	if (!LLVMIsAGetElementPtrInst(pointer))
		return NULL;
	for (int i = LLVMGetNumOperands(pointer); --i > 0;)
		if (LLVMIsAInstruction(LLVMGetOperand(pointer, (unsigned)i)))
			return LLVMGetOperand(pointer, (unsigned)i);
	return NULL;
}

/* The pointer that a member's address is made from. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) && !index_of(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

/* How far one step of the index goes; 0: not known. */
static uint32_t scale_of(const struct describe_scope *scope, LLVMValueRef pointer)
{
	const struct code_function *f = scope->a->function;
	uint32_t at = names_index(scope->names, f, pointer);

	return at < f->size && f->insns[at].op == CODE_INDEX ? f->insns[at].scale : 0;
}

static void add_address(const struct describe_scope *scope, uint64_t address, struct str *out)
{
	struct names_use use = {.size = 0};
	struct name name = {0};

	if (address)
		names_of_address(scope->names, address, &use, &name);
	if (name.known)
		str_printf(out, "&%s", str_text(&name.text));
	else
		str_printf(out, address ? "0x%llx" : "NULL", (unsigned long long)address);
	name_deinit(&name);
}

static int64_t signed_of(const struct code_slot *slot, LLVMValueRef value)
{
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));

	return bits < 64 ? (int64_t)(slot->bits << (64 - bits)) >> (64 - bits)
	                 : (int64_t)slot->bits;
}

/* `i == 2`; false: the index does not lead there, and nothing is appended. */
static bool add_index(const struct describe_scope *scope, LLVMValueRef pointer,
                      const uint64_t *wanted, struct str *out)
{
	LLVMValueRef index = index_of(pointer);
	const struct code_slot *slot = index ? names_slot(scope->names, scope->a, index) : NULL;
	uint32_t scale = scale_of(scope, pointer);
	int64_t number = slot ? signed_of(slot, index) : 0, distance;
	const struct code_slot *at;

	if (!slot || !scale)
		return false;
	at = names_slot(scope->names, scope->a, pointer);
	distance = wanted && at ? (int64_t)(*wanted - at->bits) : 0;
	if (distance % scale)
		return false;
	describe_expression(scope, index, out);
	str_printf(out, " %s %lld", wanted ? "==" : "!=", (long long)(number + distance / scale));
	return true;
}

/* The address of what a store wrote; false: it has no name, and nothing is appended. */
static bool add_written(const struct describe_scope *scope, LLVMValueRef store, struct str *out)
{
	struct names_use use = {.instruction = store};
	struct name name = {0};
	bool known;

	if (!LLVMIsAStoreInst(store))
		return false;
	use.size = scope->a->function->insns[names_index(scope->names, scope->a->function, store)]
	                   .bytes;
	names_of_pointer(scope->names, scope->a, LLVMGetOperand(store, 1), &use, &name);
	known = name.known;
	if (known)
		str_printf(out, "&%s", str_text(&name.text));
	name_deinit(&name);
	return known;
}

/* Elsewhere than it was, or where it should have been: `i != 3`, `p == &x`. */
static void add_place(const struct describe_scope *scope, LLVMValueRef instruction,
                      const uint64_t *wanted, struct str *out)
{
	LLVMValueRef pointer = pointer_of(instruction), base;
	const struct code_slot *slot;

	if (!pointer || add_index(scope, pointer, wanted, out))
		return;
	base = base_of(pointer);
	if (base != pointer && !wanted && add_index(scope, base, NULL, out))
		return;
	if (wanted)
		base = pointer;
	slot = names_slot(scope->names, scope->a, base);
	if (!slot)
		return;
	if (!wanted || !add_written(scope, instruction, out))
		describe_expression(scope, base, out);
	str_add(out, wanted ? " == " : " != ");
	add_address(scope, wanted ? *wanted : slot->bits, out);
}

/* --- conditions --- */

static void add_condition(const struct describe_scope *scope, LLVMValueRef instruction,
                          enum tree_kind kind, uint64_t address, struct str *out)
{
	const struct code_slot *slot;

	if (kind == TREE_OF_ADDRESS || kind == TREE_OF_MISSED) {
		add_place(scope, instruction, kind == TREE_OF_MISSED ? &address : NULL, out);
	} else if (LLVMIsASwitchInst(instruction)) {
		add_other_case(scope, instruction, out);
	} else if (LLVMIsABranchInst(instruction) && LLVMIsConditional(instruction)) {
		slot = names_slot(scope->names, scope->a, LLVMGetCondition(instruction));
		if (slot)
			describe_truth(scope, LLVMGetCondition(instruction), !(slot->bits & 1),
			               out);
	}
}

void tree_words_condition(struct names *names, uint32_t code, enum tree_kind kind, uint64_t address,
                          char **wanted, char **numbers)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	struct str text = STR_INIT, values = STR_INIT;
	LLVMValueRef instruction;

	if (!a || code - a->function->first >= a->function->size)
		return;
	instruction = a->function->instructions[code - a->function->first];
	describe_stand_at(names, e);
	add_condition(&scope, instruction, kind, address, &text);
	scope.values = true;
	add_condition(&scope, instruction, kind, address, &values);
	names_at(names, 0, 0, 0, 0);
	if (values.length && strcmp(str_text(&text), str_text(&values)))
		*numbers = str_steal(&values);
	if (text.length)
		*wanted = str_steal(&text);
	str_deinit(&text);
	str_deinit(&values);
}

/* --- statements --- */

/* What a store computed, if that is more than a name or a number: 'd = c + 3 = 4'. */
static bool add_computation(struct names *names, const struct described *d, struct str *out)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	LLVMValueRef store = a->function->instructions[a->pc - 1];
	struct str text = STR_INIT;
	bool is;

	if (!LLVMIsAStoreInst(store) || d->writes.size != 1 ||
	    LLVMIsConstant(LLVMGetOperand(store, 0)))
		return false;
	describe_stand_at(names, e);
	describe_expression(&scope, LLVMGetOperand(store, 0), &text);
	names_at(names, 0, 0, 0, 0);
	is = strcmp(str_text(&text), str_text(&d->writes.at[0].value)) &&
	     !strstr(str_text(&text), "...");
	if (is)
		str_printf(out, "%s = %s = %s", str_text(&d->writes.at[0].name.text),
		           str_text(&text), str_text(&d->writes.at[0].value));
	str_deinit(&text);
	return is;
}

char *tree_words_statement(struct names *names, enum execution_event event)
{
	struct described d = {.unfinished = event == EXECUTION_LEFT};
	struct str text = STR_INIT;

	describe_statement(names, names_execution(names), event == EXECUTION_CALLS, &d);
	if (!add_computation(names, &d, &text))
		str_add(&text, str_text(&d.text));
	if (d.unfinished)
		str_add(&text, " did not return");
	described_deinit(&d);
	return str_steal(&text);
}

/* --- initial values --- */

/* The variable at an address, as it was declared; NULL: none. */
static const struct variable *variable_at(struct names *names, uint64_t address)
{
	struct execution *e = names_execution(names);
	uint32_t number = execution_object_at(e, address);
	const struct object *o = number ? objects_at(execution_objects(e), number) : NULL;
	const struct plan *plan;

	if (!o || o->kind != OBJECT_GLOBAL)
		return NULL;
	plan = walk_program(execution_walk(e))->modules.at[o->owner].plan;
	return variables_of_global(names_variables(names, o->owner), plan->globals.at[o->index]);
}

char *tree_words_initial(struct names *names, uint32_t code, struct walk_place *place)
{
	struct execution *e = names_execution(names);
	const struct activation *a = execution_top(e, 0);
	struct describe_scope scope = {.names = names, .a = a};
	const struct code_slot *slot;
	const struct variable *variable;
	struct name name = {0};
	struct str text = STR_INIT;
	LLVMValueRef load;

	if (!a || code - a->function->first >= a->function->size)
		return NULL;
	load = a->function->instructions[code - a->function->first];
	slot = names_slot(names, a, LLVMGetOperand(load, 0));
	variable = slot ? variable_at(names, slot->bits) : NULL;
	if (!variable || !variable->file)
		return NULL;
	*place = (struct walk_place){.file = variable->file, .line = variable->line};
	describe_stand_at(names, e);
	describe_load(&scope, load, &name);
	str_printf(&text, "%s = ", str_text(&name.text));
	describe_operand(&scope, load, &text);
	str_add(&text, " (initial value)");
	names_at(names, 0, 0, 0, 0);
	name_deinit(&name);
	return str_steal(&text);
}
