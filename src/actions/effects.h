/*
 * The effects of an outside call, as they stand at the end of a HENCE_CALL or HENCE_RETURN record
 * (runtime/protocol.h): a list of struct hence_effect, some with bytes behind them.
 *
 *	if (!effects_begin(bytes, size, &effects))
 *		the list is damaged;
 *	while (effects_next(&effects, &effect))
 *		use(effect.head.kind, effect.bytes);
 *
 * The whole list is checked at the beginning, so that who goes through it need not.
 */
#ifndef HENCE_ACTIONS_EFFECTS_H
#define HENCE_ACTIONS_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/protocol.h"

/* What is left of a list. */
struct effects {
	const uint8_t *at, *end;
};

struct effect {
	struct hence_effect head;
	const uint8_t *bytes; /* head.size of them; NULL: the effect has none */
};

/* Takes the `size` bytes of a list, which must outlive it. False: they are not a list of effects,
   and `out` is as it was. */
bool effects_begin(const uint8_t *bytes, uint64_t size, struct effects *out);

/* The next effect. False: there are no more. */
bool effects_next(struct effects *effects, struct effect *out);

#endif
