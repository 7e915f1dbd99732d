/* Memory from the system: see memory.h. */
#include "runtime/memory.h"

#include <sys/mman.h>

#include "runtime/runtime.h"
#include "runtime/system.h"

/* Far above programs and their heap, far below libraries and the stack, and outside of what
   sanitizers take. */
#define AREA 0x680000000000ull
#define PAGE 4096ull

static uint64_t next = AREA;

static long map(uint64_t address, uint64_t size, int protection, int flags, long fd)
{
	return HENCE_SYS6(SYS_mmap, address, size, protection, flags, fd, 0);
}

static bool failed(long p)
{
	return p < 0 && p > -4096;
}

void *hence_rt_map(uint64_t size, int protection, int flags, long fd)
{
	uint64_t whole = (size + PAGE - 1) & ~(PAGE - 1);
	long p = map(next, size, protection, flags | MAP_FIXED_NOREPLACE, fd);

	/* A kernel that does not know the flag takes the address for a hint. */
	if (failed(p))
		p = map(0, size, protection, flags, fd);
	else
		next = (uint64_t)p + whole;
	return failed(p) ? NULL : (void *)p;
}

void *hence_rt_map_at(uint64_t address, uint64_t size)
{
	long p = map(address, size, PROT_READ | PROT_WRITE,
	             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);

	if (failed(p))
		return NULL;
	if ((uint64_t)p == address)
		return (void *)p;
	HENCE_SYS3(SYS_munmap, p, size, 0);
	return NULL;
}

void *hence_rt_memory(size_t size)
{
	return hence_rt_map(size, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}
