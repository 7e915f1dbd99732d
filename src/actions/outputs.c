/* The streams of a run and what it printed to them: see outputs.h. */
#include "actions/outputs.h"

#include <string.h>

#include "actions/actions_view.h"
#include "actions/format.h"
#include "base/mem.h"
#include "trace/execution.h"

struct sheet {
	const struct outputs_call *call;
	struct view view;                 /* memory before the call */
	bool foreign;                     /* the locale is not C */
	uint64_t limit;                   /* bytes that it may have; nothing longer is rendered */
	VEC(struct outputs_piece) pieces; /* `offset` is not set, `bytes` counts from 0 */
	VEC(uint8_t) bytes;
	uint64_t size;    /* of the pieces that are known */
	uint32_t unsized; /* pieces of which not even the size is known */
	bool over;        /* it has more bytes than it may */
};

/* ------ pieces of output of one call ------ */

#define CHUNK 4096u

static struct outputs_piece *push(struct sheet *sheet)
{
	struct outputs_piece *piece = vec_push(&sheet->pieces);

	piece->instance = sheet->call->instance;
	return piece;
}

/* Adds a piece of which nothing is known. */
static struct outputs_piece *sheet_put_unknown(struct sheet *sheet)
{
	sheet->unsized++;
	return push(sheet);
}

/* Adds a piece of these bytes; none if it is empty. Gives it, to say more of it, or NULL. */
static struct outputs_piece *sheet_put(struct sheet *sheet, const void *bytes, uint64_t size)
{
	struct outputs_piece *piece;

	if (!size)
		return NULL;
	if (size > sheet->limit || sheet->bytes.size > sheet->limit - size) {
		sheet->over = true;
		return sheet_put_unknown(sheet);
	}
	piece = push(sheet);
	piece->known = true;
	piece->size = size;
	piece->bytes = sheet->bytes.size;
	vec_reserve(&sheet->bytes, sheet->bytes.size + (uint32_t)size);
	memcpy(sheet->bytes.at + sheet->bytes.size, bytes, size);
	sheet->bytes.size += (uint32_t)size;
	sheet->size += size;
	return piece;
}

/* --- from memory --- */

static void put_hole(struct sheet *sheet, uint32_t argument, uint64_t address, uint64_t size)
{
	struct outputs_piece *last =
		sheet->pieces.size ? &sheet->pieces.at[sheet->pieces.size - 1] : NULL;

	sheet->size += size;
	if (last && !last->known && last->exact && last->address + last->length == address) {
		last->size += size;
		last->length += size;
		return;
	}
	last = push(sheet);
	last->size = last->length = size;
	last->address = address;
	last->argument = (uint16_t)argument;
	last->exact = true;
}

static void put_known(struct sheet *sheet, uint32_t argument, uint64_t address,
                      const uint8_t *bytes, uint64_t size)
{
	struct outputs_piece *last =
		sheet->pieces.size ? &sheet->pieces.at[sheet->pieces.size - 1] : NULL;
	bool joins = last && last->known && last->exact &&
	             last->address + last->length == address && last->argument == argument;
	struct outputs_piece *piece = sheet_put(sheet, bytes, size);

	if (!piece)
		return;
	if (joins && piece->known) {
		sheet->pieces.size--;
		piece = &sheet->pieces.at[sheet->pieces.size - 1];
		piece->size += size;
		piece->length += size;
		return;
	}
	piece->address = address;
	piece->length = size;
	piece->argument = (uint16_t)argument;
	piece->exact = true;
}

/* Adds bytes of memory as they are, as several pieces where some are not known. */
static void sheet_put_memory(struct sheet *sheet, uint32_t argument, uint64_t address,
                             uint64_t size)
{
	uint8_t chunk[CHUNK];

	while (size) {
		/* Byte by byte through what is not known: it is the exception. */
		uint64_t want = size < CHUNK ? size : CHUNK;
		uint64_t got = view_read(&sheet->view, address, want, chunk);

		if (got)
			put_known(sheet, argument, address, chunk, got);
		else
			put_hole(sheet, argument, address, got = 1);
		address += got;
		size -= got;
	}
}

/* Adds a string of memory, up to its end. */
static void sheet_put_string(struct sheet *sheet, uint32_t argument, uint64_t address)
{
	struct outputs_piece *piece;
	uint64_t length;

	if (address >= VIEW_LOWEST &&
	    view_length(&sheet->view, address, 1, sheet->limit, &length)) {
		sheet_put_memory(sheet, argument, address, length);
		return;
	}
	piece = sheet_put_unknown(sheet);
	piece->argument = (uint16_t)argument;
	piece->address = address;
}

