/* Annotated source: which lines, with which values, and how they are printed. See listing.h. */
#include "report/listing.h"

#include <string.h>

#include "base/budget.h"
#include "base/guard.h"
#include "report/columns.h"
#include "report/json.h"
#include "report/source.h"
#include "words/describe.h"
#include "words/names.h"

#define CELL_SOURCE 56u  /* columns of source, before values follow at once */
#define CELL_VALUES 160u /* most columns of values */
#define CELL_GAP    2u   /* between them */

void listing_deinit(struct listing *l)
{
	for (uint32_t i = 0; i < l->lines.size; i++) {
		struct listing_line *line = &l->lines.at[i];

		for (uint32_t k = 0; k < line->statements.size; k++) {
			struct listing_statement *s = &line->statements.at[k];

			for (uint32_t n = 0; n < s->instances.size; n++)
				free(s->instances.at[n].text);
			vec_deinit(&s->instances);
		}
		vec_deinit(&line->statements);
		free(line->function);
	}
	for (uint32_t i = 0; i < l->files.size; i++) {
		free(l->files.at[i].name);
		free(l->files.at[i].directory);
		free(l->files.at[i].elf);
	}
	vec_deinit(&l->lines);
	vec_deinit(&l->files);
	*l = (struct listing){0};
}
/* --- what stands in the columns, for a person --- */

/* Appends the values of a line's statements, cut to what the terminal has left after `used`. */
static void cell_add_values(const struct listing_line *line, const struct listing_style *style,
                            unsigned used, struct str *out)
{
	unsigned room = style->width > used + 20 ? style->width - used : 20;

	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (!s->instances.size)
			continue;
		str_printf(out, "%s%s", out->length ? "; " : "", s->instances.at[0].text);
		if (s->varied)
			str_printf(out, " ... %s", s->instances.at[s->instances.size - 1].text);
		if (s->count > 1)
			str_printf(out, " x%llu", (unsigned long long)s->count);
	}
	columns_cut(out, style->width && room < CELL_VALUES ? room : CELL_VALUES);
}

static const char *colour(const struct listing_style *style, const char *code)
{
	return style->colour ? code : "";
}

/* Why the line is there: > the criterion, ? potential, = independent, or a space. */
static char cell_mark(const struct listing_line *line)
{
	return line->criterion ? '>' : line->potential ? '?' : line->independent ? '=' : ' ';
}

/* Appends a note when the source of a file is not shown. */
static void cell_note_source(const struct source *source, const struct listing_file *file,
                             struct str *notes)
{
	if (source->state == SOURCE_FILE_MISSING)
		str_printf(notes, "note: %s cannot be read, so its lines are shown without text\n",
		           file->name);
	if (source->state == SOURCE_FILE_NEWER)
		str_printf(notes,
		           "note: %s is newer than %s, so its lines are shown without text; build "
		           "again\n",
		           file->name,
		           strrchr(file->elf, '/') ? strrchr(file->elf, '/') + 1 : file->elf);
}

/* --- lines that editors jump to --- */

static void print_instance(const struct listing *l, const struct listing_line *line,
                           const struct listing_statement *s,
                           const struct listing_instance *instance, FILE *file)
{
	fprintf(file, "%s:%u:%u: note: %s [in %s, %llu of %llu]%s\n", l->files.at[line->file].name,
	        line->line, s->column, instance->text, line->function,
	        (unsigned long long)instance->number, (unsigned long long)s->executed,
	        s->criterion   ? " (criterion)"
	        : s->potential ? " (potential)"
	                       : "");
}

void listing_print_gcc(const struct listing *l, FILE *file)
{
	for (uint32_t i = 0; i < l->lines.size; i++) {
		const struct listing_line *line = &l->lines.at[i];

		if (!line->statements.size)
			fprintf(file, "%s:%u:1: note: part of a statement [in %s]\n",
			        l->files.at[line->file].name, line->line, line->function);
		for (uint32_t k = 0; k < line->statements.size; k++) {
			const struct listing_statement *s = &line->statements.at[k];
			uint32_t last = s->instances.size - 1;

			if (s->instances.size)
				print_instance(l, line, s, &s->instances.at[0], file);
			if (s->instances.size > 1)
				print_instance(l, line, s, &s->instances.at[last], file);
		}
	}
}

