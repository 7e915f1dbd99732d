/*
 * --io of `hence run`: one line for each input and output, in the order of execution.
 *
 *	# tape 0: /home/me/prog, 2 arguments at 0x7fffffffe4a8, environment at 0x7fffffffe4c0
 *	main.c:9:7 fopen: opened input.txt as 3
 *	main.c:12:7 fgets: input.txt[0..12) -> argument 1
 *	main.c:14:3 getc: stdin[0..1) -> result
 *	main.c:20:5 printf: stdout[0..6)
 *	main.c:21:5 fputs: stdout[6..9) <- argument 1
 */
#include "cli/run_io.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define ENVIRONMENT (-2) /* as a stream (docs/models.md) */

MAP_DEFINE_U64(stream_map, char *);

struct run_io {
	const char *path;
	FILE *file;
	struct walk *walk;
	struct stream_map names; /* of the open descriptors that have one */
};

struct hence_error *run_io_open(const char *path, struct run_io **out)
{
	FILE *file = fopen(path, "we");
	struct run_io *io;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--io: cannot write %s", path);
	io = mem_alloc(sizeof(*io));
	io->path = path;
	io->file = file;
	*out = io;
	return NULL;
}

static void forget_names(struct run_io *io)
{
	map_each(&io->names, i) free(io->names.at[i].value);
	stream_map_deinit(&io->names);
}

struct hence_error *run_io_close(struct run_io *io)
{
	struct hence_error *error = NULL;
	int failed;

	if (!io)
		return NULL;
	failed = ferror(io->file);
	if (fclose(io->file) || failed)
		error = error_from_errno(HENCE_ERROR_INPUT, "--io: cannot write %s", io->path);
	forget_names(io);
	free(io);
	return error;
}

/* --- names of streams --- */

static void set_name(struct run_io *io, int32_t stream, char *name)
{
	char **old = stream_map_find(&io->names, (uint64_t)stream);

	if (old) {
		free(*old);
		stream_map_remove(&io->names, (uint64_t)stream);
	}
	if (name)
		*stream_map_put(&io->names, (uint64_t)stream) = name;
}

/* A name as it can stand in one line. */
static char *clean_name(const uint8_t *bytes, uint64_t size)
{
	struct str text = STR_INIT;

	for (uint64_t i = 0; i < size; i++) {
		if (bytes[i] < ' ' || bytes[i] == 0x7f || bytes[i] == '\\')
			str_printf(&text, "\\x%02x", bytes[i]);
		else
			str_add_char(&text, (char)bytes[i]);
	}
	return str_steal(&text);
}

/* A copy of a descriptor has the name of what it is a copy of. */
static void opened(struct run_io *io, const struct effect *effect)
{
	char **like =
		effect->head.offset ? stream_map_find(&io->names, effect->head.offset - 1) : NULL;
	char *name = like ? mem_strdup(*like) : NULL;

	if (effect->bytes)
		name = clean_name(effect->bytes, effect->head.size);
	set_name(io, effect->head.stream, name);
}

static void put_name(struct run_io *io, int32_t stream)
{
	char **name = stream_map_find(&io->names, (uint64_t)stream);

	if (name)
		fputs(*name, io->file);
	else
		fprintf(io->file, "fd %d", stream);
}

/* --- lines --- */

static void put_place(struct run_io *io, const struct walk_call *call)
{
	struct walk_place place = {.function = "?"};

	walk_where(io->walk, 0, &place);
	if (place.file)
		fprintf(io->file, "%s:%u:%u ", place.file, place.line, place.column);
	else
		fprintf(io->file, "%s() ", place.function);
	fprintf(io->file, "%s: ", call->name);
}

static void put_range(struct run_io *io, const struct hence_effect *head)
{
	put_name(io, head->stream);
	if (head->size)
		fprintf(io->file, "[%lu..%lu)", head->offset, head->offset + head->size);
	else
		fprintf(io->file, "[%lu..?)", head->offset);
}

static void put_input(struct run_io *io, const struct hence_effect *head)
{
	if (head->stream == ENVIRONMENT)
		fprintf(io->file, "environment[0x%lx..0x%lx)", head->offset,
		        head->offset + head->size);
	else
		put_range(io, head);
	if (head->argument && head->address)
		fprintf(io->file, " -> argument %u\n", head->argument);
	else
		fputs(" -> result\n", io->file);
}

static void put_output(struct run_io *io, const struct hence_effect *head)
{
	put_range(io, head);
	if (head->argument && head->address)
		fprintf(io->file, " <- argument %u", head->argument);
	fputc('\n', io->file);
}

static void put_opened(struct run_io *io, const struct hence_effect *head)
{
	fputs("opened ", io->file);
	put_name(io, head->stream);
	if (stream_map_find(&io->names, (uint64_t)head->stream))
		fprintf(io->file, " as %d", head->stream);
	fputc('\n', io->file);
}

static void put_closed(struct run_io *io, const struct hence_effect *head)
{
	fputs("closed ", io->file);
	put_name(io, head->stream);
	fputc('\n', io->file);
}

/* Is it about a stream? Text in memory, as sscanf() reads it, comes from the program itself. */
static bool is_wanted(const struct hence_effect *head)
{
	switch (head->kind) {
	case HENCE_INPUT: return head->stream >= 0 || head->stream == ENVIRONMENT;
	case HENCE_OUTPUT:
	case HENCE_OPENED:
	case HENCE_CLOSED: return head->stream >= 0;
	default: return false;
	}
}

static void put_effect(struct run_io *io, const struct walk_call *call, const struct effect *effect)
{
	put_place(io, call);
	switch (effect->head.kind) {
	case HENCE_INPUT: put_input(io, &effect->head); break;
	case HENCE_OUTPUT: put_output(io, &effect->head); break;
	case HENCE_OPENED: put_opened(io, &effect->head); break;
	default: put_closed(io, &effect->head); break;
	}
}

/* Names are learned from ancestors too: what they had open is open in their child. */
static void hear(void *context, const struct walk_call *call)
{
	struct run_io *io = context;
	struct effects effects = call->effects;
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		if (!is_wanted(&effect.head))
			continue;
		if (effect.head.kind == HENCE_OPENED)
			opened(io, &effect);
		if (!call->ancestor)
			put_effect(io, call, &effect);
		if (effect.head.kind == HENCE_CLOSED)
			set_name(io, effect.head.stream, NULL);
	}
}

/* --- tapes --- */

void run_io_begin(struct run_io *io, const struct run_tape *recorded, struct walk *walk)
{
	static const char *const standard[] = {"stdin", "stdout", "stderr"};
	const struct hence_head *head = &recorded->tape->head;

	forget_names(io);
	for (int i = 0; i < 3; i++)
		set_name(io, i, mem_strdup(standard[i]));
	fprintf(io->file, "# tape %u: %s", recorded->tape->number,
	        recorded->program ? recorded->program : "?");
	if (head->parent != head->number)
		fprintf(io->file, ", forked from tape %u", head->parent);
	fprintf(io->file, ", %u argument%s at 0x%lx, environment at 0x%lx\n", head->argc,
	        head->argc == 1 ? "" : "s", head->argv, head->environ);
	io->walk = walk;
	walk_listen(walk, hear, io);
}

void run_io_end(struct run_io *io, const struct hence_error *error)
{
	if (error)
		fprintf(io->file, "# the rest cannot be read: %s\n", error->message);
	io->walk = NULL;
}