/* --- the size that the tape has --- */

static struct outputs_piece *find_unsized(struct sheet *sheet)
{
	for (uint32_t i = 0; i < sheet->pieces.size; i++)
		if (!sheet->pieces.at[i].size)
			return &sheet->pieces.at[i];
	return NULL;
}

/* Brings the pieces to `size` bytes in all; 0: not known how many. False: they do not fit, and the sheet
   has one piece instead that is not known. */
static bool sheet_settle(struct sheet *sheet, uint64_t size)
{
	if (!size)
		return true;
	if (sheet->unsized == 1 && sheet->size <= size && !sheet->over) {
		find_unsized(sheet)->size = size - sheet->size;

		uint32_t kept = 0;

		for (uint32_t i = 0; i < sheet->pieces.size; i++)
			if (sheet->pieces.at[i].size)
				sheet->pieces.at[kept++] = sheet->pieces.at[i];
		sheet->pieces.size = kept;

		return true;
	}
	if (!sheet->unsized && sheet->size == size)
		return true;
	sheet->pieces.size = 0;
	push(sheet)->size = size;
	return sheet->unsized > 1 && !sheet->over;
}

/*
 * ------ what printf makes of a format ------
 * Each conversion is rendered by the C library that hence itself runs with, in the locale C.
 */

#define PRECISE   100000 /* digits that are rendered */
#define ASCII     0x80u
#define NULL_TEXT "(null)"

/* --- values --- */

/* The bytes that the conversion uses of its argument. */
static bool read_value(struct sheet *sheet, const struct format_argument *from, uint8_t *out)
{
	if (from->number)
		return sheet->call->argument(sheet->call->context, from->number - 1, from->size,
		                             out);
	return view_read(&sheet->view, from->slot, from->size, out) == from->size;
}

static bool is_defined(struct sheet *sheet, const struct format_argument *from)
{
	uint8_t bytes[16];

	return !from->size || read_value(sheet, from, bytes);
}

static void attribute(struct outputs_piece *piece, const struct format_part *part)
{
	if (!piece)
		return;
	piece->argument = (uint16_t)part->value.number;
	piece->slot = part->value.slot;
}

static void put_unknown(struct sheet *sheet, const struct format_part *part)
{
	attribute(sheet_put_unknown(sheet), part);
}

/* --- strings --- */

static void put_spaces(struct sheet *sheet, const struct format_part *part, uint64_t count)
{
	char *spaces;

	if (!count)
		return;
	spaces = mem_alloc(count);
	memset(spaces, ' ', count);
	attribute(sheet_put(sheet, spaces, count), part);
	free(spaces);
}

/* Wide characters are bytes as long as they are ASCII. */
static bool put_wide(struct sheet *sheet, const struct format_part *part, uint64_t address,
                     uint64_t length)
{
	char *text = mem_alloc(length + 1);
	struct outputs_piece *piece = NULL;
	uint64_t i = 0;
	uint32_t c;

	for (; i < length; i++) {
		if (view_read(&sheet->view, address + 4 * i, 4, (uint8_t *)&c) < 4 || c >= ASCII)
			break;
		text[i] = (char)c;
	}
	if (i == length)
		piece = sheet_put(sheet, text, length);
	free(text);
	attribute(piece, part);
	if (piece) {
		piece->address = address;
		piece->length = 4 * length;
	}
	return i == length;
}

/* Characters of a string. False: not known. */
static bool measure(struct sheet *sheet, const struct format_part *part, uint64_t address,
                    uint64_t *length)
{
	uint64_t most = part->precision > sheet->limit ? sheet->limit + 1 : part->precision;

	if (!address) {
		/* glibc prints all of it or nothing. */
		*length = part->precision >= strlen(NULL_TEXT) ? strlen(NULL_TEXT) : 0;
		return true;
	}
	return address >= VIEW_LOWEST &&
	       view_length(&sheet->view, address, format_unit(part), most, length);
}

