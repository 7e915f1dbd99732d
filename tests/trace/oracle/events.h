/*
 * The log of the oracle: what a program built with oracle-cc writes (log.c) and oracle.c reads.
 * Each event is a struct event; behind it come `bytes` bytes of memory as they were then.
 */
#ifndef ORACLE_EVENTS_H
#define ORACLE_EVENTS_H

#include <stdint.h>

enum event_kind {
	EVENT_GLOBAL,   /* variable number `function` lies at `address` */
	EVENT_FUNCTION, /* function number `function` lies at `address` */
	EVENT_ENTER,    /* of a function */
	EVENT_LEAVE,    /* just before it returns */
	EVENT_BYVAL,    /* parameter `instruction` is a structure that was copied to `address` */
	EVENT_LOCAL,    /* local `instruction` lies at `address` */
	EVENT_BLOCK,
	EVENT_LOAD, /* with its bytes */
	EVENT_STORE,
	EVENT_COPY, /* to `address` from `other`; all these: after it is done */
	EVENT_FILL,
	EVENT_DYNAMIC, /* alloca(), an array of variable length */
	EVENT_PASS,    /* before a call: parameter `other` will be a copy of the structure here */
	EVENT_CALL,    /* before a call */
	EVENT_WROTE,   /* the call that is under way wrote this */
	EVENT_BORN,    /* and made this object; `other`: it is zeroed */
	EVENT_DIED,    /* and freed that one */
	EVENT_MOVED,   /* and gave the object at `other` a new place and size */
};

struct event {
	uint32_t kind;
	uint32_t function, block, instruction;
	uint64_t address, other, size;
	uint64_t bytes;
};

#endif
