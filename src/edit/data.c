/*
 * Edits of data: initial values of variables, entries of tables, characters of strings that are tables. What the
 * failing run did not read (reads.c) has none. Values are the ones near it, those that the other entries suggest, and
 * others of the same column of the table.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "edit/edit.h"
#include "edit/text.h"

#define SMALL_TABLE      128u /* entries of a table that has edits when nobody knows which were read */
#define LARGE_TABLE      4096u /* and that any table may have */
#define MOST_VALUES      24u   /* that are tried for an entry: each is run */
#define MOST_DEPTH       6u
#define NEAR_ENUMERATORS 3 /* that are tried though the table has them nowhere */

/* A scalar in the data. */
struct leaf {
	LLVMValueRef value;
	int64_t byte; /* of a string: the character; `value` is NULL */
	uint64_t offset, size;
	const struct ctype *type; /* NULL: not known */
	uint64_t column;          /* the same for the same member of all entries */
};

struct data {
	struct edit_module *m;
	const struct edit_wish *wish;
	uint32_t function;
	const struct variable *v; /* NULL: not known */
	LLVMValueRef place;       /* that names it */
	const char *name;
	uint64_t address;
	VEC(struct leaf) leaves;
};

static void gather(struct data *d, LLVMValueRef c, uint64_t offset, uint64_t column, uint32_t depth)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	LLVMTargetDataRef layout = d->m->plan->layout;
	uint64_t elements;

	if (d->leaves.size > LARGE_TABLE || depth > MOST_DEPTH)
		return;
	if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind) {
		bool whole = LLVMIsAConstantInt(c) && LLVMGetIntTypeWidth(type) % 8 == 0 &&
		             LLVMGetIntTypeWidth(type) <= 64;
		bool real = LLVMIsAConstantFP(c) &&
		            (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind);
		bool pointer = LLVMIsAGlobalVariable(c) || LLVMIsAFunction(c) ||
		               LLVMIsAConstantPointerNull(c);

		if (whole || real || pointer)
			*vec_push(&d->leaves) =
				(struct leaf){.value = c,
			                      .offset = offset,
			                      .size = LLVMABISizeOfType(layout, type),
			                      .column = column};
		return;
	}
	/* The text of a literal is another kind of edit; that of an array which has a name is a table. */
	if (LLVMIsAConstantDataSequential(c) && LLVMIsConstantString(c)) {
		size_t size;
		const char *bytes = LLVMGetAsString(c, &size);

		for (size_t i = 0; i < size && d->v && d->leaves.size <= LARGE_TABLE; i++)
			*vec_push(&d->leaves) = (struct leaf){.byte = bytes[i],
			                                      .offset = offset + i,
			                                      .size = 1,
			                                      .column = column};
		return;
	}
	/* Nobody writes a table of zeros. */
	if (!depth && LLVMIsNull(c))
		return;
	elements = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
	                                     : LLVMCountStructElementTypes(type);
	for (uint64_t i = 0; i < elements && d->leaves.size <= LARGE_TABLE; i++) {
		LLVMValueRef e = LLVMGetAggregateElement(c, (unsigned)i);
		bool array = kind == LLVMArrayTypeKind;

		if (e)
			gather(d, e,
			       offset + (array ? i * LLVMABISizeOfType(layout,
			                                               LLVMGetElementType(type))
			                       : LLVMOffsetOfElement(layout, type, (unsigned)i)),
			       array ? column : map_hash_u64(column ^ (i + 1)), depth + 1);
	}
}

/* --- one entry --- */

/* Which one it is in the braces of the initialiser, level by level. UINT32_MAX: they cannot be counted. */
static uint32_t find_positions(const struct ctype *type, uint64_t offset, uint32_t *out)
{
	uint32_t depth = 0;

	for (type = ctype_strip(type); type && depth < MOST_DEPTH; type = ctype_strip(type)) {
		if (type->kind == CTYPE_ARRAY && ctype_strip(type->target) &&
		    ctype_strip(type->target)->size) {
			uint64_t size = ctype_strip(type->target)->size;

			out[depth++] = (uint32_t)(offset / size);
			offset %= size;
			type = type->target;
		} else if (type->kind == CTYPE_STRUCT) {
			uint32_t i = 0;

			while (i + 1 < type->member_count &&
			       type->members[i + 1].bit_offset <= 8 * offset)
				i++;
			if (!type->member_count || type->members[i].bit_size)
				return UINT32_MAX;
			out[depth++] = i;
			offset -= type->members[i].bit_offset / 8;
			type = type->members[i].type;
		} else {
			return ctype_is_scalar(type) ? depth : UINT32_MAX;
		}
	}
	return UINT32_MAX;
}

