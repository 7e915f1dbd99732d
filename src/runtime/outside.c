/*
 * Calls of functions that were not built with hence cc: the four functions that the border
 * (calls.c) calls. A call without a model is observed (observe.c).
 */
#include "runtime/outside.h"

#include <errno.h>
#include <getopt.h>
#include <sys/uio.h>

#include "runtime/kept.h"
#include "runtime/objects.h"
#include "runtime/plain.h"

/* ------ frames of calls: a stack of our own ------ */

#define STACK_SIZE (16u << 20) /* touched only as far as it is used */

static uint8_t *stack;
static struct hence_rt_frame *top;

static __attribute__((noinline)) bool make_stack(void)
{
	stack = hence_rt_memory(STACK_SIZE);
	return stack;
}

struct hence_rt_frame *hence_rt_frame_push(const struct hence_rt_call *call)
{
	struct hence_rt_frame *frame;
	uint8_t *start;

	if (!stack && !make_stack())
		return NULL;
	/* Calls of this depth or deeper that were left by longjmp(). */
	while (top && top->depth >= call->depth)
		top = top->below;
	start = top ? top->end : stack;
	if (start + sizeof(*frame) > stack + STACK_SIZE)
		return NULL;
	frame = (struct hence_rt_frame *)start;
	frame->below = top;
	frame->end = start + sizeof(*frame);
	frame->depth = call->depth;
	frame->call = call;
	frame->seen = NULL;
	top = frame;
	return frame;
}

void hence_rt_frame_pop(struct hence_rt_frame *frame)
{
	top = frame->below;
}

void *hence_rt_frame_room(struct hence_rt_frame *frame, size_t size)
{
	uint8_t *room = frame->end;

	size = (size + 15) & ~(size_t)15;
	if (size > (size_t)(stack + STACK_SIZE - room))
		return NULL;
	frame->end += size;
	return room;
}

/* ------ effects on the tape ------ */

void hence_rt_effect(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                     uint64_t address, uint64_t offset, uint64_t size)
{
	struct hence_effect effect = {.kind = (uint8_t)kind,
	                              .argument = (uint16_t)argument,
	                              .stream = stream,
	                              .address = address,
	                              .offset = offset,
	                              .size = size};

	hence_rt_put(&effect, sizeof(effect));
}

void hence_rt_effect_bytes(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                           uint64_t address, uint64_t size)
{
	struct hence_effect effect = {.kind = (uint8_t)kind,
	                              .has_bytes = 1,
	                              .argument = (uint16_t)argument,
	                              .stream = stream,
	                              .address = address,
	                              .size = size};

	hence_rt_put(&effect, sizeof(effect));
	hence_rt_put((const void *)address, size);
}

/* ------ what a model's clauses ask for ------ */

/*
 * Before the call, things that it may change; after it, the effects for the tape. Clauses are done in
 * the order of the model.
 */

#define ENVIRONMENT  (-2) /* as a stream of input; the offset is then an address */
#define MOST_OPTIONS 4096u

static bool holds(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	return !clause->when || hence_rt_value(frame, clause->when);
}

/* The descriptor that a clause's stream stands for; -1: none. */
static int32_t stream_of(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	int64_t value = hence_rt_value(frame, clause->stream);

	if (clause->stream_kind == OUTSIDE_FILE)
		return hence_rt_streams_fd((FILE *)value);
	return value >= 0 && value <= INT32_MAX ? (int32_t)value : -1;
}

/* --- before the call --- */

static void prepare_text(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	uint64_t text = (uint64_t)hence_rt_value(frame, clause->at);

	/* A wrong pointer is an error for execve() and its like, not a crash. */
	if (text && hence_rt_readable(text))
		hence_rt_effect_bytes(HENCE_TEXT, clause->argument, -1, text,
		                      plain_length((const char *)text));
}

/* Which flag will be set is not known: those that change are recorded. */
static void prepare_flags(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	uint64_t at = (uint64_t)hence_rt_value(frame, clause->at);
	struct option option;

	for (uint32_t i = 0; i < MOST_OPTIONS; i++, at += sizeof(option)) {
		if (!at || !hence_rt_read(&option, at, sizeof(option)) || !option.name)
			return;
		if (option.flag)
			hence_rt_observe_bytes(frame, (uint64_t)option.flag, sizeof(*option.flag));
	}
}

