/* Two versions of a program: see versions.h. */
#include "align/versions.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diff.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "model/di.h"
#include "model/plan.h"
#include "run/blobs.h"
#include "trace/path.h"

struct version_text {
	char *bytes;
	size_t size;
	VEC(size_t) starts; /* of lines */
};

MAP_DEFINE_STRING(text_map, struct version_text);

/* Files that were read; {0} is empty. */
struct version_sources {
	struct text_map texts; /* by path */
};

/* The lines of a function of version a, and of b by what they are in a. */
struct version_lines {
	struct {
		char *file;
		uint32_t from, count;
		uint32_t *line; /* of each: its number in version a; 0: it is in this one only */
		uint32_t *replaced; /* and of one that takes the place of another; 0: it does not */
		uint32_t *
			changed; /* 1 + the hunk of a line that is not in both; 0: it is, or in this one only */
		uint32_t *indent; /* columns */
	} of[2];
};

/* ------ the source of functions of two versions ------ */

/* --- files --- */

static LLVMMetadataRef file_of(const struct plan_function *f)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(f->function);

	return subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
}

/* Caller frees; NULL: it has no debug information. */
static char *path_of(const struct plan_function *f)
{
	LLVMMetadataRef file = file_of(f);
	unsigned name_length, folder_length;
	const char *name, *folder;

	if (!file)
		return NULL;
	name = LLVMDIFileGetFilename(file, &name_length);
	folder = LLVMDIFileGetDirectory(file, &folder_length);
	if (name_length && name[0] == '/')
		return mem_strndup(name, name_length);
	return str_format("%.*s/%.*s", (int)folder_length, folder, (int)name_length, name);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Are both in files with the same name, in whatever folder? */
static bool version_same_file(const struct plan_function *a, const struct plan_function *b)
{
	char *x = path_of(a), *y = path_of(b);
	bool same = x && y && !strcmp(base_of(x), base_of(y));

	free(x);
	free(y);
	return same;
}

/* What clang noted of the file's content; empty: nothing. */
static char *checksum_of(const struct plan_function *f)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
	char *text = di_text(context, file_of(f));
	const char *sum = di_field(text, "checksum");
	char *copy = sum ? mem_strndup(sum, strcspn(sum, ",)")) : mem_strdup("");

	LLVMDisposeMessage(text);
	return copy;
}

