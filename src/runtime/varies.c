/*
 * Answers that differ from run to run: time, random numbers, use of resources. The first run notes
 * them in SESSION/NNNNNNNN.varies (the number is the tape's); a run that repeats it takes them from
 * there, in order, until the program asks for something else than it did then.
 *
 * The file is a row of records; a record of size 0, as fresh pages have it, ends them:
 *
 *	struct answer
 *	the result, padded to 8
 *	for each piece of memory that was written: u64 size, its bytes, padded to 8
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/calls.h"
#include "runtime/outside.h"
#include "runtime/plain.h"
#include "runtime/server.h"
#include "runtime/system.h"
#include "runtime/tape.h"

#define FILE_SIZE (64u << 20) /* sparse; memory is taken in steps */
#define STEP      (64u << 10)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct answer {
	uint32_t size;   /* of the whole record; 0: none */
	uint32_t name;   /* hash of the function's */
	uint32_t result; /* bytes of it */
	uint32_t pieces;
};

static uint8_t *file;      /* as mapped; NULL: none */
static uint64_t file_size; /* readable, or writable up to `ready` */
static uint64_t ready;
static uint64_t at;     /* the next record */
static uint32_t number; /* of the tape that the file belongs to, + 1; 0: not opened yet */

static uint64_t padded(uint64_t size)
{
	return (size + 7) & ~7ull;
}

/* --- the file --- */

/* SESSION/NNNNNNNN.varies */
static bool make_path(char *path, uint64_t room)
{
	const char *session = hence_rt_session();
	uint64_t length = session ? plain_length(session) : room;
	uint32_t n = hence_rt_head.number;

	if (length + sizeof("/00000000.varies") > room)
		return false;
	plain_copy(path, session, length);
	path += length;
	path[0] = '/';
	for (int i = 8; i > 0; i--, n /= 10)
		path[i] = (char)('0' + n % 10);
	plain_copy(path + 9, ".varies", sizeof(".varies"));
	return true;
}

static void map_file(long fd, uint64_t size, int protection)
{
	file = hence_rt_map(size, protection, MAP_SHARED | MAP_NORESERVE, fd);
	file_size = size;
}

static void open_file(bool repeat)
{
	char path[4096];
	long fd, size;

	if (file) /* a parent's, before the fork */
		HENCE_SYS3(SYS_munmap, file, file_size, 0);
	file = NULL;
	at = ready = 0;
	number = hence_rt_head.number + 1;
	if (!make_path(path, sizeof(path)))
		return;
	fd = HENCE_SYS3(SYS_open, path,
	                (repeat ? O_RDONLY : O_RDWR | O_CREAT | O_TRUNC) | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	size = repeat ? HENCE_SYS3(SYS_lseek, fd, 0, 2) : FILE_SIZE;
	if (repeat && size > 0)
		map_file(fd, (uint64_t)size, PROT_READ);
	else if (!repeat && HENCE_SYS3(SYS_ftruncate, fd, size, 0) == 0)
		map_file(fd, (uint64_t)size, PROT_READ | PROT_WRITE);
	HENCE_SYS3(SYS_close, fd, 0, 0);
}

/* Stops for good: from here on the runs have parted, or there is no room. */
static void stop(void)
{
	if (file)
		HENCE_SYS3(SYS_munmap, file, file_size, 0);
	file = NULL;
}

/* Makes sure of memory for `size` bytes at `at`, so that a full disk is no SIGBUS. */
static bool reserve(uint64_t size)
{
	uint64_t need = at + size + sizeof(struct answer);

	if (need <= ready)
		return true;
	need = (need + STEP - 1) / STEP * STEP;
	if (need > file_size ||
	    HENCE_SYS3(SYS_madvise, file + ready, need - ready, MADV_POPULATE_WRITE) < 0)
		return false;
	ready = need;
	return true;
}

/* --- the pieces of memory that a call wrote --- */

/* The next piece from clause *i on; false: no more. */
static bool next_piece(struct hence_rt_frame *frame, uint32_t *i, struct hence_rt_region *piece)
{
	const struct outside_clause *clauses = hence_rt_clauses(frame->function);

	for (; *i < frame->function->active; ++*i) {
		const struct outside_clause *clause = &clauses[*i];

		if (clause->kind != OUTSIDE_WRITES || clause->region == OUTSIDE_VECTORS ||
		    clause->region == OUTSIDE_FLAGS ||
		    (clause->when && !hence_rt_value(frame, clause->when)))
			continue;
		*piece = hence_rt_region(frame, clause);
		if (!piece->address || !piece->size)
			continue;
		++*i;
		return true;
	}
	return false;
}

static uint32_t name_of(const struct hence_rt_frame *frame)
{
	const char *base = (const char *)hence_rt_table;

	return outside_hash(base + hence_rt_table->text + frame->function->name);
}

/* --- writing and reading --- */

/* The answer that comes next in the file, if it is this function's; NULL: the runs have parted. */
static const struct answer *next_answer(struct hence_rt_frame *frame)
{
	const struct answer *answer = (const struct answer *)(file + at);

	if (at + sizeof(*answer) > file_size || answer->size < sizeof(*answer) ||
	    answer->size > file_size - at || answer->name != name_of(frame) ||
	    answer->result != frame->call->result_size)
		return NULL;
	return answer;
}

void hence_rt_vary(struct hence_rt_frame *frame)
{
	const struct hence_control *control = hence_rt_control();
	bool experiment = hence_rt_server_experiments();
	bool repeat = experiment || (control && control->repeat);

	/* What the program starts in an experiment goes its own way. */
	if (experiment && !hence_rt_server_repeats())
		return;

	if (number != hence_rt_head.number + 1)
		open_file(repeat);
	if (!file)
		return;
	if (repeat) {
		const struct answer *answer = next_answer(frame);
		const uint8_t *from, *end;
		struct hence_rt_region piece;

		if (!answer) {
			stop();
			return;
		}
		from = (const uint8_t *)(answer + 1);
		end = (const uint8_t *)answer + answer->size;
		plain_copy(frame->call->result, from, answer->result);
		frame->ret = hence_rt_result_value(frame->call);
		from += padded(answer->result);
		for (uint32_t i = 0; from + 8 <= end && next_piece(frame, &i, &piece);) {
			uint64_t size = *(const uint64_t *)from;

			if (size > (uint64_t)(end - from) - 8)
				break;
			plain_copy((void *)piece.address, from + 8,
			           size < piece.size ? size : piece.size);
			from += 8 + padded(size);
		}
		at += answer->size;
	} else {
		const struct hence_rt_call *call = frame->call;
		struct answer answer = {.name = name_of(frame), .result = call->result_size};
		uint64_t size = sizeof(answer) + padded(call->result_size);
		struct hence_rt_region piece;
		uint8_t *to;

		for (uint32_t i = 0; next_piece(frame, &i, &piece); answer.pieces++)
			size += 8 + padded(piece.size);
		if (size > UINT32_MAX || !reserve(size)) {
			stop();
			return;
		}
		answer.size = (uint32_t)size;
		to = file + at + sizeof(answer);
		plain_copy(to, call->result, call->result_size);
		to += padded(call->result_size);
		for (uint32_t i = 0; next_piece(frame, &i, &piece); to += 8 + padded(piece.size)) {
			*(uint64_t *)to = piece.size;
			plain_copy(to + 8, (const void *)piece.address, piece.size);
		}
		*(struct answer *)(file + at) = answer;
		at += size;
	}
}