/* --- JSON --- */

void listing_add_json(const struct listing *l, struct str *out)
{
	str_add_char(out, '[');
	for (uint32_t i = 0; i < l->lines.size; i++) {
		const struct listing_line *line = &l->lines.at[i];

		if (i)
			str_add_char(out, ',');
		str_add_char(out, '{');
		json_add_member(out, "file", l->files.at[line->file].name);
		json_add_number(out, "line", line->line);
		json_add_member(out, "function", line->function);
		json_add_number(out, "count", line->count);
		if (line->criterion)
			json_add_flag(out, "criterion", true);
		if (line->potential)
			json_add_flag(out, "potential", true);
		if (line->independent && line->chosen)
			json_add_flag(out, "independent", true);
		if (!line->chosen)
			json_add_flag(out, "outside", true);
		json_add_key(out, "instances");
		str_add_char(out, '[');
		for (uint32_t k = 0; k < line->statements.size; k++) {
			const struct listing_statement *s = &line->statements.at[k];

			for (uint32_t j = 0; j < s->instances.size; j++) {
				const struct listing_instance *instance = &s->instances.at[j];

				if (out->text[out->length - 1] != '[')
					str_add_char(out, ',');
				str_add_char(out, '{');
				json_add_number(out, "number", instance->number);
				json_add_number(out, "of", s->executed);
				json_add_number(out, "statement", instance->statement);
				json_add_number(out, "column", s->column);
				json_add_member(out, "text", instance->text);
				if (s->criterion)
					json_add_flag(out, "criterion", true);
				str_add_char(out, '}');
			}
		}
		str_add(out, "]}");
	}
	str_add_char(out, ']');
}

/* --- a sequence of lines, each with its place --- */

struct sequence_printer {
	const struct listing *listing;
	const struct listing_style *style;
	FILE *file;
	VEC(struct source) sources;       /* of the listing's files */
	unsigned place, function, source; /* columns */
};

/* Appends `sort.c:17`, without the folder. */
static void add_place(const struct sequence_printer *p, const struct listing_line *line,
                      struct str *out)
{
	const char *name = p->listing->files.at[line->file].name, *slash = strrchr(name, '/');

	str_printf(out, "%s:%u", slash ? slash + 1 : name, line->line);
}

/* Appends the line of source, without indentation. */
static void add_source(const struct sequence_printer *p, const struct listing_line *line,
                       struct str *out)
{
	const char *text = source_line(&p->sources.at[line->file], line->line);

	if (text)
		source_add_expanded(text + strspn(text, " \t"), out);
}

static void widen(unsigned *width, const char *text, unsigned most)
{
	unsigned columns = columns_all(text);

	if (columns > *width && columns <= most)
		*width = columns;
}