static struct hence_error *read_text(struct version_sources *sources, const char *path,
                                     const struct version_text **out)
{
	struct version_text *known = text_map_find(&sources->texts, path), text = {0};
	struct stat info;
	FILE *file;
	char part[4096];
	size_t size;
	int fd;

	if (known) {
		*out = known;
		return NULL;
	}
	/* What a program says that it was built from may be anything: a pipe would be waited
	   for. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &info) && !S_ISREG(info.st_mode)) {
		close(fd);
		fd = -1;
		errno = EINVAL;
	}
	file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT,
		                        "cannot read %s, which the program was built from", path);
	while ((size = fread(part, 1, sizeof(part), file))) {
		text.bytes = mem_resize(text.bytes, text.size + size);
		memcpy(text.bytes + text.size, part, size);
		text.size += size;
	}
	fclose(file);
	for (size_t at = 0; at < text.size; at++)
		if (at == 0 || text.bytes[at - 1] == '\n')
			*vec_push(&text.starts) = at;
	known = text_map_put(&sources->texts, mem_strdup(path));
	*known = text;
	*out = known;
	return NULL;
}

/* --- lines --- */

static bool is_in_file(LLVMValueRef i, const char *file)
{
	unsigned length;
	const char *name = LLVMGetDebugLocFilename(i, &length);
	const char *base = name && length ? base_of(name) : "";

	return !strcmp(base, base_of(file));
}

static uint32_t indent_of(const char *line, size_t size)
{
	uint32_t indent = 0;

	while (indent < size && (line[indent] == ' ' || line[indent] == '\t'))
		indent++;
	return indent;
}

static struct hence_error *add_lines(struct version_sources *sources, const struct plan_function *f,
                                     unsigned version, struct version_lines *lines,
                                     struct diff_texts *texts)
{
	const struct version_text *text;
	struct hence_error *error = read_text(sources, lines->of[version].file, &text);
	uint32_t from, count;
	const char *file;
	uint32_t last;

	if (error)
		return error;
	/* From where the function begins to the last line that has code of it. */
	file = lines->of[version].file;
	from = last = LLVMDISubprogramGetLine(LLVMGetSubprogram(f->function));
	for (uint32_t b = 0; b < f->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMInstructionGetDebugLoc(i) && is_in_file(i, file) &&
			    LLVMGetDebugLocLine(i) > last)
				last = LLVMGetDebugLocLine(i);
	count = last - from + 1;
	lines->of[version].from = from;
	lines->of[version].count = count;
	lines->of[version].line = mem_alloc(count * sizeof(uint32_t));
	lines->of[version].replaced = mem_alloc(count * sizeof(uint32_t));
	lines->of[version].changed = mem_alloc(count * sizeof(uint32_t));
	lines->of[version].indent = mem_alloc(count * sizeof(uint32_t));
	for (uint32_t i = from; i < from + count; i++) {
		size_t begin, size;

		if (i < 1 || i > text->starts.size)
			return error_create(HENCE_ERROR_INPUT,
			                    "%s has changed since the program was built: it has no "
			                    "line %u; rebuild",
			                    lines->of[version].file, i);
		begin = text->starts.at[i - 1];
		size = (i < text->starts.size ? text->starts.at[i] : text->size) - begin;
		lines->of[version].indent[i - from] = indent_of(text->bytes + begin, size);
		begin += lines->of[version].indent[i - from];
		diff_add(texts, text->bytes + begin, size - lines->of[version].indent[i - from]);
	}
	return NULL;
}

/* Lines between hunks are in both. */
static void number_lines(struct version_lines *lines, const struct diff *diff)
{
	uint32_t a = 0, b = 0;

	for (uint32_t h = 0; h <= diff->hunks.size; h++) {
		const struct diff_hunk *hunk = h < diff->hunks.size ? &diff->hunks.at[h] : NULL;
		uint32_t end = hunk ? hunk->from_a : lines->of[0].count;

		for (; a < end; a++, b++)
			lines->of[0].line[a] = lines->of[1].line[b] = lines->of[0].from + a;
		if (hunk) {
			bool both = hunk->count_a && hunk->count_b;

			for (uint32_t i = 0; both && i < hunk->count_a; i++)
				lines->of[0].changed[hunk->from_a + i] = h + 1;
			for (uint32_t i = 0; both && i < hunk->count_b; i++)
				lines->of[1].changed[hunk->from_b + i] = h + 1;
			/* Of as many lines as there were each takes the place of one. */
			if (hunk->count_a == hunk->count_b) {
				for (uint32_t i = 0; i < hunk->count_a; i++)
					lines->of[0].replaced[hunk->from_a + i] =
						lines->of[1].replaced[hunk->from_b + i] =
							lines->of[0].from + hunk->from_a + i;
			}
			a = hunk->from_a + hunk->count_a;
			b = hunk->from_b + hunk->count_b;
		}
	}
}

/* Is the instruction on a line of the function? */
static bool is_in_lines(const struct version_lines *lines, unsigned version,
                        LLVMValueRef instruction)
{
	uint32_t at = LLVMGetDebugLocLine(instruction), from = lines->of[version].from;

	return lines->of[version].line && at >= from && at - from < lines->of[version].count &&
	       is_in_file(instruction, lines->of[version].file);
}

/* Where the instruction is: a line of version a, and a column from the beginning of the text on it.
   False: on a line that is not in both, or in another file than the function. */
static bool version_line(const struct version_lines *lines, unsigned version,
                         LLVMValueRef instruction, uint32_t *line, int32_t *column)
{
	uint32_t at = LLVMGetDebugLocLine(instruction) - lines->of[version].from;

	if (!is_in_lines(lines, version, instruction))
		return false;
	*line = lines->of[version].line[at];
	*column = (int32_t)LLVMGetDebugLocColumn(instruction) -
	          (int32_t)lines->of[version].indent[at];
	return *line != 0;
}

/* The same of a line that was replaced by one line of the other version. */
static bool version_replaced(const struct version_lines *lines, unsigned version,
                             LLVMValueRef instruction, uint32_t *line)
{
	if (!is_in_lines(lines, version, instruction))
		return false;
	*line = lines->of[version]
	                .replaced[LLVMGetDebugLocLine(instruction) - lines->of[version].from];
	return *line != 0;
}

/* ------ the statements of a function that two versions have ------ */

/* Those of a function, with what must be equal. */
struct place {
	uint32_t line; /* in version a */
	int32_t column;
	uint32_t kind;
	uint32_t number;
	uint64_t ways; /* where a branch on a line that was replaced leads to; 0: of all others */
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->ways != y->ways)
		return x->ways < y->ways ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The line of version a on which the block begins; 0: it begins on none that both have. */
static uint32_t first_line(const struct version_lines *lines, unsigned version,
                           LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);
	uint32_t line = 0;
	int32_t column;

	while (i && !LLVMInstructionGetDebugLoc(i))
		i = LLVMGetNextInstruction(i);
	return i && version_line(lines, version, i, &line, &column) ? line : 0;
}

