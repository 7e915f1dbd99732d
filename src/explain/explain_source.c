/* Lines of source of a recorded program: see explain_source.h. */
#include "trace/path.h"
#include "explain/explain_source.h"

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "report/source.h"

struct explain_file {
	char *name, *directory, *elf;
	bool read;
	struct source source;
};

MAP_DEFINE_STRING(explain_files, uint32_t);

struct explain_sources {
	VEC(struct explain_file) files;
	struct explain_files index; /* 1 + index, by name */
	uint64_t statements;        /* of the run */
};

uint64_t explain_sources_statements(const struct explain_sources *s)
{
	return s->statements;
}

/* --- which files there are --- */

static void add_file(struct explain_sources *s, LLVMMetadataRef scope, const char *elf)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned name_length = 0, directory_length = 0;
	const char *name, *directory;
	char *copy;

	if (!file)
		return;
	name = LLVMDIFileGetFilename(file, &name_length);
	directory = LLVMDIFileGetDirectory(file, &directory_length);
	if (!name || !name_length)
		return;
	copy = mem_strndup(name, name_length);
	if (explain_files_find(&s->index, copy)) {
		free(copy);
		return;
	}
	*vec_push(&s->files) = (struct explain_file){
		.name = copy,
		.directory = directory_length ? mem_strndup(directory, directory_length)
	                                      : mem_strdup("."),
		.elf = mem_strdup(elf),
	};
	*explain_files_put(&s->index, copy) = s->files.size;
}

static void add_program(struct explain_sources *s, const struct program *program)
{
	for (uint32_t i = 0; i < program->modules.size; i++) {
		const struct program_module *module = &program->modules.at[i];

		for (uint32_t j = 0; module->plan && j < module->plan->functions.size; j++)
			add_file(s, LLVMGetSubprogram(module->plan->functions.at[j].function),
			         module->path);
	}
}

struct hence_error *explain_sources_create(const struct recording *run, const struct budget *budget,
                                           struct explain_sources **out)
{
	const struct program *program;
	uint64_t statements;
	bool stopped = false;
	struct explain_sources *s;
	struct walk *walk = NULL;
	struct hence_error *error = path_program(run, &program, &statements);

	if (error || !program) {
		error_destroy(error);
		error = walk_create(run->modules, run->folder, run->tape, &walk);
		if (!error)
			error = walk_to_end_unless(walk, run->death, budget_stops, (void *)budget,
			                           &stopped);
		if (!error) {
			program = walk_program(walk);
			statements = stopped ? 0 : walk_counts(walk)->statements;
		}
	}
	if (!error) {
		s = mem_alloc(sizeof(*s));
		add_program(s, program);
		s->statements = statements;
		*out = s;
	}
	walk_destroy(walk);
	return error;
}

void explain_sources_destroy(struct explain_sources *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->files.size; i++) {
		struct explain_file *file = &s->files.at[i];

		free(file->name);
		free(file->directory);
		free(file->elf);
		source_deinit(&file->source);
	}
	vec_deinit(&s->files);
	explain_files_deinit(&s->index);
	free(s);
}

/* --- lines --- */

const struct source *explain_source_of(struct explain_sources *s, const char *name)
{
	uint32_t *index = s && name ? explain_files_find(&s->index, name) : NULL;
	struct explain_file *file;

	if (!index)
		return NULL;
	file = &s->files.at[*index - 1];
	if (!file->read)
		source_init(&file->source, file->directory, file->name, file->elf);
	file->read = true;
	return file->source.state == SOURCE_FILE_GOOD ? &file->source : NULL;
}

static const char *find_line(struct explain_sources *s, const char *name, unsigned line)
{
	const struct source *source = explain_source_of(s, name);

	return source ? source_line(source, line) : NULL;
}

struct explanation_place explain_place(struct explain_sources *s, const char *file, unsigned line,
                                       unsigned column, const char *function)
{
	const char *text = find_line(s, file, line);

	return (struct explanation_place){
		.file = file ? mem_strdup(file) : NULL,
		.line = line,
		.column = column,
		.function = function ? mem_strdup(function) : NULL,
		.source = text ? mem_strdup(text) : NULL,
	};
}

void explain_sources_note(const struct explain_sources *s, struct explanation *out)
{
	for (uint32_t i = 0; s && i < s->files.size; i++) {
		const struct explain_file *file = &s->files.at[i];

		if (!file->read || file->source.state == SOURCE_FILE_GOOD)
			continue;
		*vec_push(&out->notes) =
			file->source.state == SOURCE_FILE_NEWER
				? str_format("%s is newer than the program, so its lines are shown "
		                             "without text; build again",
		                             file->name)
				: str_format("%s cannot be read, so its lines are shown without "
		                             "text",
		                             file->name);
	}
}