struct entry {
	struct data *d;
	const struct leaf *leaf;
	const char *name; /* 'table[3].rate' */
	const char *file, *reader;
	unsigned line, column, reader_line;
	const char *was;
	VEC(const char *) tried;
};

static void add_value(struct entry *n, const void *bytes, const char *is)
{
	struct edit *e;

	if (n->tried.size == MOST_VALUES || !strcmp(is, n->was))
		return;
	for (uint32_t i = 0; i < n->tried.size; i++)
		if (!strcmp(n->tried.at[i], is))
			return;
	*vec_push(&n->tried) = is;
	e = vec_push(&n->d->m->edits);
	e->kind = strpbrk(n->name, ".[") ? EDIT_ENTRY : EDIT_INITIAL;
	e->where = EDIT_POKE;
	e->module = n->d->m->number;
	e->function = n->d->function;
	e->poke.address = n->d->address + n->leaf->offset;
	e->poke.size = (uint32_t)n->leaf->size;
	memcpy(e->poke.bytes, bytes, n->leaf->size);
	e->file = n->file;
	e->line = n->line;
	e->column = n->column;
	e->reader = n->reader;
	e->reader_line = n->reader_line;
	e->was = arena_printf(&n->d->m->arena, "%s is %s", n->name, n->was);
	e->is = arena_printf(&n->d->m->arena, "%s is %s", n->name, is);
}

/* signed char and unsigned char are used for small numbers. */
static bool is_text(const struct ctype *type)
{
	return type && type->kind == CTYPE_CHAR && type->name && !strcmp(type->name, "char");
}

static const char *number_text(const struct entry *n, int64_t value)
{
	const struct ctype *type = ctype_strip(n->leaf->type);
	struct arena *arena = &n->d->m->arena;

	for (uint32_t i = 0; type && type->kind == CTYPE_ENUM && i < type->member_count; i++)
		if (type->enumerators[i].value == value)
			return type->enumerators[i].name;
	if (is_text(type))
		return edit_character(arena, value);
	if (type && !type->is_signed && n->leaf->size < 8)
		value &= (int64_t)((1ull << 8 * n->leaf->size) - 1);
	return type && !type->is_signed ? arena_printf(arena, "%llu", (unsigned long long)value)
	                                : arena_printf(arena, "%lld", (long long)value);
}

static int64_t leaf_number(const struct leaf *l)
{
	return l->value ? LLVMConstIntGetSExtValue(l->value) : l->byte;
}

static bool is_number(const struct leaf *l)
{
	return !l->value || LLVMIsAConstantInt(l->value);
}

/* Entry number `step` before or after this one in its column; NULL: there is none. */
static const struct leaf *neighbour(const struct data *d, const struct leaf *l, int step)
{
	const struct leaf *end = d->leaves.at + d->leaves.size;

	for (const struct leaf *at = l; step;) {
		at += step > 0 ? 1 : -1;
		if (at < d->leaves.at || at >= end)
			return NULL;
		if (at->column == l->column && at->size == l->size)
			step += step > 0 ? -1 : 1;
		if (!step)
			return at;
	}
	return NULL;
}

static void add_number(struct entry *n, int64_t value)
{
	const struct ctype *type = ctype_strip(n->leaf->type);
	int64_t cut = value;

	if (type && type->kind == CTYPE_BOOL && (uint64_t)value > 1)
		return;
	if (type && type->kind == CTYPE_ENUM) {
		bool known = false;

		for (uint32_t i = 0; i < type->member_count; i++)
			known |= type->enumerators[i].value == value;
		if (!known)
			return;
	}
	if (n->leaf->size < 8)
		cut = (int64_t)((uint64_t)value << (64 - 8 * n->leaf->size)) >>
		      (64 - 8 * n->leaf->size);
	if (cut != value && (!type || type->is_signed || (uint64_t)value >> 8 * n->leaf->size))
		return;
	add_value(n, &value, number_text(n, value));
}