/* A condition may have become another one that decides about the same: of the branches on a line that was
   replaced, the last one that leads to lines which both versions have. */
static bool find_replaced(const struct version_lines *lines, unsigned version, LLVMValueRef i,
                          struct place *out, uint32_t *count)
{
	struct place *p = &out[*count];
	uint32_t ways[2];

	if (!LLVMIsATerminatorInst(i) || LLVMGetNumSuccessors(i) < 2 ||
	    !version_replaced(lines, version, i, &p->line))
		return false;
	for (unsigned k = 0; k < 2; k++)
		ways[k] = first_line(lines, version, LLVMGetSuccessor(i, k));
	if (!ways[0] || !ways[1])
		return false;
	p->column = 0;
	p->ways = (uint64_t)ways[0] << 32 | ways[1];
	for (uint32_t k = 0; k < *count; k++) {
		if (out[k].line == p->line && out[k].ways) {
			out[k] = *p;
			return false;
		}
	}
	return true;
}

/* The kth of those at one place is the kth of the other version. */
static void version_match(struct version_pair *pair, const struct version_lines *lines)
{
	struct place *places[2];
	uint32_t counts[2], at[2] = {0};

	for (unsigned v = 0; v < 2; v++) {
		struct place *out;
		const struct plan_function *f;
		uint32_t number = 0, count = 0;

		places[v] = mem_alloc((pair->counts[v] + 1) * sizeof(*places[v]));
		/* Statements on lines that both have, and what stands for those that were
		   replaced, sorted. */
		out = places[v];
		f = pair->functions[v];
		for (uint32_t b = 0; b < f->blocks.size; b++) {
			LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block);

			for (; i; i = LLVMGetNextInstruction(i)) {
				struct place *p = &out[count];

				if (!plan_ends_statement(i))
					continue;
				*p = (struct place){.number = number++};
				p->kind = LLVMGetInstructionOpcode(i);
				if (version_line(lines, v, i, &p->line, &p->column) ||
				    find_replaced(lines, v, i, out, &count))
					count++;
			}
		}
		qsort(out, count, sizeof(*out), by_place);
		counts[v] = count;
	}
	while (at[0] < counts[0] && at[1] < counts[1]) {
		const struct place *a = &places[0][at[0]], *b = &places[1][at[1]];

		if (a->line == b->line && a->column == b->column && a->kind == b->kind &&
		    a->ways == b->ways) {
			pair->matches[0][a->number] = b->number;
			pair->matches[1][b->number] = a->number;
			at[0]++;
			at[1]++;
		} else {
			at[by_place(a, b) < 0 ? 0 : 1]++;
		}
	}
	free(places[0]);
	free(places[1]);
}

/* --- statements on lines that were changed --- */

/* One of them, with what it does: which function it calls, or which variable it assigns. */
struct changed {
	uint32_t hunk;
	uint32_t kind;
	const char *name;
	uint32_t number;
};

struct changed_list {
	VEC(struct changed) list;
};

/* The function that is called, or the variable that is assigned, be it a part of it; NULL: it is not known. */
static const char *name_of(LLVMValueRef i)
{
	LLVMValueRef value;
	const char *name;
	size_t length;

	if (LLVMIsACallInst(i))
		value = LLVMGetCalledValue(i);
	else if (LLVMIsAStoreInst(i))
		value = LLVMGetOperand(i, 1);
	else
		return NULL;
	while (LLVMIsAGetElementPtrInst(value) || LLVMIsALoadInst(value))
		value = LLVMGetOperand(value, 0);
	if (!LLVMIsAFunction(value) && !LLVMIsAAllocaInst(value) && !LLVMIsAGlobalVariable(value))
		return NULL;
	name = LLVMGetValueName2(value, &length);
	return length ? name : NULL;
}

