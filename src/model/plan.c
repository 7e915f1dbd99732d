/* Which functions, imports, labels and globals a module has, in the order both sides number them:
   see plan.h. */
#include "model/plan.h"

#include <assert.h>
#include <string.h>

/* ------ frames and private locals ------ */

/* A local whose uses are being looked at. */
struct uses {
	LLVMTargetDataRef layout;
	const struct plan_function *function;
	uint64_t size;
};

static bool is_inside(const struct uses *u, int64_t offset, uint64_t size)
{
	return offset >= 0 && (uint64_t)offset + size <= u->size;
}

/* The local that a pointer is derived from by constant steps; -1: none. */
/* Index of an alloca among the locals; -1: it is not one (its size is not constant). */
static int locals_index(const struct plan_function *function, LLVMValueRef alloca_)
{
	for (uint32_t i = 0; i < function->locals.size; i++)
		if (function->locals.at[i].alloca_ == alloca_)
			return (int)i;
	return -1;
}

static int local_of(LLVMTargetDataRef layout, const struct plan_function *function,
                    LLVMValueRef pointer, int64_t *offset)
{
	int64_t sum = 0, step;

	while (LLVMIsAGetElementPtrInst(pointer)) {
		if (!ir_constant_offset(layout, pointer, &step))
			return -1;
		sum += step;
		pointer = LLVMGetOperand(pointer, 0);
	}
	if (!LLVMIsAAllocaInst(pointer))
		return -1;
	*offset = sum;
	return locals_index(function, pointer);
}

/* May a private local be copied or set by this call, at `offset`? As the source it may. As the
   target it may when what it gets is known: bytes of a private local, or one value. */
static bool copy_is_private(const struct uses *u, LLVMValueRef call, LLVMValueRef pointer,
                            int64_t offset)
{
	const char *name = ir_intrinsic(call);
	LLVMValueRef size;
	int64_t from_offset;
	int from;

	if (!name || (strncmp(name, "memcpy.", 7) && strncmp(name, "memset.", 7)))
		return false;
	size = LLVMGetOperand(call, 2);
	if (!LLVMIsAConstantInt(size) || !is_inside(u, offset, LLVMConstIntGetZExtValue(size)))
		return false;
	if (name[3] == 's' || LLVMGetOperand(call, 0) != pointer)
		return true;
	from = local_of(u->layout, u->function, LLVMGetOperand(call, 1), &from_offset);
	return from >= 0 && u->function->locals.at[from].private_;
}

/* Is every use of `pointer`, which lies `offset` into the local, a load from it, a store to it, a
   copy of known bytes, or a constant step to another place inside the local? */
static bool uses_are_private(const struct uses *u, LLVMValueRef pointer, int64_t offset)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMTypeRef type;
		int64_t step;

		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
			if (!ir_constant_offset(u->layout, user, &step) ||
			    !uses_are_private(u, user, offset + step))
				return false;
			continue;
		}
		if (LLVMIsACallInst(user)) {
			if (!copy_is_private(u, user, pointer, offset))
				return false;
			continue;
		}
		if (LLVMIsALoadInst(user))
			type = LLVMTypeOf(user);
		else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer)
			type = LLVMTypeOf(LLVMGetOperand(user, 0));
		else
			return false;
		if (!is_inside(u, offset, ir_store_size(u->layout, type)))
			return false;
	}
	return true;
}

/* Takes all locals for private and then drops those that are not, until none is dropped: whether a
   local is private may depend on another that it is copied from. */
static void find_private(LLVMTargetDataRef layout, struct plan_function *function)
{
	struct uses uses = {.layout = layout, .function = function};
	bool changed = true;

	for (uint32_t i = 0; i < function->locals.size; i++)
		function->locals.at[i].private_ = true;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < function->locals.size; i++) {
			struct plan_local *local = &function->locals.at[i];

			uses.size = local->size;
			if (local->private_ && !uses_are_private(&uses, local->alloca_, 0)) {
				local->private_ = false;
				changed = true;
			}
		}
	}
}