void listing_print_sequence(const struct listing *listing, const struct listing_style *style,
                            FILE *file, struct str *notes)
{
	struct sequence_printer p = {.listing = listing, .style = style, .file = file};

	for (uint32_t i = 0; i < listing->files.size; i++) {
		const struct listing_file *f = &listing->files.at[i];

		source_init(vec_push(&p.sources), f->directory, f->name, f->elf);
		cell_note_source(&p.sources.at[i], f, notes);
	}
	for (uint32_t i = 0; i < p.listing->lines.size; i++) {
		const struct listing_line *line = &p.listing->lines.at[i];
		struct str place GUARD(str_deinit) = STR_INIT, source GUARD(str_deinit) = STR_INIT;

		add_place(&p, line, &place);
		add_source(&p, line, &source);
		widen(&p.place, str_text(&place), 32);
		widen(&p.function, line->function, 24);
		widen(&p.source, str_text(&source), CELL_SOURCE);
	}
	for (uint32_t i = 0; i < listing->lines.size; i++) {
		const struct listing_line *line = &listing->lines.at[i];
		struct str place GUARD(str_deinit) = STR_INIT, source GUARD(str_deinit) = STR_INIT,
				 values GUARD(str_deinit) = STR_INIT;
		unsigned used, filled;

		add_place(&p, line, &place);
		add_source(&p, line, &source);
		used = columns_all(str_text(&source));
		filled = used < p.source ? p.source : used;
		cell_add_values(line, p.style, p.place + p.function + filled + 4 + CELL_GAP,
		                &values);
		fprintf(p.file, "%s%c%s %s%-*s%s %-*s ",
		        colour(p.style, line->criterion ? TEXT_RED : TEXT_YELLOW), cell_mark(line),
		        colour(p.style, TEXT_PLAIN), colour(p.style, TEXT_DIM), (int)p.place,
		        str_text(&place), colour(p.style, TEXT_PLAIN), (int)p.function,
		        line->function);
		fputs(str_text(&source), p.file);
		if (values.length)
			fprintf(p.file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
			        colour(p.style, TEXT_CYAN), str_text(&values),
			        colour(p.style, TEXT_PLAIN));
		fputc('\n', p.file);
	}
	for (uint32_t i = 0; i < p.sources.size; i++)
		source_deinit(&p.sources.at[i]);
	vec_deinit(&p.sources);
}

/* --- annotated source --- */

struct text_printer {
	const struct listing *listing;
	const struct listing_style *style;
	FILE *file;
	struct str *notes;
	struct source source; /* of the file that is being printed */
	unsigned digits;      /* of line numbers */
	unsigned width;       /* of the column with source */
	unsigned indent;      /* that all lines of the function have */
};

static void print_line(struct text_printer *p, const struct listing_line *line)
{
	const char *text = source_line(&p->source, line->line);
	struct str source GUARD(str_deinit) = STR_INIT, values GUARD(str_deinit) = STR_INIT;
	unsigned used, filled;

	if (text)
		source_add_expanded(text, &source);
	if (source.length > p->indent) {
		memmove(source.text, source.text + p->indent, source.length - p->indent + 1);
		source.length -= p->indent;
	}
	fprintf(p->file, "%s%c%s %s%*u%s ",
	        colour(p->style, line->criterion ? TEXT_RED : TEXT_YELLOW), cell_mark(line),
	        colour(p->style, TEXT_PLAIN), colour(p->style, TEXT_DIM), (int)p->digits,
	        line->line, colour(p->style, TEXT_PLAIN));
	fputs(str_text(&source), p->file);
	used = columns_all(str_text(&source));
	filled = used < p->width ? p->width : used;
	cell_add_values(line, p->style, p->digits + 3 + CELL_GAP + filled, &values);
	if (values.length)
		fprintf(p->file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
		        colour(p->style, TEXT_CYAN), str_text(&values),
		        colour(p->style, TEXT_PLAIN));
	fputc('\n', p->file);
}

static void print_function(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;

	/* The width of the column with source, and the indentation that all lines of the function have. */
	p->width = 0;
	p->indent = UINT32_MAX;
	for (uint32_t i = from; i < to; i++) {
		const char *text = source_line(&p->source, p->listing->lines.at[i].line);
		struct str source GUARD(str_deinit) = STR_INIT;
		unsigned indent, width;

		if (!text)
			continue;
		source_add_expanded(text, &source);
		indent = (unsigned)strspn(str_text(&source), " ");
		width = columns_all(str_text(&source));
		if (source.length && indent < p->indent)
			p->indent = indent;
		if (width <= CELL_SOURCE && width > p->width)
			p->width = width;
	}
	if (p->indent == UINT32_MAX)
		p->indent = 0;
	p->width -= p->indent < p->width ? p->indent : p->width;
	fprintf(p->file, "  %s%s()%s\n", colour(p->style, TEXT_BOLD), lines[from].function,
	        colour(p->style, TEXT_PLAIN));
	for (uint32_t i = from; i < to; i++) {
		if (i > from && lines[i].line > lines[i - 1].line + 1)
			fprintf(p->file, "  %*s\n", (int)p->digits, "...");
		print_line(p, &lines[i]);
	}
}