static void list_changed(const struct version_pair *pair, unsigned version,
                         const struct version_lines *lines, struct changed_list *out)
{
	const struct plan_function *f = pair->functions[version];
	uint32_t number = 0;

	for (uint32_t b = 0; b < f->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i)) {
			const char *name;
			uint32_t hunk;

			if (!plan_ends_statement(i))
				continue;
			number++;
			name = name_of(i);
			if (!name || !is_in_lines(lines, version, i))
				continue;
			hunk = lines->of[version]
			               .changed[LLVMGetDebugLocLine(i) - lines->of[version].from];
			if (hunk)
				*vec_push(&out->list) = (struct changed){
					hunk, LLVMGetInstructionOpcode(i), name, number - 1};
		}
}

static bool does_same(const struct changed *a, const struct changed *b)
{
	return a->hunk == b->hunk && a->kind == b->kind && !strcmp(a->name, b->name);
}

#define MOST_CHANGED 1000u /* statements on changed lines of one function */

/* A changed line still calls what it called, and assigns what it assigned: the longest common sequence of these. */
static void match_changed(struct version_pair *pair, const struct version_lines *lines)
{
	struct changed_list a = {0}, b = {0};
	uint32_t *length, width, i = 0, k = 0;

	list_changed(pair, 0, lines, &a);
	list_changed(pair, 1, lines, &b);
	if (a.list.size && b.list.size && a.list.size <= MOST_CHANGED &&
	    b.list.size <= MOST_CHANGED) {
		width = b.list.size + 1;
		length = mem_alloc((a.list.size + 1) * (size_t)width * sizeof(*length));
		for (uint32_t x = a.list.size; x-- > 0;)
			for (uint32_t y = b.list.size; y-- > 0;) {
				uint32_t skip_a = length[(x + 1) * width + y];
				uint32_t skip_b = length[x * width + y + 1];
				uint32_t best = skip_a > skip_b ? skip_a : skip_b;
				uint32_t both = length[(x + 1) * width + y + 1] + 1;

				length[x * width + y] =
					does_same(&a.list.at[x], &b.list.at[y]) && both > best
						? both
						: best;
			}
		while (i < a.list.size && k < b.list.size) {
			if (does_same(&a.list.at[i], &b.list.at[k])) {
				pair->matches[0][a.list.at[i].number] = b.list.at[k].number;
				pair->matches[1][b.list.at[k++].number] = a.list.at[i++].number;
			} else if (length[(i + 1) * width + k] >= length[i * width + k + 1]) {
				i++;
			} else {
				k++;
			}
		}
		free(length);
	}
	vec_deinit(&a.list);
	vec_deinit(&b.list);
}

/* ------ places of one version of a program in the other ------ */

/* --- statements --- */

static uint32_t number_of(const struct plan_function *f, const struct site *site)
{
	uint32_t number = site->statement;

	for (uint32_t b = 0; b < site->block; b++)
		number += f->blocks.at[b].statements;
	return number;
}

static void set_statement(const struct plan_function *f, uint32_t number, struct site *out)
{
	out->block = 0;
	while (number >= f->blocks.at[out->block].statements)
		number -= f->blocks.at[out->block++].statements;
	out->statement = number;
}

/* Which function of which module it is. */
static bool find_function(const struct program *program, const struct plan_function *f,
                          struct site *out)
{
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		if (!plan || f < plan->functions.at ||
		    f >= plan->functions.at + plan->functions.size)
			continue;
		out->module = m;
		out->function = (uint32_t)(f - plan->functions.at);
		return true;
	}
	return false;
}

bool versions_site(const struct versions *versions, unsigned version, const struct program *from,
                   const struct site *site, const struct program *to, struct site *out)
{
	const struct plan_function *f =
		&from->modules.at[site->module].plan->functions.at[site->function];
	const struct version_pair *pair = versions_find(versions, version, f);
	struct site found = {0};
	uint32_t number;

	if (!pair)
		return false;
	number = pair->matches[version][number_of(f, site)];
	if (number == VERSIONS_NONE || !find_function(to, pair->functions[!version], &found))
		return false;
	set_statement(pair->functions[!version], number, &found);
	*out = found;
	return true;
}

/* --- lines --- */

/* The instruction that ends a statement. */
static LLVMValueRef end_of(const struct plan_function *f, uint32_t number)
{
	for (uint32_t b = 0; b < f->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i))
			if (plan_ends_statement(i) && !number--)
				return i;
	return NULL;
}