/* How close to the guard a stack protector wants a local of this type: arrays go highest. */
static unsigned exposure(LLVMTargetDataRef layout, LLVMTypeRef type)
{
	unsigned most = 0;

	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return LLVMABISizeOfType(layout, type) >= 8 ? 2 : 1;
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return 0;
	for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
		unsigned field = exposure(layout, LLVMStructGetTypeAtIndex(type, i));

		most = field > most ? field : most;
	}
	return most;
}

static bool is_protected(LLVMValueRef function)
{
	return ir_function_has(function, "ssp") || ir_function_has(function, "sspstrong") ||
	       ir_function_has(function, "sspreq");
}

/* Gives the locals their places: the last one first, as clang -O0 has the first one highest. */
static void lay_out(LLVMTargetDataRef layout, struct plan_function *function)
{
	bool guarded = is_protected(function->function);

	function->frame_align = 8;
	for (unsigned e = 0; e <= 2; e++)
		for (uint32_t i = function->locals.size; i-- > 0;) {
			struct plan_local *local = &function->locals.at[i];
			LLVMTypeRef type = LLVMGetAllocatedType(local->alloca_);

			if (e == (guarded ? exposure(layout, type) : 0)) {
				uint64_t align = LLVMGetAlignment(local->alloca_);

				if (align > function->frame_align)
					function->frame_align = (uint32_t)align;
				local->offset = (function->frame_size + align - 1) / align * align;
				function->frame_size = local->offset + local->size;
			}
		}
	function->frame_size = (function->frame_size + 7) / 8 * 8;
	if (!function->frame_size)
		function->frame_size = 8;
}

/* Finds the locals of a function, lays out its frame and says which locals are private. */
static void locals_find(LLVMTargetDataRef layout, struct plan_function *function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function->function);

	for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		struct plan_local *local;

		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
			continue;
		local = vec_push(&function->locals);
		local->alloca_ = i;
		local->size = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) *
		              LLVMABISizeOfType(layout, LLVMGetAllocatedType(i));
	}
	find_private(layout, function);
	lay_out(layout, function);
}

int plan_local_of(const struct plan *plan, const struct plan_function *function,
                  LLVMValueRef pointer, int64_t *offset)
{
	return local_of(plan->layout, function, pointer, offset);
}

/* ------ branches and switches: which value leads where ------ */

static int64_t case_value(LLVMValueRef switch_, unsigned i)
{
	return LLVMConstIntGetSExtValue(ir_case_value(switch_, i));
}

struct plan_switch plan_switch(LLVMTargetDataRef layout, LLVMValueRef switch_)
{
	struct plan_switch s = {0};
	uint32_t width = ir_store_size(layout, LLVMTypeOf(LLVMGetOperand(switch_, 0)));
	unsigned cases = ir_case_count(switch_);
	int64_t least = cases ? case_value(switch_, 0) : 0, most = least;
	uint64_t range;

	for (unsigned i = 1; i < cases; i++) {
		int64_t value = case_value(switch_, i);

		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	range = (uint64_t)most - (uint64_t)least;
	if (range < 254 && width > 1)
		s = (struct plan_switch){.size = 1, .low = least, .most = 254};
	else if (range < 65534 && width > 2)
		s = (struct plan_switch){.size = 2, .low = least, .most = 65534};
	else
		s.size = width;
	return s;
}

static int by_number(const void *a, const void *b)
{
	const struct plan_case *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

uint32_t plan_switch_target(const struct plan_function *function, const struct plan_block *block,
                            uint64_t number)
{
	const struct plan_record *record = &function->records.at[block->first + block->count - 1];
	struct plan_case key = {.number = number}, *found = NULL;

	if (block->successors > 1)
		found = bsearch(&key, function->cases.at + record->target, block->successors - 1,
		                sizeof(key), by_number);
	return found ? found->block : function->successors.at[block->successor];
}

/* --- by value --- */

static LLVMValueRef end_of(const struct plan_function *function, uint32_t block,
                           enum plan_kind *kind)
{
	const struct plan_block *b = &function->blocks.at[block];
	const struct plan_record *end = &function->records.at[b->first + b->count - 1];

	*kind = end->kind;
	return end->instruction;
}

static uint64_t mask_of(LLVMValueRef switch_)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(switch_, 0)));

	return width >= 64 ? ~0ull : (1ull << width) - 1;
}

