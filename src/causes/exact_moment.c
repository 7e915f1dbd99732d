/* Memory of both runs at a point that is asked about: see exact_work.h. */
#include "causes/exact_work.h"

/* Bytes of the same place in both runs. */
struct spot {
	uint64_t place;
	uint64_t addresses[2]; /* 0: that run does not have it */
	uint64_t size;
	uint32_t readers[2]; /* who reads it behind the point; 0: not known */
};

struct gathering {
	struct exact *x;
	struct exact_moment *moment;
	VEC(struct spot) spots;
};

/* --- which places --- */

const uint8_t *exact_mask(const struct hybrid_point *point, uint32_t index, bool back)
{
	uint32_t count;
	const struct change *changes = state_diff_changes(point->diff, &index, 1, back, &count);

	return count == 1 && changes->size == point->differences[index].size ? changes->mask : NULL;
}

uint64_t exact_place_of(const struct exact *x, const struct exact_moment *moment,
                        const struct difference *d, uint64_t k)
{
	/* A text may be longer in the second run. */
	if (k >= d->size)
		return exact_place(x, 1, moment->instances[1], d->b_address + k);
	return d->a_address + k;
}

static void add_differences(struct gathering *r, const struct hybrid_point *point)
{
	for (uint32_t i = 0; i < point->count; i++) {
		const struct difference *d = &point->differences[i];

		*vec_push(&r->spots) = (struct spot){.place = d->a_address,
		                                     .addresses = {d->a_address, d->b_address},
		                                     .size = d->size};
		if (d->b_size > d->size)
			*vec_push(&r->spots) =
				(struct spot){.place = exact_place_of(r->x, r->moment, d, d->size),
			                      .addresses = {0, d->b_address + d->size},
			                      .size = d->b_size - d->size};
	}
}

/* What the slice reads behind the point, of what was there before. */
static void add_crossing(struct gathering *r, unsigned side)
{
	const struct exact *x = r->x;
	const struct exact_side *s = &x->sides[side];

	for (uint32_t i = 0; i < s->edge_count; i++) {
		const struct dual_edge *edge = &s->edges[i];
		uint32_t instance = edge->from < EXECUTION_FIRST ? edge->to : edge->from;
		struct spot spot = {.size = edge->size};

		if (!edge->size || exact_is_before(x, side, edge->to, r->moment->times[side]) ||
		    (edge->from >= EXECUTION_FIRST &&
		     !exact_is_before(x, side, edge->from, r->moment->times[side])))
			continue;
		spot.readers[side] = edge->to;
		spot.addresses[side] = s->written[i];
		spot.addresses[!side] = dual_place(x->dual, side, instance, s->written[i]);
		spot.place = exact_place(x, side, instance, s->written[i]);
		*vec_push(&r->spots) = spot;
	}
}

/* --- their bytes --- */

/* What a load read is known, also if memory had no value as far as anybody had seen. */
static void put_loaded(struct gathering *r, unsigned side, const struct spot *spot)
{
	const struct execution *e = r->x->sides[side].execution;
	uint64_t value;

	if (!spot->readers[side] || execution_insn(e, spot->readers[side])->op != CODE_LOAD ||
	    spot->size != execution_insn(e, spot->readers[side])->bytes)
		return;
	value = exact_made(r->x, side, spot->readers[side]);
	for (uint64_t k = 0; k < spot->size; k++)
		exact_put(&r->moment->memory[side], spot->place + k,
		          (struct exact_byte){.byte = (uint8_t)(value >> 8 * k),
		                              .writer = EXACT_BEFORE});
}

static void put_spot(struct gathering *r, unsigned side, const struct spot *spot,
                     const uint8_t *bytes, const uint8_t *unknown)
{
	for (uint64_t k = 0; k < spot->size; k++) {
		struct exact_byte byte = {bytes[k], unknown[k] ? EXACT_UNKNOWN : EXACT_KNOWN,
		                          EXACT_BEFORE};

		if (unknown[k] != EXACT_LOST)
			exact_put(&r->moment->memory[side], spot->place + k, byte);
	}
}

static struct hence_error *read_side(struct gathering *r, unsigned side)
{
	struct exact_requests requests = {0};
	struct hence_error *error;
	uint8_t *bytes, *unknown;
	uint32_t at = 0;

	for (uint32_t i = 0; i < r->spots.size; i++)
		if (r->spots.at[i].addresses[side])
			exact_ask(&requests,
			          &(struct exact_request){.statement = r->moment->times[side],
			                                  .address = r->spots.at[i].addresses[side],
			                                  .size = r->spots.at[i].size,
			                                  .instance = r->moment->instances[side]});
	error = exact_take(r->x, side, &requests, &bytes, &unknown);
	for (uint32_t i = 0; i < r->spots.size && !error; i++) {
		const struct spot *spot = &r->spots.at[i];

		if (!spot->addresses[side])
			continue;
		put_spot(r, side, spot, bytes + at, unknown + at);
		at += (uint32_t)spot->size;
	}
	for (uint32_t i = 0; i < r->spots.size && !error; i++)
		put_loaded(r, side, &r->spots.at[i]);
	vec_deinit(&requests.at);
	free(bytes);
	free(unknown);
	return error;
}

static uint32_t first_behind(const struct exact *x, unsigned side, uint64_t time)
{
	const struct exact_side *s = &x->sides[side];

	for (uint32_t i = 0; i < s->count; i++)
		if (!exact_is_before(x, side, s->instances[i], time))
			return s->instances[i];
	return s->count ? s->instances[s->count - 1] : EXECUTION_FIRST;
}

struct hence_error *exact_moment(struct exact *x, const struct hybrid_point *point,
                                 const struct exact_moment **out)
{
	struct gathering r = {.x = x};
	struct hence_error *error;

	for (uint32_t i = 0; i < x->moments.size; i++)
		if (x->moments.at[i]->point == point &&
		    x->moments.at[i]->times[0] == point->times[true]) {
			*out = x->moments.at[i];
			return NULL;
		}
	r.moment = mem_alloc(sizeof(*r.moment));
	r.moment->point = point;
	for (unsigned side = 0; side < 2; side++) {
		r.moment->times[side] = point->times[!side];
		r.moment->instances[side] = first_behind(x, side, r.moment->times[side]);
	}
	add_crossing(&r, 0);
	add_crossing(&r, 1);
	add_differences(&r, point);
	error = read_side(&r, 0);
	if (!error)
		error = read_side(&r, 1);
	*vec_push(&x->moments) = r.moment;
	vec_deinit(&r.spots);
	if (!error)
		*out = r.moment;
	return error;
}
