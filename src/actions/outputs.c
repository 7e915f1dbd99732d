/* The streams of a run and what was put out to them: see outputs.h. */
#include "actions/outputs.h"

#include <string.h>

#include "trace/execution.h"
#include "actions/outputs_sheet.h"

#define MOST (1ull << 30) /* bytes of a stream that are kept */

#define NO_STREAM UINT32_MAX

/* Which stream a descriptor is now; NO_STREAM: it is closed. */
struct binding {
	int32_t descriptor;
	uint32_t stream;
};

struct outputs {
	VEC(struct outputs_stream *) streams;
	VEC(struct binding) bindings;
	bool foreign;
	uint64_t mismatches;
};

struct outputs *outputs_create(void)
{
	return mem_alloc(sizeof(struct outputs));
}

void outputs_destroy(struct outputs *outputs)
{
	if (!outputs)
		return;
	for (uint32_t i = 0; i < outputs->streams.size; i++) {
		struct outputs_stream *stream = outputs->streams.at[i];

		vec_deinit(&stream->pieces);
		vec_deinit(&stream->bytes);
		free(stream->name);
		free(stream);
	}
	vec_deinit(&outputs->streams);
	vec_deinit(&outputs->bindings);
	free(outputs);
}

void outputs_forget(struct outputs *outputs)
{
	for (uint32_t i = 0; outputs && i < outputs->streams.size; i++) {
		struct outputs_stream *stream = outputs->streams.at[i];

		for (uint32_t k = 0; k < stream->pieces.size; k++)
			if (stream->pieces.at[k].instance)
				stream->pieces.at[k].instance = SOURCE_EARLIER;
	}
}

/* --- descriptors --- */

static struct binding *find_binding(struct outputs *outputs, int32_t descriptor)
{
	for (uint32_t i = 0; i < outputs->bindings.size; i++)
		if (outputs->bindings.at[i].descriptor == descriptor)
			return &outputs->bindings.at[i];
	return NULL;
}

static void bind(struct outputs *outputs, int32_t descriptor, uint32_t stream)
{
	struct binding *binding = find_binding(outputs, descriptor);

	if (!binding)
		binding = vec_push(&outputs->bindings);
	*binding = (struct binding){descriptor, stream};
}

static uint32_t new_stream(struct outputs *outputs, int32_t descriptor)
{
	struct outputs_stream *stream = mem_alloc(sizeof(*stream));

	stream->descriptor = descriptor;
	*vec_push(&outputs->streams) = stream;
	bind(outputs, descriptor, outputs->streams.size - 1);
	return outputs->streams.size - 1;
}

/* What the descriptor is; one that nobody opened was there from the beginning, unless it was closed
   since. */
static uint32_t stream_of(struct outputs *outputs, int32_t descriptor)
{
	struct binding *binding = find_binding(outputs, descriptor);
	bool given = !binding;
	uint32_t stream;

	if (binding && binding->stream != NO_STREAM)
		return binding->stream;
	stream = new_stream(outputs, descriptor);
	outputs->streams.at[stream]->given = given;
	return stream;
}

static void open_stream(struct outputs *outputs, const struct action *action)
{
	uint32_t index;

	if (!action->bytes && action->offset) {
		bind(outputs, action->stream, stream_of(outputs, (int32_t)action->offset - 1));
		return;
	}
	index = new_stream(outputs, action->stream);
	if (action->bytes)
		outputs->streams.at[index]->name =
			mem_strndup((const char *)action->bytes, action->size);
}

/* --- pieces --- */

static void append(struct outputs_stream *stream, const struct outputs_piece *piece,
                   const uint8_t *bytes)
{
	struct outputs_piece *added = vec_push(&stream->pieces);

	*added = *piece;
	added->offset = stream->size;
	stream->size += piece->size;
	added->known =
		piece->known && piece->size <= MOST && stream->bytes.size <= MOST - piece->size;
	stream->unknown += !added->known;
	if (!added->known)
		return;
	added->bytes = stream->bytes.size;
	vec_reserve(&stream->bytes, stream->bytes.size + (uint32_t)piece->size);
	memcpy(stream->bytes.at + stream->bytes.size, bytes + piece->bytes, piece->size);
	stream->bytes.size += (uint32_t)piece->size;
}