static void print_file(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;
	const struct listing_file *file = &p->listing->files.at[lines[from].file];

	fprintf(p->file, "\n%s%s%s\n", colour(p->style, TEXT_BOLD), file->name,
	        colour(p->style, TEXT_PLAIN));
	source_init(&p->source, file->directory, file->name, file->elf);
	cell_note_source(&p->source, file, p->notes);
	for (uint32_t i = from, end; i < to; i = end) {
		for (end = i + 1; end < to && !strcmp(lines[end].function, lines[i].function);)
			end++;
		print_function(p, i, end);
	}
	source_deinit(&p->source);
}

void listing_print_text(const struct listing *l, const struct listing_style *style, FILE *file,
                        struct str *notes)
{
	struct text_printer p = {.listing = l,
	                         .style = style,
	                         .file = file,
	                         .notes = notes,
	                         .digits = strlen("...")};

	for (uint32_t i = 0; i < l->lines.size; i++) {
		unsigned own = (unsigned)snprintf(NULL, 0, "%u", l->lines.at[i].line);

		if (own > p.digits)
			p.digits = own;
	}
	for (uint32_t i = 0, end; i < l->lines.size; i = end) {
		for (end = i + 1;
		     end < l->lines.size && l->lines.at[end].file == l->lines.at[i].file;)
			end++;
		print_file(&p, i, end);
	}
}

/* ------ collecting: a run is decoded, and statements that are chosen are described ------ */

#define FIRST   3u      /* executions that are kept from the beginning */
#define LAST    3u      /* and from the end */
#define MANY    64u     /* described at most in the first decoding */
#define LOOK    0xffffu /* statements between looks at the clock, less 1 */
#define DEEPEST 64      /* operands of operands that are followed */

/* A statement, under the number of the instruction that ends it. */
struct lines_statement {
	bool asked;           /* the rest is filled in */
	bool empty;           /* it does nothing that matters */
	bool wanted;          /* it is in the set of instructions */
	bool chosen;          /* it, or a part of it, is in the set of instructions */
	uint32_t line;        /* 1 + index; 0: it has no place in the source */
	uint32_t part, parts; /* instructions that compute for it: in lines.parts */
	struct lines_count {
		uint64_t executed; /* times */
		uint64_t chosen;   /* of these, in the listing */
	} count, again;            /* in the first decoding, and in the second */
	uint32_t entry;            /* 1 + index in lines.entries; 0: not in the listing */
};

/* An instruction that computes for a statement. */
struct lines_part {
	uint32_t code;
	bool wanted; /* it is in the set of instructions */
};

struct lines_line {
	uint32_t file;
	unsigned line;
	const char *function;
	bool executed, chosen, marked;
	bool dependent; /* by an instruction that is not special */
};

/* A statement of the listing. */
struct lines_entry {
	uint32_t line; /* index */
	struct listing_statement statement;
};

MAP_DEFINE_U64(line_index, uint32_t);
MAP_DEFINE_STRING(file_index, uint32_t);
MAP_DEFINE_U64(insn_index, uint32_t);

struct lines {
	struct names *names;
	const roaring_bitmap_t *codes;
	VEC(struct lines_statement) statements; /* by instruction */
	VEC(struct lines_part) parts;
	VEC(struct lines_line) all;
	VEC(struct lines_entry) entries;
	VEC(struct listing_file) files;     /* of `all` */
	struct line_index index;            /* file << 32 | line: 1 + index */
	struct file_index names_of;         /* 1 + index */
	const struct code_function *mapped; /* whose instructions are in: */
	struct insn_index insns;            /* by LLVM's value: 1 + index */
};

/* --- the statements of the code that was executed, and the lines that they stand on --- */

static void lines_deinit(struct lines *l)
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

/* The line of an instruction, made if there is none: 1 + index; 0: none is known. */
static uint32_t lines_of(struct lines *l, uint32_t code)
{
	const struct code_function *f = code_of(code_table(l), code);

	return line_of(l, f->place.module, f->instructions[code - f->first], f->plan->name);
}

