/*
 * Names from the code of a pointer. Clang's code at -O0 keeps the shape of the source: a variable
 * is an alloca or global, a pointer is loaded before it is used, and each `.x`, `->x`, `[i]` is a
 * getelementptr. So the pointer is followed back to a variable, and the name is built on the way
 * forward. Field names come from debug information by offset.
 */
#include <string.h>

#include "names/work.h"

#define DEEPEST 32 /* loads and steps between a variable and the place */
#define FAR     16 /* elements that a pointer may have been moved since it was loaded */

/* What is known on the way: an expression, and how far behind it the place lies. */
struct way {
	struct str text;
	const struct ctype *type;  /* of the expression, or of what it points to */
	bool pointer;              /* the expression is a pointer, the place lies behind it */
	int64_t offset;            /* bytes */
	const struct ctype *array; /* that the index is of; NULL: of a pointer */
	bool indexed;              /* the text ends in [index], put at `index_at` */
	size_t index_at;
	int64_t index;
};

static bool follow(struct names *n, const struct activation *a, LLVMValueRef pointer,
                   unsigned depth, struct way *way);

static uint64_t size_of(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type);

	return plain ? plain->size : 0;
}

/* --- text --- */

static void cut(struct str *text, size_t length)
{
	text->length = length;
	if (text->text)
		text->text[length] = '\0';
}

/* What binds tighter than a star needs parentheses around it. */
static void protect(struct str *text)
{
	char *inner;

	if (*str_text(text) != '*')
		return;
	inner = str_steal(text);
	str_printf(text, "(%s)", inner);
	free(inner);
}

/* Appends a path to the name of an object, or of a pointer to it. */
static void append(struct str *text, const char *path, bool arrow)
{
	char *inner;

	if (arrow && *path != '.') {
		inner = str_steal(text);
		str_printf(text, *path ? "(*%s)%s" : "*%s%s", inner, path);
		free(inner);
		return;
	}
	if (*path)
		protect(text);
	str_add(text, arrow ? "->" : "");
	str_add(text, arrow ? path + 1 : path);
}

static void put_index(struct way *way, int64_t index)
{
	protect(&way->text);
	way->indexed = true;
	way->array = NULL;
	way->index_at = way->text.length;
	way->index = index;
	str_printf(&way->text, "[%lld]", (long long)index);
}

bool names_add_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                    bool arrow, struct str *text, struct ctype_part *part)
{
	struct str path = STR_INIT;
	bool found = names_find_part(type, offset, use, part, &path);

	if (found)
		append(text, str_text(&path), arrow);
	str_deinit(&path);
	return found;
}

/* --- steps --- */

/* From an element to another. What was a pointer is one again when it comes back to it. */
static void move_index(struct way *way, int64_t count)
{
	const struct ctype *array = way->array;

	cut(&way->text, way->index_at);
	if (!array && way->index + count == 0) {
		way->pointer = true;
		way->indexed = false;
		return;
	}
	put_index(way, way->index + count);
	way->array = array;
}

/* From elements of `size` bytes to the one that is `count` further on. */
static void step_over(struct way *way, int64_t count, uint64_t size)
{
	const struct ctype *plain = ctype_strip(way->type);

	if (!way->offset && way->pointer && size_of(way->type) == size) {
		way->pointer = false;
		put_index(way, count);
	} else if (!way->offset && way->indexed && size_of(way->type) == size) {
		move_index(way, count);
	} else if (!way->offset && !way->pointer && plain && plain->kind == CTYPE_ARRAY &&
	           size_of(plain->target) == size) {
		way->type = plain->target;
		put_index(way, count);
		way->array = plain;
	} else {
		way->offset += count * (int64_t)size;
	}
}

/* Into an array. */
static void step_into(struct way *way, int64_t index, uint64_t total, uint64_t size)
{
	struct str path = STR_INIT;
	const struct ctype *array = NULL;

	if (way->offset >= 0)
		array = names_find_array(way->type, (uint64_t)way->offset, total, size, &path);
	if (array) {
		append(&way->text, str_text(&path), way->pointer);
		way->pointer = false;
		way->type = array->target;
		way->offset = 0;
		put_index(way, index);
		way->array = array;
	} else {
		way->offset += index * (int64_t)size;
	}
	str_deinit(&path);
}

static bool index_value(struct names *n, const struct activation *a, LLVMValueRef index,
                        int64_t *out)
{
	const struct code_slot *slot;
	unsigned bits;

	if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
		return false;
	bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
	slot = bits <= 64 ? names_slot(n, a, index) : NULL;
	if (!slot || slot->undefined)
		return false;
	*out = (int64_t)(slot->bits << (64 - bits)) >> (64 - bits);
	return true;
}

