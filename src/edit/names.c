/*
 * Edits of constants that have a name: `#define MAX 10` or an enumerator. All uses of the name change together, so they are
 * one edit (struct edit.group), at the line that defines it. Which constant of the IR is a use, the source tells: where
 * the constant would stand, the name does.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "base/mem.h"
#include "edit/edit.h"
#include "edit/text.h"

#define MOST_USES   64u /* of a name in a module */
#define MOST_VALUES 16u
#define MOST_NESTED 3u /* headers that include headers */

struct use {
	LLVMValueRef at;
	uint32_t function, ordinal, operand;
	int64_t plus;
	bool wanted;
};

struct name {
	struct edit_definition *definition;
	const char *file; /* that has it */
	uint32_t own;     /* uses in that file */
	bool refused;
	VEC(struct use) uses;
};

/* A file and those that it includes. */
struct file {
	const char *name;
	struct edit_definitions all;
};

MAP_DEFINE_STRING(name_map, uint32_t);

struct naming {
	struct edit_module *m;
	const struct edit_wish *wish;
	VEC(struct file) files;
	VEC(struct name) names;
	struct name_map index; /* 1 + index of a name */
};

static void add_file(struct naming *k, const char *name, uint32_t nested)
{
	const struct edit_source *source;
	uint32_t number = k->files.size;

	for (uint32_t i = 0; i < k->files.size; i++)
		if (!strcmp(k->files.at[i].name, name))
			return;
	vec_push(&k->files)->name = arena_strdup(&k->m->arena, name);
	source = edit_source_of(k->m, k->wish, name);
	if (!source)
		return;
	edit_read_definitions(source->lines.at, source->lines.size, &k->files.at[number].all);
	for (uint32_t i = 0; nested < MOST_NESTED; i++) {
		const char *line, *quote, *end, *slash = strrchr(name, '/');
		char *included;

		/* The sources move when another one is read. */
		source = edit_source_of(k->m, k->wish, name);
		if (i >= source->lines.size)
			break;
		line = source->lines.at[i] + strspn(source->lines.at[i], " \t");
		if (*line != '#' || !strstr(line, "include") || !(quote = strchr(line, '"')) ||
		    !(end = strchr(quote + 1, '"')))
			continue;
		included = str_format("%.*s%.*s", slash ? (int)(slash + 1 - name) : 0, name,
		                      (int)(end - quote - 1), quote + 1);
		add_file(k, included, nested + 1);
		free(included);
	}
}

/* What the text at the place of an instruction with a constant must be: see edit_constant_name(). 0: none is edited. */
static char kind_of(LLVMValueRef i, uint32_t operand)
{
	if (LLVMIsABinaryOperator(i) || LLVMIsACmpInst(i))
		return 'o';
	if (LLVMIsAStoreInst(i))
		return operand ? 0 : '=';
	if (LLVMIsAReturnInst(i))
		return 'r';
	return LLVMIsACallInst(i) && !ir_intrinsic(i) && operand < LLVMGetNumArgOperands(i) ? '('
	                                                                                    : 0;
}

static void find_use(struct naming *k, struct use *u)
{
	LLVMValueRef c = LLVMGetOperand(u->at, u->operand);
	char what = kind_of(u->at, u->operand);
	unsigned line = LLVMGetDebugLocLine(u->at), length = 0;
	const char *file = LLVMGetDebugLocFilename(u->at, &length);
	const struct edit_source *source;
	bool whole = LLVMIsAConstantInt(c), real = LLVMIsAConstantFP(c);
	char *own, *name;
	uint32_t *index;
	LLVMBool lost;

	if (!what || !line || !file || (!whole && !real) ||
	    (whole &&
	     (LLVMGetIntTypeWidth(LLVMTypeOf(c)) < 8 || LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64)))
		return;
	own = mem_strndup(file, length);
	source = edit_source_of(k->m, k->wish, own);
	name = source && line <= source->lines.size
	               ? edit_constant_name(source->lines.at[line - 1],
	                                    LLVMGetDebugLocColumn(u->at), what, u->operand,
	                                    &u->plus)
	               : NULL;
	index = name ? name_map_find(&k->index, name) : NULL;
	if (index) {
		struct name *n = &k->names.at[*index - 1];
		double value = whole ? (double)LLVMConstIntGetSExtValue(c)
		                     : LLVMConstRealGetDouble(c, &lost);

		n->own += !strcmp(own, n->file);
		if (value != n->definition->value + (double)u->plus || n->uses.size == MOST_USES)
			n->refused = true;
		/* A place has one edit for each selector. */
		for (uint32_t i = 0; i < n->uses.size; i++)
			n->refused |= n->uses.at[i].at == u->at;
		*vec_push(&n->uses) = *u;
	}
	free(own);
	free(name);
}

