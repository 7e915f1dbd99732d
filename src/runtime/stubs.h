/*
 * Inside the runtime: stubs, which stand in for sites (sites.h). A site that is taken calls its stub,
 * which counts its counter down, keeping all registers and flags; at zero it calls hence_rt_hit().
 */
#ifndef HENCE_RUNTIME_STUBS_H
#define HENCE_RUNTIME_STUBS_H

#include <stdbool.h>
#include <stdint.h>

/* What the program had in its registers. May be changed, but for what is below `flags`. */
struct hence_rt_registers {
	uint64_t rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t flags;
	uint64_t number; /* of the stub */
	uint64_t site;   /* address behind it: where the program goes on */
			 /* here the stack of the program begins */
};

/* stops.c: a counter has reached zero. On a stack of our own; not while it runs. */
void hence_rt_hit(struct hence_rt_registers *registers);

/* Forgets all stubs; no site calls any. */
void hence_rt_stub_reset(void);

/* A stub for sites near that address; gives its counter. NULL: no memory near enough. */
uint64_t *hence_rt_stub_make(uint32_t number, uint64_t near);

/* Makes sites call the stub whose counter that is, or do nothing again (NULL). False: one is not as
   it should be; those before it are changed. */
bool hence_rt_stub_patch(const uint64_t *addresses, uint64_t count, const uint64_t *counter);

#endif
