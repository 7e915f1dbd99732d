/*
 * Which edits a function has: see edit.h. All are typed: what replaces a value has its type, names are
 * visible where they are used. An edit that computes the same as the code at all times (x * 1 for
 * x / 1) may be among them; a scout finds it idle.
 *
 * Read make_function() first, near the end: it goes over the instructions of a function and calls the makers, which
 * are before it in this order:
 *
 *	survey()            what the function has: variables, constants, loops
 *	make_instruction()  an instruction by its kind: make_compare(), make_binary(), make_constant(), make_load(),
 *	                    make_member(), make_index(), make_branch(), make_call(), make_store(), make_cast()
 *	make_comparisons()  choices: a table of comparisons between variables, for a condition or a new `if`
 *	make_fitted()       edits by value: a row of such a table, chosen by what runs have shown
 *	make_insertions()   before a line: if (c) around it, v = w, if (c) break, continue or return
 *	make_copies()       statements that are copied there, as they are or with another variable; make_moved(): after the next
 *	make_cases()        labels of a switch; make_break(), make_else(), make_left(), make_else_copies(): where a branch leads
 *
 * The names of edits come last. Edits of data are in data.c, of declarations in declared.c, of named constants in names.c.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/mem.h"
#include "edit/declared.h"
#include "edit/text.h"
#include "run/blobs.h"

#define MOST_VARIABLES 24u /* that a place is offered, the nearest first */
#define MOST_READ      8u  /* expressions that it is offered */
#define MOST_CONSTANTS 12u /* of a function */
#define FEW_CONSTANTS  4u  /* with fewer, those of the file are tried, too */
#define MOST_OF_FILE   40u
#define MOST_RELATED   16u
#define MOST_FORGOTTEN 4u /* characters that a format with numbers may lack */

const char *const edit_class_names[EDIT_CLASSES] = {
	[EDIT_CLASS_OPERATOR] = "operator",   [EDIT_CLASS_CONSTANT] = "constant",
	[EDIT_CLASS_VARIABLE] = "variable",   [EDIT_CLASS_OPERAND] = "operand",
	[EDIT_CLASS_CONDITION] = "condition", [EDIT_CLASS_CALL] = "call",
	[EDIT_CLASS_STATEMENT] = "statement", [EDIT_CLASS_DATA] = "data",
	[EDIT_CLASS_WIDTH] = "width",
};

/* --- modules --- */

struct hence_error *edit_module_open(const struct program_module *loaded, uint32_t number,
                                     struct edit_module *out)
{
	struct edit_module m = {.number = number, .loaded = loaded};
	LLVMMemoryBufferRef buffer = NULL;
	const struct blob *blob;
	struct blobs *blobs;
	struct hence_error *error = blobs_open(loaded->path, &blobs);
	uint8_t *bitcode = NULL;
	size_t size;

	if (error)
		return error;
	blob = blobs_find(blobs, loaded->hash);
	error = blob ? blobs_bitcode(blobs, blob, &bitcode, &size)
	             : error_create(HENCE_ERROR_INPUT, "%s has changed since it was recorded",
	                            loaded->path);
	blobs_close(blobs);
	if (error)
		return error;
	m.context = LLVMContextCreate();
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((char *)bitcode, size, "ir");
	free(bitcode);
	if (LLVMParseBitcodeInContext2(m.context, buffer, &m.ir)) {
		LLVMDisposeMemoryBuffer(buffer);
		LLVMContextDispose(m.context);
		return error_create(HENCE_ERROR_INPUT, "the IR in %s is damaged; rebuild it",
		                    loaded->path);
	}
	LLVMDisposeMemoryBuffer(buffer);
	m.plan = plan_create(m.ir, NULL);
	vec_reserve(&m.poked, m.plan->globals.size + 1);
	memset(m.poked.at, 0, m.poked.room * sizeof(*m.poked.at));
	m.types = types_create(m.ir);
	m.variables = variables_create(m.types);
	*out = m;
	return NULL;
}

void edit_module_close(struct edit_module *m)
{
	if (!m->context)
		return;
	variables_destroy(m->variables);
	types_destroy(m->types);
	if (m->plan)
		plan_destroy(m->plan);
	LLVMDisposeModule(m->ir);
	LLVMContextDispose(m->context);
	arena_deinit(&m->arena);
	vec_deinit(&m->edits);
	vec_deinit(&m->poked);
	vec_deinit(&m->constants);
	for (uint32_t i = 0; i < m->sources.size; i++) {
		for (uint32_t n = 0; n < m->sources.at[i].lines.size; n++)
			free(m->sources.at[i].lines.at[n]);
		vec_deinit(&m->sources.at[i].lines);
		free(m->sources.at[i].name);
	}
	vec_deinit(&m->sources);
	*m = (struct edit_module){0};
}

const struct edit_source *edit_source_of(struct edit_module *m, const struct edit_wish *wish,
                                         const char *file)
{
	struct edit_source *source = NULL;
	char *text = NULL, *directory = NULL;

	for (uint32_t i = 0; i < m->sources.size && file; i++)
		if (!strcmp(m->sources.at[i].name, file))
			return m->sources.at[i].lines.size ? &m->sources.at[i] : NULL;
	if (!file || !wish->read_source)
		return NULL;
	/* All files of a module are given relative to one directory. */
	for (uint32_t f = 0; f < m->plan->functions.size && !directory; f++) {
		LLVMMetadataRef scope = LLVMGetSubprogram(m->plan->functions.at[f].function);
		LLVMMetadataRef at = scope ? LLVMDIScopeGetFile(scope) : NULL;
		unsigned length = 0;
		const char *name = at ? LLVMDIFileGetDirectory(at, &length) : NULL;

		if (length)
			directory = mem_strndup(name, length);
	}
	text = wish->read_source(directory ? directory : ".", file, m->loaded->path);
	source = vec_push(&m->sources);
	source->name = mem_strdup(file);
	for (const char *at = text; at && *at;) {
		size_t length = strcspn(at, "\n");

		*vec_push(&source->lines) = mem_strndup(at, length);
		at += length + (at[length] == '\n');
	}
	free(text);
	free(directory);
	return source->lines.size ? source : NULL;
}

/* --- what a function has --- */

/* A scalar variable that an edit may name, or an expression that the function reads somewhere: p->n, a[i + 1]. */
struct candidate {
	const struct variable *variable; /* NULL: it is an expression, */
	const struct edit_tree *address; /* of which this is the address, */
	unsigned line;                   /* and which is read here first */
	const char *name;
	const struct ctype *ctype;
	LLVMTypeRef type; /* of its value */
};

struct loop {
	LLVMBasicBlockRef header, latch, exit; /* exit: NULL if there is none */
	bool *blocks;                          /* by number */
	uint32_t size;
};

/* A statement that can be copied: it lies in one block, and uses no values from outside. */
struct snippet {
	LLVMValueRef begin, end;
	uint32_t ordinal; /* of the end */
	uint32_t effects; /* stores and calls */
	uint32_t same;    /* the first one that does the same */
	bool plain;       /* v = 0, v = w, v++: an assignment that is put in anyway */
};

/* A switch with its blocks, which follow each other. */
struct cases {
	LLVMValueRef inst;
	uint32_t first;        /* number of a block */
	LLVMBasicBlockRef end; /* the block after it */
	uint32_t size;
};

struct maker {
	struct edit_module *m;
	uint32_t function;
	LLVMValueRef f;
	uint32_t ordinal;
	const char *file; /* of the last edit */
	VEC(struct candidate)
	candidates; /* of the function, with globals that it uses; then expressions */
	VEC(const struct variable *) arrays;
	VEC(LLVMValueRef) constants; /* integers and reals that it uses */
	VEC(LLVMValueRef) calls;     /* of functions that it may call instead */
	VEC(LLVMBasicBlockRef) blocks;
	VEC(struct loop) loops;
	VEC(struct snippet) snippets;
	VEC(struct cases) switches;
	const char *missing;   /* in the output; NULL: something else is wrong */
	LLVMBasicBlockRef out; /* that returns; NULL: several do */
	LLVMValueRef result;   /* the alloca that holds what is returned; NULL: none */
	const struct edit_wish *wish;
};

static bool is_int(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1 &&
	       LLVMGetIntTypeWidth(type) <= 64;
}

/* Of a type that C widens to int before it computes. */
static bool is_narrow(LLVMTypeRef type)
{
	return is_int(type) && LLVMGetIntTypeWidth(type) < 32;
}

static bool is_real(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
	       LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind && !LLVMGetPointerAddressSpace(type);
}

static LLVMTypeRef storage_type(LLVMValueRef storage)
{
	/* A local of constant size is there from the start of the function on. */
	if (LLVMIsAAllocaInst(storage))
		return LLVMIsAConstantInt(LLVMGetOperand(storage, 0)) &&
		                       LLVMGetInstructionParent(storage) ==
		                               LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(
						       LLVMGetInstructionParent(storage)))
		               ? LLVMGetAllocatedType(storage)
		               : NULL;
	return LLVMIsAGlobalVariable(storage) ? LLVMGlobalGetValueType(storage) : NULL;
}

static void add_candidate(struct maker *k, const struct variable *v)
{
	LLVMTypeRef type;

	if (!v || !v->storage || v->artificial || v->indirect || !v->name || v->inlined)
		return;
	type = storage_type(v->storage);
	if (!type || (LLVMIsAGlobalVariable(v->storage) && LLVMIsThreadLocal(v->storage)))
		return;
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
		for (uint32_t i = 0; i < k->arrays.size; i++)
			if (k->arrays.at[i] == v)
				return;
		*vec_push(&k->arrays) = v;
	}
	if (!is_int(type) && !is_real(type) && !is_pointer(type))
		return;
	/* The parameters of main() that it never looks at. */
	if (v->argument && !strcmp(k->m->plan->functions.at[k->function].name, "main") &&
	    LLVMGetFirstUse(v->storage) && !LLVMGetNextUse(LLVMGetFirstUse(v->storage)))
		return;
	for (uint32_t i = 0; i < k->candidates.size; i++)
		if (k->candidates.at[i].variable == v)
			return;
	*vec_push(&k->candidates) =
		(struct candidate){.variable = v, .name = v->name, .ctype = v->type, .type = type};
}

static void add_constant(struct maker *k, LLVMValueRef value)
{
	if (!LLVMIsAConstantInt(value) && !LLVMIsAConstantFP(value))
		return;
	if (!is_int(LLVMTypeOf(value)) && !is_real(LLVMTypeOf(value)))
		return;
	for (uint32_t i = 0; i < k->constants.size; i++)
		if (k->constants.at[i] == value)
			return;
	if (k->constants.size < 4 * MOST_CONSTANTS)
		*vec_push(&k->constants) = value;
}

static uint32_t block_number(const struct maker *k, LLVMBasicBlockRef block)
{
	for (uint32_t i = 0; i < k->blocks.size; i++)
		if (k->blocks.at[i] == block)
			return i;
	return UINT32_MAX;
}

static void grow_loop(struct maker *k, struct loop *loop, uint32_t block)
{
	if (loop->blocks[block])
		return;
	loop->blocks[block] = true;
	loop->size++;
	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
			if (LLVMGetSuccessor(end, s) == k->blocks.at[block])
				grow_loop(k, loop, i);
	}
}

/* A branch back to a block that comes earlier makes a loop, as clang writes them. */
static void find_loops(struct maker *k)
{
	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
			uint32_t header = block_number(k, LLVMGetSuccessor(end, s));
			struct loop *loop;

			if (header > i || k->blocks.size > 400)
				continue;
			loop = vec_push(&k->loops);
			loop->header = k->blocks.at[header];
			loop->latch = k->blocks.at[i];
			loop->blocks = mem_alloc(k->blocks.size);
			loop->blocks[header] = true;
			loop->size = 1;
			grow_loop(k, loop, i);
			for (int which = 0; which < 2 && !loop->exit; which++) {
				LLVMValueRef last = LLVMGetBasicBlockTerminator(
					which ? loop->latch : loop->header);

				for (unsigned e = 0; e < LLVMGetNumSuccessors(last); e++) {
					LLVMBasicBlockRef to = LLVMGetSuccessor(last, e);

					if (!loop->blocks[block_number(k, to)])
						loop->exit = to;
				}
			}
		}
	}
}

static void survey(struct maker *k)
{
	const struct variable_list *own = variables_of_function(k->m->variables, k->f);

	for (uint32_t i = 0; own && i < own->size; i++)
		add_candidate(k, own->at[i]);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->f); b; b = LLVMGetNextBasicBlock(b)) {
		*vec_push(&k->blocks) = b;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			unsigned operands = (unsigned)LLVMGetNumOperands(i);
			bool call = LLVMIsACallInst(i);

			for (unsigned n = 0;
			     n < operands && !LLVMIsAGetElementPtrInst(i) && !LLVMIsAAllocaInst(i);
			     n++) {
				LLVMValueRef value = LLVMGetOperand(i, n);

				if (!call || n + 1 < operands)
					add_constant(k, value);
				if (LLVMIsAGlobalVariable(value))
					add_candidate(k,
					              variables_of_global(k->m->variables, value));
			}
		}
	}
	find_loops(k);
	uint32_t count = 0;

	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]), value;

		if (!LLVMIsAReturnInst(end))
			continue;
		count++;
		k->out = k->blocks.at[i];
		value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
		if (value && LLVMIsALoadInst(value) &&
		    LLVMIsAAllocaInst(LLVMGetOperand(value, 0)) &&
		    !variables_of_alloca(k->m->variables, LLVMGetOperand(value, 0)) &&
		    LLVMGetInstructionParent(value) == k->out)
			k->result = LLVMGetOperand(value, 0);
	}
	if (count != 1)
		k->out = NULL;
}

/* --- names and places --- */