/* --- parts of a statement --- */

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

		bool known = false;

		if (!index || f->insns[*index - 1].flags & CODE_STATEMENT ||
		    f->insns[*index - 1].op == CODE_LOCAL)
			continue;
		for (uint32_t k = 0; k < s->parts && !known; k++)
			known = l->parts.at[s->part + k].code == f->first + *index - 1;
		if (known)
			continue;
		*vec_push(&l->parts) = (struct lines_part){
			.code = f->first + *index - 1,
			.wanted = roaring_bitmap_contains(l->codes, f->first + *index - 1)};
		s->parts++;
		add_parts(l, f, operand, s, depth + 1);
	}
}

/* The statement that the instruction ends. Valid until the next call. */
static struct lines_statement *lines_at(struct lines *l, uint32_t code)
{
	const struct code_function *f;
	struct lines_statement s = {.asked = true, .part = l->parts.size};
	const struct code_insn *insn;
	bool wanted;

	while (l->statements.size <= code)
		vec_push(&l->statements);
	if (l->statements.at[code].asked)
		return &l->statements.at[code];
	f = code_of(code_table(l), code);
	insn = &f->insns[code - f->first];
	if (l->mapped != f) {
		insn_index_deinit(&l->insns);
		for (uint32_t i = 0; i < f->size; i++)
			*insn_index_put(&l->insns, (uintptr_t)f->instructions[i]) = i + 1;
		l->mapped = f;
	}
	s.line = lines_of(l, code);
	/* The end of a function that returns nothing changes nothing, so no line is shown for it. */
	s.empty = insn->op == CODE_RETURN && insn->a == CODE_NO_OPERAND;
	add_parts(l, f, f->instructions[code - f->first], &s, 0);
	s.wanted = wanted = !s.empty && roaring_bitmap_contains(l->codes, code);
	for (uint32_t i = 0; i < s.parts && !wanted; i++)
		wanted = l->parts.at[s.part + i].wanted;
	s.chosen = wanted && s.line && !s.empty;
	l->statements.at[code] = s;
	return &l->statements.at[code];
}

/* The entry of a statement in the listing, made if there is none. Valid until the next call. */
static struct lines_entry *lines_entry(struct lines *l, uint32_t code)
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

/* How many lines a set of instructions has. */
static uint64_t lines_of_codes(struct lines *l, const roaring_bitmap_t *codes)
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

struct collector {
	const struct listing_choice *choice;
	roaring_bitmap_t *marks;
	uint32_t first_mark, last_mark;
	bool potential; /* there are such instances */
	struct lines lines;
	struct execution *e;
	struct names *names;
	bool again;     /* it is the second decoding */
	bool overflows; /* a second one is needed */
	bool late;
	uint32_t code; /* the statement that is looked at */
	uint32_t told; /* the instance that ended the last one */
};

/* --- is this execution chosen? --- */

/* What is found out about one execution. */
struct finding {
	bool chosen, marked;
	bool certain; /* not only by a potential dependence */
};

/* `wanted`: the instruction is in the set of instructions. */
static void look_at(struct collector *c, bool wanted, uint32_t instance, uint32_t whole,
                    struct finding *out)
{
	const struct listing_choice *choice = c->choice;

	if (!instance)
		return;
	out->marked |= instance >= c->first_mark && instance <= c->last_mark &&
	               roaring_bitmap_contains(c->marks, instance);
	/* Sets of instances are large and slow: they are asked as seldom as can be. */
	if (!wanted || (out->chosen && out->certain && !choice->member) ||
	    (choice->instances && !roaring_bitmap_contains(choice->instances, instance)))
		return;
	out->chosen = true;
	out->certain |= !c->potential || !roaring_bitmap_contains(choice->potential, instance);
	if (choice->member && !c->again)
		choice->member(choice->context, instance, whole, c->code);
}

