/* The effects of an outside call: see effects.h. */
#include "actions/effects.h"

#include <assert.h>
#include <string.h>

/* Has an effect of this kind bytes behind it? -1: there is no such kind. */
static int bytes_wanted(const struct hence_effect *head)
{
	switch (head->kind) {
	case HENCE_WROTE:
	case HENCE_TEXT:
	case HENCE_SEEN: return 1;
	case HENCE_INPUT:
	case HENCE_OUTPUT:
	case HENCE_ALLOCATED:
	case HENCE_FREED:
	case HENCE_CLOSED: return 0;
	case HENCE_OPENED: return head->has_bytes == 1; /* not everything has a name */
	default: return -1;
	}
}

static bool take(struct effects *effects, struct effect *out)
{
	uint64_t rest = (uint64_t)(effects->end - effects->at);

	if (rest < sizeof(out->head))
		return false;
	memcpy(&out->head, effects->at, sizeof(out->head));
	rest -= sizeof(out->head);
	if (out->head.has_bytes != bytes_wanted(&out->head))
		return false;
	if (out->head.has_bytes && out->head.size > rest)
		return false;
	effects->at += sizeof(out->head);
	out->bytes = out->head.has_bytes ? effects->at : NULL;
	effects->at += out->head.has_bytes ? out->head.size : 0;
	return true;
}

bool effects_begin(const uint8_t *bytes, uint64_t size, struct effects *out)
{
	struct effects all = {bytes, bytes + size}, left = all;
	struct effect effect;

	while (left.at < left.end)
		if (!take(&left, &effect))
			return false;
	*out = all;
	return true;
}

bool effects_next(struct effects *effects, struct effect *out)
{
	bool whole;

	if (effects->at >= effects->end)
		return false;
	whole = take(effects, out);
	assert(whole); /* effects_begin() has seen it */
	(void)whole;
	return true;
}