/* The first statement on that line which both versions have, in version 1; NULL: none. */
static LLVMValueRef find_counterpart(const struct version_pair *pair, unsigned line)
{
	for (uint32_t n = 0; n < pair->counts[0]; n++) {
		LLVMValueRef i = end_of(pair->functions[0], n);

		if (pair->matches[0][n] != VERSIONS_NONE && LLVMInstructionGetDebugLoc(i) &&
		    LLVMGetDebugLocLine(i) == line)
			return end_of(pair->functions[1], pair->matches[0][n]);
	}
	return NULL;
}

static const struct version_pair *versions_at(const struct versions *versions, uint32_t index);

bool versions_line(const struct versions *versions, const char *function, unsigned line,
                   const char **file, unsigned *out)
{
	const struct version_pair *pair;

	for (uint32_t i = 0; (pair = versions_at(versions, i)); i++) {
		LLVMValueRef found = strcmp(pair->functions[0]->name, function)
		                             ? NULL
		                             : find_counterpart(pair, line);
		unsigned length;

		if (!found)
			continue;
		*file = LLVMGetDebugLocFilename(found, &length);
		*out = LLVMGetDebugLocLine(found);
		return true;
	}
	return false;
}

/* ------ the whole ------ */

MAP_DEFINE_U64(pair_map, uint32_t);
MAP_DEFINE_STRING(plan_map, uint32_t);

struct program_functions {
	VEC(const struct plan_function *) list;
};

/* A line of version 0 that is not in version 1. */
struct version_change {
	const struct plan_function *function;
	uint32_t line;
	char *other; /* the line that takes its place; NULL: none */
};

struct versions {
	VEC(struct version_pair *) pairs;
	VEC(struct version_change) changes;
	struct pair_map index[2]; /* of pairs, by function */
};

static struct hence_error *list_functions(struct modules *modules, const char *path,
                                          struct program_functions *out)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	if (!blobs_count(blobs))
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s was not built with hence cc; rebuild it with CC=hence-cc",
		                     path);
	for (uint32_t i = 0; !error && i < blobs_count(blobs); i++) {
		const struct plan *plan;

		error = modules_find(modules, path, blobs_at(blobs, i)->header.hash, &plan);
		for (uint32_t k = 0; !error && k < plan->functions.size; k++)
			*vec_push(&out->list) = &plan->functions.at[k];
	}
	blobs_close(blobs);
	return error;
}

/* --- statements --- */

/* --- functions --- */

static bool is_same_block(const struct plan_function *a, const struct plan_function *b, uint32_t n)
{
	const struct plan_block *x = &a->blocks.at[n], *y = &b->blocks.at[n];

	if (x->statements != y->statements || x->count != y->count || x->first != y->first ||
	    x->successors != y->successors)
		return false;
	for (uint32_t i = 0; i < x->successors; i++)
		if (a->successors.at[x->successor + i] != b->successors.at[y->successor + i])
			return false;
	for (uint32_t i = x->first; i < x->first + x->count; i++)
		if (a->records.at[i].kind != b->records.at[i].kind ||
		    a->records.at[i].statement != b->records.at[i].statement ||
		    a->records.at[i].returns_twice != b->records.at[i].returns_twice)
			return false;
	return true;
}

static bool is_same_function(const struct version_pair *pair)
{
	const struct plan_function *a = pair->functions[0], *b = pair->functions[1];

	if (a->blocks.size != b->blocks.size || a->records.size != b->records.size ||
	    pair->counts[0] != pair->counts[1])
		return false;
	for (uint32_t i = 0; i < a->blocks.size; i++)
		if (!is_same_block(a, b, i))
			return false;
	for (uint32_t i = 0; i < pair->counts[0]; i++)
		if (pair->matches[0][i] != i)
			return false;
	return true;
}

/* Line i of a text, without its end and what it is indented by. Caller frees. */
static char *line_text(const struct version_text *text, uint32_t line)
{
	size_t begin = text->starts.at[line - 1];
	size_t end = line < text->starts.size ? text->starts.at[line] : text->size;

	begin += indent_of(text->bytes + begin, end - begin);
	while (end > begin && strchr(" \t\r\n", text->bytes[end - 1]))
		end--;
	return mem_strndup(text->bytes + begin, end - begin);
}