static void put_string(struct sheet *sheet, const struct format_part *part)
{
	bool left = part->width < 0 || strchr(part->flags, '-');
	uint64_t width = part->width < 0 ? -(uint64_t)part->width : (uint64_t)part->width;
	uint64_t address, length;

	if (!read_value(sheet, &part->value, (uint8_t *)&address)) {
		put_unknown(sheet, part);
		return;
	}
	if (!measure(sheet, part, address, &length)) {
		put_unknown(sheet, part);
		sheet->pieces.at[sheet->pieces.size - 1].address = address;
		return;
	}
	if (!left && width > length)
		put_spaces(sheet, part, width - length);
	if (!address)
		attribute(sheet_put(sheet, NULL_TEXT, length), part);
	else if (length) {
		uint32_t first = sheet->pieces.size;

		if (format_unit(part) == 1)
			sheet_put_memory(sheet, part->value.number, address, length);
		else if (!put_wide(sheet, part, address, length))
			put_unknown(sheet, part);
		for (; first < sheet->pieces.size; first++)
			sheet->pieces.at[first].slot = part->value.slot;
	}
	if (left && width > length)
		put_spaces(sheet, part, width - length);
}

/* --- parts --- */

/* Would rendering it take memory and time for nothing? */
static bool is_oversized(const struct sheet *sheet, const struct format_part *part)
{
	int64_t width = part->width;

	return (uint64_t)(width < 0 ? -width : width) > sheet->limit ||
	       (part->precision != FORMAT_UNLIMITED && part->precision > PRECISE);
}

static void put_conversion(struct sheet *sheet, const struct format_part *part)
{
	bool is_string = part->letter == 's' || part->letter == 'S';

	if (part->letter == 'n')
		return;
	if (part->vague || !is_defined(sheet, &part->width_from) ||
	    !is_defined(sheet, &part->precision_from) ||
	    (sheet->foreign && (format_is_real(part) || strpbrk(part->flags, "'I"))) ||
	    part->letter == 'm')
		put_unknown(sheet, part);
	else if (is_string && (uint64_t)labs((long)part->width) <= sheet->limit)
		put_string(sheet, part);
	else if (is_oversized(sheet, part))
		put_unknown(sheet, part);
	else if (format_unit(part) == 4 && strchr("cC", part->letter) && part->value.bits >= ASCII)
		put_unknown(sheet, part);
	else {
		union format_value value = {0};
		char small[512], *text = small;
		int length;

		if (!read_value(sheet, &part->value, (uint8_t *)&value)) {
			put_unknown(sheet, part);
			return;
		}
		length = format_render(part, &value, small, sizeof(small));
		if (length >= (int)sizeof(small)) {
			text = mem_alloc((size_t)length + 1);
			format_render(part, &value, text, (size_t)length + 1);
		}
		if (length >= 0)
			attribute(sheet_put(sheet, text, (uint64_t)length), part);
		else
			put_unknown(sheet, part);
		if (text != small)
			free(text);
	}
}

static void put_numbered(struct sheet *sheet, const struct format_part *part, uint32_t number)
{
	uint32_t first = sheet->pieces.size;

	put_conversion(sheet, part);
	for (; first < sheet->pieces.size; first++)
		sheet->pieces.at[first].conversion = (uint16_t)number;
}

/* Renders a format and its arguments. */
static void sheet_put_format(struct sheet *sheet, const struct outside_clause *clause)
{
	struct format format;
	struct format_part part;
	uint32_t number = 0;

	format_open(&format, &sheet->view, clause);
	while (format_next(&format, &part)) {
		if (format.lost)
			break;
		if (!part.letter || part.letter == '%') {
			/* Text of the format itself. */
			uint32_t length = part.letter == '%' ? 1 : part.length;
			struct outputs_piece *piece = sheet_put(sheet, part.text, length);

			if (!piece)
				continue;
			piece->address = format.address + (uint64_t)(part.text - format.text);
			piece->length = length;
			piece->argument = clause->argument;
			piece->exact = true;
		} else
			put_numbered(sheet, &part, ++number);
	}
	if (format.lost)
		sheet_put_unknown(sheet);
	format_close(&format);
}

/* ------ what a call prints ------ */

/* The parts of what a function prints, a letter each:
	c   the first argument, a character
	s   the first argument, a string
	e   the same and ': ', if there is one
	p   the name of the program and ': '
	f   the format that the model names
	m   the text of errno
	n   the text of the error number that is the second argument, if there is one, behind ': '
   and anything else stands for itself. */
struct rule {
	const char *name, *parts;
};

static const struct rule rules[] = {
	{"puts", "s\n"},    {"putchar", "c"},    {"putchar_unlocked", "c"}, {"putc", "c"},
	{"fputc", "c"},     {"_IO_putc", "c"},   {"putc_unlocked", "c"},    {"fputc_unlocked", "c"},
	{"perror", "em\n"}, {"warn", "pf: m\n"}, {"vwarn", "pf: m\n"},      {"warnx", "pf\n"},
	{"vwarnx", "pf\n"}, {"error", "pfn\n"},
};

