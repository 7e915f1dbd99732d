/*
 * What logger.c tells paths.c about a program, as text:
 *
 *	function NAME BLOCKS
 *	ITEMS END [SUCCESSOR...]        for each block
 *
 * ITEMS is a word that begins with ':' and has a letter for each thing in the block: 's' a statement that
 * calls nothing, 'c' a call that is a statement, 'n' one that is not. The statement of the block's end is
 * among them. END is 'r' return, 'u' unreachable, 'g' goto, 'b' a choice.
 *
 * And what log.c writes: a sequence of struct event.
 */
#ifndef TESTS_ALIGN_MAP_H
#define TESTS_ALIGN_MAP_H

#include <stdint.h>

enum event_kind {
	EVENT_NONE,
	EVENT_ENTER, /* `value` is the address of the function */
	EVENT_BLOCK,
	EVENT_CALL, /* number `value` of its block; the next event has the address of the callee */
	EVENT_TARGET,
	EVENT_AFTER, /* call number `value` of block `block` has returned */
	EVENT_LEAVE,
};

struct event {
	uint32_t kind;
	uint32_t function, block;
	uint32_t unused;
	uint64_t frame; /* address: tells calls apart */
	uint64_t value;
};

#endif
