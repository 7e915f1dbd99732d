/*
 * Counts for tests/cases/check: linked into a program whose IR calls these two at the begin of each
 * function and of each basic block (see count-cc). The counters lie in a shared mapping of the
 * file that HENCE_COUNT names, so they survive any death of the program, and processes that it
 * forks or executes add to the same ones. The file holds two u64: functions, blocks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct counts {
	uint64_t functions;
	uint64_t blocks;
};

void hence_count_function(void);
void hence_count_block(void);

/* Before libc knows its environment (resolvers of ifuncs) the program counts here. */
static struct counts early;
static struct counts *counts;

static void open_file(void)
{
	const char *path = environ ? getenv("HENCE_COUNT") : NULL;
	int saved = errno;
	void *memory;
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(struct counts)) != 0)
		abort();
	memory = mmap(NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		abort();
	close(fd);
	counts = memory;
	__atomic_fetch_add(&counts->functions, early.functions, __ATOMIC_RELAXED);
	__atomic_fetch_add(&counts->blocks, early.blocks, __ATOMIC_RELAXED);
	errno = saved;
}

static struct counts *get_counts(void)
{
	if (!counts)
		open_file();
	return counts ? counts : &early;
}

void hence_count_function(void)
{
	__atomic_fetch_add(&get_counts()->functions, 1, __ATOMIC_RELAXED);
}

void hence_count_block(void)
{
	__atomic_fetch_add(&get_counts()->blocks, 1, __ATOMIC_RELAXED);
}