static bool is_wanted(const struct naming *k, uint32_t function, LLVMBasicBlockRef block)
{
	const struct plan_function *f = &k->m->plan->functions.at[function];

	if (!k->wish->blocks)
		return true;
	for (uint32_t b = 0; b < f->blocks.size && k->wish->blocks[function]; b++)
		if (f->blocks.at[b].block == block)
			return k->wish->blocks[function][b];
	return false;
}

static void find_uses(struct naming *k)
{
	for (uint32_t f = 0; f < k->m->plan->functions.size; f++) {
		LLVMValueRef function = k->m->plan->functions.at[f].function;
		uint32_t ordinal = 0;

		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
		     b = LLVMGetNextBasicBlock(b)) {
			bool wanted = is_wanted(k, f, b);

			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i), ordinal++)
				for (int n = 0; n < LLVMGetNumOperands(i); n++) {
					struct use u = {i, f, ordinal, (uint32_t)n, 0, wanted};

					if (LLVMIsAConstant(LLVMGetOperand(i, (unsigned)n)))
						find_use(k, &u);
				}
		}
	}
}

static const char *value_text(struct naming *k, const struct edit_definition *d, double value)
{
	if (d->character && value >= 0 && value < 127)
		return edit_character(&k->m->arena, (int64_t)value);
	return arena_printf(&k->m->arena, d->real ? "%.15g" : "%.0f", value);
}

/* One edit: the name stands for another number wherever it is used. */
static void add_edit(struct naming *k, const struct name *n, const struct use *leader, double value)
{
	const struct edit_definition *d = n->definition;
	struct edit_module *m = k->m;
	const char *is = arena_printf(&m->arena, "%s is %s", d->name, value_text(k, d, value));
	const char *was = arena_printf(&m->arena, "%s is %s", d->name, value_text(k, d, d->value));
	const char *group = arena_printf(&m->arena, "%s:%s", n->file, is), *reader = NULL;
	unsigned length = 0;

	if (leader) {
		reader = LLVMGetDebugLocFilename(leader->at, &length);
		reader = reader ? arena_strndup(&m->arena, reader, length) : NULL;
	}
	for (uint32_t i = 0; i < n->uses.size; i++) {
		const struct use *u = &n->uses.at[i];
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(u->at, u->operand));
		struct edit *e = vec_push(&m->edits);

		e->kind = EDIT_DEFINED;
		e->where = EDIT_OPERAND;
		e->module = m->number;
		e->function = u->function;
		e->ordinal = u->ordinal;
		e->at = u->at;
		e->operand = u->operand;
		e->operation = EDIT_TAKE;
		e->a = (struct edit_term){.kind = EDIT_CONSTANT,
		                          .type = type,
		                          .constant = (int64_t)value + u->plus,
		                          .real = value + (double)u->plus};
		e->file = n->file;
		e->line = d->line;
		e->column = d->column;
		/* Declarations, case labels, other macros: the edit does not change these. Who else includes a header is not
		   known. */
		e->part = n->own != n->uses.size || n->own != d->uses;
		e->was = was;
		e->is = is;
		e->group = group;
		e->follows = u != leader;
		e->reader = reader;
		e->reader_line = leader ? LLVMGetDebugLocLine(leader->at) : 0;
	}
}

static void add_edits(struct naming *k, const struct name *n)
{
	const struct edit_definition *d = n->definition;
	double v = d->value,
	       list[MOST_VALUES] = {v + 1, v - 1, 0, 1, v * 2, v / 2, v * 10, v / 10, -v};
	const struct use *leader = NULL;
	uint32_t count = 9;

	for (uint32_t i = 0; i < n->uses.size && !leader; i++)
		if (n->uses.at[i].wanted)
			leader = &n->uses.at[i];
	for (uint32_t i = 0; i < k->names.size && count < MOST_VALUES; i++) {
		const struct name *other = &k->names.at[i];

		if (!strcmp(other->file, n->file) && other->definition->real == d->real &&
		    other->definition->character == d->character)
			list[count++] = other->definition->value;
	}
	if (d->character) {
		static const char often[] = {' ', '\n', '\0', '\t', '0'};

		count = 2;
		if (v >= 'A')
			list[count++] = (double)((int)v ^ 0x20);
		for (uint32_t i = 0; i < sizeof(often); i++)
			list[count++] = often[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		double value = d->real ? list[i] : trunc(list[i]);
		bool known = value == v;

		for (uint32_t p = 0; p < i; p++)
			known |= (d->real ? list[p] : trunc(list[p])) == value;
		if (!known && fabs(value) < 1e15)
			add_edit(k, n, leader, value == 0 ? 0 : value);
	}
}

/* Edits of one instruction are neighbours, those of later ones come later. */
static int by_place(const void *a, const void *b)
{
	const struct edit *x = *(const struct edit *const *)a, *y = *(const struct edit *const *)b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->ordinal != y->ordinal)
		return x->ordinal < y->ordinal ? -1 : 1;
	return x < y ? -1 : x > y;
}

