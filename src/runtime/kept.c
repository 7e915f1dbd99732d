/*
 * Streams that keep their content in memory of the program: see kept.h.
 *
 * A given buffer (fmemopen) is compared around each call that has to do with the stream. A growing
 * one (open_memstream) is the library's until a flush or close stores where it is and how long.
 * Since the last one, only its end was written, unless the position was set.
 */
#include "runtime/kept.h"

#include "runtime/objects.h"
#include "runtime/outside.h"

#define MOST_KEPT   64u          /* at once; further ones are not followed */
#define MOST_LENGTH (1ull << 32) /* more is no length */

struct kept {
	const FILE *file;
	uint64_t buffer, room; /* a given buffer */
	/* A growing one: addresses of the two variables, and what they had when last looked at. */
	uint64_t at, length, unit;
	uint64_t at_value, length_value;
	uint64_t block, end; /* object that was told of, and its size; 0: none yet */
	bool moved;          /* since then, the position was set */
};

/* What a call has to do with a stream: a set. */
enum use {
	USED = 1,
	MOVED = 2,
	FLUSHED = 4,
	MAY_HAVE_FLUSHED = 8,
	CLOSED = 16,
	OPENED = 32, /* its address is that of a new stream */
};

uint32_t hence_rt_kept;
static struct kept kept[MOST_KEPT];

static void drop(uint32_t i)
{
	kept[i] = kept[--hence_rt_kept];
}

void hence_rt_keep(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	struct kept new = {.file = (const FILE *)hence_rt_value(frame, clause->stream)};
	struct hence_rt_region region;

	for (uint32_t i = hence_rt_kept; i > 0; i--)
		if (kept[i - 1].file == new.file)
			drop(i - 1);
	if (!new.file || hence_rt_kept == MOST_KEPT)
		return;
	if (clause->region == OUTSIDE_NOWHERE) {
		new.at = (uint64_t)hence_rt_value(frame, clause->at);
		new.length = (uint64_t)hence_rt_value(frame, clause->to);
		new.unit = clause->extra ? (uint64_t)hence_rt_value(frame, clause->extra) : 1;
		if (!hence_rt_read(&new.at_value, new.at, 8) ||
		    !hence_rt_read(&new.length_value, new.length, 8))
			return;
	} else {
		region = hence_rt_region(frame, clause);
		new.buffer = region.address;
		new.room = region.size;
		if (!new.buffer)
			return;
	}
	kept[hence_rt_kept++] = new;
}

bool hence_rt_is_growing(const FILE *file)
{
	for (uint32_t i = 0; i < hence_rt_kept; i++)
		if (kept[i].file == file && kept[i].at)
			return true;
	return false;
}

/* --- what a call has to do with it --- */

static uint32_t use_by_clause(struct hence_rt_frame *frame, const struct outside_clause *clause,
                              const FILE *file)
{
	uint64_t value;

	if (clause->stream_kind != OUTSIDE_FILE)
		return 0;
	value = (uint64_t)hence_rt_value(frame, clause->stream);
	if (value != (uint64_t)file && (value || clause->kind != OUTSIDE_FLUSHES))
		return 0;
	switch (clause->kind) {
	case OUTSIDE_MOVES: return MOVED;
	case OUTSIDE_FLUSHES: return value ? FLUSHED : MAY_HAVE_FLUSHED;
	case OUTSIDE_CLOSES: return CLOSED;
	case OUTSIDE_OPENS: return OPENED;
	default: return USED;
	}
}

/* Before the call, conditions are not known: it may do all that the model says. */
static uint32_t use_of(struct hence_rt_frame *frame, const FILE *file, bool after)
{
	const struct hence_rt_call *call = frame->call;
	const struct outside_clause *clauses;
	uint32_t set = 0;

	for (uint32_t i = 0; i < call->argc && call->site->signature[i + 1]; i++)
		if (call->site->signature[i + 1] == 'p' && call->args[i].p == file)
			set |= frame->function ? USED : USED | MOVED | MAY_HAVE_FLUSHED;
	if (!frame->function)
		return set;
	clauses = hence_rt_clauses(frame->function);
	for (uint32_t i = 0; i < frame->function->active; i++)
		if (!after || !clauses[i].when || hence_rt_value(frame, clauses[i].when))
			set |= use_by_clause(frame, &clauses[i], file);
	return set;
}

void hence_rt_kept_before(struct hence_rt_frame *frame)
{
	frame->ret = 0;
	for (uint32_t i = 0; i < hence_rt_kept; i++)
		if (kept[i].buffer && use_of(frame, kept[i].file, false))
			hence_rt_observe_bytes(frame, kept[i].buffer, kept[i].room);
}

/* --- a growing buffer --- */

/* The variables may have gone when the stream was closed unseen: nothing is believed unread. */
static void update(struct kept *k, uint32_t use)
{
	uint64_t block, length, end;
	uint64_t from;

	if (!hence_rt_read(&block, k->at, 8) || !hence_rt_read(&length, k->length, 8))
		return;
	if (!(use & (FLUSHED | CLOSED)) && block == k->at_value && length == k->length_value)
		return;
	if (!block || length >= MOST_LENGTH)
		return;
	end = (length + 1) * k->unit;
	/* A flush in front of the end leaves the rest where it is. */
	if (block == k->block && end < k->end && !(use & CLOSED))
		end = k->end;
	if (!hence_rt_readable(block) || !hence_rt_readable(block + end - 1))
		return;
	k->at_value = block;
	k->length_value = length;
	hence_rt_effect_bytes(HENCE_WROTE, 0, -1, k->at, 8);
	hence_rt_effect_bytes(HENCE_WROTE, 0, -1, k->length, 8);
	from = k->block == block && !k->moved && end >= k->end ? k->end - k->unit : 0;
	if (block != k->block || end != k->end) {
		if (k->block) {
			hence_rt_effect(HENCE_FREED, 0, -1, k->block, 0, 0);
			hence_rt_objects_remove(k->block);
		}
		hence_rt_effect(HENCE_ALLOCATED, 0, -1, block, 0, end);
		hence_rt_objects_add(block, end);
	}
	hence_rt_effect_bytes(HENCE_WROTE, 0, -1, block + from, end - from);
	k->block = block;
	k->end = end;
	k->moved = false;
}

void hence_rt_kept_after(struct hence_rt_frame *frame)
{
	for (uint32_t i = hence_rt_kept; i > 0; i--) {
		struct kept *k = &kept[i - 1];
		uint32_t use = use_of(frame, k->file, true);

		k->moved |= (use & MOVED) != 0;
		if (k->at && use & (FLUSHED | MAY_HAVE_FLUSHED | CLOSED))
			update(k, use);
		if (use & (CLOSED | OPENED))
			drop(i - 1);
	}
}