/* The successor of a switch for a value without bits above its type. */
static uint32_t choose(LLVMValueRef switch_, uint64_t value)
{
	unsigned cases = ir_case_count(switch_);

	for (unsigned i = 0; i < cases; i++)
		if (LLVMConstIntGetZExtValue(ir_case_value(switch_, i)) == value)
			return i + 1;
	return 0;
}

/* Of so many values and one more, one is no case. */
static bool find_other(LLVMValueRef switch_, uint64_t *value)
{
	uint64_t most = ir_case_count(switch_), mask = mask_of(switch_);

	for (uint64_t v = 0; v <= most && v <= mask; v++)
		if (!choose(switch_, v)) {
			*value = v;
			return true;
		}
	return false;
}

bool plan_branch_value(const struct plan_function *function, uint32_t block, uint32_t successor,
                       uint64_t *value)
{
	enum plan_kind kind;
	LLVMValueRef end = end_of(function, block, &kind);

	if (successor >= function->blocks.at[block].successors)
		return false;
	if (kind == PLAN_BRANCH)
		*value = successor == 0;
	else if (kind == PLAN_SWITCH && successor)
		*value = LLVMConstIntGetZExtValue(ir_case_value(end, successor - 1));
	else
		return kind == PLAN_SWITCH && find_other(end, value);
	return true;
}

uint32_t plan_branch_successor(const struct plan_function *function, uint32_t block, uint64_t value)
{
	enum plan_kind kind;
	LLVMValueRef end = end_of(function, block, &kind);

	if (kind == PLAN_SWITCH)
		return choose(end, value & mask_of(end));
	return kind == PLAN_BRANCH && !(value & 0xff);
}

uint32_t plan_way(const struct plan_function *function, uint32_t block, uint32_t next)
{
	const struct plan_block *b = &function->blocks.at[block];
	const uint32_t *successors = function->successors.at + b->successor;
	enum plan_kind kind;

	end_of(function, block, &kind);
	for (uint32_t i = kind == PLAN_SWITCH; i < b->successors; i++)
		if (successors[i] == next)
			return i;
	return kind == PLAN_SWITCH && successors[0] == next ? 0 : UINT32_MAX;
}

/* ------ what each block of a function writes to the tape ------ */

/* Intrinsics whose result the reader computes; other results are recorded. */
static const char *const computed[] = {
	"abs.",         "bitreverse.", "bswap.",      "ceil.",  "copysign.", "ctlz.",  "ctpop.",
	"cttz.",        "expect.",     "fabs.",       "floor.", "fmuladd.",  "fshl.",  "fshr.",
	"is.constant.", "launder.",    "objectsize.", "rint.",  "round.",    "sadd.",  "smax.",
	"smin.",        "smul.",       "sqrt.",       "ssub.",  "stacksave", "trunc.", "uadd.",
	"umax.",        "umin.",       "umul.",       "usub.",
};

static bool is_computed(const char *intrinsic)
{
	for (size_t i = 0; i < sizeof(computed) / sizeof(*computed); i++)
		if (!strncmp(intrinsic, computed[i], strlen(computed[i])))
			return true;
	return false;
}

static bool is_void(LLVMValueRef instruction)
{
	return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind;
}