static struct finding examine(struct collector *c, const struct activation *a, uint32_t code,
                              uint32_t instance)
{
	const struct lines_statement *s = lines_at(&c->lines, code);
	const struct code_function *f = a->function;
	struct finding found = {0};

	c->code = code;
	look_at(c, s->wanted, instance, instance, &found);
	for (uint32_t i = 0; i < s->parts; i++) {
		struct lines_part part = c->lines.parts.at[s->part + i];
		const struct code_insn *insn = &f->insns[part.code - f->first];

		if (insn->words)
			look_at(c, part.wanted, execution_slot(c->e, a, insn->to << 1)->made,
			        instance, &found);
	}
	return found;
}

/* --- keeping it --- */

static char *describe(struct collector *c, enum execution_event event)
{
	struct described d = {.unfinished = event == EXECUTION_LEFT};
	struct str text = STR_INIT;

	describe_statement(c->names, c->e, event == EXECUTION_CALLS, &d);
	str_add(&text, str_text(&d.text));
	if (d.unfinished)
		str_add(&text, " did not return");
	described_deinit(&d);
	return str_steal(&text);
}

/* Counts an execution; `text` is NULL when it is not to be described. Takes it over. */
static void add(struct collector *c, uint32_t code, const struct finding *found,
                const struct listing_instance *instance)
{
	struct lines_entry *entry = lines_entry(&c->lines, code);
	struct lines_line *line = &c->lines.all.at[entry->line];
	struct listing_statement *s = &entry->statement;

	if (!c->again) {
		s->criterion |= found->marked;
		s->potential &= !found->certain;
		line->marked |= found->marked;
	}
	if (!instance->text)
		return;
	if (s->instances.size && strcmp(s->instances.at[0].text, instance->text))
		s->varied = true;
	*vec_push(&s->instances) = *instance;
	if (s->instances.size > FIRST + LAST) {
		free(s->instances.at[FIRST].text);
		memmove(&s->instances.at[FIRST], &s->instances.at[FIRST + 1],
		        (s->instances.size - FIRST - 1) * sizeof(*s->instances.at));
		s->instances.size--;
	}
}

static void add_execution(struct collector *c, uint32_t code, enum execution_event event,
                          uint64_t number)
{
	const struct activation *a = execution_top(c->e, 0);
	struct listing_instance instance = {.statement = number,
	                                    .instance = describe_instance(c->e)};
	struct finding found = examine(c, a, code, instance.instance);
	struct lines_statement *s;
	struct lines_count *counts;
	uint64_t n; /* it is the nth that is chosen */

	if (!found.chosen && !found.marked)
		return;
	s = lines_at(&c->lines, code);
	counts = c->again ? &s->again : &s->count;
	n = ++counts->chosen;
	instance.number = counts->executed;
	c->overflows |= !c->again && n > MANY;
	if (c->again ? n > MANY && n + LAST > s->count.chosen : n <= MANY)
		instance.text = describe(c, event);
	add(c, code, &found, &instance);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct collector *c = context;
	const struct activation *a = execution_top(e, 0);
	uint32_t code = a->function->first + a->pc - 1;
	struct lines_statement *s;

	names_follow(c->names);
	c->told = describe_instance(e);
	/* The walk may tell some more before it halts. */
	if (c->choice->end && number >= c->choice->end)
		walk_halt(execution_walk(e));
	if (c->choice->end && number > c->choice->end)
		return;
	if (c->choice->until > 0 && !(number & LOOK)) {
		c->late = budget_clock() > c->choice->until;
		if (c->late)
			walk_halt(execution_walk(e));
	}
	/* It is told again when it returns. */
	if (event == EXECUTION_CALLS_BACK)
		return;
	s = lines_at(&c->lines, code);
	(c->again ? &s->again : &s->count)->executed++;
	if (!s->line)
		return;
	c->lines.all.at[s->line - 1].executed = true;
	/* The second time only those with too many executions are of interest. */
	if (c->again && s->count.chosen <= MANY)
		return;
	if (s->chosen || c->told >= c->first_mark)
		add_execution(c, code, event, number);
}