static const char *parts_of(const char *name)
{
	for (uint32_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].name, name))
			return rules[i].parts;
	return NULL;
}

static const struct outside_clause *find_format(const struct actions_call *call)
{
	const struct outside_clause *rows;

	if (!call->model)
		return NULL;
	rows = outside_table_clauses(call->table, call->model);
	for (uint32_t i = 0; i < call->model->active; i++)
		if (rows[i].kind == OUTSIDE_FORMATS)
			return &rows[i];
	return NULL;
}

static bool read_first(struct sheet *sheet, uint32_t size, uint8_t *out)
{
	return sheet->call->argument(sheet->call->context, 0, size, out);
}

static void put_first_character(struct sheet *sheet)
{
	struct outputs_piece *piece;
	uint8_t byte;

	piece = read_first(sheet, 1, &byte) ? sheet_put(sheet, &byte, 1) : sheet_put_unknown(sheet);
	piece->argument = 1;
}

static void put_first_string(struct sheet *sheet)
{
	uint64_t address;

	if (read_first(sheet, 8, (uint8_t *)&address))
		sheet_put_string(sheet, 1, address);
	else
		sheet_put_unknown(sheet);
}

static void put_prefix(struct sheet *sheet)
{
	uint64_t address;
	uint8_t byte = 1;

	if (read_first(sheet, 8, (uint8_t *)&address) &&
	    (!address || (view_read(&sheet->view, address, 1, &byte) && !byte)))
		return;
	put_first_string(sheet);
	sheet_put(sheet, ": ", 2);
}

static void put_program(struct sheet *sheet)
{
	if (sheet->call->program)
		sheet_put(sheet, sheet->call->program, strlen(sheet->call->program));
	else
		sheet_put_unknown(sheet);
	sheet_put(sheet, ": ", 2);
}

static void put_part(struct sheet *sheet, char letter)
{
	const struct outside_clause *format;

	switch (letter) {
	case 'c': put_first_character(sheet); break;
	case 's': put_first_string(sheet); break;
	case 'e': put_prefix(sheet); break;
	case 'p': put_program(sheet); break;
	case 'f':
		format = find_format(sheet->call->call);
		if (format)
			sheet_put_format(sheet, format);
		break;
	case 'm': sheet_put_unknown(sheet); break;
	case 'n':
		if (!view_argument(sheet->call->call, 1))
			break;
		sheet_put(sheet, ": ", 2);
		sheet_put_unknown(sheet);
		break;
	default: sheet_put(sheet, &letter, 1);
	}
}

static void put_parts(struct sheet *sheet, const char *parts)
{
	for (; *parts; parts++)
		put_part(sheet, *parts);
}

/* The argument that points to the memory. */
static uint32_t find_argument(const struct sheet *sheet, const struct action *action)
{
	const struct actions_call *call = sheet->call->call;

	for (uint32_t i = 0; i < call->count; i++)
		if (call->signature[i + 1] == 'p' && call->arguments[i] == action->from)
			return i + 1;
	return action->argument;
}

/* ------ streams ------ */

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

static void print_action(struct outputs *outputs, const struct outputs_call *call,
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

	/* The tape may know of bytes that were not seen here. It knows of less than was printed
	   where two descriptors are one stream, or the size of a call's output was not known. */
	struct outputs_piece hole = {.size = action->offset - stream->size};

	if (action->offset > stream->size)
		append(stream, &hole, NULL);

	/* What the call printed. */
	const char *parts = parts_of(sheet.call->name);

	if (action->from && action->size > ACTIONS_MOST)
		sheet_put_unknown(&sheet);
	else if (action->from)
		sheet_put_memory(&sheet, find_argument(&sheet, action), action->from, action->size);
	else if (parts)
		put_parts(&sheet, parts);
	else if (find_format(sheet.call->call))
		put_parts(&sheet, "f");
	else
		sheet_put_unknown(&sheet);

	if (!sheet_settle(&sheet, action->size))
		outputs->mismatches++;
	for (uint32_t i = 0; i < sheet.pieces.size; i++)
		append(stream, &sheet.pieces.at[i], sheet.bytes.at);
	vec_deinit(&sheet.pieces);
	vec_deinit(&sheet.bytes);
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
			print_action(outputs, call, action);
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
