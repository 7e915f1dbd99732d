/* C types from debug information: see types.h. */
#include "model/types.h"

#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "model/di.h"

MAP_DEFINE_U64(type_map, struct ctype *);

struct types {
	LLVMModuleRef module;
	LLVMContextRef context;
	struct arena arena;
	struct type_map
		known; /* node -> type; also those that are being read: types are recursive */
	struct ctype void_;
};

struct types *types_create(LLVMModuleRef module)
{
	struct types *types = mem_alloc(sizeof(*types));

	types->module = module;
	types->context = LLVMGetModuleContext(module);
	types->void_.kind = CTYPE_VOID;
	return types;
}

void types_destroy(struct types *types)
{
	if (!types)
		return;
	type_map_deinit(&types->known);
	arena_deinit(&types->arena);
	free(types);
}

LLVMModuleRef types_module(const struct types *types)
{
	return types->module;
}

static bool is_type(LLVMMetadataRef node)
{
	switch (LLVMGetMetadataKind(node)) {
	case LLVMDIBasicTypeMetadataKind:
	case LLVMDIDerivedTypeMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
	case LLVMDISubroutineTypeMetadataKind: return true;
	default: return false;
	}
}

/* The kind of a derived type that is its base type under another name; CTYPE_UNKNOWN: it is not. */
static enum ctype_kind alias_kind(LLVMMetadataRef node)
{
	switch (LLVMGetDINodeTag(node)) {
	case DI_TYPEDEF: return CTYPE_TYPEDEF;
	case DI_CONST: return CTYPE_CONST;
	case DI_VOLATILE: return CTYPE_VOLATILE;
	case DI_RESTRICT: return CTYPE_RESTRICT;
	case DI_ATOMIC: return CTYPE_ATOMIC;
	default: return CTYPE_UNKNOWN;
	}
}

/* Debug information gives no size to a name or a qualifier, and the type behind it may not be read
   to its end yet. */
static uint64_t size_of(struct types *types, LLVMMetadataRef node)
{
	while (node && is_type(node) && alias_kind(node) != CTYPE_UNKNOWN)
		node = di_base_type(types->context, node);
	return node && is_type(node) ? LLVMDITypeGetSizeInBits(node) / 8 : 0;
}

static const char *name_of(struct types *types, LLVMMetadataRef node)
{
	size_t length = 0;
	const char *name = LLVMDITypeGetName(node, &length);

	return length ? arena_strndup(&types->arena, name, length) : NULL;
}

/* Basic types. */

static bool starts(const char *text, const char *word)
{
	return text && !strncmp(text, word, strlen(word));
}

static void read_basic(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	char *text = di_text(types->context, node);
	const char *encoding = di_field(text, "encoding");

	type->is_signed = starts(encoding, "DW_ATE_signed");
	if (starts(encoding, "DW_ATE_boolean")) {
		type->kind = CTYPE_BOOL;
	} else if (starts(encoding, "DW_ATE_signed_char") ||
	           starts(encoding, "DW_ATE_unsigned_char")) {
		type->kind = CTYPE_CHAR;
	} else if (starts(encoding, "DW_ATE_signed") || starts(encoding, "DW_ATE_unsigned") ||
	           starts(encoding, "DW_ATE_UTF")) {
		type->kind = CTYPE_INTEGER;
	} else if (starts(encoding, "DW_ATE_float")) {
		type->kind = CTYPE_FLOAT;
		type->ieee_quad = type->size == 16 && !starts(type->name, "long double");
		type->brain = starts(type->name, "__bf16");
	} else if (starts(encoding, "DW_ATE_complex_float") || starts(encoding, "128")) {
		/* 128, a user's number, is clang's for complex integers. */
		type->kind = CTYPE_COMPLEX;

		/* Debug information calls every complex type "complex". */
		bool is_float = *encoding == 'D';
		uint64_t size = type->size / 2;
		struct ctype *half = arena_new(&types->arena, struct ctype);

		half->kind = is_float ? CTYPE_FLOAT : CTYPE_INTEGER;
		half->is_signed = true;
		half->size = size;
		if (is_float)
			half->name = size == 4 ? "float" : size == 8 ? "double" : "long double";
		else
			half->name = size == 1   ? "char"
			             : size == 2 ? "short"
			             : size == 4 ? "int"
			                         : "long";
		type->target = half;
	}
	LLVMDisposeMessage(text);
}

/* Composite types. */

static void read_enumerator(struct types *types, struct ctype_enumerator *e, LLVMMetadataRef node)
{
	char *text = di_text(types->context, node);
	size_t length;
	const char *name = di_enumerator_name(types->context, node, &length);

	e->name = name ? arena_strndup(&types->arena, name, length) : "?";
	e->value = di_number(text, "value");
	LLVMDisposeMessage(text);
}

static void read_enum(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	struct di_list list = di_elements(types->context, node);
	LLVMMetadataRef base = di_base_type(types->context, node);
	struct ctype_enumerator *enumerators =
		arena_new_array(&types->arena, struct ctype_enumerator, list.size);
	const struct ctype *integer;

	for (uint32_t i = 0; i < list.size; i++)
		read_enumerator(types, &enumerators[i], list.at[i]);
	type->kind = CTYPE_ENUM;
	type->target = base ? types_of(types, base) : NULL;
	integer = ctype_strip(type->target);
	type->is_signed = integer && integer->is_signed;
	type->enumerators = enumerators;
	type->member_count = list.size;
	vec_deinit(&list);
}