/* The program may have died in the middle of a statement. */
static void add_death(struct collector *c)
{
	const struct activation *a = execution_top(c->e, 0);
	struct describe_errors *errors;
	struct listing_instance instance = {.statement = execution_statements(c->e) + 1};
	struct finding found = {0};
	struct str text = STR_INIT;
	uint32_t count, code;

	/* A call that could not be made is an instance, but not under way. */
	instance.instance = (uint32_t)(EXECUTION_FIRST + execution_instances(c->e) - 1);
	if (c->again || !a || !a->pc || instance.instance <= c->told)
		return;
	code = a->function->first + a->pc - 1;
	c->code = code;
	look_at(c, roaring_bitmap_contains(c->choice->codes, code), instance.instance,
	        instance.instance, &found);
	if ((!found.chosen && !found.marked) || !lines_of(&c->lines, code))
		return;
	errors = describe_errors_create(c->names, c->e);
	describe_errors_follow(errors);
	for (uint32_t i = 0; i < (execution_errors(c->e, &count), count); i++)
		if (execution_errors(c->e, &count)[i].kind == ERROR_FAULT)
			describe_error(errors, i, &text);
	if (!text.length)
		str_add(&text, "the program died here");
	describe_errors_destroy(errors);
	instance.number = ++lines_at(&c->lines, code)->count.executed;
	lines_at(&c->lines, code)->count.chosen++;
	instance.text = str_steal(&text);
	add(c, code, &found, &instance);
}

/* --- decoding --- */

static struct hence_error *decode(struct collector *c, const struct recording *run)
{
	struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = c};
	struct hence_error *error =
		execution_create(run->modules, run->folder, run->tape, &options, &c->e);

	if (error)
		return error;
	c->names = names_create(c->e);
	c->lines.names = c->names;
	error = execution_run(c->e, run->death);
	if (!error && c->late)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the run is too long to be read in time; --time SECONDS "
		                     "allows more");
	return error;
}

static void end_decoding(struct collector *c)
{
	names_destroy(c->names);
	execution_destroy(c->e);
	c->names = NULL;
	c->e = NULL;
	c->lines.mapped = NULL;
}

/* --- the result --- */

static uint64_t begin_of(const struct listing_statement *s)
{
	return s->instances.size ? s->instances.at[0].statement : UINT64_MAX;
}

/* In the order in which they were first executed. */
static int compare_statements(const void *a, const void *b)
{
	uint64_t x = begin_of(a), y = begin_of(b);

	return (x > y) - (x < y);
}