static struct edit *add(struct maker *k, enum edit_kind kind, enum edit_where where,
                        LLVMValueRef at, LLVMValueRef place)
{
	struct edit *e = vec_push(&k->m->edits);
	unsigned length = 0;
	const char *file = LLVMGetDebugLocFilename(place, &length);

	e->kind = kind;
	e->where = where;
	e->module = k->m->number;
	e->function = k->function;
	e->ordinal = k->ordinal;
	e->at = at;
	e->line = LLVMGetDebugLocLine(place);
	e->column = LLVMGetDebugLocColumn(place);
	if (LLVMIsABranchInst(at) && LLVMIsConditional(at)) {
		LLVMValueRef condition = LLVMGetCondition(at);

		/* xor x, true */
		if (!LLVMIsABinaryOperator(condition) ||
		    LLVMGetInstructionOpcode(condition) != LLVMXor ||
		    !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
			e->part |= EDIT_PART_PLAIN;
		if (LLVMIsAInstruction(condition) && e->line &&
		    LLVMGetDebugLocLine(condition) == e->line)
			e->condition = LLVMGetDebugLocColumn(condition);
	}
	if (file && e->line) {
		if (!k->file || strlen(k->file) != length || memcmp(k->file, file, length))
			k->file = arena_strndup(&k->m->arena, file, length);
		e->file = k->file;
	}
	return e;
}

static bool has_place(LLVMValueRef i)
{
	return LLVMGetDebugLocLine(i) != 0;
}

static bool same_place(LLVMValueRef a, LLVMValueRef b)
{
	return LLVMGetDebugLocLine(a) == LLVMGetDebugLocLine(b) &&
	       LLVMGetDebugLocColumn(a) == LLVMGetDebugLocColumn(b);
}

static struct edit_term its(uint32_t operand)
{
	return (struct edit_term){.kind = EDIT_ITS, .operand = operand};
}

static struct edit_term original(void)
{
	return (struct edit_term){.kind = EDIT_ORIGINAL};
}

static struct edit_term integer(LLVMTypeRef type, int64_t value)
{
	return (struct edit_term){.kind = EDIT_CONSTANT, .type = type, .constant = value};
}

static struct edit_term real(LLVMTypeRef type, double value)
{
	return (struct edit_term){.kind = EDIT_CONSTANT, .type = type, .real = value};
}

static struct edit_term loaded(const struct candidate *c)
{
	if (c->address)
		return (struct edit_term){.kind = EDIT_READ, .tree = c->address, .type = c->type};
	return (struct edit_term){
		.kind = EDIT_LOADED, .value = c->variable->storage, .type = c->type};
}

static const char *text(struct maker *k, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	return arena_strdup(&k->m->arena, line);
}

static const char *constant_text(struct maker *k, LLVMValueRef c)
{
	LLVMBool lost;

	if (LLVMIsAConstantInt(c))
		return text(k, "%lld", LLVMConstIntGetSExtValue(c));
	return text(k, "%.17g", LLVMConstRealGetDouble(c, &lost));
}

static bool is_variable_visible(struct maker *k, const struct variable *v, LLVMValueRef at)
{
	const struct variable_scope *scope = variables_scope(k->m->variables, at);
	unsigned line = LLVMGetDebugLocLine(at), column = LLVMGetDebugLocColumn(at);

	if (!v->scope)
		return true;
	for (; scope && scope != v->scope; scope = scope->parent)
		continue;
	if (!scope)
		return false;
	return v->argument || !v->line || v->line < line || (v->line == line && v->column < column);
}

static bool is_tree_visible(struct maker *k, const struct edit_tree *t, LLVMValueRef at)
{
	const struct variable *v;

	for (uint32_t i = 0; i < t->count; i++)
		if (!is_tree_visible(k, t->operands[i], at))
			return false;
	if (t->kind != EDIT_TREE_LEAF || !LLVMIsAAllocaInst(t->leaf))
		return true;
	v = variables_of_alloca(k->m->variables, t->leaf);
	return v && is_variable_visible(k, v, at);
}

/* May it be named where the instruction stands? */
static bool is_visible(struct maker *k, const struct candidate *c, LLVMValueRef at)
{
	return c->address ? is_tree_visible(k, c->address, at)
	                  : is_variable_visible(k, c->variable, at);
}

static bool same_ctype(const struct ctype *a, const struct ctype *b)
{
	struct str one = STR_INIT, two = STR_INIT;
	bool same;

	a = ctype_strip(a);
	b = ctype_strip(b);
	if (a == b || !a || !b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	if (a->kind == CTYPE_POINTER)
		return same_ctype(a->target, b->target);
	if (a->kind == CTYPE_INTEGER || a->kind == CTYPE_CHAR || a->kind == CTYPE_FLOAT)
		return a->size == b->size;
	ctype_name(a, &one);
	ctype_name(b, &two);
	same = !strcmp(str_text(&one), str_text(&two));
	str_deinit(&one);
	str_deinit(&two);
	return same;
}

static const struct candidate *candidate_of(const struct maker *k, LLVMValueRef storage)
{
	for (uint32_t i = 0; i < k->candidates.size; i++)
		if (k->candidates.at[i].variable &&
		    k->candidates.at[i].variable->storage == storage)
			return &k->candidates.at[i];
	return NULL;
}

/* --- comparisons, operations, constants --- */

static const char *const int_predicates[] = {
	[LLVMIntEQ] = "==", [LLVMIntNE] = "!=",  [LLVMIntUGT] = ">", [LLVMIntUGE] = ">=",
	[LLVMIntULT] = "<", [LLVMIntULE] = "<=", [LLVMIntSGT] = ">", [LLVMIntSGE] = ">=",
	[LLVMIntSLT] = "<", [LLVMIntSLE] = "<=",
};

static const char *real_predicate(int p)
{
	switch (p) {
	case LLVMRealOEQ:
	case LLVMRealUEQ: return "==";
	case LLVMRealONE:
	case LLVMRealUNE: return "!=";
	case LLVMRealOLT:
	case LLVMRealULT: return "<";
	case LLVMRealOLE:
	case LLVMRealULE: return "<=";
	case LLVMRealOGT:
	case LLVMRealUGT: return ">";
	case LLVMRealOGE:
	case LLVMRealUGE: return ">=";
	default: return NULL;
	}
}

/* Is it the question whether a value is 0 that no operator stands for: `if (x)`? */
static bool is_implicit(LLVMValueRef compare)
{
	LLVMValueRef left = LLVMGetOperand(compare, 0), right = LLVMGetOperand(compare, 1);
	bool zero = LLVMIsNull(right);

	return zero && LLVMIsAInstruction(left) && same_place(left, compare);
}

static void make_compare(struct maker *k, LLVMValueRef i)
{
	static const int signed_set[] = {LLVMIntSLT, LLVMIntSLE, LLVMIntSGT,
	                                 LLVMIntSGE, LLVMIntEQ,  LLVMIntNE};
	static const int unsigned_set[] = {LLVMIntULT, LLVMIntULE, LLVMIntUGT,
	                                   LLVMIntUGE, LLVMIntEQ,  LLVMIntNE};
	static const int real_set[] = {LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
	                               LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE};
	bool whole = LLVMIsAICmpInst(i);
	int old = whole ? (int)LLVMGetICmpPredicate(i) : (int)LLVMGetFCmpPredicate(i);
	const char *was = whole ? int_predicates[old] : real_predicate(old);
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
	bool is_unsigned = old == LLVMIntULT || old == LLVMIntULE || old == LLVMIntUGT ||
	                   old == LLVMIntUGE || is_pointer(type);
	const int *set = !whole ? real_set : is_unsigned ? unsigned_set : signed_set;

	if (is_implicit(i) || !was)
		return;
	for (int n = 0; n < 6; n++) {
		struct edit *e;
		const char *is = whole ? int_predicates[set[n]] : real_predicate(set[n]);

		if (!strcmp(was, is))
			continue;
		e = add(k, EDIT_RELATIONAL, EDIT_RESULT, i, i);
		e->operation = EDIT_COMPARE;
		e->code = set[n];
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = is;
	}
	/* As if the operands were of the other signedness. */
	if (whole && is_int(type) && old != LLVMIntEQ && old != LLVMIntNE) {
		struct edit *e = add(k, EDIT_WIDER, EDIT_RESULT, i, i);

		for (int n = 0; n < 4; n++)
			if (set[n] == old)
				e->code = (is_unsigned ? signed_set : unsigned_set)[n];
		e->operation = EDIT_COMPARE;
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = text(k, "%s as %s numbers", was, is_unsigned ? "signed" : "unsigned");
	}
}

static const char *opcode_text(int opcode)
{
	switch (opcode) {
	case LLVMAdd:
	case LLVMFAdd: return "+";
	case LLVMSub:
	case LLVMFSub: return "-";
	case LLVMMul:
	case LLVMFMul: return "*";
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMFDiv: return "/";
	case LLVMSRem:
	case LLVMURem: return "%";
	case LLVMAnd: return "&";
	case LLVMOr: return "|";
	case LLVMXor: return "^";
	case LLVMShl: return "<<";
	case LLVMAShr:
	case LLVMLShr: return ">>";
	default: return NULL;
	}
}

/* Is the variable of an unsigned type that no arithmetic makes signed? */
static bool is_natural(const struct candidate *c)
{
	const struct ctype *type = c ? ctype_strip(c->ctype) : NULL;

	return type && type->kind == CTYPE_INTEGER && !type->is_signed && type->size >= 4;
}

/* Was the value computed as an unsigned number? Clang marks signed sums as not wrapping. */
static bool is_unsigned(const struct maker *k, LLVMValueRef value, uint32_t depth)
{
	if (!LLVMIsAInstruction(value) || depth > 4)
		return false;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMLoad: return is_natural(candidate_of(k, LLVMGetOperand(value, 0)));
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul: return !LLVMGetNSW(value);
	case LLVMUDiv:
	case LLVMURem:
	case LLVMLShr: return true;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
		return is_unsigned(k, LLVMGetOperand(value, 0), depth + 1) ||
		       is_unsigned(k, LLVMGetOperand(value, 1), depth + 1);
	case LLVMShl: return is_unsigned(k, LLVMGetOperand(value, 0), depth + 1);
	default: return false;
	}
}

static void make_binary(struct maker *k, LLVMValueRef i)
{
	static const int whole[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMSDiv, LLVMSRem, 0};
	static const int natural[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv, LLVMURem, 0};
	static const int reals[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, 0};
	static const int bits[] = {LLVMAnd, LLVMOr, LLVMXor, 0};
	static const int shifts[] = {LLVMShl, LLVMAShr, 0};
	static const int shifts_natural[] = {LLVMShl, LLVMLShr, 0};
	int old = (int)LLVMGetInstructionOpcode(i);
	const char *was = opcode_text(old);
	LLVMTypeRef type = LLVMTypeOf(i);
	LLVMValueRef left = LLVMGetOperand(i, 0), right = LLVMGetOperand(i, 1);
	bool wraps = is_int(type) && is_unsigned(k, i, 0);
	const int *set = (old == LLVMAdd || old == LLVMSub || old == LLVMMul) && wraps ? natural
	                 : old == LLVMShl && wraps                           ? shifts_natural
	                 : old == LLVMUDiv || old == LLVMURem                ? natural
	                 : old == LLVMAnd || old == LLVMOr || old == LLVMXor ? bits
	                 : old == LLVMLShr                                   ? shifts_natural
	                 : old == LLVMShl || old == LLVMAShr                 ? shifts
	                 : is_real(type)                                     ? reals
	                                                                     : whole;
	enum edit_kind kind = set == bits || set == shifts || set == shifts_natural
	                              ? EDIT_BITWISE
	                              : EDIT_ARITHMETIC;
	/* x++: an addition of 1 or -1 beside its load and store. */
	bool step = (old == LLVMAdd || old == LLVMFAdd) && LLVMIsAConstant(right) &&
	            LLVMIsALoadInst(left) && same_place(left, i);

	if (!was || (!is_int(type) && !is_real(type)))
		return;
	if (step && LLVMIsAConstantInt(right) && llabs(LLVMConstIntGetSExtValue(right)) == 1) {
		bool up = LLVMConstIntGetSExtValue(right) == 1;
		struct edit *e = add(k, EDIT_STEP, EDIT_RESULT, i, i);

		e->operation = EDIT_BINARY;
		e->code = LLVMSub;
		e->a = its(0);
		e->b = its(1);
		e->was = up ? "++" : "--";
		e->is = up ? "--" : "++";
	}
	for (int n = 0; set[n]; n++) {
		struct edit *e;

		if (set[n] == old || (step && kind == EDIT_ARITHMETIC && set[n] != LLVMMul))
			continue;
		if (step)
			break;
		e = add(k, kind, EDIT_RESULT, i, i);
		e->operation = EDIT_BINARY;
		e->code = set[n];
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = opcode_text(set[n]);
	}
	/* & for && and | for || are the same on truth values; % 2 and & 1 are not edits of each other. */
	for (uint32_t n = 0; !step && is_int(type) && n < k->constants.size && n < 8; n++) {
		const int operations[] = {LLVMAdd, LLVMSub, LLVMMul, wraps ? LLVMUDiv : LLVMSDiv,
		                          wraps ? LLVMURem : LLVMSRem};
		LLVMValueRef c = k->constants.at[n];

		if (LLVMTypeOf(c) != type || LLVMIsNull(c))
			continue;
		for (int o = LLVMConstIntGetSExtValue(c) == 1 ? 5 : 0; o < 5; o++) {
			struct edit *e = add(k, EDIT_EXTENDED, EDIT_RESULT, i, i);

			e->operation = EDIT_BINARY;
			e->code = operations[o];
			e->a = original();
			e->b = integer(type, LLVMConstIntGetSExtValue(c));
			e->was = was;
			e->is = text(k, "%s %s", opcode_text(operations[o]), constant_text(k, c));
		}
	}
	for (int n = 0; n < 2 && !step && is_int(type); n++) {
		struct edit *e = add(k, EDIT_OFF_BY_ONE, EDIT_RESULT, i, i);

		e->operation = EDIT_BINARY;
		e->code = n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = integer(type, 1);
		e->was = was;
		e->is = n ? "- 1" : "+ 1";
	}
	/* x for x + y, but of x += y that is no statement at all: it is deleted elsewhere. */
	for (uint32_t n = LLVMIsALoadInst(left) && same_place(left, i); n < 2 && !step; n++) {
		struct edit *e = add(k, EDIT_DROPPED, EDIT_RESULT, i, i);

		e->operation = EDIT_TAKE;
		e->a = its(n);
		e->operand = n;
		e->was = was;
		e->is = n ? "right" : "left";
	}
}

static const struct ctype *pointee(struct maker *k, LLVMValueRef pointer, uint32_t depth);

/* The C type that a constant is compared with, assigned to, passed or returned as; NULL: not known. */
static const struct ctype *constant_type(struct maker *k, LLVMValueRef i, uint32_t operand)
{
	const struct ctype *type = NULL;
	LLVMValueRef other;

	if (LLVMIsACmpInst(i)) {
		other = LLVMGetOperand(i, 1 - operand);
		/* C widens what is narrow before it compares. */
		if (LLVMIsASExtInst(other) || LLVMIsAZExtInst(other))
			other = LLVMGetOperand(other, 0);
		if (LLVMIsALoadInst(other))
			return ctype_strip(pointee(k, LLVMGetOperand(other, 0), 0));
		if (LLVMIsACallInst(other) && ir_callee(other))
			type = types_of_function(k->m->types, ir_callee(other));
		return type ? ctype_strip(type->target) : NULL;
	}
	if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == k->result)
		type = types_of_function(k->m->types, k->f);
	else if (LLVMIsAStoreInst(i))
		return ctype_strip(pointee(k, LLVMGetOperand(i, 1), 0));
	if (LLVMIsAReturnInst(i))
		type = types_of_function(k->m->types, k->f);
	if (type)
		return ctype_strip(type->target);
	if (LLVMIsACallInst(i) && ir_callee(i))
		type = types_of_function(k->m->types, ir_callee(i));
	return type && type->kind == CTYPE_FUNCTION && operand < type->member_count
	               ? ctype_strip(type->parameters[operand])
	               : NULL;
}

static const char *enumerator_name(const struct ctype *type, int64_t value)
{
	for (uint32_t n = 0; n < type->member_count; n++)
		if (type->enumerators[n].value == value)
			return type->enumerators[n].name;
	return NULL;
}

#define MOST_ENUMERATORS 40u

/* Other enumerators for the one that an instruction uses. False: it uses none. */
static bool make_enumerators(struct maker *k, LLVMValueRef i, uint32_t operand, LLVMValueRef place)
{
	const struct ctype *type = constant_type(k, i, operand);
	LLVMValueRef c = LLVMGetOperand(i, operand);
	const char *was = type && type->kind == CTYPE_ENUM && LLVMIsAConstantInt(c)
	                          ? enumerator_name(type, LLVMConstIntGetSExtValue(c))
	                          : NULL;

	for (uint32_t n = 0; was && n < type->member_count && n < MOST_ENUMERATORS; n++) {
		struct edit *e;

		if (type->enumerators[n].value == LLVMConstIntGetSExtValue(c))
			continue;
		e = add(k, EDIT_OTHER_CONSTANT, EDIT_OPERAND, i, place);
		e->operand = operand;
		e->operation = EDIT_TAKE;
		e->a = integer(LLVMTypeOf(c), type->enumerators[n].value);
		e->was = was;
		e->is = type->enumerators[n].name;
	}
	return was != NULL;
}

/* Is the constant a character, as far as one can tell? */
static bool is_character(struct maker *k, LLVMValueRef i, uint32_t operand)
{
	static const char *const known[] = {"putchar", "putc",    "fputc", "ungetc",
	                                    "strchr",  "strrchr", NULL};
	const struct ctype *type = constant_type(k, i, operand);
	LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
	size_t length;

	for (int n = 0; callee && known[n]; n++)
		if (!strcmp(LLVMGetValueName2(callee, &length), known[n]))
			return true;
	return type && type->kind == CTYPE_CHAR && type->name && !strcmp(type->name, "char");
}

/* Numbers that often stand in one another's place: of other size, other characters; where the function has few
   constants, those of the whole file. Gives how many there are. */
static uint32_t related_numbers(struct maker *k, LLVMValueRef i, uint32_t operand, bool few,
                                int64_t out[MOST_RELATED])
{
	LLVMValueRef c = LLVMGetOperand(i, operand);
	int64_t value = LLVMConstIntGetSExtValue(c);
	uint32_t count = 0;

	if (is_character(k, i, operand)) {
		static const char often[] = {' ', '\n', '\0', '\t', '0', ','};

		if (value > 0 && value < 128 && isalpha((int)value))
			out[count++] = value ^ 0x20;
		for (uint32_t n = 0; n < sizeof(often); n++)
			out[count++] = often[n];
		return count;
	}
	if (llabs(value) > 1 && llabs(value) < INT64_MAX / 16) {
		out[count++] = value * 2;
		out[count++] = value * 10;
		out[count++] = value / 2;
		if (value % 10 == 0)
			out[count++] = value / 10;
	}
	for (LLVMValueRef f = LLVMGetFirstFunction(k->m->ir); f && few && !k->m->constants.room;
	     f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef n = LLVMGetFirstInstruction(b); n;
			     n = LLVMGetNextInstruction(n))
				for (unsigned o = 0;
				     o < 2 && (LLVMIsABinaryOperator(n) || LLVMIsACmpInst(n) ||
				               (LLVMIsAStoreInst(n) && !o));
				     o++) {
					LLVMValueRef other = LLVMGetOperand(n, o);
					bool known = !LLVMIsAConstantInt(other);

					for (uint32_t p = 0; p < k->m->constants.size && !known;
					     p++)
						known = k->m->constants.at[p] == other;
					if (!known && k->m->constants.size < MOST_OF_FILE)
						*vec_push(&k->m->constants) = other;
				}
	for (uint32_t n = 0; few && n < k->m->constants.size && count < MOST_RELATED; n++)
		if (LLVMTypeOf(k->m->constants.at[n]) == LLVMTypeOf(c))
			out[count++] = LLVMConstIntGetSExtValue(k->m->constants.at[n]);
	return count;
}