static void list_changes(struct versions *v, const struct plan_function *f,
                         const struct version_lines *lines, const struct diff *diff,
                         const struct version_text *other)
{
	for (uint32_t h = 0; h < diff->hunks.size; h++) {
		const struct diff_hunk *hunk = &diff->hunks.at[h];
		bool each = hunk->count_a == hunk->count_b;

		for (uint32_t i = 0; i < hunk->count_a; i++)
			*vec_push(&v->changes) = (struct version_change){
				f, lines->of[0].from + hunk->from_a + i,
				each ? line_text(other, lines->of[1].from + hunk->from_b + i)
				     : NULL};
	}
}

static struct hence_error *add_pair(struct versions *v, struct version_sources *sources,
                                    const struct plan_function *a, const struct plan_function *b)
{
	struct version_pair *pair = mem_alloc(sizeof(*pair));
	struct version_lines lines = {0};
	struct hence_error *error;
	struct diff_texts texts[2] = {0};
	struct diff diff;

	*vec_push(&v->pairs) = pair;
	pair->functions[0] = a;
	pair->functions[1] = b;
	for (unsigned i = 0; i < 2; i++) {
		const struct plan_function *f = pair->functions[i];
		uint32_t count = 0;

		for (uint32_t k = 0; k < f->blocks.size; k++)
			count += f->blocks.at[k].statements;
		pair->counts[i] = count;
		pair->matches[i] = mem_alloc((pair->counts[i] + 1) * sizeof(uint32_t));
		memset(pair->matches[i], 0xff, pair->counts[i] * sizeof(uint32_t));
		*pair_map_put(&v->index[i], (uint64_t)pair->functions[i]) = v->pairs.size;
	}
	if (a == b) {
		for (uint32_t i = 0; i < pair->counts[0]; i++)
			pair->matches[0][i] = pair->matches[1][i] = i;
		pair->same = true;
		return NULL;
	}
	/* The sources of both, and which lines are the same. */
	error = NULL;
	lines.of[0].file = path_of(a);
	lines.of[1].file = path_of(b);
	/* Without debug information there are no statements. */
	if (lines.of[0].file && lines.of[1].file) {
		if (!strcmp(lines.of[0].file, lines.of[1].file)) {
			char *x = checksum_of(a), *y = checksum_of(b);

			/* One path cannot hold two versions. */
			if (strcmp(x, y))
				error = error_create(
					HENCE_ERROR_INPUT,
					"%s was changed between the two builds, so one of its "
					"versions is not there; build them in different folders",
					lines.of[0].file);
			free(x);
			free(y);
		}
		if (!error)
			error = add_lines(sources, a, 0, &lines, &texts[0]);
		if (!error)
			error = add_lines(sources, b, 1, &lines, &texts[1]);
		if (!error) {
			diff_compute(&texts[0], &texts[1], &diff);
			number_lines(&lines, &diff);
			list_changes(v, a, &lines, &diff,
			             text_map_find(&sources->texts, lines.of[1].file));
			diff_deinit(&diff);
		}
		diff_texts_deinit(&texts[0]);
		diff_texts_deinit(&texts[1]);
	}
	if (!error) {
		version_match(pair, &lines);
		match_changed(pair, &lines);
		pair->same = is_same_function(pair);
	}
	for (unsigned k = 0; k < 2; k++) {
		free(lines.of[k].file);
		free(lines.of[k].line);
		free(lines.of[k].replaced);
		free(lines.of[k].changed);
		free(lines.of[k].indent);
	}
	return error;
}

/* The function with that name; if there are several, the one in a file with the same name. */
static const struct plan_function *find_function_of_version(const struct program_functions *in,
                                                            const struct plan_map *names,
                                                            const struct plan_function *wanted)
{
	const uint32_t *first = plan_map_find(names, wanted->name);
	const struct plan_function *found = NULL;
	uint32_t named = 0;

	if (!first)
		return NULL;
	for (uint32_t i = *first; i < in->list.size; i++) {
		const struct plan_function *f = in->list.at[i];

		if (strcmp(f->name, wanted->name))
			continue;
		named++;
		if (version_same_file(f, wanted))
			return f;
		found = f;
	}
	return named == 1 ? found : NULL;
}

struct hence_error *versions_create(struct modules *modules_a, const char *a,
                                    struct modules *modules_b, const char *b, struct versions **out)
{
	struct versions *v = mem_alloc(sizeof(*v));
	struct program_functions of_a = {0}, of_b = {0};
	struct hence_error *error = list_functions(modules_a, a, &of_a);