/* Before the call: old values, texts, streams. */
static void hence_rt_prepare(struct hence_rt_frame *frame)
{
	const struct outside_function *function = frame->function;
	const struct outside_clause *clauses = hence_rt_clauses(function);

	frame->ret = 0;
	for (uint32_t mask = function->old_active; mask; mask &= mask - 1) {
		int k = __builtin_ctz(mask);

		frame->old[k] = hence_rt_value(frame, function->olds[k]);
	}
	for (uint32_t i = 0; i < function->active; i++) {
		const struct outside_clause *clause = &clauses[i];

		switch (clause->kind) {
		case OUTSIDE_TEXT: prepare_text(frame, clause); break;
		case OUTSIDE_WRITES:
			if (clause->region == OUTSIDE_FLAGS)
				prepare_flags(frame, clause);
			break;
		case OUTSIDE_CLOSES: frame->closing = stream_of(frame, clause); break;
		case OUTSIDE_FORMATS:
		case OUTSIDE_SCANS:
			if (clause->extra != OUTSIDE_FORM) {
				const uint64_t *list = (const uint64_t *)hence_rt_argument(
					frame->call, clause->extra);

				for (int k = 0; k < 3; k++)
					frame->list[k] = list ? list[k] : 0;
			}
			/* fall through */
		case OUTSIDE_CONSUMES:
		case OUTSIDE_MOVES:
			if (clause->stream_kind == OUTSIDE_FILE)
				hence_rt_streams_look(&frame->view, (FILE *)hence_rt_value(
									    frame, clause->stream));
			break;
		default: break;
		}
	}
}

/* --- memory --- */

/* Calls `each` for the pieces of memory that an iovec of `count` has in its first `total` bytes. */
static void each_vector(struct hence_rt_frame *frame, const struct outside_clause *clause,
                        void (*each)(const struct outside_clause *, struct hence_rt_region,
                                     int32_t fd, uint64_t offset),
                        int32_t fd, uint64_t offset)
{
	const struct iovec *iov = (const struct iovec *)hence_rt_value(frame, clause->at);
	int64_t count = hence_rt_value(frame, clause->from);
	int64_t total = hence_rt_value(frame, clause->to);

	for (int64_t i = 0; iov && i < count && total > 0; i++) {
		struct hence_rt_region piece = {(uint64_t)iov[i].iov_base, iov[i].iov_len};

		if (piece.size > (uint64_t)total)
			piece.size = (uint64_t)total;
		each(clause, piece, fd, offset);
		offset += piece.size;
		total -= (int64_t)piece.size;
	}
}

static void wrote(const struct outside_clause *clause, struct hence_rt_region region, int32_t fd,
                  uint64_t offset)
{
	if (region.address && region.size)
		hence_rt_effect_bytes(HENCE_WROTE, clause->argument, -1, region.address,
		                      region.size);
}

static void apply_allocates(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	struct hence_rt_region region = hence_rt_region(frame, clause);

	if (!region.address)
		return;
	hence_rt_effect(HENCE_ALLOCATED, clause->argument, -1, region.address, 0, region.size);
	hence_rt_objects_add(region.address, region.size);
}

static void apply_frees(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	uint64_t address = (uint64_t)hence_rt_value(frame, clause->at);

	if (!address)
		return;
	hence_rt_effect(HENCE_FREED, clause->argument, -1, address, 0, 0);
	hence_rt_objects_remove(address);
}

/* --- input --- */

static void took(const struct outside_clause *clause, struct hence_rt_region region, int32_t fd,
                 uint64_t offset)
{
	hence_rt_effect(HENCE_INPUT, clause->argument, fd, region.address, offset, region.size);
	wrote(clause, region, -1, 0);
}

/* How many bytes the model says that the call took; -1: it does not say. */
static int64_t model_count(struct hence_rt_frame *frame, const struct outside_clause *clause,
                           const struct hence_rt_region *region)
{
	if (clause->count)
		return hence_rt_value(frame, clause->count);
	switch (clause->region) {
	case OUTSIDE_RESULT: return 1;
	case OUTSIDE_STRING: return (int64_t)region->size - 1;
	case OUTSIDE_BYTES: return region->size ? (int64_t)region->size : -1;
	default: return -1;
	}
}

