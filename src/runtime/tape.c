/*
 * The tape as the program sees it: a file mapped shared. Memory is taken in growing steps by
 * MADV_POPULATE_*, so that a full disk is an answer here and not a SIGBUS in the program.
 *
 * Without a session, and after recording has stopped, the hooks write into a small buffer and begin
 * it anew whenever a check fails.
 */
#include "runtime/tape.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#include "runtime/calls.h"
#include "runtime/server.h"
#include "runtime/system.h"

#define SINK       16384u
#define FIRST_STEP (256u << 10)
#define LAST_STEP  (4u << 20)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

static uint8_t sink[SINK + 16 * HENCE_SLACK];

/* A page of its own, so that the tape's first page can be mapped over it. */
union {
	struct hence_head head;
	uint8_t page[4096];
} hence_rt_head_page __asm__("hence_rt_head") __attribute__((aligned(4096))) HENCE_RT_EXPORT = {
	.head = {.cur = sink, .end = sink + SINK, .state = HENCE_OFF},
};

__thread union hence_rt_value hence_rt_args[HENCE_RT_ARGS];
__thread uint8_t hence_rt_result[HENCE_RESULT];

struct hence_rt_stream hence_rt_stream;
volatile uint32_t hence_rt_busy;

static const char *session;
static uint64_t step = FIRST_STEP;
static int advice;

const char *hence_rt_session(void)
{
	return session;
}

/* --- opening --- */

/* FOLDER/NNNNNNNN.tape */
static bool tape_path(char *path, size_t room, const char *folder, uint32_t number)
{
	size_t length = strlen(folder);

	if (length + sizeof("/00000000.tape") > room)
		return false;
	memcpy(path, folder, length);
	path[length] = '/';
	for (int i = 8; i > 0; i--, number /= 10)
		path[length + (size_t)i] = (char)('0' + number % 10);
	memcpy(path + length + 9, ".tape", 6);
	return true;
}

/* The program's own limit on file sizes holds for the tape too. */
static uint64_t allowed(uint64_t limit)
{
	struct rlimit r = {RLIM_INFINITY, RLIM_INFINITY};

	HENCE_SYS6(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &r, 0, 0);
	if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > limit + HENCE_RT_SIDE)
		return limit;
	return r.rlim_cur > HENCE_RT_SIDE ? (r.rlim_cur - HENCE_RT_SIDE) & ~4095ull : 0;
}

/* Maps the file, with less room when the program's address space is limited. */
static uint8_t *map_stream(long fd, uint64_t *limit, uint8_t *where)
{
	int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_NORESERVE;

	for (; *limit >= 2 * FIRST_STEP; *limit = (*limit / 2) & ~4095ull) {
		uint64_t size = *limit + HENCE_RT_SIDE;
		long p = where ? HENCE_SYS6(SYS_mmap, where, size, protection, flags | MAP_FIXED,
		                            fd, 0)
		               : (long)hence_rt_map(size, protection, flags, fd);

		if (p > 0 || p <= -4096)
			return (uint8_t *)p;
	}
	return NULL;
}