static int compare_lines(const void *a, const void *b)
{
	const struct listing_line *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Hands what was collected over to the listing, and sorts it. */
static void make_listing(struct collector *c, struct listing *out)
{
	struct lines *l = &c->lines;
	uint32_t *where = mem_alloc((l->all.size + 1) * sizeof(*where));

	out->program = l->all.size;
	for (uint32_t i = 0; i < l->all.size; i++) {
		out->executed += l->all.at[i].executed;
		out->chosen += l->all.at[i].chosen;
		if (!l->all.at[i].chosen && !l->all.at[i].marked)
			continue;
		*vec_push(&out->lines) = (struct listing_line){
			.file = l->all.at[i].file,
			.line = l->all.at[i].line,
			.function = mem_strdup(l->all.at[i].function),
			.chosen = l->all.at[i].chosen,
			.criterion = l->all.at[i].marked,
			.independent = !l->all.at[i].dependent,
			.potential = true,
		};
		where[i] = out->lines.size;
	}
	for (uint32_t i = 0; i < l->entries.size; i++) {
		struct lines_entry *entry = &l->entries.at[i];
		const struct lines_statement *counted = lines_at(l, entry->statement.code);
		struct listing_line *line = &out->lines.at[where[entry->line] - 1];
		struct listing_statement *s = vec_push(&line->statements);

		*s = entry->statement;
		entry->statement.instances.at = NULL;
		entry->statement.instances.size = 0;
		s->executed = counted->count.executed;
		s->count = counted->count.chosen;
		line->potential &= s->potential;
		if (s->count > line->count)
			line->count = s->count;
	}
	for (uint32_t i = 0; i < l->files.size; i++)
		*vec_push(&out->files) = l->files.at[i];
	l->files.size = 0;
	free(where);
	for (uint32_t i = 0; i < out->lines.size; i++) {
		struct listing_line *line = &out->lines.at[i];

		line->potential &= line->statements.size != 0;
		if (line->statements.size)
			qsort(line->statements.at, line->statements.size,
			      sizeof(*line->statements.at), compare_statements);
	}
	if (out->lines.size)
		qsort(out->lines.at, out->lines.size, sizeof(*out->lines.at), compare_lines);
}

/* --- lines alone --- */

struct first {
	uint64_t time;
	uint32_t code;
};

static int compare_firsts(const void *a, const void *b)
{
	const struct first *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* The lines of a run that is kept, in the order in which they were first executed. */
static void look_up_lines(struct collector *c, const struct recording *run, struct execution *whole)
{
	uint32_t count;
	const uint64_t *times = history_firsts(run, &count);
	VEC(struct first) firsts = VEC_INIT;

	for (uint32_t code = 0; code < count; code++)
		if (times[code])
			*vec_push(&firsts) = (struct first){times[code], code};
	if (firsts.size)
		qsort(firsts.at, firsts.size, sizeof(*firsts.at), compare_firsts);
	c->names = c->lines.names = names_create(whole);
	for (uint32_t i = 0;
	     i < firsts.size && (!c->choice->end || firsts.at[i].time <= c->choice->end); i++)
		lines_at(&c->lines, firsts.at[i].code);
	each_owner(&c->lines, c->lines.codes, see_chosen, (void *)c->choice->special);
	vec_deinit(&firsts);
}

struct hence_error *listing_collect(const struct recording *run,
                                    const struct listing_choice *choice, struct listing *out)
{
	struct collector c = {.choice = choice, .marks = roaring_bitmap_create()};
	struct execution *whole = NULL;
	struct hence_error *error = choice->only_lines ? history_whole(run, &whole) : NULL;

	if (error)
		return error;
	for (uint32_t i = 0; i < choice->mark_count; i++)
		roaring_bitmap_add(c.marks, choice->marks[i]);
	c.first_mark = choice->mark_count ? roaring_bitmap_minimum(c.marks) : UINT32_MAX;
	c.last_mark = roaring_bitmap_maximum(c.marks);
	c.potential = choice->potential && roaring_bitmap_get_cardinality(choice->potential);
	c.lines.codes = choice->codes;
	if (whole)
		look_up_lines(&c, run, whole);
	else
		error = decode(&c, run);
	if (!error && !whole) {
		const struct program *program;

		if (run->death)
			add_death(&c);
		/* Lines of chosen instructions that belong to no statement, and which lines are chosen only by instructions in
		   `special`; this needs the code of the first decoding. */
		each_owner(&c.lines, c.lines.codes, see_chosen, (void *)choice->special);
		for (uint32_t i = 0; i < choice->set_count; i++)
			choice->sets[i].lines = lines_of_codes(&c.lines, choice->sets[i].codes);
		/* All lines of the program. */
		program = walk_program(execution_walk(names_execution(c.lines.names)));
		for (uint32_t m = 0; m < program->modules.size; m++) {
			const struct plan *plan = program->modules.at[m].plan;

			for (uint32_t i = 0; plan && i < plan->functions.size; i++) {
				const struct plan_function *f = &plan->functions.at[i];

				for (uint32_t b = 0; b < f->blocks.size; b++)
					for (LLVMValueRef at =
					             LLVMGetFirstInstruction(f->blocks.at[b].block);
					     at; at = LLVMGetNextInstruction(at))
						if (plan_ends_statement(at))
							line_of(&c.lines, m, at, f->name);
			}
		}
	}
	if (!error && c.overflows) {
		/* Numbers of instructions are the same each time: what was found about them stays. */
		end_decoding(&c);
		c.again = true;
		error = decode(&c, run);
	}
	if (!error) {
		struct listing listing = {0};

		make_listing(&c, &listing);
		*out = listing;
	}
	end_decoding(&c);
	lines_deinit(&c.lines);
	roaring_bitmap_free(c.marks);
	return error;
}