/* Another constant for one that an instruction uses. */
static void make_constant(struct maker *k, LLVMValueRef i, uint32_t operand, LLVMValueRef place)
{
	LLVMValueRef c = LLVMGetOperand(i, operand);
	LLVMTypeRef type = LLVMTypeOf(c);
	const char *was = constant_text(k, c);
	VEC(int64_t) tried = VEC_INIT;

	if (LLVMIsAConstantFP(c)) {
		LLVMBool lost;
		double value = LLVMConstRealGetDouble(c, &lost);
		double others[] = {value + 1, value - 1, -value, 0, 1, value * 10, value / 10, 0.5};

		for (uint32_t n = 0; n < sizeof(others) / sizeof(*others); n++) {
			struct edit *e;

			if (others[n] == value)
				continue;
			e = add(k, n < 2 ? EDIT_NEAR : EDIT_OTHER_CONSTANT, EDIT_OPERAND, i, place);
			e->operand = operand;
			e->operation = EDIT_TAKE;
			e->a = real(type, others[n]);
			e->was = was;
			e->is = text(k, "%.17g", others[n]);
		}
		return;
	}
	if (!make_enumerators(k, i, operand, place)) {
		int64_t value = LLVMConstIntGetSExtValue(c);
		int64_t others[6 + 4 * MOST_CONSTANTS + MOST_RELATED] = {value + 1, value - 1, 0, 1,
		                                                         -value};
		uint32_t count = 5, used = 0;

		for (uint32_t n = 0; n < k->constants.size && used < MOST_CONSTANTS; n++) {
			LLVMValueRef other = k->constants.at[n];

			if (LLVMTypeOf(other) != type)
				continue;
			others[count++] = LLVMConstIntGetSExtValue(other);
			used++;
		}
		count += related_numbers(k, i, operand, used < FEW_CONSTANTS, others + count);
		for (uint32_t n = 0; n < count; n++) {
			bool known = others[n] == value;
			struct edit *e;

			for (uint32_t t = 0; t < tried.size; t++)
				known |= tried.at[t] == others[n];
			if (known)
				continue;
			*vec_push(&tried) = others[n];
			e = add(k, n < 2 ? EDIT_NEAR : EDIT_OTHER_CONSTANT, EDIT_OPERAND, i, place);
			e->operand = operand;
			e->operation = EDIT_TAKE;
			e->a = integer(type, others[n]);
			e->was = was;
			e->is = text(k, "%lld", (long long)others[n]);
		}
		vec_deinit(&tried);
	}
	/* A variable in its place. */
	for (uint32_t n = 0, used = 0, read = 0; n < k->candidates.size; n++) {
		const struct candidate *v = &k->candidates.at[n];
		struct edit *e;

		if (v->type != type || !is_visible(k, v, place) ||
		    (v->address ? read == MOST_READ : used == MOST_VARIABLES))
			continue;
		read += v->address != NULL;
		used += !v->address;
		e = add(k, EDIT_VARIABLE_FOR, EDIT_OPERAND, i, place);
		e->operand = operand;
		e->operation = EDIT_TAKE;
		e->a = loaded(v);
		e->was = was;
		e->is = v->name;
	}
}

/* Is the load only one half of x++ or x += y? */
static bool is_half(LLVMValueRef load)
{
	LLVMUseRef use = LLVMGetFirstUse(load);
	LLVMValueRef user = use ? LLVMGetUser(use) : NULL;

	return user && LLVMIsAInstruction(user) && LLVMIsABinaryOperator(user) &&
	       same_place(user, load);
}

/* Something else for a value that an instruction computes: x + 1, -x, a constant. `name` is what
   stands in the source. */
static void make_near_value(struct maker *k, LLVMValueRef i, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(i);
	struct edit *e;

	if (!is_int(type) && !is_real(type))
		return;
	for (int n = 0; n < 2; n++) {
		e = add(k, EDIT_OFF_BY_ONE, EDIT_RESULT, i, i);
		e->operation = EDIT_BINARY;
		e->code = is_real(type) ? (n ? LLVMFSub : LLVMFAdd) : n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = is_real(type) ? real(type, 1) : integer(type, 1);
		e->was = name;
		e->is = text(k, "%s %c 1", name, n ? '-' : '+');
	}
	e = add(k, EDIT_SIGN, EDIT_RESULT, i, i);
	e->operation = EDIT_BINARY;
	e->code = is_real(type) ? LLVMFSub : LLVMSub;
	e->a = is_real(type) ? real(type, 0) : integer(type, 0);
	e->b = original();
	e->was = name;
	e->is = text(k, "-%s", name);
}

/* The member of a structure at an element of its IR type; NULL: none is just there. */
static const struct ctype_member *member_at(struct maker *k, const struct ctype *type,
                                            LLVMTypeRef structure, unsigned element)
{
	uint64_t offset = 8 * LLVMOffsetOfElement(k->m->plan->layout, structure, element);

	type = ctype_strip(type);
	if (!type || type->kind != CTYPE_STRUCT ||
	    type->size != LLVMABISizeOfType(k->m->plan->layout, structure))
		return NULL;
	for (uint32_t i = 0; i < type->member_count; i++)
		if (type->members[i].bit_offset == offset && !type->members[i].bit_size &&
		    type->members[i].name)
			return &type->members[i];
	return NULL;
}

/* The C type of what a pointer points to; NULL: it is not known. */
static const struct ctype *pointee(struct maker *k, LLVMValueRef pointer, uint32_t depth)
{
	const struct ctype *type = NULL;
	const struct variable *v;

	if (depth > 8)
		return NULL;
	if (LLVMIsAGlobalVariable(pointer)) {
		v = variables_of_global(k->m->variables, pointer);
		return v ? v->type : NULL;
	}
	if (LLVMIsAAllocaInst(pointer)) {
		v = variables_of_alloca(k->m->variables, pointer);
		return v && !v->indirect ? v->type : NULL;
	}
	if (LLVMIsALoadInst(pointer)) {
		type = ctype_strip(pointee(k, LLVMGetOperand(pointer, 0), depth + 1));
		return type && type->kind == CTYPE_POINTER ? type->target : NULL;
	}
	if (LLVMIsAGetElementPtrInst(pointer)) {
		LLVMTypeRef source = LLVMGetGEPSourceElementType(pointer);
		int operands = LLVMGetNumOperands(pointer);

		type = pointee(k, LLVMGetOperand(pointer, 0), depth + 1);
		if (operands == 2)
			return type;
		if (operands == 3 && LLVMGetTypeKind(source) == LLVMStructTypeKind) {
			const struct ctype_member *m = member_at(
				k, type, source,
				(unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2)));

			return m ? m->type : NULL;
		}
		type = ctype_strip(type);
		return operands == 3 && type && type->kind == CTYPE_ARRAY ? type->target : NULL;
	}
	if (LLVMIsACallInst(pointer) && ir_callee(pointer))
		type = types_of_function(k->m->types, ir_callee(pointer));
	type = type ? ctype_strip(type->target) : NULL;
	return type && type->kind == CTYPE_POINTER ? type->target : NULL;
}

const struct ctype *edit_pointee(struct edit_module *m, LLVMValueRef pointer)
{
	return pointee(&(struct maker){.m = m}, pointer, 0);
}

/* --- expressions --- */

#define MOST_EXPRESSIONS 48u /* of a function */
#define MOST_MEMBERS     10u /* of a structure */

static bool add_value_text(struct maker *k, LLVMValueRef v, struct str *out, uint32_t depth);

/* What is at an address, in C. False: it has no plain name. */
static bool add_place_text(struct maker *k, LLVMValueRef address, struct str *out, uint32_t depth)
{
	LLVMValueRef base, index;
	LLVMTypeRef source;
	int operands;

	if (depth > 6)
		return false;
	if (LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address)) {
		const struct variable *v = LLVMIsAAllocaInst(address)
		                                   ? variables_of_alloca(k->m->variables, address)
		                                   : variables_of_global(k->m->variables, address);

		if (!v || v->indirect || v->artificial || !v->name)
			return false;
		str_add(out, v->name);
		return true;
	}
	if (LLVMIsALoadInst(address)) {
		str_add_char(out, '*');
		return add_value_text(k, address, out, depth + 1);
	}
	if (!LLVMIsAGetElementPtrInst(address))
		return false;
	base = LLVMGetOperand(address, 0);
	source = LLVMGetGEPSourceElementType(address);
	operands = LLVMGetNumOperands(address);
	index = LLVMGetOperand(address, (unsigned)operands - 1);
	if (operands == 3 && LLVMGetTypeKind(source) == LLVMStructTypeKind) {
		const struct ctype_member *m = member_at(k, pointee(k, base, 0), source,
		                                         (unsigned)LLVMConstIntGetZExtValue(index));
		bool through = LLVMIsALoadInst(base);

		if (!m || !(through ? add_value_text(k, base, out, depth + 1)
		                    : add_place_text(k, base, out, depth + 1)))
			return false;
		str_printf(out, "%s%s", through ? "->" : ".", m->name);
		return true;
	}
	if (operands == 3 ? LLVMGetTypeKind(source) != LLVMArrayTypeKind ||
	                            !LLVMIsNull(LLVMGetOperand(address, 1)) ||
	                            !add_place_text(k, base, out, depth + 1)
	                  : operands != 2 || !LLVMIsALoadInst(base) ||
	                            !add_value_text(k, base, out, depth + 1))
		return false;
	str_add_char(out, '[');
	if (!add_value_text(k, index, out, depth + 1))
		return false;
	str_add_char(out, ']');
	return true;
}

static bool add_value_text(struct maker *k, LLVMValueRef v, struct str *out, uint32_t depth)
{
	bool nested = out->length && !strchr("[*", out->text[out->length - 1]);
	const char *sign;
	int64_t constant = 0;
	bool minus;

	if (depth > 6)
		return false;
	if (LLVMIsAConstantInt(v)) {
		str_printf(out, "%lld", LLVMConstIntGetSExtValue(v));
		return true;
	}
	if (LLVMIsALoadInst(v))
		return add_place_text(k, LLVMGetOperand(v, 0), out, depth + 1);
	if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v))
		return add_value_text(k, LLVMGetOperand(v, 0), out, depth);
	sign = LLVMIsABinaryOperator(v) ? opcode_text((int)LLVMGetInstructionOpcode(v)) : NULL;
	if (!sign || nested)
		return false;
	if (LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
		constant = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
	minus = constant < 0 && LLVMGetInstructionOpcode(v) == LLVMAdd;
	if (!add_value_text(k, LLVMGetOperand(v, 0), out, depth + 1))
		return false;
	str_printf(out, " %s ", minus ? "-" : sign);
	if (minus)
		str_printf(out, "%lld", (long long)-constant);
	return minus || add_value_text(k, LLVMGetOperand(v, 1), out, depth + 1);
}

/* NULL: it cannot be computed elsewhere. */
static const struct edit_tree *tree_of(struct maker *k, LLVMValueRef v, uint32_t depth)
{
	struct edit_tree t = {0}, *made;

	if (depth > 8)
		return NULL;
	if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v)) {
		t.kind = EDIT_TREE_LEAF;
		t.leaf = v;
		if (!LLVMIsAConstant(v) && !(LLVMIsAAllocaInst(v) && storage_type(v)))
			return NULL;
	} else if (LLVMIsALoadInst(v)) {
		t.kind = EDIT_TREE_LOAD;
		t.type = LLVMTypeOf(v);
		t.count = 1;
	} else if (LLVMIsAGetElementPtrInst(v)) {
		t.kind = EDIT_TREE_ELEMENT;
		t.type = LLVMGetGEPSourceElementType(v);
		t.count = (uint32_t)LLVMGetNumOperands(v);
	} else if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v)) {
		t.kind = EDIT_TREE_CAST;
		t.type = LLVMTypeOf(v);
		t.count = 1;
	} else if (LLVMIsABinaryOperator(v)) {
		t.kind = EDIT_TREE_BINARY;
		t.count = 2;
		switch (LLVMGetInstructionOpcode(v)) {
		case LLVMSDiv:
		case LLVMUDiv:
		case LLVMSRem:
		case LLVMURem: return NULL; /* It might divide by zero elsewhere. */
		default: break;
		}
	} else {
		return NULL;
	}
	if (t.count > 3)
		return NULL;
	if (t.kind != EDIT_TREE_LEAF)
		t.opcode = (int)LLVMGetInstructionOpcode(v);
	for (uint32_t i = 0; i < t.count; i++) {
		t.operands[i] = tree_of(k, LLVMGetOperand(v, i), depth + 1);
		if (!t.operands[i])
			return NULL;
	}
	made = arena_new(&k->m->arena, struct edit_tree);
	*made = t;
	return made;
}

/* What a load reads: a variable or an expression; NULL: neither. */
static const struct candidate *read_by(struct maker *k, LLVMValueRef load)
{
	const struct candidate *found = candidate_of(k, LLVMGetOperand(load, 0));
	struct str name = STR_INIT;

	if (!found && add_place_text(k, LLVMGetOperand(load, 0), &name, 0))
		for (uint32_t i = 0; i < k->candidates.size && !found; i++)
			if (k->candidates.at[i].address &&
			    k->candidates.at[i].type == LLVMTypeOf(load) &&
			    !strcmp(k->candidates.at[i].name, str_text(&name)))
				found = &k->candidates.at[i];
	str_deinit(&name);
	return found;
}

/* A value of that type can be read from the address and is called so. */
static void add_expression(struct maker *k, const struct edit_tree *address, const char *name,
                           const struct ctype *ctype, LLVMTypeRef type, unsigned line)
{
	ctype = ctype_strip(ctype);
	if (!address || (!is_int(type) && !is_real(type) && !is_pointer(type)) || !ctype ||
	    ctype->kind == CTYPE_STRUCT || ctype->kind == CTYPE_UNION ||
	    ctype->kind == CTYPE_ARRAY || (ctype->kind == CTYPE_POINTER) != is_pointer(type) ||
	    ctype->size != LLVMABISizeOfType(k->m->plan->layout, type))
		return;
	for (uint32_t i = 0; i < k->candidates.size; i++)
		if (k->candidates.at[i].address && !strcmp(k->candidates.at[i].name, name))
			return;
	*vec_push(&k->candidates) = (struct candidate){.address = address,
	                                               .line = line,
	                                               .name = arena_strdup(&k->m->arena, name),
	                                               .ctype = ctype,
	                                               .type = type};
}

/* The members of the structure of which an instruction takes the address of one. */
static void add_members(struct maker *k, LLVMValueRef element)
{
	LLVMTypeRef source = LLVMGetGEPSourceElementType(element), *types;
	const struct edit_tree *whole = tree_of(k, element, 0);
	LLVMValueRef base = LLVMGetOperand(element, 0);
	const struct ctype *type = pointee(k, base, 0);
	unsigned fields = LLVMCountStructElementTypes(source);
	struct str name = STR_INIT;
	bool through = LLVMIsALoadInst(base);

	if (!whole ||
	    !(through ? add_value_text(k, base, &name, 1) : add_place_text(k, base, &name, 1))) {
		str_deinit(&name);
		return;
	}
	types = mem_alloc((fields + 1) * sizeof(*types));
	LLVMGetStructElementTypes(source, types);
	for (unsigned n = 0; n < fields && n < MOST_MEMBERS; n++) {
		const struct ctype_member *m = member_at(k, type, source, n);
		struct edit_tree *field, *index;
		char *text_;

		if (!m || !m->name)
			continue;
		field = arena_new(&k->m->arena, struct edit_tree);
		index = arena_new(&k->m->arena, struct edit_tree);
		*field = *whole;
		*index = (struct edit_tree){
			.leaf = LLVMConstInt(LLVMInt32TypeInContext(k->m->context), n, false)};
		field->operands[2] = index;
		text_ = str_format("%s%s%s", str_text(&name), through ? "->" : ".", m->name);
		add_expression(k, field, text_, m->type, types[n], LLVMGetDebugLocLine(element));
		free(text_);
	}
	free(types);
	str_deinit(&name);
}

static void make_load(struct maker *k, LLVMValueRef i)
{
	static const int whole[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMSDiv, LLVMSRem};
	static const int natural[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv, LLVMURem};
	static const int reals[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv};
	LLVMTypeRef type = LLVMTypeOf(i);
	const struct candidate *own;
	uint32_t used = 0, read = 0;

	if (is_half(i) || (!is_int(type) && !is_real(type) && !is_pointer(type)))
		return;
	own = read_by(k, i);
	if (!own)
		return;
	for (uint32_t n = 0; n < k->candidates.size; n++) {
		const struct candidate *v = &k->candidates.at[n];
		struct edit *e;

		if (v == own || v->type != type || !is_visible(k, v, i) ||
		    (is_pointer(type) && !same_ctype(v->ctype, own->ctype)) ||
		    (v->address ? read == MOST_READ : used == MOST_VARIABLES))
			continue;
		read += v->address != NULL;
		used += !v->address;
		e = add(k, EDIT_VARIABLE, EDIT_RESULT, i, i);
		e->operation = EDIT_TAKE;
		e->a = loaded(v);
		e->was = own->name;
		e->is = v->name;
	}
	for (uint32_t n = 0; is_pointer(type) && n < k->arrays.size; n++) {
		const struct variable *v = k->arrays.at[n];
		const struct ctype *array = ctype_strip(v->type),
				   *pointer = ctype_strip(own->ctype);
		struct edit *e;

		if (array->kind != CTYPE_ARRAY || !pointer || pointer->kind != CTYPE_POINTER ||
		    !same_ctype(array->target, pointer->target) || !is_variable_visible(k, v, i))
			continue;
		e = add(k, EDIT_VARIABLE, EDIT_RESULT, i, i);
		e->operation = EDIT_TAKE;
		e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = v->storage};
		e->was = own->name;
		e->is = v->name;
	}
	/* C computes with narrow numbers after it has widened them: see make_cast(). */
	if (!is_narrow(type))
		make_near_value(k, i, own->name);
	for (uint32_t n = 0, c = 0; is_int(type) && n < k->constants.size && c < 4; n++) {
		LLVMValueRef other = k->constants.at[n];
		struct edit *e;

		if (LLVMTypeOf(other) != type)
			continue;
		c++;
		e = add(k, EDIT_CONSTANT_FOR, EDIT_RESULT, i, i);
		e->operation = EDIT_TAKE;
		e->a = integer(type, LLVMConstIntGetSExtValue(other));
		e->was = own->name;
		e->is = constant_text(k, other);
	}
	/* x op y, for the other visible numbers of the type; of expressions only sums. */
	used = read = 0;
	for (uint32_t n = 0;
	     ((is_int(type) && !is_narrow(type)) || is_real(type)) && n < k->candidates.size; n++) {
		const struct candidate *v = &k->candidates.at[n];
		const int *set = is_real(type)                      ? reals
		                 : is_natural(own) || is_natural(v) ? natural
		                                                    : whole;
		int operators = v->address || own->address ? 2 : is_real(type) ? 4 : 5;

		if (v == own || v->type != type || !is_visible(k, v, i) ||
		    (v->address ? read == MOST_READ / 2 : used == 10))
			continue;
		read += v->address != NULL;
		used += !v->address;
		for (int o = 0; o < operators; o++) {
			struct edit *e = add(k, EDIT_EXTENDED, EDIT_RESULT, i, i);

			e->operation = EDIT_BINARY;
			e->code = set[o];
			e->a = original();
			e->b = loaded(v);
			e->was = own->name;
			e->is = text(k, "%s %s %s", own->name, opcode_text(e->code), v->name);
		}
	}
}