struct finder {
	struct plan *plan;
	struct plan_function *function;
	struct plan_block *block;
	uint32_t statement;
	uint32_t instruction;
};

static struct plan_record *add(struct finder *f, LLVMValueRef i, enum plan_kind kind, uint32_t size)
{
	struct plan_record *record = vec_push(&f->function->records);

	record->instruction = i;
	record->kind = kind;
	record->size = size;
	record->statement = f->statement;
	record->instruction_number = f->instruction;
	f->block->count++;
	return record;
}

static void add_value(struct finder *f, LLVMValueRef i)
{
	add(f, i, PLAN_VALUE, ir_store_size(f->plan->layout, LLVMTypeOf(i)));
}

/* The reader keeps the program's memory and so knows what a load gives; half of a wide value is
   enough to notice when it does not, and half as long. */
static bool is_halved(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
	case LLVMDoubleTypeKind: return true;
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) == 64;
	default: return false;
	}
}

/* Does the instruction do nothing but compute a value, and do only such instructions of its block use
   that? The code generator drops it then, at -O0 too: recording it would keep it, and the program
   might die of it. */
static bool is_dead(LLVMValueRef i, unsigned depth)
{
	LLVMUseRef use;

	if (depth > 64 || LLVMIsACallInst(i) || LLVMIsAStoreInst(i) || LLVMIsATerminatorInst(i) ||
	    LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || LLVMIsAAtomicRMWInst(i) ||
	    LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
		return false;
	if (LLVMIsALoadInst(i) &&
	    (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic))
		return false;
	for (use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(i) ||
		    !is_dead(user, depth + 1))
			return false;
	}
	return true;
}

static void add_load(struct finder *f, LLVMValueRef load)
{
	int64_t offset;
	int local = plan_local_of(f->plan, f->function, LLVMGetOperand(load, 0), &offset);

	if (local >= 0 && f->function->locals.at[local].private_)
		return;
	if (is_dead(load, 0))
		return;
	if (is_halved(LLVMTypeOf(load)))
		add(f, load, PLAN_HALF, 4);
	else
		add_value(f, load);
}

/* The results of inline assembly: its value, and what lies behind each indirect operand. */
static void add_asm(struct finder *f, LLVMValueRef call)
{
	if (!is_void(call))
		add_value(f, call);
	for (unsigned a = 0; a < LLVMGetNumArgOperands(call); a++) {
		LLVMTypeRef type = ir_argument_type(call, a, "elementtype");

		if (type)
			add(f, call, PLAN_MEMORY, ir_store_size(f->plan->layout, type))->target = a;
	}
}

static void add_intrinsic(struct finder *f, LLVMValueRef call, const char *name)
{
	if (!strncmp(name, "va_start", 8))
		add(f, call, PLAN_MEMORY, 24)->target = 0;
	else if (!is_void(call) && !is_computed(name))
		add_value(f, call);
}

static int function_index(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->functions.size; i++)
		if (plan->functions.at[i].function == function)
			return (int)i;
	return -1;
}

static int import_index(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->imports.size; i++)
		if (plan->imports.at[i].function == function)
			return (int)i;
	return -1;
}

static void add_call(struct finder *f, LLVMValueRef call)
{
	const char *intrinsic = ir_intrinsic(call);
	LLVMValueRef callee = ir_callee(call);
	struct plan_record *record;
	int index;

	if (intrinsic)
		add_intrinsic(f, call, intrinsic);
	else if (ir_is_asm(call))
		add_asm(f, call);
	else if (!callee)
		add(f, call, PLAN_INDIRECT, 0);
	else if ((index = import_index(f->plan, callee)) >= 0) {
		record = add(f, call, PLAN_IMPORT, 0);
		record->target = (uint32_t)index;
		record->returns_twice = ir_call_has(call, "returns_twice");
	} else {
		index = function_index(f->plan, callee);
		assert(index >= 0);
		add(f, call, PLAN_CALL, 0)->target = (uint32_t)index;
	}
}