static bool step(struct names *n, const struct activation *a, LLVMValueRef gep, struct way *way)
{
	const struct plan *plan =
		walk_program(execution_walk(n->e))->modules.at[a->function->place.module].plan;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep), element;
	int count = LLVMGetNumOperands(gep);
	int64_t index;

	if (!index_value(n, a, LLVMGetOperand(gep, 1), &index))
		return false;
	if (index || count == 2)
		step_over(way, index, LLVMABISizeOfType(plan->layout, type));
	for (int i = 2; i < count; i++) {
		if (!index_value(n, a, LLVMGetOperand(gep, (unsigned)i), &index))
			return false;
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			way->offset +=
				(int64_t)LLVMOffsetOfElement(plan->layout, type, (unsigned)index);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
			continue;
		}
		element = LLVMGetElementType(type);
		step_into(way, index, LLVMABISizeOfType(plan->layout, type),
		          LLVMABISizeOfType(plan->layout, element));
		type = element;
	}
	return true;
}

/* --- pointers --- */

/* Was the pointer read by the statement that is described, and then overwritten by it? */
static bool was_overwritten(struct names *n, const struct activation *a, LLVMValueRef load,
                            uint64_t address)
{
	uint32_t index = names_index(n, a->function, load);

	return a == names_top(n, 0) && index != UINT32_MAX && index >= n->first &&
	       address < n->written + n->written_size && n->written < address + 8;
}

/* The pointer that was loaded may have been moved since: then the place is named from where it is
   now. */
static bool adjust(struct names *n, const struct activation *a, LLVMValueRef load, uint64_t address,
                   struct way *way)
{
	uint64_t loaded = names_slot(n, a, load)->bits, size = size_of(way->type);
	struct memory_value now = memory_load(execution_memory(n->e), address, 8);
	int64_t distance = (int64_t)(loaded - now.bits), count;

	if (now.bits == loaded || was_overwritten(n, a, load, address))
		return true;
	if (!size || distance % (int64_t)size)
		return false;
	count = distance / (int64_t)size;
	if (count > FAR || count < -FAR)
		return false;
	if (count != 1 && count != -1 &&
	    execution_object_at(n->e, loaded) != execution_object_at(n->e, now.bits))
		return false;
	way->pointer = false;
	put_index(way, count);
	return true;
}

/* The pointer was loaded from a place that has a name. */
static bool follow_load(struct names *n, const struct activation *a, LLVMValueRef load,
                        unsigned depth, struct way *way)
{
	LLVMValueRef from = LLVMGetOperand(load, 0);
	const struct code_slot *address = names_slot(n, a, from);
	struct names_use use = {.size = 8, .instruction = load};
	struct ctype_part part;
	const struct variable *variable;
	uint64_t at;

	if (!address || !names_slot(n, a, load))
		return false;
	at = address->bits;
	variable = LLVMIsAAllocaInst(from) ? names_variable(n, a, from) : NULL;
	if (variable && variable->indirect) {
		str_add(&way->text, variable->name);
		way->type = variable->type;
		return true;
	}
	if (!follow(n, a, from, depth + 1, way) || way->offset < 0 ||
	    !names_add_part(way->type, (uint64_t)way->offset, &use, way->pointer, &way->text,
	                    &part))
		return false;
	part.type = ctype_strip(part.type);
	if (!part.type || part.type->kind != CTYPE_POINTER)
		return false;
	way->type = part.type->target;
	way->pointer = true;
	way->indexed = false;
	way->offset = 0;
	return adjust(n, a, load, at, way);
}

/* --- variables --- */

/* A global of another file: its own module knows what it is. */
static const struct variable *elsewhere(struct names *n, const struct activation *a,
                                        LLVMValueRef global)
{
	const struct program *program = walk_program(execution_walk(n->e));
	const struct code_slot *slot = names_slot(n, a, global);
	uint32_t number = slot ? execution_object_at(n->e, slot->bits) : 0;
	const struct object *o = number ? objects_at(execution_objects(n->e), number) : NULL;

	if (!o || o->kind != OBJECT_GLOBAL || o->address != slot->bits)
		return NULL;
	return variables_of_global(names_variables(n, o->owner),
	                           program->modules.at[o->owner].plan->globals.at[o->index]);
}

const struct variable *names_variable(struct names *n, const struct activation *a,
                                      LLVMValueRef storage)
{
	const struct variables *variables = names_variables(n, a->function->place.module);

	if (!LLVMIsAGlobalVariable(storage))
		return variables_of_alloca(variables, storage);
	return LLVMIsDeclaration(storage) ? elsewhere(n, a, storage)
	                                  : variables_of_global(variables, storage);
}

static bool follow_variable(struct names *n, const struct activation *a, LLVMValueRef storage,
                            struct way *way)
{
	const struct variable *variable = names_variable(n, a, storage);

	if (!variable || variable->indirect || variable->also)
		return false;
	str_add(&way->text, variable->name);
	way->type = variable->type;
	return true;
}