/* Members of a structure: another of the same type at the same place. */
static void make_member(struct maker *k, LLVMValueRef i)
{
	LLVMTypeRef source = LLVMGetGEPSourceElementType(i), kind;
	const struct ctype_member *own, *other;
	const struct ctype *type;
	unsigned operands = (unsigned)LLVMGetNumOperands(i), field, fields;
	LLVMTypeRef *types;

	if (operands != 3 || LLVMGetTypeKind(source) != LLVMStructTypeKind ||
	    !LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
		return;
	field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
	fields = LLVMCountStructElementTypes(source);
	types = mem_alloc(fields * sizeof(*types));
	LLVMGetStructElementTypes(source, types);
	kind = types[field];
	type = pointee(k, LLVMGetOperand(i, 0), 0);
	own = member_at(k, type, source, field);
	for (unsigned n = 0; n < fields; n++) {
		struct edit *e;

		if (n == field || types[n] != kind)
			continue;
		other = member_at(k, type, source, n);
		if (own && other && !same_ctype(own->type, other->type))
			continue;
		e = add(k, EDIT_MEMBER, EDIT_RESULT, i, i);
		e->operation = EDIT_FIELD;
		e->code = (int)n;
		e->operand = field;
		e->was = own ? own->name : text(k, "member %u", field);
		e->is = own && other ? other->name : text(k, "member %u", n);
	}
	free(types);
}

/* An array's element beside the one that is meant. */
static void make_index(struct maker *k, LLVMValueRef i)
{
	unsigned operands = (unsigned)LLVMGetNumOperands(i), last = operands - 1;
	LLVMTypeRef source = LLVMGetGEPSourceElementType(i);
	LLVMValueRef index = LLVMGetOperand(i, last);

	if (LLVMGetTypeKind(source) == LLVMStructTypeKind && operands == 3)
		return;
	if (!is_int(LLVMTypeOf(index)) || !has_place(i))
		return;
	for (int n = 0; n < 2; n++) {
		struct edit *e = add(k, EDIT_OFF_BY_ONE, EDIT_OPERAND, i, i);

		e->operand = last;
		e->operation = EDIT_BINARY;
		e->code = n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = integer(LLVMTypeOf(index), 1);
		e->was = "[]";
		e->is = n ? "- 1" : "+ 1";
	}
}

/* Is there only one branch to the block? */
static bool has_one_way(LLVMBasicBlockRef block)
{
	uint32_t ways = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
		ways += LLVMIsATerminatorInst(LLVMGetUser(u)) != NULL;
	return ways == 1;
}

/* Is `right` the branch on b in a && b, if `left` is the one on a? The place of `left` is the
   operator. That of `right` is the operator, too, or that of an expression around both, which is
   earlier: x && (a && b), !(a && b), a && b ? c : d. A later place is another operator, which has b on
   its left. */
static bool is_right_operand(LLVMValueRef right, LLVMValueRef left)
{
	unsigned line = LLVMGetDebugLocLine(right), other = LLVMGetDebugLocLine(left);

	return line && (line < other || (line == other && LLVMGetDebugLocColumn(right) <=
	                                                          LLVMGetDebugLocColumn(left)));
}

static void make_branch(struct maker *k, LLVMValueRef i)
{
	LLVMTypeRef bit = LLVMInt1TypeInContext(k->m->context);
	struct edit *e;
	uint32_t here;

	if (!LLVMIsConditional(i) || !has_place(i))
		return;
	e = add(k, EDIT_NEGATED, EDIT_OPERAND, i, i);
	e->operation = EDIT_BINARY;
	e->code = LLVMXor;
	e->a = original();
	e->b = integer(bit, 1);
	e->was = "condition";
	e->is = "!";
	for (int n = 0; n < 2; n++) {
		e = add(k, EDIT_FORCED, EDIT_OPERAND, i, i);
		e->operation = EDIT_TAKE;
		e->a = integer(bit, n);
		e->was = "condition";
		e->is = n ? "1" : "0";
	}
	/* if (...) break; the way that only leads elsewhere is not gone. */
	for (unsigned s = 0; s < 2; s++) {
		LLVMValueRef only = LLVMGetFirstInstruction(LLVMGetSuccessor(i, s));

		if (!LLVMIsABranchInst(only) || LLVMIsConditional(only) || !has_place(only) ||
		    LLVMGetSuccessor(only, 0) == LLVMGetSuccessor(i, 1 - s))
			continue;
		e = add(k, EDIT_DELETED, EDIT_OPERAND, i, only);
		e->operation = EDIT_TAKE;
		e->a = integer(bit, s);
		e->was = "statement";
		e->is = "";
	}
	/* a && b: a goes to b or to the else; as a || b it goes to the then or to b. Of x && a && b
	   this makes x && (a || b). In (x || a) && b both x and a go to b: one branch is not enough. */
	here = block_number(k, LLVMGetInstructionParent(i));
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef next = LLVMGetSuccessor(i, s), other = LLVMGetSuccessor(i, 1 - s);
		LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
		LLVMBasicBlockRef to = NULL;

		if (next == other || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
		    block_number(k, next) <= here || !is_right_operand(end, i) ||
		    !has_one_way(next))
			continue;
		if (LLVMGetSuccessor(end, 1 - s) == other)
			to = LLVMGetSuccessor(end, s);
		if (!to || LLVMIsAPHINode(LLVMGetFirstInstruction(to)) ||
		    LLVMIsAPHINode(LLVMGetFirstInstruction(next)))
			continue;
		e = add(k, EDIT_JOINED, EDIT_WAY, i, i);
		e->code = (int)s;
		e->to = to;
		e->was = s ? "||" : "&&";
		e->is = s ? "&&" : "||";
	}
	/* As a value, and in loops: what the left operand decides alone comes to a phi after the right one. */
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef end = LLVMGetSuccessor(i, s), right = LLVMGetSuccessor(i, 1 - s);
		LLVMValueRef phi = LLVMGetFirstInstruction(end), alone = NULL;

		if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 || end == right ||
		    LLVMIsAPHINode(LLVMGetNextInstruction(phi)) ||
		    LLVMIsAPHINode(LLVMGetFirstInstruction(right)) || LLVMTypeOf(phi) != bit ||
		    !has_one_way(right))
			continue;
		for (unsigned n = 0; n < 2; n++)
			if (LLVMGetIncomingBlock(phi, n) == LLVMGetInstructionParent(i))
				alone = LLVMGetIncomingValue(phi, n);
		if (!alone || !LLVMIsAConstantInt(alone) || LLVMConstIntGetZExtValue(alone) == s)
			continue;
		e = add(k, EDIT_JOINED, EDIT_WAY, i, i);
		e->code = s ? 2 : 3;
		e->was = s ? "&&" : "||";
		e->is = s ? "||" : "&&";
	}
}

/* The text of a string literal; NULL: it is none. */
static const char *literal_of(LLVMValueRef value, size_t *size)
{
	LLVMValueRef text;
	const char *bytes;

	if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) ||
	    LLVMIsDeclaration(value))
		return NULL;
	text = LLVMGetInitializer(value);
	if (!LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return NULL;
	bytes = LLVMGetAsString(text, size);
	return *size && !bytes[*size - 1] ? bytes : NULL;
}

static const char *quoted(struct maker *k, const char *string)
{
	struct str s = STR_INIT;
	const char *result;

	ctype_print_text((const uint8_t *)string, strlen(string), 0, &s);
	result = arena_strdup(&k->m->arena, str_text(&s));
	str_deinit(&s);
	return result;
}

/* The numbers that a format prints as they stand there. */
static uint32_t count_numbers(const char *format)
{
	uint32_t count = 0;

	for (const char *at = format; *at; at++) {
		if (*at == '%')
			at += strcspn(at + 1, "%diouxXeEfFgGaAcspn") + 1;
		else
			count += isdigit((uint8_t)*at) &&
			         (at == format || !isdigit((uint8_t)at[-1]));
		if (!*at)
			break;
	}
	return count;
}

/* Does the text have the answer for this input in it? One that prints numbers may well lack a further one. */
static bool is_answer(const char *was, const char *is)
{
	uint32_t before = count_numbers(was);

	return count_numbers(is) > before && (!before || strlen(is) > strlen(was) + MOST_FORGOTTEN);
}

static void add_literal(struct maker *k, LLVMValueRef call, uint32_t operand, const char *was,
                        const char *is)
{
	struct edit *e;

	for (uint32_t i = k->m->edits.size; i-- && k->m->edits.at[i].at == call;)
		if (k->m->edits.at[i].a.kind == EDIT_STRING &&
		    k->m->edits.at[i].operand == operand && !strcmp(k->m->edits.at[i].a.text, is))
			return;
	e = add(k, is_answer(was, is) ? EDIT_ANSWER : EDIT_TEXT, EDIT_OPERAND, call, call);
	e->operand = operand;
	e->operation = EDIT_TAKE;
	e->a = (struct edit_term){.kind = EDIT_STRING, .text = arena_strdup(&k->m->arena, is)};
	e->was = quoted(k, was);
	e->is = quoted(k, is);
}

#define MOST_EXPECTED 12u /* texts that an output suggests for a literal */

struct expected_literal {
	struct maker *k;
	LLVMValueRef call;
	uint32_t operand, count;
	const char *literal;
};

static void add_expected(void *context, const char *text_)
{
	struct expected_literal *x = context;
	uint32_t before = x->k->m->edits.size;

	if (x->count < MOST_EXPECTED)
		add_literal(x->k, x->call, x->operand, x->literal, text_);
	x->count += x->k->m->edits.size - before;
}

/* Other ends of what an output call prints, and other digits of its numbers: as many decimals, or leading zeros, as the
   number has that is expected where the output is first wrong. */
static void make_formats(struct maker *k, LLVMValueRef call, uint32_t operand, const char *literal)
{
	static const char *const ends[] = {"\n", " ", ""};
	const struct str *printed = k->wish->printed, *expected = k->wish->expected;
	LLVMValueRef callee = ir_callee(call);
	size_t name_length, length = strlen(literal), wrong = 0, digits = 0, decimals = 0;
	const char *name = callee ? LLVMGetValueName2(callee, &name_length) : "";
	bool ends_so = length && (literal[length - 1] == '\n' || literal[length - 1] == ' ');
	char *other;

	if (!strstr(name, "printf") && !strstr(name, "puts"))
		return;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		other = str_format("%.*s%s", (int)(length - ends_so), literal, ends[i]);
		if (strcmp(other, literal))
			add_literal(k, call, operand, literal, other);
		free(other);
	}
	if (!printed || !expected)
		return;
	while (wrong < printed->length && wrong < expected->length &&
	       printed->text[wrong] == expected->text[wrong])
		wrong++;
	while (wrong &&
	       (isdigit((uint8_t)expected->text[wrong - 1]) || expected->text[wrong - 1] == '.'))
		wrong--;
	while (wrong + digits < expected->length &&
	       isdigit((uint8_t)expected->text[wrong + digits]))
		digits++;
	if (wrong + digits < expected->length && expected->text[wrong + digits] == '.')
		while (wrong + digits + 1 + decimals < expected->length &&
		       isdigit((uint8_t)expected->text[wrong + digits + 1 + decimals]))
			decimals++;
	for (const char *at = literal; (at = strchr(at, '%')); at++) {
		size_t flags = strspn(at + 1, "-+ #0123456789."),
		       size = strspn(at + 1 + flags, "hlLqjzt");
		char conversion = at[1 + flags + size];

		if (at[1] == '%') {
			at++;
			continue;
		}
		if (strchr("eEfFgG", conversion) && conversion && decimals)
			other = str_format("%.*s%%.%zu%s", (int)(at - literal), literal, decimals,
			                   at + 1 + flags);
		else if (strchr("diu", conversion) && conversion && digits > 1 &&
		         expected->text[wrong] == '0')
			other = str_format("%.*s%%0%zu%s", (int)(at - literal), literal, digits,
			                   at + 1 + flags);
		else
			continue;
		if (strcmp(other, literal))
			add_literal(k, call, operand, literal, other);
		free(other);
	}
}

static void make_call(struct maker *k, LLVMValueRef i)
{
	LLVMValueRef callee = ir_callee(i);
	unsigned count = LLVMGetNumArgOperands(i);
	bool outside = callee && LLVMIsDeclaration(callee);
	struct edit *e;
	size_t length;

	if (ir_intrinsic(i) || ir_is_asm(i) || !has_place(i))
		return;
	for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++) {
		LLVMValueRef value = LLVMGetOperand(i, n);
		size_t size, other_size;
		const char *was = literal_of(value, &size);
		uint32_t used = 0;

		if (!was)
			continue;
		if (k->wish->printed && k->wish->expected) {
			struct expected_literal x = {k, i, n, 0, was};

			formats_expected(was, k->wish->printed, k->wish->expected, add_expected,
			                 &x);
		}
		make_formats(k, i, n, was);
		for (LLVMValueRef g = LLVMGetFirstGlobal(k->m->ir); g && used < 12;
		     g = LLVMGetNextGlobal(g)) {
			const char *other = literal_of(g, &other_size);
			uint32_t a = 0, b = 0;

			/* Formats take the same arguments. */
			for (const char *at = was; *at; at++)
				a += *at == '%';
			for (const char *at = other ? other : ""; *at; at++)
				b += *at == '%';
			if (!other || g == value || a != b)
				continue;
			used++;
			add_literal(k, i, n, was, other);
		}
	}
	for (unsigned n = 0; n < count; n++) {
		LLVMValueRef value = LLVMGetOperand(i, n);

		if (LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value)) {
			if (is_int(LLVMTypeOf(value)) || is_real(LLVMTypeOf(value)))
				make_constant(k, i, n, i);
		}
		for (unsigned o = n + 1; o < count && o < n + 3; o++) {
			LLVMValueRef other = LLVMGetOperand(i, o);

			if (LLVMTypeOf(other) != LLVMTypeOf(value) || other == value)
				continue;
			if (LLVMIsAGlobalVariable(value) || LLVMIsAGlobalVariable(other))
				continue;
			/* One edit replaces both: the second is `operand`, the first follows. */
			e = add(k, EDIT_EXCHANGED, EDIT_OPERAND, i, i);
			e->operand = n;
			e->operation = EDIT_TAKE;
			e->a = its(o);
			e->code = (int)o + 1;
			e->was = "argument";
			e->is = text(k, "%u,%u", n + 1, o + 1);
		}
	}
	if (callee && !outside)
		for (LLVMValueRef f = LLVMGetFirstFunction(k->m->ir); f;
		     f = LLVMGetNextFunction(f)) {
			if (f == callee || LLVMIsDeclaration(f) ||
			    LLVMGlobalGetValueType(f) != LLVMGlobalGetValueType(callee))
				continue;
			e = add(k, EDIT_CALLEE, EDIT_OPERAND, i, i);
			e->operand = (uint32_t)LLVMGetNumOperands(i) - 1;
			e->operation = EDIT_TAKE;
			e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = f};
			e->was = arena_strdup(&k->m->arena, LLVMGetValueName2(callee, &length));
			e->is = arena_strdup(&k->m->arena, LLVMGetValueName2(f, &length));
		}
	if (!LLVMGetFirstUse(i) && !ir_call_has(i, "noreturn")) {
		e = add(k, EDIT_CALL_DROPPED, EDIT_SKIP, i, i);
		e->was = "statement";
		e->is = "";
	}
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && LLVMGetFirstUse(i) && callee)
		make_near_value(k, i, text(k, "%s()", LLVMGetValueName2(callee, &length)));
}

/* x += v for x = v. */
static void make_compound(struct maker *k, LLVMValueRef i)
{
	static const int whole[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMOr, LLVMAnd, 0};
	static const int reals[] = {LLVMFAdd, LLVMFSub, LLVMFMul, 0};
	LLVMValueRef value = LLVMGetOperand(i, 0);
	LLVMTypeRef type = LLVMTypeOf(value);
	const struct ctype *target = ctype_strip(pointee(k, LLVMGetOperand(i, 1), 0));

	if (!target || (target->kind != CTYPE_INTEGER && target->kind != CTYPE_CHAR &&
	                target->kind != CTYPE_FLOAT))
		return;
	/* x += v already, x++, or a bit-field, which is stored with its neighbours. */
	if (LLVMIsABinaryOperator(value) && same_place(value, i))
		return;
	if (LLVMIsAConstant(value) && LLVMIsNull(value))
		return;
	for (const int *op = is_int(type) ? whole : is_real(type) ? reals : NULL; op && *op; op++) {
		bool bits = *op == LLVMOr || *op == LLVMAnd;
		struct edit *e;

		if (*op == LLVMMul && LLVMIsAConstantInt(value) &&
		    LLVMConstIntGetSExtValue(value) == 1)
			continue;
		e = add(k, bits ? EDIT_BITWISE : EDIT_ARITHMETIC, EDIT_OPERAND, i, i);
		e->operand = 0;
		e->operation = EDIT_BINARY;
		e->code = *op;
		e->a = (struct edit_term){.kind = EDIT_STORED, .type = type};
		e->b = original();
		e->was = "=";
		e->is = text(k, "%s=", opcode_text(*op));
	}
}