static bool map_head(long fd)
{
	uint8_t *page = hence_rt_head_page.page;
	long p;

	p = HENCE_SYS6(SYS_mmap, page, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	return p == (long)page;
}

/* Pages of a file in memory are there for writing once they have been read, and reading maps many of
   them at a time. A file on disk must be written to, or a full disk would be noticed too late. */
static int choose_advice(long fd)
{
	struct statfs info = {0};

	HENCE_SYS3(SYS_fstatfs, fd, &info, 0);
	return info.f_type == TMPFS_MAGIC ? MADV_POPULATE_READ : MADV_POPULATE_WRITE;
}

static void start_stream(uint8_t *base, uint64_t limit, uint32_t number)
{
	struct hence_head *head = &hence_rt_head;

	memcpy(head->magic, HENCE_TAPE_MAGIC, 8);
	head->protocol = HENCE_PROTOCOL;
	head->number = head->parent = number;
	head->base = base;
	head->limit = limit;
	head->pid = (int32_t)HENCE_SYS3(SYS_getpid, 0, 0, 0);
	head->parent_pid = (int32_t)HENCE_SYS3(SYS_getppid, 0, 0, 0);
	head->cur = base + HENCE_STREAM;
	head->end = NULL;
	head->state = HENCE_RECORDING;
	head->populated = FIRST_STEP;
	hence_rt_stream.committed = base + FIRST_STEP;
	hence_rt_stream.limit = base + limit;
	hence_rt_stream.end = base + FIRST_STEP - HENCE_SLACK;
	step = FIRST_STEP;
}

bool hence_rt_tape_open(const char *folder, uint32_t number, uint64_t limit)
{
	uint8_t *old = hence_rt_recording() ? hence_rt_head.base : NULL, *base;
	char path[4096];
	long fd;

	limit = allowed(limit);
	if (!tape_path(path, sizeof(path), folder, number))
		return false;
	fd = HENCE_SYS3(SYS_open, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	base = HENCE_SYS3(SYS_ftruncate, fd, limit + HENCE_RT_SIDE, 0) < 0
	               ? NULL
	               : map_stream(fd, &limit, old);
	/* Memory for the beginning; the file's first page is then there for the head as well. */
	if (base &&
	    (HENCE_SYS3(SYS_madvise, base, FIRST_STEP, MADV_POPULATE_WRITE) < 0 || !map_head(fd)))
		base = NULL;
	advice = choose_advice(fd);
	HENCE_SYS3(SYS_close, fd, 0, 0);
	if (!base)
		return false;
	session = folder;
	start_stream(base, limit, number);
	return true;
}

void hence_rt_tape_repeat(const char *folder, uint32_t number)
{
	session = folder;
	hence_rt_head.number = number;
}

/* --- growing and stopping --- */

static void use_sink(void)
{
	hence_rt_head.cur = sink;
	hence_rt_head.end = sink + SINK;
	hence_rt_head.outframe = 0;
	hence_rt_stream.end = NULL; /* so that nothing is put */
}

/* The program gets a page of its own; the file keeps the head as it is. */
void hence_rt_forget_tape(void)
{
	HENCE_SYS6(SYS_mmap, hence_rt_head_page.page, 4096, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	hence_rt_head.state = HENCE_OFF;
	use_sink();
}

void hence_rt_stop(enum hence_tape_state why)
{
	if (!hence_rt_recording())
		return;
	hence_rt_head.state = why;
	hence_rt_forget_tape();
}

static bool populate(uint64_t bytes)
{
	struct hence_rt_stream *s = &hence_rt_stream;
	long r;

	if (bytes > (uint64_t)(s->limit - s->committed))
		bytes = (uint64_t)(s->limit - s->committed);
	if (!bytes || !hence_rt_take_budget(bytes))
		return false;
	r = HENCE_SYS3(SYS_madvise, s->committed, bytes, advice);
	if (r < 0 && r != -EINVAL)
		return false;
	s->committed += bytes;
	if (s->limit == hence_rt_head.base + hence_rt_head.limit)
		hence_rt_head.populated = (uint64_t)(s->committed - hence_rt_head.base);
	s->end = s->committed - HENCE_SLACK;
	return true;
}

void hence_rt_tape_grow(void)
{
	while (hence_rt_head.cur > hence_rt_stream.end) {
		step = step < LAST_STEP ? 2 * step : LAST_STEP;
		if (!populate(step)) {
			hence_rt_stop(HENCE_FULL);
			return;
		}
	}
}

void hence_rt_check(void)
{
	if (!hence_rt_recording()) {
		hence_rt_server_count((uint64_t)(hence_rt_head.cur - sink));
		use_sink();
		return;
	}
	hence_rt_tape_grow();
	if (hence_rt_recording())
		hence_rt_head.end = hence_rt_stream.end;
}

/* The slow path of a check in the middle of a function. */
HENCE_RT_EXPORT void hence_rt_full(uint8_t *position);
void hence_rt_full(uint8_t *position)
{
	hence_rt_head.cur = position;
	hence_rt_check();
}

uint8_t *hence_rt_side_start(void)
{
	return hence_rt_head.base + hence_rt_head.limit;
}

/* --- writing --- */

void hence_rt_put_any(const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	while (size && hence_rt_recording()) {
		size_t part = size < HENCE_SLACK / 2 ? size : HENCE_SLACK / 2;

		if (hence_rt_head.cur > hence_rt_stream.end)
			hence_rt_tape_grow();
		if (!hence_rt_recording())
			return;
		memcpy(hence_rt_head.cur, from, part);
		hence_rt_head.cur += part;
		from += part;
		size -= part;
	}
}

uint8_t *hence_rt_open_record(enum hence_tag tag)
{
	uint32_t begin[2] = {tag, HENCE_UNFINISHED};
	uint8_t *record;

	hence_rt_put(begin, sizeof(begin));
	record = hence_rt_head.cur - sizeof(begin);
	return hence_rt_recording() ? record : NULL;
}

void hence_rt_close_record(uint8_t *record)
{
	uint32_t size;

	if (!record || !hence_rt_recording())
		return;
	size = (uint32_t)(hence_rt_head.cur - record - 8);
	memcpy(record + 4, &size, sizeof(size));
}