static void add_numbers(struct entry *n)
{
	const struct data *d = n->d;
	const struct ctype *type = ctype_strip(n->leaf->type);
	int64_t value = leaf_number(n->leaf);
	const struct leaf *before = neighbour(d, n->leaf, -1), *after = neighbour(d, n->leaf, 1);
	const struct leaf *first = neighbour(d, n->leaf, -2), *last = neighbour(d, n->leaf, 2);
	char digits[32];
	bool text = is_text(type) || (type && type->kind == CTYPE_ENUM);

	n->was = number_text(n, value);
	for (uint32_t i = 0; type && type->kind == CTYPE_ENUM && i < type->member_count; i++)
		if (llabs(type->enumerators[i].value - value) <= NEAR_ENUMERATORS)
			add_number(n, type->enumerators[i].value);
	if (is_text(type) && isalpha((int)(value & 0x7f)))
		add_number(n, value ^ 0x20);
	add_number(n, value + 1);
	add_number(n, value - 1);
	add_number(n, 0);
	add_number(n, 1);
	if (!text)
		add_number(n, -value);
	/* What the entries around it suggest, if they follow a rule. */
	if (before && after)
		add_number(n, (leaf_number(before) + leaf_number(after)) / 2);
	if (before && first)
		add_number(n, 2 * leaf_number(before) - leaf_number(first));
	if (after && last)
		add_number(n, 2 * leaf_number(after) - leaf_number(last));
	if (before && !text)
		add_number(n, 2 * leaf_number(before));
	/* A zero too much, digits exchanged. */
	if (!text && llabs(value) < INT64_MAX / 16) {
		add_number(n, value * 10);
		add_number(n, value * 2);
		add_number(n, value / 2);
		add_number(n, value / 10);
		add_number(n, value + 10);
		add_number(n, value - 10);
		snprintf(digits, sizeof(digits), "%lld", (long long)value);
		for (size_t i = value < 0; digits[i] && digits[i + 1]; i++) {
			char kept = digits[i];

			digits[i] = digits[i + 1];
			digits[i + 1] = kept;
			add_number(n, strtoll(digits, NULL, 10));
			digits[i + 1] = digits[i];
			digits[i] = kept;
		}
	}
	for (uint32_t i = 0, used = 0; i < d->leaves.size && used < 16; i++)
		if (d->leaves.at[i].column == n->leaf->column && is_number(&d->leaves.at[i])) {
			uint32_t had = n->tried.size;

			add_number(n, leaf_number(&d->leaves.at[i]));
			used += n->tried.size > had;
		}
}

static void add_real(struct entry *n, double value)
{
	float narrow = (float)value;

	if (!isfinite(value))
		return;
	add_value(n, n->leaf->size == 4 ? (const void *)&narrow : &value,
	          arena_printf(&n->d->m->arena, n->leaf->size == 4 ? "%.8g" : "%.15g", value));
}

static double leaf_real(const struct leaf *l)
{
	LLVMBool lost;

	return LLVMConstRealGetDouble(l->value, &lost);
}

static void add_reals(struct entry *n)
{
	const struct data *d = n->d;
	double value = leaf_real(n->leaf);
	const struct leaf *before = neighbour(d, n->leaf, -1), *after = neighbour(d, n->leaf, 1);

	n->was = arena_printf(&d->m->arena, n->leaf->size == 4 ? "%.8g" : "%.15g", value);
	add_real(n, value * 10);
	add_real(n, value / 10);
	add_real(n, value + 1);
	add_real(n, value - 1);
	add_real(n, -value);
	add_real(n, 0);
	add_real(n, 1);
	add_real(n, value * 100);
	add_real(n, value / 100);
	add_real(n, 1 / value);
	if (before && after)
		add_real(n, (leaf_real(before) + leaf_real(after)) / 2);
	if (before && neighbour(d, n->leaf, -2))
		add_real(n, 2 * leaf_real(before) - leaf_real(neighbour(d, n->leaf, -2)));
	if (after && neighbour(d, n->leaf, 2))
		add_real(n, 2 * leaf_real(after) - leaf_real(neighbour(d, n->leaf, 2)));
	for (uint32_t i = 0; i < d->leaves.size; i++)
		if (d->leaves.at[i].column == n->leaf->column &&
		    LLVMIsAConstantFP(d->leaves.at[i].value))
			add_real(n, leaf_real(&d->leaves.at[i]));
}