	if (!error)
		error = list_functions(modules_b, b, &of_b);
	if (!error) {
		struct version_sources sources = {0};
		struct plan_map names = MAP_INIT;

		for (uint32_t i = of_b.list.size; i-- > 0;)
			*plan_map_put(&names, of_b.list.at[i]->name) = i;
		for (uint32_t i = 0; !error && i < of_a.list.size; i++) {
			const struct plan_function *other =
				find_function_of_version(&of_b, &names, of_a.list.at[i]);

			if (other && !versions_find(v, 1, other))
				error = add_pair(v, &sources, of_a.list.at[i], other);
		}
		plan_map_deinit(&names);
		map_each(&sources.texts, i)
		{
			free(sources.texts.at[i].value.bytes);
			vec_deinit(&sources.texts.at[i].value.starts);
			free((char *)sources.texts.at[i].key);
		}
		text_map_deinit(&sources.texts);
	}
	vec_deinit(&of_a.list);
	vec_deinit(&of_b.list);
	if (error)
		versions_destroy(v);
	else
		*out = v;
	return error;
}

void versions_destroy(struct versions *v)
{
	if (!v)
		return;
	for (uint32_t i = 0; i < v->pairs.size; i++) {
		free(v->pairs.at[i]->matches[0]);
		free(v->pairs.at[i]->matches[1]);
		free(v->pairs.at[i]);
	}
	for (uint32_t i = 0; i < v->changes.size; i++)
		free(v->changes.at[i].other);
	vec_deinit(&v->changes);
	vec_deinit(&v->pairs);
	pair_map_deinit(&v->index[0]);
	pair_map_deinit(&v->index[1]);
	free(v);
}

/* All of them, by number; NULL: there are no more. */
static const struct version_pair *versions_at(const struct versions *v, uint32_t index)
{
	return index < v->pairs.size ? v->pairs.at[index] : NULL;
}

const struct version_pair *versions_find(const struct versions *v, unsigned version,
                                         const struct plan_function *function)
{
	const uint32_t *index = pair_map_find(&v->index[version], (uint64_t)function);

	return index ? v->pairs.at[*index - 1] : NULL;
}

/* ------ changed lines that a run executed ------ */

MAP_DEFINE_U64(block_map, uint8_t);

struct changes_search {
	const struct versions *versions;
	struct block_map executed; /* blocks, by key_of_block() */
	versions_told told;
	void *context;
};

static uint64_t key_of_block(const struct site *site)
{
	return (uint64_t)site->module << 48 | (uint64_t)site->function << 24 | site->block;
}

static bool note_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct changes_search *s = context;

	*block_map_put(&s->executed, key_of_block(site)) = 1;
	return true;
}

/* The first executed instruction on that line; NULL: none. */
static LLVMValueRef find_executed(const struct changes_search *s, const struct plan_function *f,
                                  struct site site, uint32_t line)
{
	for (site.block = 0; site.block < f->blocks.size; site.block++) {
		LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[site.block].block);

		if (!block_map_find(&s->executed, key_of_block(&site)))
			continue;
		for (; i; i = LLVMGetNextInstruction(i))
			if (LLVMInstructionGetDebugLoc(i) && LLVMGetDebugLocLine(i) == line &&
			    LLVMGetDebugLocColumn(i))
				return i;
	}
	return NULL;
}

static void tell_changes(void *context, const struct path_end *end)
{
	struct changes_search *s = context;

	if (end->over && end->standing)
		*block_map_put(&s->executed, key_of_block(&end->at)) = 1;
	for (uint32_t i = 0; i < s->versions->changes.size; i++) {
		const struct version_change *change = &s->versions->changes.at[i];
		struct site site = {0};
		LLVMValueRef place;

		if (!find_function(end->program, change->function, &site))
			continue;
		place = find_executed(s, change->function, site, change->line);
		if (place)
			s->told(s->context, change->function, place, change->other);
	}
}

struct hence_error *versions_changes(const struct versions *versions, const struct recording *run,
                                     versions_told told, void *context)
{
	struct changes_search s = {.versions = versions, .told = told, .context = context};
	const struct path_visitor visitor = {
		.context = &s, .passed = note_passed, .ended = tell_changes};
	struct hence_error *error = versions->changes.size ? path_visit(run, &visitor) : NULL;

	block_map_deinit(&s.executed);
	return error;
}
