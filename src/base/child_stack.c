#include "base/child_stack.h"

#include <stddef.h>
#include <sys/mman.h>

#define SIZE (256u << 10)

void *child_stack_create(void)
{
	void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	return stack == MAP_FAILED ? NULL : stack;
}

void *child_stack_top(void *stack)
{
	return (char *)stack + SIZE;
}

#ifdef __SANITIZE_ADDRESS__
void __asan_unpoison_memory_region(void const volatile *at, size_t size);
#endif

void child_stack_destroy(void *stack)
{
	if (!stack)
		return;
#ifdef __SANITIZE_ADDRESS__
	/* The child left its functions by execve() or exit: what it marked as not to be touched would stay so for what is mapped
	   here next. */
	__asan_unpoison_memory_region(stack, SIZE);
#endif
	munmap(stack, SIZE);
}