static void make_store(struct maker *k, LLVMValueRef i)
{
	LLVMValueRef value = LLVMGetOperand(i, 0), to = LLVMGetOperand(i, 1);
	const struct candidate *own = candidate_of(k, to);
	LLVMTypeRef type = LLVMTypeOf(value);
	struct edit *e;

	if (!has_place(i) || LLVMIsAArgument(value))
		return;
	if ((LLVMIsAConstantInt(value) && is_int(type)) || LLVMIsAConstantFP(value))
		make_constant(k, i, 0, i);
	e = add(k, EDIT_DELETED, EDIT_SKIP, i, i);
	e->was = "statement";
	e->is = "";
	/* What is declared here cannot be declared under another name. */
	if (own && own->variable->line == LLVMGetDebugLocLine(i) &&
	    own->variable->column == LLVMGetDebugLocColumn(i))
		return;
	make_compound(k, i);
	for (uint32_t n = 0, used = 0; own && n < k->candidates.size && used < 8; n++) {
		const struct candidate *v = &k->candidates.at[n];

		if (v == own || v->address || v->type != own->type || !is_visible(k, v, i) ||
		    (is_pointer(v->type) && !same_ctype(v->ctype, own->ctype)))
			continue;
		used++;
		e = add(k, EDIT_TARGET, EDIT_OPERAND, i, i);
		e->operand = 1;
		e->operation = EDIT_TAKE;
		e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = v->variable->storage};
		e->was = own->name;
		e->is = v->name;
	}
}

/* What is computed in a narrow type and then widened: widened first. Whole numbers divided, and then
   made real: made real first. */
static void make_cast(struct maker *k, LLVMValueRef i)
{
	int opcode = (int)LLVMGetInstructionOpcode(i);
	LLVMValueRef from = LLVMGetOperand(i, 0);
	int inner = LLVMIsABinaryOperator(from) ? (int)LLVMGetInstructionOpcode(from) : 0;
	struct edit *e;
	bool real_ = opcode == LLVMSIToFP || opcode == LLVMUIToFP;

	if (is_narrow(LLVMTypeOf(from)) && !is_narrow(LLVMTypeOf(i)) && is_int(LLVMTypeOf(i)) &&
	    LLVMIsALoadInst(from) && same_place(from, i) && read_by(k, from) && !is_half(from))
		make_near_value(k, i, read_by(k, from)->name);
	if ((opcode == LLVMSExt || opcode == LLVMZExt || real_) &&
	    (inner == LLVMMul || inner == LLVMAdd || inner == LLVMSub || inner == LLVMShl ||
	     (real_ && (inner == LLVMSDiv || inner == LLVMUDiv)))) {
		if (real_ && inner == LLVMShl)
			return;
		e = add(k, EDIT_WIDER, EDIT_RESULT, i, from);
		e->operation = EDIT_CAST;
		e->code = opcode;
		e->inner = !real_             ? inner
		           : inner == LLVMMul ? LLVMFMul
		           : inner == LLVMAdd ? LLVMFAdd
		           : inner == LLVMSub ? LLVMFSub
		                              : LLVMFDiv;
		e->was = opcode_text(inner);
		e->is = real_ ? "in floating point" : "in the wider type";
	}
	if ((opcode == LLVMSExt || opcode == LLVMZExt) && is_int(LLVMTypeOf(from))) {
		e = add(k, EDIT_WIDER, EDIT_RESULT, i, i);
		e->operation = EDIT_CAST;
		e->code = opcode == LLVMSExt ? LLVMZExt : LLVMSExt;
		e->inner = 0;
		e->was = "cast";
		e->is = opcode == LLVMSExt ? "unsigned" : "signed";
	}
}

static void make_instruction(struct maker *k, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMICmp:
	case LLVMFCmp:
		if (!has_place(i))
			return;
		make_compare(k, i);
		for (uint32_t n = 0; n < 2 && !is_implicit(i); n++) {
			LLVMValueRef c = LLVMGetOperand(i, n);

			if ((LLVMIsAConstantInt(c) && is_int(LLVMTypeOf(c))) ||
			    LLVMIsAConstantFP(c))
				make_constant(k, i, n, i);
		}
		return;
	case LLVMLoad:
		if (has_place(i))
			make_load(k, i);
		return;
	case LLVMStore: make_store(k, i); return;
	case LLVMCall: make_call(k, i); return;
	case LLVMBr: make_branch(k, i); return;
	case LLVMGetElementPtr:
		if (!has_place(i))
			return;
		make_member(k, i);
		make_index(k, i);
		/* Another array for the one that is indexed or handed on. */
		LLVMValueRef base = LLVMGetOperand(i, 0);
		const struct variable *own = NULL;
		const struct ctype *element;

		for (uint32_t n = 0; n < k->arrays.size && !own; n++)
			if (k->arrays.at[n]->storage == base)
				own = k->arrays.at[n];
		if (own && ctype_strip(own->type)->kind == CTYPE_ARRAY) {
			element = ctype_strip(own->type)->target;
			for (uint32_t n = 0; n < k->arrays.size; n++) {
				const struct variable *v = k->arrays.at[n];
				const struct ctype *type = ctype_strip(v->type);
				struct edit *e;

				if (v == own || type->kind != CTYPE_ARRAY ||
				    !same_ctype(type->target, element) ||
				    !is_variable_visible(k, v, i))
					continue;
				e = add(k, EDIT_VARIABLE, EDIT_OPERAND, i, i);
				e->operation = EDIT_TAKE;
				e->a = (struct edit_term){.kind = EDIT_ADDRESS,
				                          .value = v->storage};
				e->was = own->name;
				e->is = v->name;
			}
			for (uint32_t n = 0; n < k->candidates.size; n++) {
				const struct candidate *v = &k->candidates.at[n];
				const struct ctype *type = ctype_strip(v->ctype);
				struct edit *e;

				if (!type || type->kind != CTYPE_POINTER ||
				    !same_ctype(type->target, element) || !is_visible(k, v, i))
					continue;
				e = add(k, EDIT_VARIABLE, EDIT_OPERAND, i, i);
				e->operation = EDIT_TAKE;
				e->a = loaded(v);
				e->was = own->name;
				e->is = v->name;
			}
		}
		return;
	case LLVMSExt:
	case LLVMZExt:
	case LLVMSIToFP:
	case LLVMUIToFP:
		if (has_place(i))
			make_cast(k, i);
		return;
	case LLVMRet:
		if (LLVMGetNumOperands(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
		    is_int(LLVMTypeOf(LLVMGetOperand(i, 0))) && has_place(i))
			make_constant(k, i, 0, i);
		return;
	default:
		if (LLVMIsABinaryOperator(i) && has_place(i)) {
			make_binary(k, i);
			for (uint32_t n = 0; n < 2; n++) {
				LLVMValueRef c = LLVMGetOperand(i, n);
				bool step = LLVMIsALoadInst(LLVMGetOperand(i, 0)) &&
				            same_place(LLVMGetOperand(i, 0), i);

				if (LLVMIsAConstantInt(c) && is_int(LLVMTypeOf(c)) &&
				    !(step && llabs(LLVMConstIntGetSExtValue(c)) == 1))
					make_constant(k, i, n, i);
				else if (LLVMIsAConstantFP(c))
					make_constant(k, i, n, i);
			}
		}
	}
}

/* --- choices --- */

/* The integers and pointers that may be named at an instruction: so many variables, and so many expressions (more, where
   there are fewer variables), those that are read nearest to it first. */
static struct edit_slots *make_slots(struct maker *k, LLVMValueRef at, uint32_t most,
                                     uint32_t expressions)
{
	struct edit_slots *s = arena_new(&k->m->arena, struct edit_slots);
	unsigned line = LLVMGetDebugLocLine(at), nearest = 0;
	uint32_t count = 0;

	for (uint32_t read = 0; read < 1 + expressions; read++) {
		unsigned next = UINT_MAX;

		for (uint32_t i = 0; i < k->candidates.size; i++) {
			const struct candidate *c = &k->candidates.at[i];
			bool pointer = is_pointer(c->type);
			unsigned distance = c->line > line ? c->line - line : line - c->line;

			if ((!is_int(c->type) && !pointer) || !is_visible(k, c, at))
				continue;
			/* First variables, then expressions at growing distances. */
			if (read && c->address && distance > nearest && distance < next)
				next = distance;
			if (read ? !c->address || distance != nearest || count == most + expressions
			         : c->address || count == most)
				continue;
			s->storage[count] = c->address ? NULL : c->variable->storage;
			s->trees[count] = c->address;
			s->names[count] = c->name;
			s->pointers[count] = pointer ? c->ctype : NULL;
			s->types[count].size =
				(uint8_t)(pointer ? 8 : LLVMGetIntTypeWidth(c->type) / 8);
			s->types[count].is_signed =
				!pointer && c->ctype && ctype_strip(c->ctype)->is_signed;
			count++;
		}
		nearest = read ? next : 0;
		if (read && next == UINT_MAX)
			break;
	}
	s->count = count;
	return s;
}

#define MOST_COMPARED 8u /* constants that a variable is compared with */

/* Would C compare two variables as unsigned numbers that choices compare as signed ones? */
static bool mixes_signs(const struct edit_slots *s, uint32_t a, uint32_t b)
{
	const struct hence_choice_variable *x = &s->types[a], *y = &s->types[b];

	return (!x->is_signed && y->is_signed && x->size >= 4 && x->size >= y->size) ||
	       (!y->is_signed && x->is_signed && y->size >= 4 && y->size >= x->size);
}

/* Comparisons between the variables of a place, and with constants. `few`: only the plainest. */
static void make_comparisons(struct maker *k, LLVMValueRef at, struct edit_slots *slots, int kind,
                             enum edit_kind edit, LLVMValueRef last, LLVMBasicBlockRef to,
                             const char *was, const char *how, bool few)
{
	static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
	static const uint8_t opposite[] = {1, 0, 5, 4, 3, 2};
	/* Control goes to the else where the condition that is added does not hold. */
	bool leaves = kind == HENCE_CHOICE_IF && edit == EDIT_TIGHTENED;
	int64_t constants[MOST_COMPARED] = {0, 1};
	uint32_t count = 2;

	for (uint32_t i = 0; i < k->constants.size && count < (few ? 4 : MOST_COMPARED); i++) {
		bool known = !LLVMIsAConstantInt(k->constants.at[i]);
		int64_t value = known ? 0 : LLVMConstIntGetSExtValue(k->constants.at[i]);

		for (uint32_t n = 0; n < count; n++)
			known |= constants[n] == value;
		if (!known)
			constants[count++] = value;
	}
	for (uint32_t a = 0; a < slots->count; a++) {
		bool pointer = slots->pointers[a] != NULL;

		/* With constants first: of edits that are alike in the failing run only the first is
		   tried, and a variable may be another one once the edit is in force. */
		for (uint32_t n = 0; n < slots->count + count; n++) {
			uint32_t b = n < count ? slots->count + n : n - count;
			bool constant = b >= slots->count;

			if (!constant && (b <= a || pointer || slots->pointers[b]))
				continue;
			if (pointer && b > slots->count)
				continue;
			if (!constant && mixes_signs(slots, a, b))
				continue;
			if (constant && constants[b - slots->count] < 0 &&
			    !slots->types[a].is_signed && slots->types[a].size >= 4)
				continue;
			for (uint8_t p = 0; p < 6; p++) {
				struct edit *e;

				if (pointer && p > 1)
					continue;
				/* x <= c is x < c + 1, as a rule. */
				if (constant && few && (p == 3 || p == 5))
					continue;
				e = add(k, edit, EDIT_CHOICE, at, last ? last : at);
				e->slots = slots;
				e->to = to;
				e->copied = last;
				e->choice = (struct hence_choice){
					.kind = (uint8_t)kind,
					.predicate = leaves ? opposite[p] : p,
					.a = (uint8_t)a,
					.b = constant ? HENCE_CHOICE_CONSTANT : (uint8_t)b,
					.constant = constant ? constants[b - slots->count] : 0};
				e->was = was;
				if (constant)
					e->is = text(k, "%s%s %s %lld", how, slots->names[a],
					             signs[p],
					             (long long)constants[b - slots->count]);
				else
					e->is = text(k, "%s%s %s %s", how, slots->names[a],
					             signs[p], slots->names[b]);
			}
		}
	}
}

/* --- edits by value --- */

/* Is it computed by calls or on several ways? Then it cannot be replaced as a whole. */
static bool has_effects(LLVMValueRef value, uint32_t depth)
{
	if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value))
		return false;
	if (LLVMIsACallInst(value) || LLVMIsAPHINode(value) || depth > 12)
		return true;
	for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(value); n++)
		if (has_effects(LLVMGetOperand(value, n), depth + 1))
			return true;
	return false;
}

/* The operand of an instruction that is a value of its own in the source: what `=` assigns and `return` returns, a
   condition; and arguments. */
static bool is_value(const struct maker *k, LLVMValueRef i, uint32_t operand)
{
	LLVMValueRef value = LLVMGetOperand(i, operand), computed = value;

	if (LLVMIsABranchInst(i))
		return LLVMIsConditional(i) && !operand;
	if (!is_int(LLVMTypeOf(value)) || LLVMIsAArgument(value))
		return false;
	if (LLVMIsACallInst(i))
		return operand < LLVMGetNumArgOperands(i) && !ir_intrinsic(i) && !ir_is_asm(i);
	if (operand || (!LLVMIsAStoreInst(i) && !LLVMIsAReturnInst(i)))
		return false;
	/* x += y, x++ */
	while (LLVMIsATruncInst(computed) || LLVMIsASExtInst(computed) || LLVMIsAZExtInst(computed))
		computed = LLVMGetOperand(computed, 0);
	if (LLVMIsABinaryOperator(computed) && same_place(computed, i))
		return false;
	return !LLVMIsAReturnInst(i) || !LLVMIsALoadInst(value) ||
	       LLVMGetOperand(value, 0) != k->result;
}

static uint32_t slot_bit(const struct edit_slots *s, const char *name)
{
	for (uint32_t n = 0; n < s->count; n++)
		if (!strcmp(s->names[n], name))
			return 1u << n;
	return 0;
}

/* The variables, constants and expressions that an edit by value of this operand may use. */
static struct edit_slots *make_watched(struct maker *k, LLVMValueRef i, uint32_t operand)
{
	struct edit_watched *w = arena_new(&k->m->arena, struct edit_watched);
	struct edit_slots *s = make_slots(k, i, 12, 12);
	LLVMValueRef value = LLVMGetOperand(i, operand);

	s->watched = w;
	w->condition = LLVMIsABranchInst(i);
	w->effects = has_effects(value, 0);
	w->bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
	w->variadic =
		LLVMIsACallInst(i) && operand >= LLVMCountParamTypes(LLVMGetCalledFunctionType(i));
	for (int64_t c = 0; c < 3; c++)
		w->constants[w->constant_count++] = c;
	for (uint32_t n = 0; n < k->constants.size && w->constant_count < EDIT_WATCHED_CONSTANTS;
	     n++) {
		bool known = !LLVMIsAConstantInt(k->constants.at[n]);
		int64_t c = known ? 0 : LLVMConstIntGetSExtValue(k->constants.at[n]);

		for (uint32_t o = 0; o < w->constant_count; o++)
			known |= w->constants[o] == c;
		if (!known)
			w->constants[w->constant_count++] = c;
	}
	for (uint32_t b = 0; b < k->blocks.size; b++)
		for (LLVMValueRef l = LLVMGetFirstInstruction(k->blocks.at[b]); l;
		     l = LLVMGetNextInstruction(l)) {
			const struct candidate *c =
				LLVMIsALoadInst(l) &&
						LLVMGetDebugLocLine(l) == LLVMGetDebugLocLine(i)
					? read_by(k, l)
					: NULL;

			if (c)
				w->near |= slot_bit(s, c->name);
		}
	if (w->condition) {
		const struct edit_slots *usual = make_slots(k, i, 10, 5);

		for (uint32_t n = 0; n < usual->count; n++)
			w->usual |= slot_bit(s, usual->names[n]);
	}
	return s;
}

static const char *leaf_text(struct maker *k, const struct edit_slots *s, uint8_t which,
                             int64_t constant)
{
	return which == HENCE_CHOICE_CONSTANT ? text(k, "%lld", (long long)constant)
	                                      : s->names[which];
}

static const char *operation_text(struct maker *k, uint8_t operation, const char *x, const char *y)
{
	static const char signs[] = "?+--*/%<>";

	switch ((enum hence_choice_operation)operation) {
	case HENCE_OPERATION_NONE: return x;
	case HENCE_OPERATION_FROM: return text(k, "%s - %s", y, x);
	case HENCE_OPERATION_MIN:
	case HENCE_OPERATION_MAX:
		return text(k, "%s %c %s ? %s : %s", x, signs[operation], y, x, y);
	default: return text(k, "%s %c %s", x, signs[operation], y);
	}
}

/* The row as C has it. */
static const char *fitted_text(struct maker *k, const struct edit_slots *s,
                               const struct hence_choice *c)
{
	static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
	const char *left = operation_text(k, c->operation, s->names[c->a],
	                                  leaf_text(k, s, c->with, c->with_constant));
	const char *right = leaf_text(k, s, c->b, c->constant);
	bool product = c->predicate >= HENCE_OPERATION_MUL && c->predicate <= HENCE_OPERATION_MOD;
	bool choice = c->operation >= HENCE_OPERATION_MIN;

	if (c->kind == HENCE_CHOICE_VALUE) {
		/* (x + y) * z, z - (x + y) */
		if (c->predicate && c->operation &&
		    (choice || c->predicate == HENCE_OPERATION_FROM ||
		     (product && c->operation <= HENCE_OPERATION_FROM)))
			left = text(k, "(%s)", left);
		return operation_text(k, c->predicate, left, right);
	}
	if (c->b == HENCE_CHOICE_CONSTANT && !c->operation && s->types[c->a].size == 1 &&
	    c->constant >= ' ')
		right = edit_character(&k->m->arena, c->constant);
	return text(k, "%s%s %s %s",
	            c->kind == HENCE_CHOICE_AND  ? "&& "
	            : c->kind == HENCE_CHOICE_OR ? "|| "
	                                         : "",
	            left, signs[c->predicate], right);
}

