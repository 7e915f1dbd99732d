/* Statements and lines of the code that was executed: see lines.h. */
#include "report/lines.h"

#include <string.h>

#define DEEPEST 64

void lines_init(struct lines *l, struct names *names, const roaring_bitmap_t *codes)
{
	*l = (struct lines){.names = names, .codes = codes};
}

void lines_deinit(struct lines *l)
{
	for (uint32_t i = 0; i < l->files.size; i++) {
		free(l->files.at[i].name);
		free(l->files.at[i].directory);
		free(l->files.at[i].elf);
	}
	for (uint32_t i = 0; i < l->entries.size; i++) {
		struct listing_statement *s = &l->entries.at[i].statement;

		for (uint32_t k = 0; k < s->instances.size; k++)
			free(s->instances.at[k].text);
		vec_deinit(&s->instances);
	}
	vec_deinit(&l->entries);
	vec_deinit(&l->statements);
	vec_deinit(&l->parts);
	vec_deinit(&l->all);
	vec_deinit(&l->files);
	line_index_deinit(&l->index);
	file_index_deinit(&l->names_of);
	insn_index_deinit(&l->insns);
}

static struct code *code_table(const struct lines *l)
{
	return execution_code_table(names_execution(l->names));
}

/* --- lines --- */

/* The file that an instruction comes from: 1 + index. */
static uint32_t file_of(struct lines *l, uint32_t module, LLVMValueRef instruction)
{
	const struct program *program = walk_program(execution_walk(names_execution(l->names)));
	unsigned length;
	const char *name = LLVMGetDebugLocFilename(instruction, &length), *directory;
	uint32_t *index = file_index_find(&l->names_of, name);
	struct listing_file *file;

	if (index)
		return *index;
	directory = LLVMGetDebugLocDirectory(instruction, &length);
	file = vec_push(&l->files);
	file->name = mem_strdup(name);
	file->directory = directory ? mem_strndup(directory, length) : mem_strdup(".");
	file->elf = mem_strdup(program->modules.at[module].path);
	*file_index_put(&l->names_of, file->name) = l->files.size;
	return l->files.size;
}

static uint32_t line_of(struct lines *l, uint32_t module, LLVMValueRef instruction,
                        const char *function)
{
	unsigned number =
		LLVMInstructionGetDebugLoc(instruction) ? LLVMGetDebugLocLine(instruction) : 0;
	uint32_t file, *index;
	struct lines_line *line;

	if (!number)
		return 0;
	file = file_of(l, module, instruction);
	index = line_index_put(&l->index, (uint64_t)file << 32 | number);
	if (*index)
		return *index;
	line = vec_push(&l->all);
	line->file = file - 1;
	line->line = number;
	line->function = function;
	*index = l->all.size;
	return *index;
}

uint32_t lines_of(struct lines *l, uint32_t code)
{
	const struct code_function *f = code_of(code_table(l), code);

	return line_of(l, f->place.module, f->instructions[code - f->first], f->plan->name);
}

/* --- parts of a statement --- */

static void map_insns(struct lines *l, const struct code_function *f)
{
	if (l->mapped == f)
		return;
	insn_index_deinit(&l->insns);
	for (uint32_t i = 0; i < f->size; i++)
		*insn_index_put(&l->insns, (uintptr_t)f->instructions[i]) = i + 1;
	l->mapped = f;
}

static bool is_part(const struct lines *l, const struct lines_statement *s, uint32_t code)
{
	for (uint32_t i = 0; i < s->parts; i++)
		if (l->parts.at[s->part + i].code == code)
			return true;
	return false;
}

/* Operands, and theirs, that end no statement themselves. Of a phi only itself: which side it came
   from differs from time to time. */
static void add_parts(struct lines *l, const struct code_function *f, LLVMValueRef instruction,
                      struct lines_statement *s, int depth)
{
	if (depth > DEEPEST || LLVMIsAPHINode(instruction))
		return;
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		uint32_t *index = LLVMIsAInstruction(operand)
		                          ? insn_index_find(&l->insns, (uintptr_t)operand)
		                          : NULL;

		if (!index || f->insns[*index - 1].flags & CODE_STATEMENT ||
		    f->insns[*index - 1].op == CODE_LOCAL || is_part(l, s, f->first + *index - 1))
			continue;
		*vec_push(&l->parts) = (struct lines_part){
			.code = f->first + *index - 1,
			.wanted = roaring_bitmap_contains(l->codes, f->first + *index - 1)};
		s->parts++;
		add_parts(l, f, operand, s, depth + 1);
	}
}

/* Is the statement, or a part of it, in the set? */
static bool is_chosen(const struct lines *l, const struct lines_statement *s)
{
	bool wanted = s->wanted;

	for (uint32_t i = 0; i < s->parts && !wanted; i++)
		wanted = l->parts.at[s->part + i].wanted;
	return wanted && s->line && !s->empty;
}

