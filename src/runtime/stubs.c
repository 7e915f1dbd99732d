/* Stubs: see stubs.h. They lie in areas of memory within reach of a call from the sites. */
#include "runtime/stubs.h"

#include <cpuid.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/sites.h"
#include "runtime/system.h"

#define PAGE      4096ull
#define AREAS     64u   /* one for each program or library, as a rule */
#define STUBS     1024u /* in an area */
#define STUB      48u   /* bytes */
#define CODE      (STUBS * STUB)
#define AREA_SIZE (CODE + (STUBS + 1) * sizeof(uint64_t))
#define DISTANCE  0x60000000ull /* between an area and its sites: of 2 GB that a call reaches */
#define STEP      0x1000000ull  /* to the next place when one is taken */
#define TRIES     16u

/* Its code, then its data: the counters, then the address of hence_rt_stub_hit. */
struct area {
	uint64_t base;
	uint32_t used;
};

static struct area areas[AREAS];
static uint32_t area_count;

/* --- from the stub to C and back --- */

#define STACK_SIZE 65536
#define SAVED      4096 /* for vector registers, at the top of the stack */

static uint8_t stack[STACK_SIZE] __asm__("hence_rt_stub_stack") __attribute__((aligned(64), used));
/* What xsave is to keep; 0: there is only fxsave. */
static uint32_t features __asm__("hence_rt_stub_features") __attribute__((used));

void hence_rt_stub_hit(void);

/* A hit while another is being handled is none: malloc() of the program may be instrumented. */
__asm__("	.text\n"
        "	.globl hence_rt_stub_hit\n"
        "	.hidden hence_rt_stub_hit\n"
        "	.type hence_rt_stub_hit, @function\n"
        "hence_rt_stub_hit:\n"
        "	pushfq\n"
        "	push %r15\n	push %r14\n	push %r13\n	push %r12\n	push %r11\n"
        "	push %r10\n	push %r9\n	push %r8\n	push %rdi\n	push %rsi\n"
        "	push %rbp\n	push %rbx\n	push %rdx\n	push %rcx\n	push %rax\n"
        "	cld\n"
        "	mov %rsp, %rbx\n"
        "	lea hence_rt_stub_stack(%rip), %rax\n"
        "	mov %rsp, %rcx\n"
        "	sub %rax, %rcx\n"
        "	cmp $65536, %rcx\n"
        "	jb 3f\n"
        "	lea 65536-4096(%rax), %rsp\n"
        "	mov %rsp, %rbp\n"
        "	mov %rbx, %rdi\n"
        "	call hence_rt_rails_pass\n"
        "	test %al, %al\n"
        "	jnz 4f\n"
        "	xor %edx, %edx\n"
        "	mov hence_rt_stub_features(%rip), %eax\n"
        "	test %eax, %eax\n"
        "	jz 1f\n"
        "	xsave64 (%rbp)\n"
        "	jmp 2f\n"
        "1:	fxsave64 (%rbp)\n"
        "2:	mov %rbx, %rdi\n"
        "	call hence_rt_hit\n"
        "	xor %edx, %edx\n"
        "	mov hence_rt_stub_features(%rip), %eax\n"
        "	test %eax, %eax\n"
        "	jz 1f\n"
        "	xrstor64 (%rbp)\n"
        "	jmp 2f\n"
        "1:	fxrstor64 (%rbp)\n"
        "2:\n"
        "4:	mov %rbx, %rsp\n"
        "3:	pop %rax\n	pop %rcx\n	pop %rdx\n	pop %rbx\n	pop %rbp\n"
        "	pop %rsi\n	pop %rdi\n	pop %r8\n	pop %r9\n	pop %r10\n"
        "	pop %r11\n	pop %r12\n	pop %r13\n	pop %r14\n	pop %r15\n"
        "	popfq\n"
        "	lea 8(%rsp), %rsp\n"
        "	ret\n"
        "	.size hence_rt_stub_hit, .-hence_rt_stub_hit\n");

_Static_assert(STACK_SIZE == 65536 && SAVED == 4096, "the assembly above says so too");

/* x87, SSE, AVX and AVX-512, as far as the system uses them: at most 2,688 bytes. */
static uint32_t find_features(void)
{
	uint32_t a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return 0;
	__asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	return a & 0xe7;
}

/* --- areas --- */

static uint64_t *counters_of(const struct area *area)
{
	return (uint64_t *)(area->base + CODE);
}

/* Below the sites, where the kernel puts nothing by itself; above them in a program that is linked
   to a low address. */
static bool make_area(struct area *area, uint64_t near)
{
	uint64_t start = near > (1ull << 32) ? near - DISTANCE : near + DISTANCE - TRIES * STEP;

	for (uint32_t i = 0; i < TRIES; i++)
		if (hence_rt_map_at((start + i * STEP) & ~(PAGE - 1), AREA_SIZE)) {
			*area = (struct area){.base = (start + i * STEP) & ~(PAGE - 1)};
			counters_of(area)[STUBS] = (uint64_t)hence_rt_stub_hit;
			return true;
		}
	return false;
}

