/* The memory at the steps of a report, and lines of source: see illustrations.h. */
#include "explain/illustrations.h"

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "report/source.h"
#include "state/picture.h"
#include "trace/path.h"

/* ------ the memory graph of each step: explanation_step.memory ------ */

#define MOST_STATEMENTS 16000000u     /* of both runs together: some 2 seconds */
#define MOST_MEMORY     (16ull << 20) /* bytes of one state */

/* A point at which the memory is drawn. */
struct moment {
	uint32_t step;
	uint64_t failing, reference; /* times; 0: the reference has none */
	struct state *state;         /* of the failing run, until the other is there */
};

struct work {
	const struct explain_memory_options *options;
	struct explanation *e;
	VEC(struct moment) moments; /* in the order of the run that is decoded */
	bool second;
	bool stopped;
};

/* --- the graph --- */

/* Names and values are handed over. */
static void convert(struct picture *from, struct explanation_memory *to)
{
	to->more = from->more;
	for (uint32_t i = 0; i < from->boxes.size; i++) {
		struct picture_box *box = &from->boxes.at[i];
		struct explanation_box *out = vec_push(&to->boxes);

		out->name = box->name;
		out->type = box->type;
		out->where = box->where;
		out->more = box->more;
		for (uint32_t k = 0; k < box->cells.size; k++) {
			const struct picture_cell *cell = &box->cells.at[k];

			*vec_push(&out->cells) =
				(struct explanation_cell){.name = cell->name,
			                                  .value = cell->value,
			                                  .reference = cell->reference,
			                                  .target = cell->target,
			                                  .decides = cell->decides};
		}
		vec_deinit(&box->cells);
	}
	vec_deinit(&from->boxes);
}

static void draw(struct work *w, const struct moment *moment, const struct state *other)
{
	struct explanation_step *step = &w->e->steps.at[moment->step];
	VEC(struct picture_variable) variables = VEC_INIT;
	struct picture picture;

	for (uint32_t i = 0; i < step->values.size; i++)
		*vec_push(&variables) = (struct picture_variable){step->values.at[i].name,
		                                                  step->values.at[i].function};
	picture_init(&picture, moment->state, other, w->options->alignment, variables.at,
	             variables.size);
	convert(&picture, &step->memory);
	vec_deinit(&variables);
}

/* --- the states --- */

static bool is_stopped(struct work *w)
{
	w->stopped |= budget_is_over(w->options->budget);
	return w->stopped;
}

static bool is_over(void *context)
{
	return is_stopped(context);
}

static bool take(void *context, uint32_t index, struct state *state)
{
	struct work *w = context;
	struct moment *moment = &w->moments.at[index];

	if (is_stopped(w)) {
		state_destroy(state);
		return false;
	}
	if (w->second) {
		draw(w, moment, state);
		state_destroy(state);
		return true;
	}
	moment->state = state;
	if (!moment->reference) {
		draw(w, moment, NULL);
		state_destroy(state);
		moment->state = NULL;
	}
	return true;
}

static int by_failing(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->failing < y->failing ? -1 : x->failing > y->failing;
}

/* Those that still wait come first. */
static int by_reference(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (!x->state != !y->state)
		return x->state ? -1 : 1;
	return x->reference < y->reference ? -1 : x->reference > y->reference;
}

static struct hence_error *decode(struct work *w, const struct recording *run)
{
	const uint64_t room = mem_available() / 8 / (w->moments.size + 1);
	const struct state_options options = {
		.memory = room < MOST_MEMORY ? room : MOST_MEMORY, .stop = is_over, .context = w};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	qsort(w->moments.at, w->moments.size, sizeof(*w->moments.at),
	      w->second ? by_reference : by_failing);
	for (uint32_t i = 0; i < w->moments.size; i++)
		if (!w->second || w->moments.at[i].state)
			*vec_push(&times) =
				w->second ? w->moments.at[i].reference : w->moments.at[i].failing;
	error = states_take(run, times.at, times.size, &options, take, w);
	vec_deinit(&times);
	return error;
}

/* --- the moments --- */

/* How many statements must be decoded. */
static uint64_t cost(const struct work *w)
{
	uint64_t failing = 0, reference = 0;

	for (uint32_t i = 0; i < w->moments.size; i++) {
		const struct moment *moment = &w->moments.at[i];

		failing = moment->failing > failing ? moment->failing : failing;
		reference = moment->reference > reference ? moment->reference : reference;
	}
	return failing + reference;
}

struct hence_error *explain_memory(const struct explain_memory_options *options,
                                   struct explanation *out)
{
	struct work w = {.options = options, .e = out};
	uint64_t most = options->most ? options->most : MOST_STATEMENTS;
	struct hence_error *error = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < w.e->steps.size; i++) {
		const struct explanation_step *step = &w.e->steps.at[i];
		bool end = step->observed && !step->time;
		struct moment moment = {.step = i,
		                        .failing = end ? options->failing_time : step->time,
		                        .reference = end ? options->reference_time
		                                         : step->reference_time};

		if (!moment.failing || step->memory.boxes.size)
			continue;
		if (!options->reference)
			moment.reference = 0;
		*vec_push(&w.moments) = moment;
	}
	if (cost(&w) > most)
		*vec_push(&out->notes) = str_format(
			"memory graphs are left out: the steps lie within %llu statements, and "
			"only runs of up to %llu are decoded for them",
			(unsigned long long)cost(&w), (unsigned long long)most);
	else if (w.moments.size && !is_stopped(&w))
		error = decode(&w, options->failing);
	w.second = true;
	if (!error && options->reference && w.moments.size && !w.stopped)
		error = decode(&w, options->reference);
	/* What was not drawn since it was ended early. */
	for (uint32_t i = 0; i < w.moments.size; i++)
		count += !w.e->steps.at[w.moments.at[i].step].memory.boxes.size;
	if (w.stopped && count)
		*vec_push(&w.e->notes) = str_format(
			"%u of the steps %s no memory graph: the search was ended before that",
			count, count == 1 ? "has" : "have");
	for (uint32_t i = 0; i < w.moments.size; i++)
		state_destroy(w.moments.at[i].state);
	vec_deinit(&w.moments);
	return error;
}

/* ------ lines of source, for a report that must be read without them ------ */

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
		for (uint32_t i = 0; i < program->modules.size; i++) {
			const struct program_module *module = &program->modules.at[i];

			for (uint32_t j = 0; module->plan && j < module->plan->functions.size; j++)
				add_file(s,
				         LLVMGetSubprogram(module->plan->functions.at[j].function),
				         module->path);
		}
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