/* The end of a function that returns nothing: it changes nothing, so no line is shown for it. */
static bool is_empty(const struct code_insn *insn)
{
	return insn->op == CODE_RETURN && insn->a == CODE_NO_OPERAND;
}

static void ask(struct lines *l, uint32_t code)
{
	const struct code_function *f = code_of(code_table(l), code);
	struct lines_statement s = {.asked = true, .part = l->parts.size};

	map_insns(l, f);
	s.line = lines_of(l, code);
	s.empty = is_empty(&f->insns[code - f->first]);
	add_parts(l, f, f->instructions[code - f->first], &s, 0);
	s.wanted = !s.empty && roaring_bitmap_contains(l->codes, code);
	s.chosen = is_chosen(l, &s);
	l->statements.at[code] = s;
}

struct lines_statement *lines_at(struct lines *l, uint32_t code)
{
	while (l->statements.size <= code)
		vec_push(&l->statements);
	if (!l->statements.at[code].asked)
		ask(l, code);
	return &l->statements.at[code];
}

struct lines_entry *lines_entry(struct lines *l, uint32_t code)
{
	struct lines_statement *s = lines_at(l, code);
	struct lines_entry *entry;

	if (!s->entry) {
		entry = vec_push(&l->entries);
		entry->line = s->line - 1;
		entry->statement.code = code;
		entry->statement.column = names_place(l->names, code).column;
		entry->statement.potential = true;
		s->entry = l->entries.size;
	}
	return &l->entries.at[s->entry - 1];
}

/* --- counting --- */

uint64_t lines_of_program(struct lines *l)
{
	const struct program *program = walk_program(execution_walk(names_execution(l->names)));

	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		for (uint32_t i = 0; plan && i < plan->functions.size; i++) {
			const struct plan_function *f = &plan->functions.at[i];

			for (uint32_t b = 0; b < f->blocks.size; b++)
				for (LLVMValueRef at =
				             LLVMGetFirstInstruction(f->blocks.at[b].block);
				     at; at = LLVMGetNextInstruction(at))
					if (plan_ends_statement(at))
						line_of(l, m, at, f->name);
		}
	}
	return l->all.size;
}

/* Calls `see` for each instruction of executed functions: with the statement that it ends or is a
   part of, or on its own if it is in none. */
static void each_owner(struct lines *l, const roaring_bitmap_t *codes,
                       void (*see)(struct lines *l, uint32_t code, uint32_t line, void *context),
                       void *context)
{
	const struct code *table = code_table(l);
	roaring_bitmap_t *owned = roaring_bitmap_create();
	roaring_uint32_iterator_t *left;
	roaring_bitmap_t *rest;

	for (uint32_t i = 0; i < table->functions.size; i++) {
		const struct code_function *f = table->functions.at[i];

		for (uint32_t k = 0; k < f->size; k++) {
			const struct lines_statement *s;

			if (!(f->insns[k].flags & CODE_STATEMENT))
				continue;
			s = lines_at(l, f->first + k);
			roaring_bitmap_add(owned, f->first + k);
			if (s->line && !s->empty && roaring_bitmap_contains(codes, f->first + k))
				see(l, f->first + k, s->line, context);
			for (uint32_t p = 0; p < s->parts; p++) {
				uint32_t part = l->parts.at[s->part + p].code;

				roaring_bitmap_add(owned, part);
				if (s->line && roaring_bitmap_contains(codes, part))
					see(l, part, s->line, context);
			}
		}
	}
	rest = roaring_bitmap_andnot(codes, owned);
	left = roaring_create_iterator(rest);
	for (; left->has_value; roaring_advance_uint32_iterator(left)) {
		uint32_t line = lines_of(l, left->current_value);

		if (line)
			see(l, left->current_value, line, context);
	}
	roaring_free_uint32_iterator(left);
	roaring_bitmap_free(rest);
	roaring_bitmap_free(owned);
}

static void see_line(struct lines *l, uint32_t code, uint32_t line, void *context)
{
	roaring_bitmap_add(context, line);
	/* Also of a statement that did not come to its end: what it called never returned. */
	l->all.at[line - 1].executed = true;
}

uint64_t lines_of_codes(struct lines *l, const roaring_bitmap_t *codes)
{
	roaring_bitmap_t *lines = roaring_bitmap_create();
	uint64_t count;

	each_owner(l, codes, see_line, lines);
	count = roaring_bitmap_get_cardinality(lines);
	roaring_bitmap_free(lines);
	return count;
}

static void see_chosen(struct lines *l, uint32_t code, uint32_t line, void *context)
{
	const roaring_bitmap_t *special = context;

	l->all.at[line - 1].chosen = true;
	l->all.at[line - 1].executed = true;
	if (!special || !roaring_bitmap_contains(special, code))
		l->all.at[line - 1].dependent = true;
}

void lines_complete(struct lines *l, const roaring_bitmap_t *special)
{
	each_owner(l, l->codes, see_chosen, (void *)special);
}