static void add_instruction(struct finder *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: add_load(f, i); break;
	case LLVMCall: add_call(f, i); break;
	case LLVMAlloca:
		if (locals_index(f->function, i) < 0)
			add_value(f, i);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: add_value(f, i); break;
	default:
		if (LLVMIsATerminatorInst(i)) {
			switch (LLVMGetInstructionOpcode(i)) {
			case LLVMBr:
				if (LLVMIsConditional(i))
					add(f, i, PLAN_BRANCH, 1);
				else
					add(f, i, PLAN_GOTO, 0);
				break;
			case LLVMSwitch:
				add(f, i, PLAN_SWITCH, plan_switch(f->plan->layout, i).size);
				break;
			case LLVMIndirectBr: add(f, i, PLAN_JUMP, 4); break;
			case LLVMRet: add(f, i, PLAN_RETURN, 0); break;
			case LLVMUnreachable: add(f, i, PLAN_STOP, 0); break;
			default: assert(!"a terminator that records_refusal() lets through");
			}
		}
	}
}

bool plan_ends_statement(LLVMValueRef i)
{
	const char *intrinsic;

	if (!LLVMInstructionGetDebugLoc(i))
		return false;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMRet: return true;
	case LLVMBr: return LLVMIsConditional(i);
	case LLVMCall:
		intrinsic = ir_intrinsic(i);
		return !intrinsic || !strncmp(intrinsic, "mem", 3) || !strncmp(intrinsic, "va_", 3);
	default: return false;
	}
}

static void note_statement(struct finder *f, LLVMValueRef i, struct plan_statement *under_way)
{
	/* At the head of a function the compiler puts parameters in their places. That has no place
	   in the source, so the first statement begins behind it. */
	if (!under_way->begin && LLVMInstructionGetDebugLoc(i) && !LLVMIsAPHINode(i) &&
	    !LLVMIsAAllocaInst(i))
		*under_way = (struct plan_statement){i, f->instruction};
	if (!plan_ends_statement(i))
		return;
	*vec_push(&f->function->statements) = *under_way;
	under_way->begin = NULL;
	f->statement++;
}

static void find_records(struct finder *f)
{
	struct plan_statement under_way = {0};
	LLVMValueRef i;

	f->statement = f->instruction = 0;
	f->block->first = f->function->records.size;
	f->block->first_statement = f->function->statements.size;
	for (i = LLVMGetFirstInstruction(f->block->block); i; i = LLVMGetNextInstruction(i)) {
		const char *intrinsic = ir_intrinsic(i);

		if (intrinsic && !strncmp(intrinsic, "dbg.", 4))
			continue;
		add_instruction(f, i);
		note_statement(f, i, &under_way);
		f->instruction++;
	}
	f->block->statements = f->statement;
	f->block->instructions = f->instruction;
}

/* --- blocks --- */

struct numbered {
	LLVMBasicBlockRef block;
	uint32_t number;
};

static int by_block(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->block < y->block ? -1 : x->block > y->block;
}

static void find_successors(struct plan_function *function)
{
	uint32_t count = function->blocks.size;
	struct numbered *numbers = mem_alloc(count * sizeof(*numbers));

	for (uint32_t b = 0; b < count; b++)
		numbers[b] = (struct numbered){function->blocks.at[b].block, b};
	qsort(numbers, count, sizeof(*numbers), by_block);
	for (uint32_t b = 0; b < count; b++) {
		struct plan_block *block = &function->blocks.at[b];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);

		block->successor = function->successors.size;
		block->successors = LLVMGetNumSuccessors(end);
		for (unsigned s = 0; s < block->successors; s++) {
			struct numbered key = {LLVMGetSuccessor(end, s), 0};
			struct numbered *found =
				bsearch(&key, numbers, count, sizeof(key), by_block);

			*vec_push(&function->successors) = found->number;
		}
	}
	free(numbers);
}