/* The tape may know of bytes that we did not see. It knows of less than was put out where two
   descriptors are one stream, or nobody knew how many bytes a call put out. */
static void skip_to(struct outputs_stream *stream, uint64_t offset)
{
	struct outputs_piece hole = {.size = offset - stream->size};

	if (offset > stream->size)
		append(stream, &hole, NULL);
}

static void put_out(struct outputs *outputs, const struct outputs_call *call,
                    const struct action *action)
{
	uint32_t index = stream_of(outputs, action->stream);
	struct outputs_stream *stream = outputs->streams.at[index];
	struct sheet sheet = {.call = call,
	                      .view = {.call = call->call, .memory = call->memory},
	                      .foreign = outputs->foreign,
	                      .limit = action->size ? action->size : 1u << 20};

	if (sheet.limit > MOST)
		sheet.limit = MOST;
	skip_to(stream, action->offset);
	sheet_render(&sheet, action);
	if (!sheet_settle(&sheet, action->size))
		outputs->mismatches++;
	for (uint32_t i = 0; i < sheet.pieces.size; i++)
		append(stream, &sheet.pieces.at[i], sheet.bytes.at);
	sheet_deinit(&sheet);
}

/* --- calls --- */

/* Does the call choose a locale in which text may be another than in C? */
static bool chooses_locale(const struct outputs_call *call)
{
	if (!strcmp(call->name, "uselocale"))
		return view_argument(call->call, 0) != 0;
	if (strcmp(call->name, "setlocale") != 0)
		return false;
	for (uint32_t i = 0; i < call->actions->size; i++) {
		const struct action *a = &call->actions->at[i];
		const char *name = (const char *)a->bytes;

		/* The result is the name. */
		if (a->kind == ACTION_WROTE && !a->argument && a->size &&
		    !memchr(name, 0, a->size - 1) && !name[a->size - 1])
			return strcmp(name, "C") && strcmp(name, "POSIX") && strncmp(name, "C.", 2);
	}
	return view_argument(call->call, 1) != 0;
}

void outputs_add(struct outputs *outputs, const struct outputs_call *call)
{
	for (uint32_t i = 0; i < call->actions->size; i++) {
		const struct action *action = &call->actions->at[i];

		if (action->kind == ACTION_OUTPUT)
			put_out(outputs, call, action);
		else if (action->kind == ACTION_OPENED)
			open_stream(outputs, action);
		else if (action->kind == ACTION_CLOSED)
			bind(outputs, action->stream, NO_STREAM);
	}
	if (!outputs->foreign)
		outputs->foreign = chooses_locale(call);
}

/* --- answers --- */

const struct outputs_stream *outputs_stream(const struct outputs *outputs, int32_t descriptor)
{
	for (uint32_t i = 0; i < outputs->streams.size; i++)
		if (outputs->streams.at[i]->given &&
		    outputs->streams.at[i]->descriptor == descriptor)
			return outputs->streams.at[i];
	return NULL;
}

const struct outputs_stream *const *outputs_streams(const struct outputs *outputs, uint32_t *count)
{
	*count = outputs->streams.size;
	return (const struct outputs_stream *const *)outputs->streams.at;
}

const struct outputs_piece *outputs_at(const struct outputs_stream *stream, uint64_t offset)
{
	uint32_t low = 0, high = stream->pieces.size;

	/* The last piece that begins at or before it; empty ones lie before the others. */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (stream->pieces.at[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	if (low == high || offset < stream->pieces.at[low].offset ||
	    offset - stream->pieces.at[low].offset >= stream->pieces.at[low].size)
		return NULL;
	return &stream->pieces.at[low];
}

const uint8_t *outputs_piece_bytes(const struct outputs_stream *stream,
                                   const struct outputs_piece *piece)
{
	return piece->known ? stream->bytes.at + piece->bytes : NULL;
}

uint64_t outputs_mismatches(const struct outputs *outputs)
{
	return outputs->mismatches;
}