void edit_sort(struct edit_module *m)
{
	struct edit *sorted = mem_alloc((m->edits.size + 1) * sizeof(*sorted));
	const struct edit **order = mem_alloc((m->edits.size + 1) * sizeof(*order));

	for (uint32_t i = 0; i < m->edits.size; i++)
		order[i] = &m->edits.at[i];
	qsort(order, m->edits.size, sizeof(*order), by_place);
	for (uint32_t i = 0; i < m->edits.size; i++)
		sorted[i] = *order[i];
	if (m->edits.size)
		memcpy(m->edits.at, sorted, m->edits.size * sizeof(*sorted));
	free(sorted);
	free(order);
}

void edit_generate_names(struct edit_module *m, const struct edit_wish *wish)
{
	struct naming k = {.m = m, .wish = wish};
	uint32_t before = m->edits.size;

	for (uint32_t f = 0; f < m->plan->functions.size && wish->read_source; f++) {
		const struct plan_function *function = &m->plan->functions.at[f];
		LLVMMetadataRef scope = LLVMGetSubprogram(function->function);
		LLVMMetadataRef at = scope ? LLVMDIScopeGetFile(scope) : NULL;
		unsigned length = 0;
		const char *name = at ? LLVMDIFileGetFilename(at, &length) : NULL;

		if (length) {
			char *file = mem_strndup(name, length);

			add_file(&k, file, 0);
			free(file);
		}
	}
	for (uint32_t f = 0; f < k.files.size; f++)
		for (uint32_t i = 0; i < k.files.at[f].all.size; i++) {
			struct edit_definition *d = &k.files.at[f].all.at[i];
			uint32_t *index = name_map_put(&k.index, d->name);

			if (*index) {
				k.names.at[*index - 1].refused = true;
				continue;
			}
			*index = k.names.size + 1;
			*vec_push(&k.names) = (struct name){
				.definition = d, .file = k.files.at[f].name, .refused = d->several};
		}
	if (k.names.size)
		find_uses(&k);
	for (uint32_t i = 0; i < k.names.size; i++)
		if (k.names.at[i].uses.size && !k.names.at[i].refused)
			add_edits(&k, &k.names.at[i]);
	if (m->edits.size > before)
		edit_sort(m);
	for (uint32_t i = 0; i < k.names.size; i++)
		vec_deinit(&k.names.at[i].uses);
	for (uint32_t i = 0; i < k.files.size; i++)
		edit_definitions_deinit(&k.files.at[i].all);
	vec_deinit(&k.names);
	vec_deinit(&k.files);
	name_map_deinit(&k.index);
}

void edit_follow(struct edit_module *modules, uint32_t count)
{
	struct name_map leaders = MAP_INIT;

	/* One leads in all modules. */
	for (uint32_t m = 0; m < count; m++)
		for (uint32_t i = 0; i < modules[m].edits.size; i++) {
			struct edit *e = &modules[m].edits.at[i];

			if (e->group && !e->follows && (*name_map_put(&leaders, e->group))++)
				e->follows = true;
		}
	name_map_deinit(&leaders);
	leaders = (struct name_map)MAP_INIT;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t m = 0; m < count; m++)
			for (uint32_t i = 0; i < modules[m].edits.size; i++) {
				struct edit *e = &modules[m].edits.at[i];
				uint32_t *id;

				if (!e->group)
					continue;
				if (!pass && e->id && !e->follows) {
					id = name_map_put(&leaders, e->group);
					*id = *id ? *id : e->id;
				} else if (pass && e->follows) {
					id = name_map_find(&leaders, e->group);
					e->id = id ? *id : 0;
				}
			}
	name_map_deinit(&leaders);
}