/* Depth-first search; the target of an edge back into the path is a loop's header. */
static void find_loops(struct plan_function *function)
{
	enum { WHITE, ON_PATH, DONE };
	uint32_t count = function->blocks.size;
	uint8_t *colour = mem_alloc(count);
	uint32_t *next = mem_alloc(count * sizeof(*next));
	VEC(uint32_t) path = VEC_INIT;

	*vec_push(&path) = 0;
	colour[0] = ON_PATH;
	while (path.size) {
		uint32_t b = path.at[path.size - 1];
		struct plan_block *block = &function->blocks.at[b];
		uint32_t s;

		if (next[b] == block->successors) {
			colour[b] = DONE;
			path.size--;
			continue;
		}
		s = function->successors.at[block->successor + next[b]++];
		if (colour[s] == ON_PATH)
			function->blocks.at[s].check = true;
		if (colour[s] == WHITE) {
			colour[s] = ON_PATH;
			*vec_push(&path) = s;
		}
	}
	vec_deinit(&path);
	free(next);
	free(colour);
}

/* What makes reading fast: how much a block without calls writes, and the cases of a switch. */
static void sum_block(struct plan *plan, struct plan_function *function, struct plan_block *block)
{
	uint32_t last = block->first + block->count - 1;

	for (uint32_t i = block->first; i < last && block->bytes != UNKNOWN_BYTES; i++) {
		const struct plan_record *r = &function->records.at[i];
		bool calls = r->kind >= PLAN_CALL && r->kind <= PLAN_INDIRECT;

		block->bytes = calls ? UNKNOWN_BYTES : block->bytes + r->size;
	}
	if (function->records.at[last].kind == PLAN_SWITCH) {
		/* The cases of the switch, in the order of the numbers on the tape. */
		struct plan_record *record = &function->records.at[block->first + block->count - 1];
		struct plan_switch s = plan_switch(plan->layout, record->instruction);
		uint64_t mask = s.size == 8 ? ~0ull : (1ull << 8 * s.size) - 1;

		record->target = function->cases.size;
		for (uint32_t i = 0; i + 1 < block->successors; i++) {
			struct plan_case *added = vec_push(&function->cases);
			uint64_t value =
				(uint64_t)case_value(record->instruction, i) - (uint64_t)s.low;

			added->number = (value & mask) + (s.most ? 1 : 0);
			added->block = function->successors.at[block->successor + i + 1];
		}
		if (block->successors > 1)
			qsort(function->cases.at + record->target, block->successors - 1,
			      sizeof(struct plan_case), by_number);
	}
}

/* Finds the blocks of a function and their records. The plan's functions and imports must all be
   listed already, and the function's locals known. */
static void records_find(struct plan *plan, struct plan_function *function)
{
	struct finder f = {.plan = plan, .function = function};
	LLVMBasicBlockRef b;

	for (b = LLVMGetFirstBasicBlock(function->function); b; b = LLVMGetNextBasicBlock(b))
		vec_push(&function->blocks)->block = b;
	for (uint32_t i = 0; i < function->blocks.size; i++) {
		f.block = &function->blocks.at[i];
		find_records(&f);
	}
	find_successors(function);
	find_loops(function);
	for (uint32_t i = 0; i < function->blocks.size; i++)
		sum_block(plan, function, &function->blocks.at[i]);
}

/* --- what we cannot record --- */

static const char *instruction_refusal(LLVMValueRef i)
{
	LLVMTypeRef type;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBr:
	case LLVMIndirectBr:
	case LLVMRet:
	case LLVMUnreachable: return NULL;
	case LLVMSwitch:
		type = LLVMTypeOf(LLVMGetOperand(i, 0));
		return LLVMGetIntTypeWidth(type) > 64 ? "a switch over more than 64 bits" : NULL;
	case LLVMCall:
		return LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail ? "a musttail call"
		                                                          : NULL;
	case LLVMCallBr: return "asm goto";
	default: return LLVMIsATerminatorInst(i) ? "an unusual terminator" : NULL;
	}
}

