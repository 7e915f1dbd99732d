/*
 * Parts of objects, when the code tells more than offset and size: of a union's members the one
 * that is a float, a pointer or an array of such elements. See ctype_part() for the rest.
 */
#include <string.h>

#include "names/work.h"

/* What is looked for. */
struct want {
	enum ctype_kind kind; /* float, pointer, array, or integer for all the others */
	uint64_t size;        /* 0: any */
	uint64_t element;     /* of an array */
};

static enum ctype_kind class_of(const struct ctype *type)
{
	switch (type->kind) {
	case CTYPE_FLOAT:
	case CTYPE_POINTER:
	case CTYPE_ARRAY: return type->kind;
	case CTYPE_BOOL:
	case CTYPE_CHAR:
	case CTYPE_INTEGER:
	case CTYPE_ENUM: return CTYPE_INTEGER;
	default: return CTYPE_UNKNOWN;
	}
}

static bool matches(const struct ctype *type, const struct want *want)
{
	const struct ctype *element = ctype_strip(type->target);

	if (class_of(type) != want->kind || (want->size && type->size != want->size))
		return false;
	return want->kind != CTYPE_ARRAY || (element && element->size == want->element);
}

static void cut(struct str *path, size_t length)
{
	path->length = length;
	if (path->text)
		path->text[length] = '\0';
}

static const struct ctype *find(const struct ctype *type, uint64_t offset, const struct want *want,
                                struct str *path);

static const struct ctype *find_member(const struct ctype *type, uint64_t offset,
                                       const struct want *want, struct str *path)
{
	size_t before = path->length;

	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		const struct ctype *plain = ctype_strip(m->type), *found;
		uint64_t start = m->bit_offset / 8;

		if (m->bit_size || !plain || offset < start ||
		    (plain->size && offset - start >= plain->size))
			continue;
		if (m->name)
			str_printf(path, ".%s", m->name);
		found = find(plain, offset - start, want, path);
		if (found)
			return found;
		cut(path, before);
	}
	return NULL;
}

/* The outermost part at the offset that is what is wanted; NULL: none. Its path is appended. */
static const struct ctype *find(const struct ctype *type, uint64_t offset, const struct want *want,
                                struct str *path)
{
	const struct ctype *element, *found;
	size_t before = path->length;

	type = ctype_strip(type);
	if (!type)
		return NULL;
	if (!offset && matches(type, want))
		return type;
	if (type->kind == CTYPE_STRUCT || type->kind == CTYPE_UNION)
		return find_member(type, offset, want, path);
	element = type->kind == CTYPE_ARRAY ? ctype_strip(type->target) : NULL;
	if (!element || !element->size ||
	    (type->count != CTYPE_NO_COUNT && offset / element->size >= type->count))
		return NULL;
	str_printf(path, "[%llu]", (unsigned long long)(offset / element->size));
	found = find(element, offset % element->size, want, path);
	if (!found)
		cut(path, before);
	return found;
}

const struct ctype *names_find_array(const struct ctype *type, uint64_t offset, uint64_t size,
                                     uint64_t element, struct str *path)
{
	struct want want = {CTYPE_ARRAY, size, element};

	return find(type, offset, &want, path);
}

static enum ctype_kind class_of_code(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind: return CTYPE_FLOAT;
	case LLVMPointerTypeKind: return CTYPE_POINTER;
	case LLVMIntegerTypeKind: return CTYPE_INTEGER;
	default: return CTYPE_UNKNOWN;
	}
}

/* The type that a load or store moves. */
static LLVMTypeRef moved_type(LLVMValueRef instruction)
{
	return LLVMTypeOf(LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 0)
	                                                : instruction);
}

/* A part that ctype_part() found, but of another kind than what is loaded or stored: is there a
   better one? */
static void improve(const struct ctype *type, uint64_t offset, const struct names_use *use,
                    struct ctype_part *part, struct str *path)
{
	struct want want = {.size = use->size};
	const struct ctype *plain = ctype_strip(part->type), *found;
	struct str other = STR_INIT;

	if (!use->instruction || use->whole || part->bit_size || !plain)
		return;
	want.kind = class_of_code(moved_type(use->instruction));
	if (want.kind == CTYPE_UNKNOWN || class_of(plain) == want.kind)
		return;
	found = find(type, offset, &want, &other);
	if (found) {
		cut(path, 0);
		str_add(path, str_text(&other));
		*part = (struct ctype_part){.type = found, .offset = offset};
	}
	str_deinit(&other);
}

/* The bit-field that is meant. */
static bool find_bits(const struct ctype *type, uint64_t offset, const struct names_use *use,
                      struct ctype_part *part, struct str *path)
{
	uint32_t at, bits;

	cut(path, 0);
	if (!use->instruction || !names_bits(use->instruction, &at, &bits) ||
	    !ctype_part_bits(type, 8 * offset + at, bits, part, path))
		return false;
	part->bit_offset += (uint32_t)(8 * (part->offset - offset));
	return true;
}

bool names_find_part(const struct ctype *type, uint64_t offset, const struct names_use *use,
                     struct ctype_part *part, struct str *path)
{
	if (!ctype_part(type, offset, use->size, use->whole ? CTYPE_WHOLE : CTYPE_SCALAR, part,
	                path))
		return false;
	if (part->bit_size && !find_bits(type, offset, use, part, path))
		return false;
	improve(type, offset, use, part, path);
	part->offset = 0;
	return true;
}
