/* Guard rails as the program has them: see experiment_orders.h. The layout is that of
   runtime/orders.h. */
#include "experiment/experiment_orders.h"
#include "runtime/orders.h"

struct maker {
	const struct point_sites *sites;
	VEC(struct hence_rails_branch) branches;
	VEC(struct hence_rails_case) cases;
};

static void add_case(struct maker *m, const struct site *site, uint32_t successor)
{
	uint64_t value;

	if (point_sites_value(m->sites, site, successor, &value))
		*vec_push(&m->cases) =
			(struct hence_rails_case){value, point_sites_way(m->sites, site, value)};
}

/* Does a bit above the type of what the branch goes by make no difference? */
static bool ignores(const struct maker *m, const struct site *site, uint32_t first, uint32_t bit)
{
	for (uint32_t i = first; i < m->cases.size; i++)
		if (point_sites_way(m->sites, site, m->cases.at[i].value ^ 1ull << bit) !=
		    m->cases.at[i].way)
			return false;
	return true;
}

static uint64_t mask_of(const struct maker *m, const struct site *site, uint32_t first)
{
	for (uint32_t bits = 8; bits < 64; bits *= 2)
		if (ignores(m, site, first, bits))
			return (1ull << bits) - 1;
	return UINT64_MAX;
}

/* Each case has a successor of its own; the first successor is for the rest. */
static void add_branch(struct maker *m, const struct site_place *place)
{
	const struct site *site = &place->site;
	struct hence_rails_branch *branch = vec_push(&m->branches);
	uint64_t value;

	*branch = (struct hence_rails_branch){.address = place->address,
	                                      .number = point_sites_number(m->sites, site),
	                                      .first = m->cases.size};
	if (point_sites_value(m->sites, site, 0, &value))
		branch->way = point_sites_way(m->sites, site, value);
	for (uint32_t i = 1; point_sites_value(m->sites, site, i, &value); i++)
		add_case(m, site, i);
	add_case(m, site, 0);
	branch->count = m->cases.size - branch->first;
	branch->mask = mask_of(m, site, branch->first);
}

static void put_rails(const struct maker *m, const struct rail *rails, uint32_t count,
                      struct str *out)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct rail *rail = &rails[i];
		bool branch = rail->kind == RAIL_FORCE || rail->kind == RAIL_EVALUATE;
		struct hence_order_rail to = {.kind = rail->kind,
		                              .branch = UINT32_MAX,
		                              .way = rail->way,
		                              .other = rail->other,
		                              .skip = rail->skip};

		if (branch)
			to.branch = point_sites_number(m->sites, &rail->site);
		str_add_bytes(out, &to, sizeof(to));
	}
}

void experiment_orders_rails(const struct point_sites *sites, const struct rail *rails,
                             uint32_t count, struct str *out)
{
	struct maker m = {.sites = sites};
	uint32_t places;
	const struct site_place *all = point_sites_all(sites, HENCE_SITE_BRANCH, &places);
	struct hence_rails head = {.rail_count = count, .branches = sizeof(head)};

	for (uint32_t i = 0; i < places; i++)
		add_branch(&m, &all[i]);
	head.branch_count = m.branches.size;
	head.cases = head.branches + m.branches.size * sizeof(*m.branches.at);
	head.rails = head.cases + m.cases.size * sizeof(*m.cases.at);
	head.size = head.rails + count * sizeof(struct hence_order_rail);
	str_add_bytes(out, &head, sizeof(head));
	if (places)
		str_add_bytes(out, m.branches.at, m.branches.size * sizeof(*m.branches.at));
	if (m.cases.size)
		str_add_bytes(out, m.cases.at, m.cases.size * sizeof(*m.cases.at));
	put_rails(&m, rails, count, out);
	vec_deinit(&m.branches);
	vec_deinit(&m.cases);
}