static void add_watched(struct maker *k, LLVMValueRef i, uint32_t operand,
                        const struct edit_slots *slots, const struct hence_choice *choice)
{
	enum edit_kind kind = choice->kind == HENCE_CHOICE_AND  ? EDIT_TIGHTENED
	                      : choice->kind == HENCE_CHOICE_OR ? EDIT_LOOSENED
	                                                        : EDIT_VALUE;
	struct edit *e = add(k, kind, EDIT_CHOICE, i, i);

	e->operand = operand;
	e->slots = slots;
	e->choice = *choice;
	e->fitted = true;
	e->was = slots->watched->condition ? "condition" : "value";
	e->is = choice->kind == HENCE_CHOICE_WATCH ? "" : fitted_text(k, slots, choice);
}

/* A row that was read from a name may be one of another program. */
static bool is_row(const struct edit_slots *s, const struct hence_choice *c)
{
	bool leaf = c->b < s->count || c->b == HENCE_CHOICE_CONSTANT;
	bool with = c->with < s->count || c->with == HENCE_CHOICE_CONSTANT;
	bool value = c->kind == HENCE_CHOICE_VALUE;

	return c->a < s->count && leaf && with && c->operation < HENCE_OPERATIONS &&
	       c->predicate < (value ? HENCE_OPERATIONS : HENCE_CHOICE_GE + 1) &&
	       value == !s->watched->condition && c->kind >= HENCE_CHOICE_VALUE &&
	       c->kind <= HENCE_CHOICE_OR;
}

static void make_fitted(struct maker *k, LLVMValueRef i)
{
	for (uint32_t n = 0; has_place(i) && n < (uint32_t)LLVMGetNumOperands(i); n++) {
		struct edit_slots *slots = NULL;

		if (k->wish->watch && is_value(k, i, n))
			add_watched(k, i, n, make_watched(k, i, n),
			            &(struct hence_choice){.kind = HENCE_CHOICE_WATCH});
		for (uint32_t f = 0; f < k->wish->fitted_count; f++) {
			const struct edit_fitted *fit = &k->wish->fitted[f];

			if (fit->function != k->function || fit->ordinal != k->ordinal ||
			    fit->operand != n || fit->module != k->m->number || !is_value(k, i, n))
				continue;
			if (!slots)
				slots = make_watched(k, i, n);
			if (is_row(slots, &fit->choice))
				add_watched(k, i, n, slots, &fit->choice);
		}
	}
}

/* The innermost loop around a block; NULL: none. */
static const struct loop *loop_around(const struct maker *k, LLVMBasicBlockRef block)
{
	uint32_t number = block_number(k, block);
	const struct loop *best = NULL;

	for (uint32_t i = 0; i < k->loops.size; i++)
		if (k->loops.at[i].blocks[number] && (!best || k->loops.at[i].size < best->size))
			best = &k->loops.at[i];
	return best;
}

static bool has_phi(LLVMBasicBlockRef block)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

/* Would control come to where an array of variable length is used, and not to where it is made? */
static bool leaps(const struct maker *k, LLVMValueRef from, LLVMBasicBlockRef to)
{
	uint32_t here = block_number(k, LLVMGetInstructionParent(from));
	uint32_t there = block_number(k, to);

	for (uint32_t b = here; b < k->blocks.size; b++)
		for (LLVMValueRef i = b == here ? from : LLVMGetFirstInstruction(k->blocks.at[b]);
		     i; i = LLVMGetNextInstruction(i)) {
			if (!LLVMIsAAllocaInst(i) || storage_type(i))
				continue;
			for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
				LLVMBasicBlockRef used = LLVMGetInstructionParent(LLVMGetUser(u));

				if (used == to || block_number(k, used) >= there)
					return true;
			}
		}
	return false;
}

/*
 * a && b && c, or a || b || c, is a chain of branches: with the first of them, where control goes if all of it is true (`way` 0) or
 * false (1). NULL: it is not the first of several, or the parts are mixed. *disjunction: it is of ||.
 */
static LLVMBasicBlockRef whole_condition(const struct maker *k, LLVMValueRef first, bool way,
                                         bool *disjunction)
{
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef shared = LLVMGetSuccessor(first, 1 - s);
		LLVMBasicBlockRef end = LLVMGetSuccessor(first, s);
		LLVMUseRef use =
			LLVMGetFirstUse(LLVMBasicBlockAsValue(LLVMGetInstructionParent(first)));
		LLVMValueRef part = first;
		bool parts = true, complete = false;

		/* Is there a part before it? */
		for (; use; use = LLVMGetNextUse(use)) {
			LLVMValueRef before = LLVMGetUser(use);

			if (LLVMIsABranchInst(before) && LLVMIsConditional(before) &&
			    LLVMGetSuccessor(before, 1 - s) == shared)
				parts = false;
		}
		/* The place of a part is the operator after it. Of the last one it is the operator before it. */
		while (parts && !complete) {
			LLVMValueRef next = LLVMGetBasicBlockTerminator(end);

			if (!LLVMIsABranchInst(next) || !LLVMIsConditional(next) ||
			    LLVMGetSuccessor(next, 1 - s) != shared ||
			    block_number(k, end) <=
			            block_number(k, LLVMGetInstructionParent(part)) ||
			    !has_one_way(end))
				break;
			complete = is_right_operand(next, part);
			part = next;
			end = LLVMGetSuccessor(next, s);
		}
		if (complete) {
			*disjunction = s == 1;
			return way == s ? end : shared;
		}
	}
	return NULL;
}

/* What changes a condition of several parts as a whole: (a && b) || x == y, (a || b) && x == y, and 1 or 0 for it. */
static void make_whole(struct maker *k, LLVMValueRef i)
{
	bool disjunction = false;
	LLVMBasicBlockRef to = whole_condition(k, i, 0, &disjunction);
	struct edit *e;

	if (to && disjunction)
		to = whole_condition(k, i, 1, &disjunction);
	if (!to || has_phi(to) || leaps(k, i, to))
		return;
	if (k->wish->narrow) {
		e = add(k, EDIT_FORCED, EDIT_GO, i, i);
		e->to = to;
		e->was = "condition";
		e->is = disjunction ? EDIT_WHOLE "0" : EDIT_WHOLE "1";
	}
	if (k->wish->wide)
		make_comparisons(k, i, make_slots(k, i, 10, 5), HENCE_CHOICE_IF,
		                 disjunction ? EDIT_TIGHTENED : EDIT_LOOSENED, NULL, to,
		                 "condition", disjunction ? EDIT_WHOLE "&& " : EDIT_WHOLE "|| ",
		                 false);
}

/* Are all values of the statement used inside it only? */
static bool is_closed(LLVMValueRef begin, LLVMValueRef end)
{
	for (LLVMValueRef i = begin;; i = LLVMGetNextInstruction(i)) {
		for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u), at = begin;

			while (at && at != user && at != end)
				at = LLVMGetNextInstruction(at);
			if (at != user)
				return false;
		}
		if (i == end)
			return true;
	}
}

/* The store or call that ends the statement; NULL: it ends otherwise, or in another block. */
static LLVMValueRef statement_end(LLVMValueRef begin)
{
	for (LLVMValueRef i = begin; i; i = LLVMGetNextInstruction(i))
		if (plan_ends_statement(i))
			return LLVMIsAStoreInst(i) || LLVMIsACallInst(i) ? i : NULL;
	return NULL;
}

#define FEW_SLOTS 8u /* pairs of these are also added to each other */

/* v = 0, v = w, v++, v += w, if (!p) p = q */
static void make_assignments(struct maker *k, LLVMValueRef at, LLVMValueRef place)
{
	static const struct {
		const char *format; /* of v and w */
		int64_t constant;
		uint8_t kind;
	} constants[] =
		{
			{"%s = 0;", 0, HENCE_CHOICE_SET},   {"%s = 1;", 1, HENCE_CHOICE_SET},
			{"%s = -1;", -1, HENCE_CHOICE_SET}, {"%s++;", 1, HENCE_CHOICE_ADD},
			{"%s--;", -1, HENCE_CHOICE_ADD},
		},
	  pairs[] = {
		  {"%s = %s;", 0, HENCE_CHOICE_SET},
		  {"%s += %s;", 0, HENCE_CHOICE_ADD},
		  {"if (!%1$s) %1$s = %2$s;", 0, HENCE_CHOICE_FILL},
	  };
	struct edit_slots *s = make_slots(k, place, 12, 12);

	for (uint32_t a = 0; a < s->count; a++) {
		const struct ctype *pointer = s->pointers[a];

		for (uint32_t b = 0; b < s->count; b++) {
			bool adds =
				!pointer && s->types[a].size >= 4 && a < FEW_SLOTS && b < FEW_SLOTS;

			if (a == b || s->types[a].size != s->types[b].size ||
			    !pointer != !s->pointers[b] ||
			    (pointer && !same_ctype(pointer, s->pointers[b])))
				continue;
			for (uint32_t n = 0; n < 3; n++) {
				struct edit *e;

				if ((n == 1 && !adds) || (n == 2 && !pointer))
					continue;
				e = add(k, EDIT_ASSIGNED, EDIT_CHOICE, at, place);
				e->slots = s;
				e->choice = (struct hence_choice){
					.kind = pairs[n].kind, .a = (uint8_t)a, .b = (uint8_t)b};
				e->was = at == place ? "before" : "after";
				e->is = text(k, pairs[n].format, s->names[a], s->names[b]);
			}
		}
		for (uint32_t n = 0; n < (pointer ? 1 : 5); n++) {
			struct edit *e = add(k, EDIT_ASSIGNED, EDIT_CHOICE, at, place);

			e->slots = s;
			e->choice = (struct hence_choice){.kind = constants[n].kind,
			                                  .a = (uint8_t)a,
			                                  .b = HENCE_CHOICE_CONSTANT,
			                                  .constant = constants[n].constant};
			e->was = at == place ? "before" : "after";
			e->is = text(k, constants[n].format, s->names[a]);
		}
	}
}

/* The condition and the step of a loop are no places for statements. */
static bool is_gap(const struct maker *k, LLVMValueRef i)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
	const struct loop *loop = loop_around(k, block);

	return has_place(i) &&
	       !(loop && (loop->header == block ||
	                  (loop->latch == block &&
	                   LLVMGetDebugLocLine(LLVMGetFirstInstruction(loop->header)) ==
	                           LLVMGetDebugLocLine(i))));
}

static LLVMValueRef placed_in(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	while (i && !has_place(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static LLVMValueRef conditional_end(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

	return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? end : NULL;
}

/* Where `continue` goes: to the step of a `for`, the condition of `do`, or the begin of the loop. */
static LLVMBasicBlockRef next_round(const struct loop *loop)
{
	LLVMValueRef last = placed_in(loop->latch), first = placed_in(loop->header);
	bool step = last && first && LLVMGetDebugLocLine(last) == LLVMGetDebugLocLine(first);

	return conditional_end(loop->latch) || step ? loop->latch : loop->header;
}

/* Before the first statement of a line something may be missing. */
static void make_insertions(struct maker *k, LLVMValueRef begin)
{
	LLVMValueRef end = statement_end(begin);
	const struct loop *loop = loop_around(k, LLVMGetInstructionParent(begin));
	LLVMBasicBlockRef round = loop ? next_round(loop) : NULL;
	struct edit_slots *s;

	if (!is_gap(k, begin))
		return;
	if (end && is_closed(begin, end) && !LLVMIsAArgument(LLVMGetOperand(end, 0)))
		make_comparisons(k, begin, make_slots(k, begin, 8, 4), HENCE_CHOICE_IF,
		                 EDIT_GUARDED, end, NULL, "statement", "if ", true);
	/* v = 0, v = w */
	make_assignments(k, begin, begin);
	if (loop && loop->exit && !has_phi(loop->exit) && !leaps(k, begin, loop->exit))
		make_comparisons(k, begin, make_slots(k, begin, 6, 3), HENCE_CHOICE_IF,
		                 EDIT_LEFT_IF, NULL, loop->exit, "before", "break if ", true);
	if (round && !has_phi(round) && round != LLVMGetInstructionParent(begin) &&
	    !leaps(k, begin, round))
		make_comparisons(k, begin, make_slots(k, begin, 6, 3), HENCE_CHOICE_IF,
		                 EDIT_LEFT_IF, NULL, round, "before", "continue if ", true);
	if (k->out && !has_phi(k->out) && !leaps(k, begin, k->out)) {
		LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(k->f));
		bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
		/* In the block that returns, a return of its own is built. */
		bool own = k->out == LLVMGetInstructionParent(begin);

		if (!nothing &&
		    (own ? !is_int(type) : !k->result || !is_int(LLVMGetAllocatedType(k->result))))
			return;
		for (int64_t v = -1; v <= (nothing ? -1 : 1); v++) {
			s = make_slots(k, begin, 6, 3);
			s->result = nothing || own ? NULL : k->result;
			s->value = v;
			make_comparisons(k, begin, s, HENCE_CHOICE_IF, EDIT_LEFT_IF, NULL,
			                 own ? NULL : k->out, "before",
			                 nothing ? "return if "
			                         : text(k, "return %lld if ", (long long)v),
			                 true);
		}
	}
}

/* Does a block go on with the line on which one before it ended, as the right operand of && does? */
static bool goes_on(const struct maker *k, LLVMBasicBlockRef block, unsigned line)
{
	for (uint32_t b = 0; b < k->blocks.size; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[b]);

		for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
			if (LLVMGetSuccessor(end, n) == block && LLVMGetDebugLocLine(end) == line)
				return true;
	}
	return false;
}

/* Does a statement of a new line begin here? */
static bool begins_line(const struct maker *k, LLVMValueRef i, unsigned *line)
{
	const struct plan_function *f = &k->m->plan->functions.at[k->function];

	if (!has_place(i) || LLVMGetDebugLocLine(i) == *line || LLVMIsAPHINode(i) ||
	    (!*line && goes_on(k, LLVMGetInstructionParent(i), LLVMGetDebugLocLine(i))))
		return false;
	for (uint32_t s = 0; s < f->statements.size; s++)
		if (f->statements.at[s].begin == i) {
			*line = LLVMGetDebugLocLine(i);
			return true;
		}
	return false;
}

/* --- copied and moved statements --- */

#define MOST_SNIPPET  64u /* instructions of a statement that is copied */
#define MOST_COPIES   8u  /* for a place, the nearest first */
#define MOST_EXCHANGE 10u /* copies with another variable, for a place */

static bool is_debug(LLVMValueRef i)
{
	const char *intrinsic = ir_intrinsic(i);

	return intrinsic && !strncmp(intrinsic, "dbg.", 4);
}

static const struct variable *variable_of(const struct maker *k, LLVMValueRef storage)
{
	const struct variable *v = LLVMIsAAllocaInst(storage)
	                                   ? variables_of_alloca(k->m->variables, storage)
	                                   : variables_of_global(k->m->variables, storage);

	return v && !v->artificial && !v->indirect && v->name && !v->inlined && !v->also ? v : NULL;
}

/* Has the value been computed by one of the instructions? */
static bool is_within(LLVMValueRef value, LLVMValueRef begin, LLVMValueRef end)
{
	for (LLVMValueRef i = begin; i != end; i = LLVMGetNextInstruction(i))
		if (i == value)
			return true;
	return value == end;
}

/* May the statement be executed elsewhere, as far as the names of its variables are known there? */
static bool is_copyable(const struct maker *k, LLVMValueRef begin, LLVMValueRef end)
{
	for (LLVMValueRef i = begin;; i = LLVMGetNextInstruction(i)) {
		const char *intrinsic = ir_intrinsic(i);

		if (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) ||
		    (LLVMIsACallInst(i) && (ir_is_asm(i) || ir_call_has(i, "noreturn"))) ||
		    (intrinsic &&
		     (!strncmp(intrinsic, "va_", 3) || !strncmp(intrinsic, "stack", 5))))
			return false;
		for (unsigned n = 0; !is_debug(i) && n < (unsigned)LLVMGetNumOperands(i); n++) {
			LLVMValueRef operand = LLVMGetOperand(i, n);

			if (LLVMIsAArgument(operand) ||
			    (LLVMIsAAllocaInst(operand)
			             ? !storage_type(operand) || !variable_of(k, operand)
			             : LLVMIsAInstruction(operand) &&
			                       !is_within(operand, begin, end)))
				return false;
		}
		if (i == end)
			return true;
	}
}

static bool does_same(const struct snippet *a, const struct snippet *b)
{
	LLVMValueRef x = a->begin, y = b->begin;

	for (;; x = LLVMGetNextInstruction(x), y = LLVMGetNextInstruction(y)) {
		if (LLVMGetInstructionOpcode(x) != LLVMGetInstructionOpcode(y) ||
		    LLVMTypeOf(x) != LLVMTypeOf(y) ||
		    LLVMGetNumOperands(x) != LLVMGetNumOperands(y) ||
		    (LLVMIsAICmpInst(x) && LLVMGetICmpPredicate(x) != LLVMGetICmpPredicate(y)) ||
		    (LLVMIsAFCmpInst(x) && LLVMGetFCmpPredicate(x) != LLVMGetFCmpPredicate(y)) ||
		    (LLVMIsAGetElementPtrInst(x) &&
		     LLVMGetGEPSourceElementType(x) != LLVMGetGEPSourceElementType(y)))
			return false;
		for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(x); n++) {
			LLVMValueRef p = LLVMGetOperand(x, n), q = LLVMGetOperand(y, n);
			LLVMValueRef i = a->begin, o = b->begin;

			while (p != q && i != x && o != y && !(p == i && q == o)) {
				i = LLVMGetNextInstruction(i);
				o = LLVMGetNextInstruction(o);
			}
			if (p != q && (i == x || o == y))
				return false;
		}
		if (x == a->end || y == b->end)
			return x == a->end && y == b->end;
	}
}