/* How C writes the pointer: a string literal, a name. NULL: it has no name. */
static const char *pointer_text(const struct data *d, LLVMValueRef c)
{
	LLVMValueRef bytes = LLVMIsAGlobalVariable(c) ? LLVMGetInitializer(c) : NULL;
	const struct variable *v =
		LLVMIsAGlobalVariable(c) ? variables_of_global(d->m->variables, c) : NULL;
	const struct ctype *type = v ? ctype_strip(v->type) : NULL;
	struct str s = STR_INIT;
	const char *text;
	size_t size;

	if (LLVMIsAConstantPointerNull(c))
		return "0";
	if (LLVMIsAFunction(c))
		return arena_strdup(&d->m->arena, LLVMGetValueName2(c, &size));
	if (v)
		return type && type->kind == CTYPE_ARRAY
		               ? v->name
		               : arena_printf(&d->m->arena, "&%s", v->name);
	if (!bytes || !LLVMIsAConstantDataSequential(bytes) || !LLVMIsConstantString(bytes))
		return NULL;
	text = LLVMGetAsString(bytes, &size);
	if (!size || text[size - 1])
		return NULL;
	ctype_print_text((const uint8_t *)text, strlen(text), 0, &s);
	text = arena_strdup(&d->m->arena, str_text(&s));
	str_deinit(&s);
	return text;
}

/* The address in the program; 0: it is not known. */
static uint64_t address_of(const struct edit_module *m, LLVMValueRef c)
{
	if (LLVMIsAFunction(c)) {
		for (uint32_t i = 0; i < m->plan->functions.size; i++)
			if (m->plan->functions.at[i].function == c)
				return m->loaded->addresses[i];
		return 0;
	}
	for (uint32_t i = 0; i < m->plan->globals.size; i++)
		if (m->plan->globals.at[i] == c)
			return m->loaded->addresses[m->plan->functions.size + i];
	return 0;
}

static void add_pointers(struct entry *n)
{
	const struct data *d = n->d;

	n->was = pointer_text(d, n->leaf->value);
	for (uint32_t i = 0; n->was && i < d->leaves.size; i++) {
		LLVMValueRef other = d->leaves.at[i].value;
		uint64_t address;
		const char *is;

		if (d->leaves.at[i].column != n->leaf->column || LLVMIsAConstantInt(other))
			continue;
		is = pointer_text(d, other);
		address = is ? address_of(d->m, other) : 0;
		if (is && (address || LLVMIsAConstantPointerNull(other)))
			add_value(n, &address, is);
	}
	/* Another function of that type, though the table has it nowhere. */
	for (uint32_t i = 0;
	     n->was && LLVMIsAFunction(n->leaf->value) && i < d->m->plan->functions.size; i++) {
		LLVMValueRef f = d->m->plan->functions.at[i].function;
		uint64_t address = d->m->loaded->addresses[i];

		if (address && LLVMGlobalGetValueType(f) == LLVMGlobalGetValueType(n->leaf->value))
			add_value(n, &address, pointer_text(d, f));
	}
}