/* ------ the plan of a module ------ */

static const char *name_of(LLVMValueRef value)
{
	size_t length;

	return LLVMGetValueName2(value, &length);
}

static bool is_local(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* May the linker or the loader put another definition in the place of this one? */
static bool is_replaceable(LLVMModuleRef module, LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	if (is_local(function))
		return false;
	if (linkage != LLVMExternalLinkage)
		return true;
	/* In a shared library the loader may replace what is visible. */
	return LLVMGetVisibility(function) == LLVMDefaultVisibility &&
	       LLVMGetModuleFlag(module, "PIC Level", 9) &&
	       !LLVMGetModuleFlag(module, "PIE Level", 9);
}

/* Is the function used for anything but being called? */
static bool is_address_taken(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return true;
		for (unsigned a = 0; a < LLVMGetNumArgOperands(user); a++)
			if (LLVMGetOperand(user, a) == function)
				return true;
	}
	return false;
}

/* Functions of the C library that compiled code calls without a call in the IR. Would a program's
   own version be recorded, its records would stand in the middle of its caller's. */
static bool is_library_call(const char *name)
{
	static const char *const names[] = {
		"memcpy", "memmove", "memset", "ceil",      "ceilf",      "ceill",
		"floor",  "floorf",  "floorl", "fma",       "fmaf",       "fmal",
		"fmax",   "fmaxf",   "fmaxl",  "fmin",      "fminf",      "fminl",
		"fmod",   "fmodf",   "fmodl",  "nearbyint", "nearbyintf", "nearbyintl",
		"rint",   "rintf",   "rintl",  "round",     "roundf",     "roundl",
		"trunc",  "truncf",  "truncl", "sqrt",      "sqrtf",      "sqrtl",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static const char *refusal(LLVMModuleRef module, LLVMValueRef function)
{
	if (!is_local(function) && is_library_call(name_of(function)))
		return "a name of the C library that compiled code calls by itself";
	for (LLVMValueRef ifunc = LLVMGetFirstGlobalIFunc(module); ifunc;
	     ifunc = LLVMGetNextGlobalIFunc(ifunc))
		if (LLVMGetGlobalIFuncResolver(ifunc) == function)
			return "to choose an ifunc before the program is linked";
	if (ir_function_has(function, "naked"))
		return "the naked attribute";
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			const char *reason = instruction_refusal(i);

			if (reason)
				return reason;
		}
	return NULL;
}

static void list_function(struct plan *plan, LLVMValueRef function)
{
	const char *reason = refusal(plan->module, function);
	struct plan_function *added;
	struct plan_refusal *refused;

	if (reason) {
		refused = vec_push(&plan->refusals);
		refused->function = function;
		refused->reason = reason;
		return;
	}
	added = vec_push(&plan->functions);
	added->function = function;
	added->name = name_of(function);
	added->enterable = !is_local(function) || is_address_taken(function);
}

static void add_import(struct plan *plan, LLVMValueRef function)
{
	struct plan_import *import = vec_push(&plan->imports);

	import->function = function;
	import->name = name_of(function);
}

static bool is_refused(const struct plan *plan, LLVMValueRef function)
{
	uint32_t count = plan->refusals.size;

	return count && plan->refusals.at[count - 1].function == function;
}

static bool has_import(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->imports.size; i++)
		if (plan->imports.at[i].function == function)
			return true;
	return false;
}