static void read_struct(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	type->kind = LLVMGetDINodeTag(node) == DI_UNION ? CTYPE_UNION : CTYPE_STRUCT;

	struct di_list list = di_elements(types->context, node);
	struct ctype_member *members =
		arena_new_array(&types->arena, struct ctype_member, list.size);
	uint32_t count = 0;

	for (uint32_t i = 0; i < list.size; i++) {
		struct ctype_member *m = &members[count];

		if (!list.at[i] || LLVMGetDINodeTag(list.at[i]) != DI_MEMBER)
			continue;
		m->name = name_of(types, list.at[i]);
		m->type = types_of(types, di_base_type(types->context, list.at[i]));
		m->bit_offset = LLVMDITypeGetOffsetInBits(list.at[i]);
		if (LLVMDITypeGetFlags(list.at[i]) & LLVMDIFlagBitField)
			m->bit_size = LLVMDITypeGetSizeInBits(list.at[i]);
		count++;
	}
	type->members = members;
	type->member_count = count;
	vec_deinit(&list);
}

/* The length of a dimension; one that is a variable (a VLA) or not given is not known. */
static uint64_t count_of(struct types *types, LLVMMetadataRef dimension)
{
	int64_t count;

	if (dimension && di_constant(types->context, dimension, &count) && count >= 0)
		return count;
	return CTYPE_NO_COUNT;
}

/* One node has all dimensions; for us `int a[2][3]` is an array of arrays. */
static void read_array(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	LLVMMetadataRef base = di_base_type(types->context, node);
	struct di_list list = di_elements(types->context, node);
	const struct ctype *target = types_of(types, base);
	uint64_t size = size_of(types, base);

	type->count = CTYPE_NO_COUNT;
	for (uint32_t i = list.size; i-- > 0;) {
		struct ctype *array = i ? arena_new(&types->arena, struct ctype) : type;

		array->kind = CTYPE_ARRAY;
		array->count = count_of(types, list.at[i]);
		array->target = target;
		size = array->count == CTYPE_NO_COUNT ? 0 : size * array->count;
		if (i)
			array->size = size;
		target = array;
	}
	type->kind = LLVMDITypeGetFlags(node) & LLVMDIFlagVector ? CTYPE_VECTOR : CTYPE_ARRAY;
	type->target = type->target ? type->target : target;
	vec_deinit(&list);
}

static void read_composite(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	type->incomplete = LLVMDITypeGetFlags(node) & LLVMDIFlagFwdDecl;
	switch (LLVMGetDINodeTag(node)) {
	case DI_STRUCT:
	case DI_UNION: read_struct(types, type, node); break;
	case DI_ENUM: read_enum(types, type, node); break;
	case DI_ARRAY: read_array(types, type, node); break;
	}
}

/* `int f(char, ...)` is {int, char, null}; `int f()` is {int, null}, `int f(void)` is {int}. */
static void read_function(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	struct di_list list = di_elements(types->context, node);
	bool open = list.size > 1 && !list.at[list.size - 1];
	uint32_t end = list.size - open;
	const struct ctype **parameters =
		arena_new_array(&types->arena, const struct ctype *, list.size);

	for (uint32_t i = 1; i < end; i++)
		parameters[type->member_count++] = types_of(types, list.at[i]);
	type->kind = CTYPE_FUNCTION;
	type->target = types_of(types, list.size ? list.at[0] : NULL);
	type->parameters = parameters;
	type->variadic = open && type->member_count;
	type->prototyped = type->member_count || !open;
	vec_deinit(&list);
}

static void read_derived(struct types *types, struct ctype *type, LLVMMetadataRef node)
{
	enum ctype_kind alias = alias_kind(node);

	if (LLVMGetDINodeTag(node) == DI_POINTER)
		type->kind = CTYPE_POINTER;
	else
		type->kind = alias;
	if (type->kind == CTYPE_UNKNOWN)
		return;
	type->target = types_of(types, di_base_type(types->context, node));
}

const struct ctype *types_of(struct types *types, LLVMMetadataRef node)
{
	uint64_t key = (uintptr_t)node;
	struct ctype **known, *type;

	if (!node)
		return &types->void_;
	known = type_map_find(&types->known, key);
	if (known)
		return *known;
	type = arena_new(&types->arena, struct ctype);
	*type_map_put(&types->known, key) = type;
	if (is_type(node)) {
		type->name = name_of(types, node);
		type->size = size_of(types, node);
		switch (LLVMGetMetadataKind(node)) {
		case LLVMDIBasicTypeMetadataKind: read_basic(types, type, node); break;
		case LLVMDIDerivedTypeMetadataKind: read_derived(types, type, node); break;
		case LLVMDICompositeTypeMetadataKind: read_composite(types, type, node); break;
		case LLVMDISubroutineTypeMetadataKind: read_function(types, type, node); break;
		}
	}
	return type;
}

const struct ctype *types_of_function(struct types *types, LLVMValueRef function)
{
	LLVMMetadataRef program = LLVMGetSubprogram(function);
	LLVMMetadataRef node = program ? di_subprogram_type(types->context, program) : NULL;

	return node ? types_of(types, node) : NULL;
}
