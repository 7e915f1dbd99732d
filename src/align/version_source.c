/* The source of functions of two versions: see version_source.h. */
#include "align/version_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <llvm-c/DebugInfo.h>

#include "base/str.h"
#include "model/di.h"
#include "base/diff.h"

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

bool version_same_file(const struct plan_function *a, const struct plan_function *b)
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

/* One path cannot hold two versions. */
static struct hence_error *check_paths(const char *path, const struct plan_function *a,
                                       const struct plan_function *b)
{
	char *x = checksum_of(a), *y = checksum_of(b);
	struct hence_error *error = NULL;

	if (strcmp(x, y))
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s was changed between the two builds, so one of its versions "
			"is not there; build them in different folders",
			path);
	free(x);
	free(y);
	return error;
}

static void find_lines(struct version_text *t)
{
	for (size_t at = 0; at < t->size; at++)
		if (at == 0 || t->bytes[at - 1] == '\n')
			*vec_push(&t->starts) = at;
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
	/* What a program says that it was built from may be anything: a pipe would be waited for. */
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
	find_lines(&text);
	known = text_map_put(&sources->texts, mem_strdup(path));
	*known = text;
	*out = known;
	return NULL;
}

void version_sources_deinit(struct version_sources *sources)
{
	map_each(&sources->texts, i)
	{
		free(sources->texts.at[i].value.bytes);
		vec_deinit(&sources->texts.at[i].value.starts);
		free((char *)sources->texts.at[i].key);
	}
	text_map_deinit(&sources->texts);
}

/* --- lines --- */

static bool is_in_file(LLVMValueRef i, const char *file)
{
	unsigned length;
	const char *name = LLVMGetDebugLocFilename(i, &length);
	const char *base = name && length ? base_of(name) : "";

	return !strcmp(base, base_of(file));
}

/* From where the function begins to the last line that has code of it. */
static void find_range(const struct plan_function *f, const char *file, uint32_t *from,
                       uint32_t *count)
{
	uint32_t last;

	*from = last = LLVMDISubprogramGetLine(LLVMGetSubprogram(f->function));
	for (uint32_t b = 0; b < f->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMInstructionGetDebugLoc(i) && is_in_file(i, file) &&
			    LLVMGetDebugLocLine(i) > last)
				last = LLVMGetDebugLocLine(i);
	*count = last - *from + 1;
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

	if (error)
		return error;
	find_range(f, lines->of[version].file, &from, &count);
	lines->of[version].from = from;
	lines->of[version].count = count;
	lines->of[version].line = mem_alloc(count * sizeof(uint32_t));
	lines->of[version].replaced = mem_alloc(count * sizeof(uint32_t));
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

/* Of as many lines as there were each takes the place of one. */
static void number_replaced(struct version_lines *lines, const struct diff_hunk *hunk)
{
	if (hunk->count_a != hunk->count_b)
		return;
	for (uint32_t i = 0; i < hunk->count_a; i++)
		lines->of[0].replaced[hunk->from_a + i] = lines->of[1].replaced[hunk->from_b + i] =
			lines->of[0].from + hunk->from_a + i;
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
			number_replaced(lines, hunk);
			a = hunk->from_a + hunk->count_a;
			b = hunk->from_b + hunk->count_b;
		}
	}
}

struct hence_error *version_lines_find(struct version_sources *sources,
                                       const struct plan_function *a, const struct plan_function *b,
                                       struct version_lines *out)
{
	struct diff_texts texts[2] = {0};
	struct hence_error *error = NULL;
	struct diff diff;

	out->of[0].file = path_of(a);
	out->of[1].file = path_of(b);
	/* Without debug information there are no statements. */
	if (!out->of[0].file || !out->of[1].file)
		return NULL;
	if (!strcmp(out->of[0].file, out->of[1].file))
		error = check_paths(out->of[0].file, a, b);
	if (!error)
		error = add_lines(sources, a, 0, out, &texts[0]);
	if (!error)
		error = add_lines(sources, b, 1, out, &texts[1]);
	if (!error) {
		diff_compute(&texts[0], &texts[1], &diff);
		number_lines(out, &diff);
		diff_deinit(&diff);
	}
	diff_texts_deinit(&texts[0]);
	diff_texts_deinit(&texts[1]);
	return error;
}

void version_lines_deinit(struct version_lines *lines)
{
	for (unsigned v = 0; v < 2; v++) {
		free(lines->of[v].file);
		free(lines->of[v].line);
		free(lines->of[v].replaced);
		free(lines->of[v].indent);
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

bool version_line(const struct version_lines *lines, unsigned version, LLVMValueRef instruction,
                  uint32_t *line, int32_t *column)
{
	uint32_t at = LLVMGetDebugLocLine(instruction) - lines->of[version].from;

	if (!is_in_lines(lines, version, instruction))
		return false;
	*line = lines->of[version].line[at];
	*column = (int32_t)LLVMGetDebugLocColumn(instruction) -
	          (int32_t)lines->of[version].indent[at];
	return *line != 0;
}

bool version_replaced(const struct version_lines *lines, unsigned version, LLVMValueRef instruction,
                      uint32_t *line)
{
	if (!is_in_lines(lines, version, instruction))
		return false;
	*line = lines->of[version]
	                .replaced[LLVMGetDebugLocLine(instruction) - lines->of[version].from];
	return *line != 0;
}