/* Is it one that make_assignments() has: v = 0, v = w, v++ of whole numbers? */
static bool is_plain(const struct maker *k, const struct snippet *s)
{
	LLVMValueRef value = LLVMGetOperand(s->end, 0), one;
	const struct candidate *to;

	if (!LLVMIsAStoreInst(s->end) || s->effects > 1 || k->candidates.size > 16)
		return false;
	to = candidate_of(k, LLVMGetOperand(s->end, 1));
	if (!to || !is_int(to->type))
		return false;
	if (LLVMIsAConstantInt(value))
		return llabs(LLVMConstIntGetSExtValue(value)) <= 1;
	if (LLVMIsALoadInst(value))
		return candidate_of(k, LLVMGetOperand(value, 0)) != NULL;
	if (!LLVMIsABinaryOperator(value) || LLVMGetInstructionOpcode(value) != LLVMAdd ||
	    !LLVMIsALoadInst(LLVMGetOperand(value, 0)))
		return false;
	one = LLVMGetOperand(value, 1);
	return LLVMGetOperand(LLVMGetOperand(value, 0), 0) == LLVMGetOperand(s->end, 1) &&
	       LLVMIsAConstantInt(one) && llabs(LLVMConstIntGetSExtValue(one)) == 1;
}

static void find_snippets(struct maker *k)
{
	uint32_t ordinal = 0;

	for (uint32_t b = 0; b < k->blocks.size; b++) {
		struct snippet s = {0};
		uint32_t size = 0;

		for (LLVMValueRef i = LLVMGetFirstInstruction(k->blocks.at[b]); i;
		     i = LLVMGetNextInstruction(i), ordinal++) {
			if (!s.begin && (!has_place(i) || LLVMIsAPHINode(i) ||
			                 LLVMIsAAllocaInst(i) || is_debug(i)))
				continue;
			if (!s.begin) {
				s = (struct snippet){.begin = i};
				size = 0;
			}
			size++;
			if (!plan_ends_statement(i) || LLVMIsATerminatorInst(i))
				continue;
			s.effects++;
			if (size <= MOST_SNIPPET && !is_closed(s.begin, i))
				continue;
			s.end = i;
			s.ordinal = ordinal;
			if (size <= MOST_SNIPPET && is_copyable(k, s.begin, i)) {
				s.plain = is_plain(k, &s);
				s.same = k->snippets.size;
				for (uint32_t n = 0; n < k->snippets.size; n++)
					if (does_same(&k->snippets.at[n], &s)) {
						s.same = n;
						break;
					}
				*vec_push(&k->snippets) = s;
			}
			s.begin = NULL;
		}
	}
}

/* May it be named at the instruction, and is it then this variable and no other of its name? */
static bool names_it(struct maker *k, const struct variable *v, LLVMValueRef at)
{
	const struct variable_list *own = variables_of_function(k->m->variables, k->f);
	const struct candidate c = {.variable = v};

	if (!is_visible(k, &c, at))
		return false;
	for (uint32_t i = 0; own && i < own->size; i++) {
		const struct candidate other = {.variable = own->at[i]};

		if (own->at[i] != v && own->at[i]->name && !strcmp(own->at[i]->name, v->name) &&
		    is_visible(k, &other, at) && own->at[i]->scope &&
		    (!v->scope || own->at[i]->scope->depth > v->scope->depth))
			return false;
	}
	return true;
}

static bool fits_at(struct maker *k, const struct snippet *s, LLVMValueRef place)
{
	unsigned length, size;
	const char *file = LLVMGetDebugLocFilename(s->end, &length);
	const char *here = LLVMGetDebugLocFilename(place, &size);

	if (!file || !here || length != size || memcmp(file, here, length))
		return false;
	for (LLVMValueRef i = s->begin;; i = LLVMGetNextInstruction(i)) {
		for (unsigned n = 0; !is_debug(i) && n < (unsigned)LLVMGetNumOperands(i); n++) {
			LLVMValueRef operand = LLVMGetOperand(i, n);
			const struct variable *v =
				LLVMIsAAllocaInst(operand) || LLVMIsAGlobalVariable(operand)
					? variable_of(k, operand)
					: NULL;

			if (v && !names_it(k, v, place))
				return false;
		}
		if (i == s->end)
			return true;
	}
}

/* A place for more statements: before the instruction `at`. */
struct gap {
	LLVMValueRef at;
	LLVMValueRef place; /* in the source: at, or what the statements come after */
	const char *where;  /* before, after, else */
};

static struct edit *add_copy(struct maker *k, const struct gap *gap, const struct snippet *s)
{
	struct edit *e = add(k, EDIT_COPIED, EDIT_COPY, gap->at, gap->place);

	e->first = s->begin;
	e->copied = s->end;
	e->operand = s->effects;
	e->from = s->ordinal;
	e->code = !strcmp(gap->where, "else");
	e->was = gap->where;
	e->is = text(k, "copy of %u:%u", LLVMGetDebugLocLine(s->end),
	             LLVMGetDebugLocColumn(s->end));
	return e;
}

/* Does it print something? */
static bool is_output(const struct snippet *s)
{
	LLVMValueRef callee = LLVMIsACallInst(s->end) ? ir_callee(s->end) : NULL;
	size_t length;
	const char *name = callee ? LLVMGetValueName2(callee, &length) : "";

	return strstr(name, "print") || strstr(name, "put");
}

/* The statement with another variable of the same type. */
static void make_exchanged(struct maker *k, const struct gap *gap, const struct snippet *s,
                           uint32_t *left)
{
	const struct variable_list *own = variables_of_function(k->m->variables, k->f);
	VEC(LLVMValueRef) done = VEC_INIT;

	for (LLVMValueRef i = s->begin;; i = LLVMGetNextInstruction(i)) {
		for (unsigned n = 0; !is_debug(i) && n < (unsigned)LLVMGetNumOperands(i); n++) {
			LLVMValueRef storage = LLVMGetOperand(i, n);
			const struct variable *v =
				LLVMIsAAllocaInst(storage) || LLVMIsAGlobalVariable(storage)
					? variable_of(k, storage)
					: NULL;
			bool known = !v;

			for (uint32_t d = 0; d < done.size; d++)
				known |= done.at[d] == storage;
			if (known)
				continue;
			*vec_push(&done) = storage;
			for (uint32_t o = 0; own && o < own->size + k->candidates.size && *left;
			     o++) {
				const struct variable *other =
					o < own->size ? own->at[o]
						      : k->candidates.at[o - own->size].variable;
				struct edit *e;

				/* Not an expression. */
				if (!other || other == v || !other->storage || other->artificial ||
				    other->indirect || !other->name || other->inlined ||
				    other->also || (o >= own->size && other->scope) ||
				    (!LLVMIsAAllocaInst(other->storage) &&
				     !LLVMIsAGlobalVariable(other->storage)) ||
				    !storage_type(other->storage) ||
				    storage_type(other->storage) != storage_type(storage) ||
				    !same_ctype(other->type, v->type) ||
				    !names_it(k, other, gap->place))
					continue;
				e = add_copy(k, gap, s);
				e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = storage};
				e->b = (struct edit_term){.kind = EDIT_ADDRESS,
				                          .value = other->storage};
				e->is = text(k, "%s with %s for %s", e->is, other->name, v->name);
				--*left;
			}
		}
		if (i == s->end)
			break;
	}
	vec_deinit(&done);
}

/* What is expected where the output is first wrong, if what was printed goes on after it; NULL: something else is wrong. */
static const char *missing_text(struct maker *k)
{
	const struct str *printed = k->wish->printed, *expected = k->wish->expected;
	size_t wrong = 0, tail, size = 0;
	const char *rest;

	if (!printed || !expected || expected->length <= printed->length)
		return NULL;
	while (wrong < printed->length && printed->text[wrong] == expected->text[wrong])
		wrong++;
	rest = expected->text + wrong;
	tail = printed->length - wrong < 4 ? printed->length - wrong : 4;
	if (!tail)
		size = strcspn(rest, "\n") + 1;
	while (tail && size + tail <= expected->length - wrong &&
	       memcmp(rest + size, printed->text + wrong, tail))
		size++;
	if (!size || size > 60 || size > expected->length - wrong ||
	    (tail && size + tail > expected->length - wrong) || memchr(rest, '%', size) ||
	    memchr(rest, 0, size))
		return NULL;
	return arena_strndup(&k->m->arena, rest, size);
}

struct near {
	uint32_t snippet, far;
};

static int by_distance(const void *a, const void *b)
{
	const struct near *x = a, *y = b;

	if (x->far != y->far)
		return x->far < y->far ? -1 : 1;
	return x->snippet < y->snippet ? -1 : x->snippet > y->snippet;
}

/* Copies of other statements of the function, and an output that is missing. */
static void make_copies(struct maker *k, const struct gap *gap)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(gap->at);
	unsigned line = LLVMGetDebugLocLine(gap->place);
	bool otherwise = !strcmp(gap->where, "else");
	uint32_t chosen[MOST_COPIES], count = 0, left = MOST_EXCHANGE;
	VEC(struct near) list = VEC_INIT;

	for (uint32_t i = 0; i < k->snippets.size; i++) {
		const struct snippet *s = &k->snippets.at[i];
		unsigned at = LLVMGetDebugLocLine(s->end);

		/* Twice the same is no repair. */
		if (s->begin != gap->at && s->end != before && (!s->plain || otherwise))
			*vec_push(&list) = (struct near){i, at < line ? line - at : at - line};
	}
	if (list.size)
		qsort(list.at, list.size, sizeof(*list.at), by_distance);
	for (uint32_t i = 0; i < list.size && count < (otherwise ? MOST_COPIES / 2 : MOST_COPIES);
	     i++) {
		const struct snippet *s = &k->snippets.at[list.at[i].snippet];
		bool known = false;

		for (uint32_t n = 0; n < count && !known; n++)
			known = k->snippets.at[chosen[n]].same == s->same;
		if (!known && fits_at(k, s, gap->place))
			chosen[count++] = list.at[i].snippet;
	}
	vec_deinit(&list);
	for (uint32_t i = 0; i < count; i++)
		add_copy(k, gap, &k->snippets.at[chosen[i]]);
	/* What is printed of another variable often fits by accident. */
	for (uint32_t i = 0; i < count && left; i++)
		if (!is_output(&k->snippets.at[chosen[i]]))
			make_exchanged(k, gap, &k->snippets.at[chosen[i]], &left);
	if (k->missing && LLVMGetNamedFunction(k->m->ir, "printf")) {
		struct edit *e = add(k, EDIT_PRINTED, EDIT_COPY, gap->at, gap->place);

		e->code = otherwise;
		e->a = (struct edit_term){.kind = EDIT_STRING, .text = k->missing};
		e->was = gap->where;
		e->is = text(k, "printf(%s);", quoted(k, k->missing));
	}
}

/* Do the statements use different variables only, and print nothing, so that their order does not matter? */
static bool is_independent(const struct maker *k, const struct snippet *a, const struct snippet *b)
{
	LLVMValueRef one = LLVMIsAStoreInst(a->end) ? LLVMGetOperand(a->end, 1) : NULL;
	LLVMValueRef two = LLVMIsAStoreInst(b->end) ? LLVMGetOperand(b->end, 1) : NULL;

	if (!one || !two || a->effects > 1 || b->effects > 1 || one == two ||
	    !candidate_of(k, one) || !candidate_of(k, two))
		return false;
	for (LLVMValueRef i = a->begin; i != a->end; i = LLVMGetNextInstruction(i))
		if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == two)
			return false;
	for (LLVMValueRef i = b->begin; i != b->end; i = LLVMGetNextInstruction(i))
		if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == one)
			return false;
	return true;
}

static bool declares(const struct maker *k, const struct snippet *s)
{
	LLVMValueRef to = LLVMIsAStoreInst(s->end) ? LLVMGetOperand(s->end, 1) : NULL;
	const struct variable *v = to && LLVMIsAAllocaInst(to) ? variable_of(k, to) : NULL;

	return v && v->line == LLVMGetDebugLocLine(s->end) &&
	       v->column == LLVMGetDebugLocColumn(s->end);
}

/* The statement that begins here is executed after the next one. */
static void make_moved(struct maker *k, LLVMValueRef at)
{
	for (uint32_t i = 0; i + 1 < k->snippets.size; i++) {
		const struct snippet *s = &k->snippets.at[i], *next = &k->snippets.at[i + 1];
		LLVMValueRef after = LLVMGetNextInstruction(s->end);
		struct edit *e;

		if (s->begin != at)
			continue;
		while (after && is_debug(after))
			after = LLVMGetNextInstruction(after);
		if (after != next->begin || declares(k, s) || declares(k, next) ||
		    s->same == next->same || is_independent(k, s, next))
			return;
		e = add(k, EDIT_MOVED, EDIT_MOVE, at, s->end);
		e->first = s->end;
		e->copied = next->end;
		e->operand = s->effects;
		e->code = (int)next->effects;
		e->was = "statement";
		e->is = text(k, "after %u:%u", LLVMGetDebugLocLine(next->end),
		             LLVMGetDebugLocColumn(next->end));
		return;
	}
}

/* --- control: cases, breaks, else --- */

#define MOST_CASES 16u /* of a switch whose labels are exchanged in all pairs */

/* Where a switch ends, as clang orders its blocks: where the first break of a case goes to. NULL: not known. *first is the
   number of the first block of a case. */
static LLVMBasicBlockRef switch_end(const struct maker *k, LLVMValueRef s, uint32_t *first)
{
	LLVMBasicBlockRef other = LLVMGetSwitchDefaultDest(s), end;
	const struct loop *loop = loop_around(k, LLVMGetInstructionParent(s));
	uint32_t own = block_number(k, other), last = 0, least = UINT32_MAX;

	*first = own;
	for (unsigned n = 1; n < LLVMGetNumSuccessors(s); n++) {
		uint32_t number = block_number(k, LLVMGetSuccessor(s, n));

		*first = number < *first ? number : *first;
		last = number > last ? number : last;
	}
	for (uint32_t b = *first; b < (last > own ? last : own); b++) {
		LLVMValueRef br = LLVMGetBasicBlockTerminator(k->blocks.at[b]);

		if (!LLVMIsABranchInst(br) || LLVMIsConditional(br))
			continue;
		/* Without a default, its place is the end. */
		if (LLVMGetSuccessor(br, 0) == other && own > last && b + 1 != own)
			return other;
		end = LLVMGetSuccessor(br, 0);
		if (block_number(k, end) > last && block_number(k, end) > own &&
		    block_number(k, end) < least)
			least = block_number(k, end);
	}
	end = least != UINT32_MAX ? k->blocks.at[least] : own > last ? other : NULL;
	if (end &&
	    ((end == k->out && k->result) || (loop && (end == loop->latch || end == loop->exit))))
		return NULL;
	return end;
}

static bool is_case_of(LLVMValueRef s, LLVMBasicBlockRef block)
{
	for (unsigned n = 0; n < LLVMGetNumSuccessors(s); n++)
		if (LLVMGetSuccessor(s, n) == block)
			return true;
	return false;
}

static void find_switches(struct maker *k)
{
	for (uint32_t b = 0; b < k->blocks.size; b++) {
		struct cases c = {.inst = LLVMGetBasicBlockTerminator(k->blocks.at[b])};

		if (!LLVMIsASwitchInst(c.inst))
			continue;
		c.end = switch_end(k, c.inst, &c.first);
		if (!c.end)
			continue;
		c.size = block_number(k, c.end) - c.first;
		*vec_push(&k->switches) = c;
	}
}

/* The innermost switch around a block; NULL: none. */
static const struct cases *switch_around(const struct maker *k, LLVMBasicBlockRef block)
{
	uint32_t number = block_number(k, block);
	const struct cases *best = NULL;

	for (uint32_t i = 0; i < k->switches.size; i++) {
		const struct cases *c = &k->switches.at[i];

		if (number >= c->first && number < c->first + c->size &&
		    (!best || c->size < best->size))
			best = c;
	}
	return best;
}

static void add_case(struct maker *k, LLVMValueRef s, LLVMBasicBlockRef block, int64_t from,
                     int64_t to, bool both, const char *is)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(s, 0));
	LLVMValueRef place = placed_in(block);
	struct edit *e;

	if (!place)
		return;
	e = add(k, EDIT_CASE, EDIT_OPERAND, s, place);
	e->operation = EDIT_SELECT;
	e->code = both;
	e->a = integer(type, from);
	e->b = integer(type, to);
	e->was = text(k, "case %lld", (long long)to);
	e->is = is;
}

