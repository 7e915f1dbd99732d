/*
 * What a model's clauses ask for: before the call, things that it may change; after it, the effects
 * for the tape. Clauses are done in the order of the model.
 */
#include <getopt.h>
#include <sys/uio.h>

#include "runtime/kept.h"
#include "runtime/objects.h"
#include "runtime/outside.h"
#include "runtime/plain.h"

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

static void prepare_list(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const uint64_t *list = (const uint64_t *)hence_rt_argument(frame->call, clause->extra);

	for (int i = 0; i < 3; i++)
		frame->list[i] = list ? list[i] : 0;
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

static void prepare_clause(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_TEXT: prepare_text(frame, clause); break;
	case OUTSIDE_WRITES:
		if (clause->region == OUTSIDE_FLAGS)
			prepare_flags(frame, clause);
		break;
	case OUTSIDE_CLOSES: frame->closing = stream_of(frame, clause); break;
	case OUTSIDE_FORMATS:
	case OUTSIDE_SCANS:
		if (clause->extra != OUTSIDE_FORM)
			prepare_list(frame, clause);
		/* fall through */
	case OUTSIDE_CONSUMES:
	case OUTSIDE_MOVES:
		if (clause->stream_kind == OUTSIDE_FILE)
			hence_rt_streams_look(&frame->view,
			                      (FILE *)hence_rt_value(frame, clause->stream));
		break;
	default: break;
	}
}

void hence_rt_prepare(struct hence_rt_frame *frame)
{
	const struct outside_function *function = frame->function;
	const struct outside_clause *clauses = hence_rt_clauses(function);

	frame->ret = 0;
	for (uint32_t mask = function->old_active; mask; mask &= mask - 1) {
		int k = __builtin_ctz(mask);

		frame->old[k] = hence_rt_value(frame, function->olds[k]);
	}
	for (uint32_t i = 0; i < function->active; i++)
		prepare_clause(frame, &clauses[i]);
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

static void apply_writes(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	if (clause->region == OUTSIDE_VECTORS)
		each_vector(frame, clause, wrote, -1, 0);
	else if (clause->region != OUTSIDE_FLAGS)
		wrote(clause, hence_rt_region(frame, clause), -1, 0);
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

/* From a descriptor: as many bytes as the model says. */
static void consume_fd(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	int32_t fd = stream_of(frame, clause);
	int64_t at = clause->extra ? hence_rt_value(frame, clause->extra) : -1;
	struct hence_rt_region region = {0, 0};
	uint64_t size;

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

static void consume_file(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
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
		hence_rt_effect(HENCE_INPUT, clause->argument, frame->view.fd, region.address,
		                frame->view.at, taken);
	wrote(clause, region, -1, 0);
}

static void consume_environment(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	struct hence_rt_region region = hence_rt_region(frame, clause);

	if (region.address)
		hence_rt_effect(HENCE_INPUT, clause->argument, ENVIRONMENT, region.address,
		                region.address, region.size);
	wrote(clause, region, -1, 0);
}

static void apply_consumes(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	if (clause->stream_kind == OUTSIDE_FILE)
		consume_file(frame, clause);
	else if (clause->stream_kind == OUTSIDE_FD)
		consume_fd(frame, clause);
	else
		consume_environment(frame, clause);
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

static void apply_closes(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	if (frame->closing < 0)
		return;
	hence_rt_effect(HENCE_CLOSED, clause->argument, frame->closing, 0, 0, 0);
	hence_rt_streams_reset(frame->closing, -1);
}

static void apply_moves(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	if (clause->stream_kind == OUTSIDE_FILE)
		hence_rt_streams_moved(&frame->view);
}

/* --- all --- */

static void apply_clause(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_WRITES:
	case OUTSIDE_PERMUTES: apply_writes(frame, clause); break;
	case OUTSIDE_FORMATS: hence_rt_formatted(frame, clause); break;
	case OUTSIDE_SCANS: hence_rt_scanned(frame, clause); break;
	case OUTSIDE_CONSUMES: apply_consumes(frame, clause); break;
	case OUTSIDE_PRODUCES: apply_produces(frame, clause); break;
	case OUTSIDE_MOVES: apply_moves(frame, clause); break;
	case OUTSIDE_ALLOCATES: apply_allocates(frame, clause); break;
	case OUTSIDE_FREES: apply_frees(frame, clause); break;
	case OUTSIDE_OPENS: apply_opens(frame, clause); break;
	case OUTSIDE_CLOSES: apply_closes(frame, clause); break;
	case OUTSIDE_KEEPS: hence_rt_keep(frame, clause); break;
	default: break; /* texts were taken before; sources are only for the decoder */
	}
}

void hence_rt_apply(struct hence_rt_frame *frame)
{
	const struct outside_clause *clauses = hence_rt_clauses(frame->function);

	for (uint32_t i = 0; i < frame->function->active; i++)
		if (clauses[i].kind != OUTSIDE_SOURCE && clauses[i].kind != OUTSIDE_TEXT &&
		    holds(frame, &clauses[i]))
			apply_clause(frame, &clauses[i]);
}
