/* What one call puts out: see outputs_sheet.h. */
#include "actions/outputs_sheet.h"

#define CHUNK 4096u

void sheet_deinit(struct sheet *sheet)
{
	vec_deinit(&sheet->pieces);
	vec_deinit(&sheet->bytes);
}

static struct outputs_piece *push(struct sheet *sheet)
{
	struct outputs_piece *piece = vec_push(&sheet->pieces);

	piece->instance = sheet->call->instance;
	return piece;
}

struct outputs_piece *sheet_put(struct sheet *sheet, const void *bytes, uint64_t size)
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

struct outputs_piece *sheet_put_unknown(struct sheet *sheet)
{
	sheet->unsized++;
	return push(sheet);
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

void sheet_put_memory(struct sheet *sheet, uint32_t argument, uint64_t address, uint64_t size)
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

void sheet_put_string(struct sheet *sheet, uint32_t argument, uint64_t address)
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

static void drop_empty(struct sheet *sheet)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < sheet->pieces.size; i++)
		if (sheet->pieces.at[i].size)
			sheet->pieces.at[kept++] = sheet->pieces.at[i];
	sheet->pieces.size = kept;
}

bool sheet_settle(struct sheet *sheet, uint64_t size)
{
	if (!size)
		return true;
	if (sheet->unsized == 1 && sheet->size <= size && !sheet->over) {
		find_unsized(sheet)->size = size - sheet->size;
		drop_empty(sheet);
		return true;
	}
	if (!sheet->unsized && sheet->size == size)
		return true;
	sheet->pieces.size = 0;
	push(sheet)->size = size;
	return sheet->unsized > 1 && !sheet->over;
}