static void apply_consumes(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	if (clause->stream_kind == OUTSIDE_FILE) {
		struct hence_rt_region region = {0, 0};
		uint64_t taken;

		frame->consumed = 0;
		if (clause->region != OUTSIDE_RESULT && clause->region != OUTSIDE_NOWHERE)
			region = hence_rt_region(frame, clause);
		taken = hence_rt_streams_taken(&frame->view, model_count(frame, clause, &region));
		frame->consumed = (int64_t)taken;
		/* Input may have zeros in it; a length may depend on what was consumed. */
		if (clause->region == OUTSIDE_STRING && !clause->count && taken >= region.size)
			region.size = taken + 1;
		else if (clause->region == OUTSIDE_BYTES)
			region = hence_rt_region(frame, clause);
		if (frame->view.fd >= 0 && taken)
			hence_rt_effect(HENCE_INPUT, clause->argument, frame->view.fd,
			                region.address, frame->view.at, taken);
		wrote(clause, region, -1, 0);
	} else if (clause->stream_kind == OUTSIDE_FD) {
		int32_t fd = stream_of(frame, clause);
		int64_t at = clause->extra ? hence_rt_value(frame, clause->extra) : -1;
		struct hence_rt_region region = {0, 0};
		uint64_t size;

		/* From a descriptor: as many bytes as the model says. */
		if (clause->region == OUTSIDE_VECTORS) {
			size = (uint64_t)hence_rt_value(frame, clause->to);
			each_vector(frame, clause, took, fd, hence_rt_streams_read(fd, size, at));
			return;
		}
		if (clause->region == OUTSIDE_BYTES || clause->region == OUTSIDE_STRING)
			region = hence_rt_region(frame, clause);
		size = clause->count ? (uint64_t)hence_rt_value(frame, clause->count) : region.size;
		hence_rt_effect(HENCE_INPUT, clause->argument, fd, region.address,
		                hence_rt_streams_read(fd, size, at), size);
		wrote(clause, region, -1, 0);
	} else {
		struct hence_rt_region region = hence_rt_region(frame, clause);

		if (region.address)
			hence_rt_effect(HENCE_INPUT, clause->argument, ENVIRONMENT, region.address,
			                region.address, region.size);
		wrote(clause, region, -1, 0);
	}
}

/* --- output, opening and closing --- */

static void gave(const struct outside_clause *clause, struct hence_rt_region region, int32_t fd,
                 uint64_t offset)
{
	hence_rt_effect(HENCE_OUTPUT, clause->argument, fd, region.address, offset, region.size);
}

static void apply_produces(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	int32_t fd = stream_of(frame, clause);
	struct hence_rt_region region = {0, 0};
	int64_t size;

	if (fd < 0)
		return;
	if (clause->region == OUTSIDE_VECTORS) {
		size = hence_rt_value(frame, clause->to);
		each_vector(frame, clause, gave, fd, hence_rt_streams_wrote(fd, (uint64_t)size));
		return;
	}
	if (clause->region == OUTSIDE_NOWHERE) {
		size = hence_rt_value(frame, clause->to);
		region.size = size > 0 ? (uint64_t)size : 0;
	} else {
		region = hence_rt_region(frame, clause);
		if (!region.size)
			return;
	}
	gave(clause, region, fd, hence_rt_streams_wrote(fd, region.size));
}

static void apply_opens(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	int32_t fd = stream_of(frame, clause);
	uint64_t name = clause->at ? (uint64_t)hence_rt_value(frame, clause->at) : 0;
	int32_t like = clause->extra ? (int32_t)hence_rt_value(frame, clause->extra) : -1;

	if (fd < 0)
		return;
	hence_rt_streams_reset(fd, like);
	if (name)
		hence_rt_effect_bytes(HENCE_OPENED, clause->argument, fd, name,
		                      plain_length((const char *)name));
	else
		hence_rt_effect(HENCE_OPENED, clause->argument, fd, 0, (uint64_t)(like + 1), 0);
}

/* --- all --- */