static bool is_gep(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) ||
	       (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* The address of a variable of the thread comes from an intrinsic. */
static bool is_thread_address(LLVMValueRef call)
{
	const char *intrinsic = ir_intrinsic(call);

	return intrinsic && !strncmp(intrinsic, "threadlocal.address", 19);
}

/* errno is a macro that calls for its address. */
static bool follow_errno(LLVMValueRef call, struct way *way)
{
	static const struct ctype type = {
		.kind = CTYPE_INTEGER, .is_signed = true, .name = "int", .size = 4};
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	if (!callee || strcmp(LLVMGetValueName2(callee, &length), "__errno_location"))
		return false;
	str_add(&way->text, "errno");
	way->type = &type;
	return true;
}

static bool follow(struct names *n, const struct activation *a, LLVMValueRef pointer,
                   unsigned depth, struct way *way)
{
	if (depth > DEEPEST)
		return false;
	if (LLVMIsAAllocaInst(pointer) || LLVMIsAArgument(pointer) ||
	    LLVMIsAGlobalVariable(pointer))
		return follow_variable(n, a, pointer, way);
	if (is_gep(pointer))
		return follow(n, a, LLVMGetOperand(pointer, 0), depth + 1, way) &&
		       step(n, a, pointer, way);
	if (LLVMIsALoadInst(pointer))
		return follow_load(n, a, pointer, depth, way);
	if (LLVMIsACallInst(pointer) && is_thread_address(pointer))
		return follow(n, a, LLVMGetOperand(pointer, 0), depth + 1, way);
	if (LLVMIsACallInst(pointer))
		return follow_errno(pointer, way);
	return false;
}

/* --- the whole --- */

/* Several elements: `p[0..4]`, or the whole array. */
static bool finish_range(struct names *n, struct way *way, const struct names_use *use,
                         struct name *out)
{
	const struct ctype *element = ctype_strip(way->type);
	int64_t first = way->indexed ? way->index : 0;
	struct ctype *array;
	uint64_t count;

	if (!use->whole || way->offset || !(way->pointer || way->indexed) || !element ||
	    !element->size || use->size <= element->size || use->size % element->size)
		return false;
	count = use->size / element->size;
	if (way->indexed)
		cut(&way->text, way->index_at);
	protect(&way->text);
	if (!way->array || first || way->array->count != count)
		str_printf(&way->text, "[%lld..%lld]", (long long)first,
		           (long long)(first + (int64_t)count - 1));
	array = &n->ranges[n->next_range++ % NAMES_RANGES];
	*array = (struct ctype){
		.kind = CTYPE_ARRAY, .target = way->type, .count = count, .size = use->size};
	out->part = (struct ctype_part){.type = array};
	return true;
}

static bool finish(struct way *way, const struct names_use *use, struct name *out)
{
	uint64_t size = size_of(way->type);
	int64_t offset = way->offset;

	/* Behind the end of what the pointer's type tells: one of several elements. */
	if (size && (offset < 0 || (uint64_t)offset >= size) && (way->pointer || way->indexed)) {
		int64_t count = offset / (int64_t)size - (offset % (int64_t)size < 0);

		way->offset = 0;
		step_over(way, count, size);
		offset -= count * (int64_t)size;
	}
	return offset >= 0 && names_add_part(way->type, (uint64_t)offset, use, way->pointer,
	                                     &way->text, &out->part);
}

static bool name_code(struct names *n, const struct activation *a, LLVMValueRef pointer,
                      const struct names_use *use, struct name *out)
{
	struct way way = {.text = STR_INIT};

	if (!follow(n, a, pointer, 0, &way) ||
	    (!finish_range(n, &way, use, out) && !finish(&way, use, out))) {
		str_deinit(&way.text);
		return false;
	}
	out->text = way.text;
	out->size = use->size;
	out->known = true;
	return true;
}

void names_of_pointer(struct names *n, const struct activation *a, LLVMValueRef pointer,
                      const struct names_use *use, struct name *out)
{
	const struct code_slot *slot = names_slot(n, a, pointer);
	uint64_t address = slot ? slot->bits : 0;
	size_t length;

	if (name_code(n, a, pointer, use, out)) {
		out->address = address;
		return;
	}
	names_of_address(n, address, use, out);
	/* A variable of outside code, such as stdin: only the linker knows it. */
	if (!out->known && LLVMIsAGlobalVariable(pointer) && LLVMIsDeclaration(pointer)) {
		str_deinit(&out->text);
		str_add(&out->text, LLVMGetValueName2(pointer, &length));
		out->known = true;
	}
}

const struct ctype *names_pointee(struct names *n, const struct activation *a, LLVMValueRef pointer)
{
	struct way way = {.text = STR_INIT};
	const struct ctype *type = NULL;
	struct ctype_part part;

	if (follow(n, a, pointer, 0, &way)) {
		type = way.type;
		if (way.offset)
			type = way.offset > 0 && ctype_part(type, (uint64_t)way.offset, 0,
			                                    CTYPE_WHOLE, &part, NULL)
			               ? part.type
			               : NULL;
	}
	str_deinit(&way.text);
	return type;
}