static bool reaches(const struct area *area, uint64_t address)
{
	int64_t distance = (int64_t)(area->base - address);

	return distance < 0x7f000000ll && distance > -0x7f000000ll;
}

static struct area *find_area(uint64_t near)
{
	features = find_features();
	for (uint32_t i = 0; i < area_count; i++)
		if (reaches(&areas[i], near) && areas[i].used < STUBS)
			return &areas[i];
	if (area_count == AREAS || !make_area(&areas[area_count], near))
		return NULL;
	return &areas[area_count++];
}

/* --- the code of a stub --- */

static uint8_t *put(uint8_t *to, const char *bytes, uint32_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* The distance of something from the end of the four bytes that say it. */
static uint8_t *put_distance(uint8_t *to, const void *target)
{
	int32_t distance = (int32_t)((int64_t)target - (int64_t)to - 4);

	return put(to, (const char *)&distance, 4);
}

static void write_stub(uint8_t *to, uint32_t number, uint64_t *counter, uint64_t *hit)
{
	uint8_t *start = to;

	to = put(to, "\x50\x9f\x0f\x90\xc0", 5); /* push %rax; lahf; seto %al */
	to = put(to, "\x48\xff\x0d", 3);         /* decq counter(%rip) */
	to = put_distance(to, counter);
	to = put(to, "\x74\x05", 2);             /* jz 1f */
	to = put(to, "\x04\x7f\x9e\x58\xc3", 5); /* add $127, %al; sahf; pop %rax; ret */
	to = put(to, "\x04\x7f\x9e\x58", 4);     /* 1: add $127, %al; sahf; pop %rax */
	to = put(to, "\x68", 1);                 /* push $number */
	to = put(to, (const char *)&number, 4);
	to = put(to, "\xff\x25", 2); /* jmp *hit(%rip) */
	to = put_distance(to, hit);
	while (to < start + STUB)
		*to++ = 0xcc;
}

void hence_rt_stub_reset(void)
{
	/* A process that forks is quicker without. */
	for (uint32_t i = 0; i < area_count; i++)
		HENCE_SYS3(SYS_munmap, areas[i].base, AREA_SIZE, 0);
	area_count = 0;
}

uint64_t *hence_rt_stub_make(uint32_t number, uint64_t near)
{
	struct area *area = find_area(near);
	uint64_t *counters;
	uint32_t i;

	if (!area)
		return NULL;
	i = area->used++;
	counters = counters_of(area);
	counters[i] = 0;
	HENCE_SYS3(SYS_mprotect, area->base, CODE, PROT_READ | PROT_WRITE);
	write_stub((uint8_t *)area->base + i * STUB, number, &counters[i], &counters[STUBS]);
	HENCE_SYS3(SYS_mprotect, area->base, CODE, PROT_READ | PROT_EXEC);
	return &counters[i];
}

/* --- sites --- */

static const uint8_t *stub_of(const uint64_t *counter)
{
	for (uint32_t i = 0; i < area_count; i++) {
		uint64_t *counters = counters_of(&areas[i]);

		if (counter >= counters && counter < counters + STUBS)
			return (const uint8_t *)areas[i].base + (counter - counters) * STUB;
	}
	return NULL;
}

/* The pages of a site, which may be two. Sites may share theirs with our own code, so they must
   stay executable. */
static bool open_pages(uint64_t address, bool open)
{
	uint64_t first = address & ~(PAGE - 1);
	uint64_t end = (address + HENCE_SITE_NOP_SIZE + PAGE - 1) & ~(PAGE - 1);

	return !HENCE_SYS3(SYS_mprotect, first, end - first,
	                   PROT_READ | PROT_EXEC | (open ? PROT_WRITE : 0));
}

static bool is_site(const uint8_t *at)
{
	return !memcmp(at, HENCE_SITE_NOP, HENCE_SITE_NOP_SIZE) || *at == 0xe8;
}

static void write_site(uint8_t *at, const uint8_t *stub)
{
	int32_t distance = (int32_t)((int64_t)stub - (int64_t)at - HENCE_SITE_NOP_SIZE);

	if (!stub) {
		memcpy(at, HENCE_SITE_NOP, HENCE_SITE_NOP_SIZE);
		return;
	}
	*at = 0xe8;
	memcpy(at + 1, &distance, sizeof(distance));
}

bool hence_rt_stub_patch(const uint64_t *addresses, uint64_t count, const uint64_t *counter)
{
	const uint8_t *stub = counter ? stub_of(counter) : NULL;
	uint64_t open = 0;
	bool good = true;

	for (uint64_t i = 0; i < count && good; i++) {
		uint64_t at = addresses[i];

		/* Neighbours often lie in one page. */
		if (!open || at / PAGE != open / PAGE ||
		    (at + HENCE_SITE_NOP_SIZE - 1) / PAGE != open / PAGE) {
			if (open)
				open_pages(open, false);
			open = open_pages(at, true) ? at : 0;
		}
		good = open && is_site((const uint8_t *)at);
		if (good)
			write_site((uint8_t *)at, stub);
	}
	if (open)
		open_pages(open, false);
	return good;
}