static void list_functions(struct plan *plan, const struct plan *before)
{
	LLVMValueRef f;

	for (uint32_t i = 0; before && i < before->imports.size; i++) {
		f = LLVMGetNamedFunction(plan->module, before->imports.at[i].name);
		assert(f);
		add_import(plan, f);
	}
	for (f = LLVMGetFirstFunction(plan->module); f; f = LLVMGetNextFunction(f)) {
		bool own, defined = !LLVMIsDeclaration(f) &&
		                    LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage;

		if (defined)
			list_function(plan, f);
		own = defined && !is_refused(plan, f);
		/* A function that nothing called before has no entry in the program's table of imports. */
		if (own && (before || !is_replaceable(plan->module, f)))
			continue;
		if (LLVMGetFirstUse(f) && !LLVMGetIntrinsicID(f) &&
		    !(before && has_import(plan, f)))
			add_import(plan, f);
	}
}

/* Labels are the blocks that some indirectbr of the function may go to. */
static void list_labels(struct plan *plan, uint32_t f)
{
	struct plan_function *function = &plan->functions.at[f];
	uint8_t *seen = mem_alloc(function->blocks.size);

	for (uint32_t b = 0; b < function->blocks.size; b++) {
		struct plan_block *block = &function->blocks.at[b];
		struct plan_record *end = &function->records.at[block->first + block->count - 1];

		for (uint32_t s = 0; end->kind == PLAN_JUMP && s < block->successors; s++)
			seen[function->successors.at[block->successor + s]] = 1;
	}
	for (uint32_t b = 0; b < function->blocks.size; b++)
		if (seen[b]) {
			struct plan_label *label = vec_push(&plan->labels);

			label->function = f;
			label->block = b;
			label->basic_block = function->blocks.at[b].block;
		}
	free(seen);
}

static void find_byvals(struct plan_function *function)
{
	for (unsigned p = 0; p < LLVMCountParams(function->function); p++)
		if (ir_parameter_type(function->function, p, "byval"))
			*vec_push(&function->byvals) = p;
}

uint32_t plan_site(const struct plan_function *function, uint32_t block, uint32_t statement,
                   enum hence_site_kind kind)
{
	if (kind == HENCE_SITE_BRANCH)
		return function->first_block + block;
	return function->first_statement + function->blocks.at[block].first_statement + statement;
}

static void number_sites(struct plan *plan)
{
	for (uint32_t f = 1; f < plan->functions.size; f++) {
		const struct plan_function *before = &plan->functions.at[f - 1];

		plan->functions.at[f].first_statement =
			before->first_statement + before->statements.size;
		plan->functions.at[f].first_block = before->first_block + before->blocks.size;
	}
}

struct plan *plan_create(LLVMModuleRef module, const struct plan *before)
{
	struct plan *plan = mem_alloc(sizeof(*plan));

	plan->module = module;
	plan->layout = LLVMGetModuleDataLayout(module);
	list_functions(plan, before);

	for (LLVMValueRef g = LLVMGetFirstGlobal(plan->module); g; g = LLVMGetNextGlobal(g))
		if (strncmp(name_of(g), "llvm.", 5))
			*vec_push(&plan->globals) = g;

	for (uint32_t f = 0; f < plan->functions.size; f++) {
		locals_find(plan->layout, &plan->functions.at[f]);
		find_byvals(&plan->functions.at[f]);
		records_find(plan, &plan->functions.at[f]);
		list_labels(plan, f);
	}
	number_sites(plan);
	return plan;
}

void plan_destroy(struct plan *plan)
{
	if (!plan)
		return;
	for (uint32_t f = 0; f < plan->functions.size; f++) {
		struct plan_function *function = &plan->functions.at[f];

		vec_deinit(&function->locals);
		vec_deinit(&function->byvals);
		vec_deinit(&function->blocks);
		vec_deinit(&function->records);
		vec_deinit(&function->statements);
		vec_deinit(&function->successors);
		vec_deinit(&function->cases);
	}
	vec_deinit(&plan->functions);
	vec_deinit(&plan->imports);
	vec_deinit(&plan->labels);
	vec_deinit(&plan->globals);
	vec_deinit(&plan->refusals);
	free(plan);
}