static void add_leaf(struct data *d, const struct leaf *l)
{
	struct entry n = {.d = d, .leaf = l};
	const struct edit_source *source = NULL;
	uint32_t positions[MOST_DEPTH + 1], depth;
	struct str path = STR_INIT;

	if (d->wish->reads) {
		if (!edit_reads_at(d->wish->reads, d->address + l->offset, l->size, 0, &n.reader,
		                   &n.reader_line))
			return;
		if (n.reader)
			n.reader = arena_strdup(&d->m->arena, n.reader);
	}
	str_add(&path, d->name);
	if (!l->type || !ctype_part(d->v->type, l->offset, l->size, CTYPE_SCALAR, NULL, &path))
		if (d->leaves.size > 1)
			str_printf(&path, "[%u]", (unsigned)(l - d->leaves.at));
	n.name = arena_strdup(&d->m->arena, str_text(&path));
	str_deinit(&path);
	if (d->v) {
		n.file = d->v->file;
		n.line = d->v->line;
		n.column = d->v->column;
		source = edit_source_of(d->m, d->wish, n.file);
		depth = l->type ? find_positions(d->v->type, l->offset, positions) : UINT32_MAX;
		/* The characters of a string may stand in one literal. */
		if (source && depth != UINT32_MAX &&
		    !edit_find_entry(source->lines.at, source->lines.size, d->name, positions,
		                     depth, &n.line, &n.column) &&
		    !l->value && depth)
			edit_find_entry(source->lines.at, source->lines.size, d->name, positions,
			                depth - 1, &n.line, &n.column);
	} else {
		unsigned length = 0;
		const char *file = LLVMGetDebugLocFilename(d->place, &length);

		n.file = file ? arena_strndup(&d->m->arena, file, length) : NULL;
		n.line = LLVMGetDebugLocLine(d->place);
		n.column = LLVMGetDebugLocColumn(d->place);
	}
	if (is_number(l))
		add_numbers(&n);
	else if (LLVMIsAConstantFP(l->value))
		add_reals(&n);
	else
		add_pointers(&n);
	vec_deinit(&n.tried);
}

/* The variable whose initial value clang calls __const.f.a; NULL: it is not found. */
static const struct variable *copied_variable(const struct edit_module *m, LLVMValueRef function,
                                              LLVMValueRef g, const char *name)
{
	const struct variable_list *own = variables_of_function(m->variables, function);
	const struct variable *found = NULL;

	for (uint32_t i = 0; own && i < own->size; i++) {
		const struct variable *v = own->at[i];

		if (!v->name || strcmp(v->name, name) || !ctype_strip(v->type) ||
		    ctype_strip(v->type)->size !=
		            LLVMABISizeOfType(m->plan->layout, LLVMGlobalGetValueType(g)))
			continue;
		/* Two of one name: either could be meant. */
		if (found)
			return NULL;
		found = v;
	}
	return found;
}

void edit_generate_data(struct edit_module *m, uint32_t function, LLVMValueRef i,
                        const struct edit_wish *wish)
{
	for (int n = 0; n < LLVMGetNumOperands(i); n++) {
		struct data d = {.m = m, .wish = wish, .function = function, .place = i};
		LLVMValueRef g = LLVMGetOperand(i, (unsigned)n), value;
		uint32_t number = 0;
		size_t length;

		if (LLVMIsAConstantExpr(g))
			g = LLVMGetOperand(g, 0);
		if (!LLVMIsAGlobalVariable(g) || LLVMIsDeclaration(g) || LLVMIsThreadLocal(g))
			continue;
		while (number < m->plan->globals.size && m->plan->globals.at[number] != g)
			number++;
		if (number == m->plan->globals.size || m->poked.at[number])
			continue;
		m->poked.at[number] = true;
		value = LLVMGetInitializer(g);
		d.v = variables_of_global(m->variables, g);
		d.name = d.v ? d.v->name : LLVMGetValueName2(g, &length);
		if (!d.v && strrchr(d.name, '.')) {
			bool copied = !strncmp(d.name, "__const.", 8);

			d.name = arena_strdup(&m->arena, strrchr(d.name, '.') + 1);
			if (copied)
				d.v = copied_variable(m, m->plan->functions.at[function].function,
				                      g, d.name);
		}
		d.address = m->loaded->addresses[m->plan->functions.size + number];
		if (!value || (!d.v && !LLVMGetDebugLocLine(i)) || !strncmp(d.name, "__", 2))
			continue;
		gather(&d, value, 0, 1, 0);
		for (uint32_t l = 0; l < d.leaves.size && d.v; l++) {
			struct leaf *leaf = &d.leaves.at[l];
			struct ctype_part part;

			if (ctype_part(d.v->type, leaf->offset, leaf->size, CTYPE_SCALAR, &part,
			               NULL))
				leaf->type = part.type;
		}
		if (d.leaves.size <= (wish->reads || wish->tables ? LARGE_TABLE : SMALL_TABLE))
			for (uint32_t l = 0; l < d.leaves.size; l++)
				add_leaf(&d, &d.leaves.at[l]);
		vec_deinit(&d.leaves);
	}
}