/* After the call: what the model says that it did. */
static void hence_rt_apply(struct hence_rt_frame *frame)
{
	const struct outside_clause *clauses = hence_rt_clauses(frame->function);

	for (uint32_t i = 0; i < frame->function->active; i++)
		if (clauses[i].kind != OUTSIDE_SOURCE && clauses[i].kind != OUTSIDE_TEXT &&
		    holds(frame, &clauses[i])) {
			const struct outside_clause *clause = &clauses[i];

			switch (clause->kind) {
			case OUTSIDE_WRITES:
			case OUTSIDE_PERMUTES:
				if (clause->region == OUTSIDE_VECTORS)
					each_vector(frame, clause, wrote, -1, 0);
				else if (clause->region != OUTSIDE_FLAGS)
					wrote(clause, hence_rt_region(frame, clause), -1, 0);
				break;
			case OUTSIDE_FORMATS: hence_rt_formatted(frame, clause); break;
			case OUTSIDE_SCANS: hence_rt_scanned(frame, clause); break;
			case OUTSIDE_CONSUMES: apply_consumes(frame, clause); break;
			case OUTSIDE_PRODUCES: apply_produces(frame, clause); break;
			case OUTSIDE_MOVES:
				if (clause->stream_kind == OUTSIDE_FILE)
					hence_rt_streams_moved(&frame->view);
				break;
			case OUTSIDE_ALLOCATES: apply_allocates(frame, clause); break;
			case OUTSIDE_FREES: apply_frees(frame, clause); break;
			case OUTSIDE_OPENS: apply_opens(frame, clause); break;
			case OUTSIDE_CLOSES:
				if (frame->closing >= 0) {
					hence_rt_effect(HENCE_CLOSED, clause->argument,
					                frame->closing, 0, 0, 0);
					hence_rt_streams_reset(frame->closing, -1);
				}
				break;
			case OUTSIDE_KEEPS: hence_rt_keep(frame, clause); break;
			default:
				break; /* texts were taken before; sources are only for the decoder */
			}
		}
}

/* ------ calls ------ */

/* --- finding models --- */

/* The table of names is a hash with open addressing. */
static uint32_t find_model(const struct outside_table *table, const char *name)
{
	const char *base = (const char *)table;
	const uint32_t *slots = (const void *)(base + table->slots);
	const struct outside_function *functions = (const void *)(base + table->functions);
	uint32_t slot = outside_hash(name);

	for (uint32_t tries = 0; tries < table->slot_count; tries++, slot++) {
		uint32_t found = slots[slot & (table->slot_count - 1)];

		if (!found)
			return 0;
		if (plain_equal(base + table->text + functions[found - 1].name, name))
			return found;
	}
	return 0;
}

void hence_rt_outside_resolve(struct hence_rt_import *import)
{
	const char *name = import->name ? import->name : hence_rt_name_of(import->address);

	hence_rt_table_find();
	import->model = hence_rt_table && name ? find_model(hence_rt_table, name) : 0;
}

/* --- the call --- */

void hence_rt_outside_before(struct hence_rt_call *call)
{
	const struct outside_function *function = hence_rt_model(call->import->model);
	struct hence_rt_frame *frame;

	call->scratch = NULL;
	if (function && !function->active && function->flags & OUTSIDE_QUIET)
		return;
	frame = hence_rt_frame_push(call);
	if (!frame)
		return;
	call->scratch = frame;
	frame->function = function;
	frame->errno_before = errno;
	if (!function) {
		hence_rt_head.unmodelled++;
		hence_rt_observe_before(frame);
	} else if (function->flags & OUTSIDE_PREPARES) {
		hence_rt_prepare(frame);
	}
	if (hence_rt_kept)
		hence_rt_kept_before(frame);
}

void hence_rt_outside_result(struct hence_rt_call *call)
{
	struct hence_rt_frame *frame = call->scratch;

	if (!frame)
		return;
	frame->errno_after = errno;
	frame->depth = 0; /* a signal handler must not take it for one that was left */
	frame->ret = hence_rt_result_value(call);
	if (frame->function && frame->function->flags & OUTSIDE_VARIES)
		hence_rt_vary(frame);
}

void hence_rt_outside_after(struct hence_rt_call *call)
{
	struct hence_rt_frame *frame = call->scratch;

	if (!frame)
		return;
	if (frame->errno_after != frame->errno_before) {
		errno = frame->errno_after;
		hence_rt_effect_bytes(HENCE_WROTE, 0, -1, (uint64_t)&errno, sizeof(errno));
	}
	if (hence_rt_kept)
		hence_rt_kept_after(frame);
	if (!frame->function || frame->seen)
		hence_rt_observe_after(frame);
	if (frame->function && frame->function->active)
		hence_rt_apply(frame);
	hence_rt_frame_pop(frame);
}

bool hence_rt_outside_varies(const struct hence_rt_import *import)
{
	const struct outside_function *function = hence_rt_model(import->model);

	return function && function->flags & OUTSIDE_VARIES;
}

void hence_rt_outside_drop(struct hence_rt_call *call)
{
	if (call->scratch)
		hence_rt_frame_pop(call->scratch);
}