/* Labels of a switch: another constant, two exchanged, one that stands at other code or is gone. */
static void make_cases(struct maker *k, LLVMValueRef s)
{
	unsigned count = ir_case_count(s);
	int64_t none = 0;

	if (!has_place(s) || !is_int(LLVMTypeOf(LLVMGetOperand(s, 0))))
		return;
	for (unsigned n = 0; n < count; n++)
		if (LLVMConstIntGetSExtValue(ir_case_value(s, n)) == none) {
			none++;
			n = UINT32_MAX;
		}
	for (unsigned n = 0; n < count; n++) {
		int64_t own = LLVMConstIntGetSExtValue(ir_case_value(s, n));
		LLVMBasicBlockRef block = LLVMGetSuccessor(s, n + 1);
		int64_t others[] = {own + 1, own - 1, own ^ 0x20};

		for (int o = 0; o < (own > 0 && own < 128 && isalpha((int)own) ? 3 : 2); o++) {
			bool known = false;

			for (unsigned c = 0; c < count; c++)
				known |= LLVMConstIntGetSExtValue(ir_case_value(s, c)) == others[o];
			if (!known)
				add_case(k, s, block, others[o], own, true,
				         text(k, "case %lld", (long long)others[o]));
		}
		if (LLVMGetSwitchDefaultDest(s) != block)
			add_case(k, s, block, own, none, false,
			         text(k, "no case %lld", (long long)own));
		for (unsigned o = 0; o < count; o++) {
			int64_t other = LLVMConstIntGetSExtValue(ir_case_value(s, o));

			if (LLVMGetSuccessor(s, o + 1) == block ||
			    (count > MOST_CASES && (o > n ? o - n : n - o) > 3))
				continue;
			add_case(k, s, block, own, other, false,
			         text(k, "case %lld at case %lld", (long long)own,
			              (long long)other));
			if (o > n)
				add_case(k, s, block, own, other, true,
				         text(k, "case %lld and %lld exchanged", (long long)own,
				              (long long)other));
		}
	}
}

static void add_go(struct maker *k, enum edit_kind kind, LLVMValueRef br, LLVMValueRef place,
                   LLVMBasicBlockRef to, const char *was, const char *is)
{
	struct edit *e;

	if (has_phi(to) || !has_place(place) || leaps(k, br, to))
		return;
	e = add(k, kind, EDIT_GO, br, place);
	e->to = to;
	e->was = was;
	e->is = is;
}

/* At the end of a case: its break is missing, or too much. */
static void make_break(struct maker *k, LLVMValueRef br)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(br), to = LLVMGetSuccessor(br, 0);
	LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block);
	const struct cases *s = switch_around(k, block);
	LLVMValueRef last = LLVMGetPreviousInstruction(br);

	if (!s)
		return;
	if (to == next && to != s->end && is_case_of(s->inst, to)) {
		bool after = last && plan_ends_statement(last);

		add_go(k, EDIT_CASE, br, after ? last : br, s->end, after ? "after" : "end",
		       "break;");
	}
	if (to == s->end && next && next != s->end && is_case_of(s->inst, next))
		add_go(k, EDIT_CASE, br, br, next, "statement", "");
}

/* The unconditional branch that a block ends with; NULL: it ends otherwise. */
static LLVMBasicBlockRef goes_to(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

	return LLVMIsABranchInst(end) && !LLVMIsConditional(end) ? LLVMGetSuccessor(end, 0) : NULL;
}

/* Blocks that go there; *conditions of them end with a condition. */
static uint32_t count_from(const struct maker *k, LLVMBasicBlockRef to, uint32_t *conditions)
{
	uint32_t count = 0;

	*conditions = 0;
	for (uint32_t b = 0; b < k->blocks.size; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[b]);

		for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
			if (LLVMGetSuccessor(end, n) == to) {
				count++;
				*conditions += conditional_end(k->blocks.at[b]) != NULL;
			}
	}
	return count;
}

static bool is_header(const struct maker *k, LLVMBasicBlockRef block)
{
	for (uint32_t i = 0; i < k->loops.size; i++)
		if (k->loops.at[i].header == block)
			return true;
	return false;
}

/* The end of a function without a result: what goes there is `return;`, or is just at its end. */
static bool only_returns(LLVMBasicBlockRef block)
{
	LLVMValueRef first = LLVMGetFirstInstruction(block);

	return LLVMIsAReturnInst(first) && !LLVMGetNumOperands(first);
}

/* Where control goes on after the `if` whose condition begins with this block; NULL: it is none. */
static LLVMBasicBlockRef if_end(const struct maker *k, LLVMBasicBlockRef block)
{
	LLVMValueRef end = conditional_end(block);
	const struct loop *loop = loop_around(k, block);
	LLVMBasicBlockRef then, other, last;

	if (!end || is_header(k, block))
		return NULL;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end;
	     i = LLVMGetNextInstruction(i))
		if (LLVMIsAStoreInst(i) || LLVMIsAPHINode(i))
			return NULL;
	then = LLVMGetSuccessor(end, 0);
	other = LLVMGetSuccessor(end, 1);
	/* a || b: the right operand comes before what is done then. */
	while (block_number(k, other) < block_number(k, then) && conditional_end(other) &&
	       LLVMGetSuccessor(conditional_end(other), 0) == then)
		other = LLVMGetSuccessor(conditional_end(other), 1);
	if (block_number(k, other) <= block_number(k, then) || has_phi(other))
		return NULL;
	last = goes_to(k->blocks.at[block_number(k, other) - 1]);
	if (!last || block_number(k, last) <= block_number(k, other) ||
	    (loop && (last == loop->latch || last == loop->exit)) || (last == k->out && k->result))
		return other;
	if (only_returns(last))
		return NULL;
	/* Then is followed by else: control passes that. */
	return last;
}

/* The end of what is done under a condition: an else is missing after it, or is too much. */
static void make_else(struct maker *k, LLVMValueRef br)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(br), to = LLVMGetSuccessor(br, 0);
	LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block), end;
	uint32_t conditions, count = next ? count_from(k, next, &conditions) : 0;
	uint32_t number = block_number(k, to);
	struct edit *e;

	if (!next || !conditions || is_header(k, next))
		return;
	/* if (a) X; if (b) Y; */
	if (to == next && count == conditions + 1 && (end = if_end(k, next)) && end != next) {
		LLVMValueRef place = conditional_end(next);
		uint32_t known = k->m->edits.size;

		add_go(k, EDIT_ELSE, br, place, end, "if", "else");
		e = &k->m->edits.at[k->m->edits.size - 1];
		/* An else after several blocks could be that of an `if` among them. */
		if (k->m->edits.size > known)
			e->operand = count_from(k, block, &conditions) != 1 || conditions != 1;
	}
	/* if (a) X; else Y; */
	if (to != next && count == conditions && number > block_number(k, next) &&
	    goes_to(k->blocks.at[number - 1]) == to && placed_in(next)) {
		const struct cases *s = switch_around(k, block);

		if (s && s->end == to)
			return;
		/* What goes to the end of the function may be a return. */
		if (to != k->out ||
		    (!k->result && (!only_returns(to) || count_from(k, to, &conditions) == 2)))
			add_go(k, EDIT_ELSE, br, placed_in(next), next, "else", "no else");
	}
}

/* break, continue and return at the end of a block. */
static void make_left(struct maker *k, LLVMValueRef br, LLVMValueRef last)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(br), to = LLVMGetSuccessor(br, 0);
	const struct loop *loop = loop_around(k, block);
	const struct cases *s = switch_around(k, block);
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(k->f));
	bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;

	if (loop && loop->exit && to != loop->exit &&
	    !(s && loop->blocks[block_number(k, LLVMGetInstructionParent(s->inst))]))
		add_go(k, EDIT_LEFT, br, last, loop->exit, "after", "break;");
	if (loop) {
		LLVMBasicBlockRef next = next_round(loop);

		if (to != next && block != next)
			add_go(k, EDIT_LEFT, br, last, next, "after", "continue;");
	}
	if (to == k->out || (!nothing && !is_int(type)) ||
	    (LLVMIsAStoreInst(last) && LLVMGetOperand(last, 1) == k->result))
		return;
	for (int64_t v = -1; v <= (nothing ? -1 : 1); v++) {
		struct edit_slots *slots = arena_new(&k->m->arena, struct edit_slots);
		struct edit *e = add(k, EDIT_LEFT, EDIT_GO, br, last);

		slots->value = v;
		e->slots = slots;
		e->was = "after";
		e->is = nothing ? "return;" : text(k, "return %lld;", (long long)v);
	}
}

/* An `if` without else: what is missing may belong there. */
static void make_else_copies(struct maker *k, LLVMValueRef br)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(br), other = LLVMGetSuccessor(br, 1);
	uint32_t number = block_number(k, other), conditions;

	if (!has_place(br) || is_header(k, block) || is_header(k, other) || has_phi(other) ||
	    number <= block_number(k, block) + 1 ||
	    number <= block_number(k, LLVMGetSuccessor(br, 0)) ||
	    goes_to(k->blocks.at[number - 1]) != other || count_from(k, other, &conditions) != 2 ||
	    conditions != 1)
		return;
	make_copies(k, &(struct gap){br, br, "else"});
}

/* --- a function --- */

bool edit_is_refused(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			if (LLVMGetInstructionOpcode(i) == LLVMIndirectBr)
				return true;
			if (LLVMIsACallInst(i) && ir_call_has(i, "returns_twice"))
				return true;
			for (int n = 0; n < LLVMGetNumOperands(i); n++) {
				LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);

				if (LLVMIsABlockAddress(v) ||
				    (LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v)))
					return true;
			}
		}
	return false;
}

/* Was the block executed, or whatever else the wish is about? */
static bool is_wanted(const struct maker *k, LLVMBasicBlockRef block)
{
	const struct plan_function *f = &k->m->plan->functions.at[k->function];

	for (uint32_t b = 0; b < f->blocks.size && k->wish->blocks; b++)
		if (f->blocks.at[b].block == block)
			return k->wish->blocks[k->function][b];
	return !k->wish->blocks;
}

static void make_function(struct maker *k)
{
	bool refused;

	k->f = k->m->plan->functions.at[k->function].function;
	survey(k);
	/* The expressions that are more than the name of a variable: those that the function reads or assigns to, and then the
	   other members of structures of which it knows one. */
	uint32_t before = k->candidates.size;

	for (int members = 0; members < 2; members++)
		for (uint32_t b = 0; b < k->blocks.size; b++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(k->blocks.at[b]);
			     i && k->candidates.size - before < MOST_EXPRESSIONS;
			     i = LLVMGetNextInstruction(i)) {
				LLVMValueRef address = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
				                       : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
				                                             : NULL;
				LLVMTypeRef type = LLVMIsALoadInst(i) ? LLVMTypeOf(i)
				                   : LLVMIsAStoreInst(i)
				                           ? LLVMTypeOf(LLVMGetOperand(i, 0))
				                           : NULL;
				struct str name = STR_INIT;

				if (!has_place(i))
					continue;
				if (members && LLVMIsAGetElementPtrInst(i) &&
				    LLVMGetNumOperands(i) == 3 &&
				    LLVMGetTypeKind(LLVMGetGEPSourceElementType(i)) ==
				            LLVMStructTypeKind)
					add_members(k, i);
				if (members || !address || LLVMIsAAllocaInst(address) ||
				    LLVMIsAGlobalVariable(address))
					continue;
				if (add_place_text(k, address, &name, 0))
					add_expression(k, tree_of(k, address, 0), str_text(&name),
					               pointee(k, address, 0), type,
					               LLVMGetDebugLocLine(i));
				str_deinit(&name);
			}
	refused = edit_is_refused(k->f);
	if (!refused)
		find_switches(k);
	if (k->wish->wide && !refused) {
		find_snippets(k);
		k->missing = missing_text(k);
	}
	for (uint32_t b = 0; !refused && b < k->blocks.size; b++) {
		bool wanted = is_wanted(k, k->blocks.at[b]);
		unsigned line = 0;

		for (LLVMValueRef i = LLVMGetFirstInstruction(k->blocks.at[b]); i;
		     i = LLVMGetNextInstruction(i), k->ordinal++) {
			if (!wanted)
				continue;
			if (k->wish->narrow) {
				make_instruction(k, i);
				edit_generate_data(k->m, k->function, i, k->wish);
				if (LLVMIsASwitchInst(i))
					make_cases(k, i);
				if (LLVMIsABranchInst(i) && !LLVMIsConditional(i)) {
					make_break(k, i);
					make_else(k, i);
				}
			}
			if (k->wish->watch || k->wish->fitted_count)
				make_fitted(k, i);
			if (k->wish->wide && LLVMIsABranchInst(i)) {
				if (LLVMIsConditional(i) && has_place(i)) {
					make_comparisons(k, i, make_slots(k, i, 10, 5),
					                 HENCE_CHOICE_AND, EDIT_TIGHTENED, NULL,
					                 NULL, "condition", "&& ", false);
					make_comparisons(k, i, make_slots(k, i, 10, 5),
					                 HENCE_CHOICE_OR, EDIT_LOOSENED, NULL, NULL,
					                 "condition", "|| ", false);
				}
				if (LLVMIsConditional(i))
					make_else_copies(k, i);
			}
			if (LLVMIsABranchInst(i) && LLVMIsConditional(i) && has_place(i))
				make_whole(k, i);
			if (k->wish->wide && begins_line(k, i, &line)) {
				make_insertions(k, i);
				if (is_gap(k, i))
					make_copies(k, &(struct gap){i, i, "before"});
			}
			if (k->wish->wide)
				make_moved(k, i);
			/* At the end of a block, after the last statement. */
			if (k->wish->wide && LLVMIsABranchInst(i) && !LLVMIsConditional(i) &&
			    LLVMGetPreviousInstruction(i) &&
			    plan_ends_statement(LLVMGetPreviousInstruction(i)) &&
			    !LLVMIsAPHINode(LLVMGetPreviousInstruction(i))) {
				LLVMValueRef last = LLVMGetPreviousInstruction(i);

				make_assignments(k, i, last);
				if (is_gap(k, last)) {
					make_copies(k, &(struct gap){i, last, "after"});
					make_left(k, i, last);
				}
			}
		}
	}
	for (uint32_t i = 0; i < k->loops.size; i++)
		free(k->loops.at[i].blocks);
	vec_deinit(&k->loops);
	vec_deinit(&k->snippets);
	vec_deinit(&k->switches);
	vec_deinit(&k->blocks);
	vec_deinit(&k->candidates);
	vec_deinit(&k->arrays);
	vec_deinit(&k->constants);
	vec_deinit(&k->calls);
}

void edit_generate(struct edit_module *module, const struct edit_wish *wish)
{
	for (uint32_t f = 0; f < module->plan->functions.size; f++) {
		struct maker k = {.m = module, .function = f, .wish = wish};

		if (wish->blocks ? wish->blocks[f] != NULL : wish->functions[f])
			make_function(&k);
	}
	if (!wish->narrow)
		return;
	edit_generate_declared(module, wish);
	edit_generate_names(module, wish);
}

/* --- names of edits --- */

/* 'main:' or 'swap@2:', with which names of edits begin. Caller frees. */
static char *name_function(const struct plan_function *function, uint32_t module)
{
	bool is_static = LLVMGetLinkage(function->function) == LLVMInternalLinkage;

	return module && is_static ? str_format("%s@%u:", function->name, module)
	                           : str_format("%s:", function->name);
}

/* The row of an edit by value, in its name: 'main:27.0:value:fit 1,0,3,255,1,255,0,1'. */
#define FITTED_FORMAT "fit %hhu,%hhu,%hhu,%hhu,%hhu,%hhu,%lld,%lld"

char *edit_name(const struct edit_module *module, const struct edit *edit)
{
	/* Once it is built, its own IR is another one. */
	char *function =
		name_function(&module->loaded->plan->functions.at[edit->function], module->number);
	const char *kind = edit_kinds[edit->kind].name, *text_ = edit->is ? edit->is : "";
	const struct hence_choice *c = &edit->choice;
	char *name;

	if (edit->where == EDIT_COPY)
		name = str_format("%s%u:%s:%s %s#%u", function, edit->ordinal, kind, edit->was,
		                  text_, edit->from);
	else if (edit->fitted)
		name = str_format("%s%u.%u:%s:" FITTED_FORMAT, function, edit->ordinal,
		                  edit->operand, kind, c->kind, c->predicate, c->a, c->b,
		                  c->operation, c->with, (long long)c->constant,
		                  (long long)c->with_constant);
	else if (edit->operand && edit->where == EDIT_OPERAND)
		name = str_format("%s%u.%u:%s:%s", function, edit->ordinal, edit->operand, kind,
		                  text_);
	else
		name = str_format("%s%u:%s:%s", function, edit->ordinal, kind, text_);
	free(function);
	return name;
}

bool edit_names(const char *name, const struct plan_function *function, uint32_t module)
{
	char *own = name_function(function, module);
	bool same = !strncmp(name, own, strlen(own));

	free(own);
	return same;
}

bool edit_read_fitted(const char *name, const struct plan *plan, uint32_t module,
                      struct edit_fitted *out)
{
	struct edit_fitted f = {.module = module};
	struct hence_choice *c = &f.choice;
	const char *place = strchr(name, ':');
	long long constant, with;

	while (f.function < plan->functions.size &&
	       !edit_names(name, &plan->functions.at[f.function], module))
		f.function++;
	if (f.function == plan->functions.size || !place ||
	    sscanf(place, ":%u.%u:%*[^:]:" FITTED_FORMAT, &f.ordinal, &f.operand, &c->kind,
	           &c->predicate, &c->a, &c->b, &c->operation, &c->with, &constant, &with) != 10)
		return false;
	c->constant = constant;
	c->with_constant = with;
	*out = f;
	return true;
}

const struct edit *edit_named(const struct edit_module *module, const char *name)
{
	for (uint32_t i = 0; i < module->edits.size; i++) {
		char *own = edit_name(module, &module->edits.at[i]);
		bool same = !strcmp(own, name);

		free(own);
		if (same)
			return &module->edits.at[i];
	}
	return NULL;
}
