/*
 * ours MODELS FOLDER A B: how src/align aligns tapes A and B of the session, as paths.c writes it.
 * The numbers of statements must be those that the decoder counts. Linked with hence.
 */
#include <stdio.h>
#include <stdlib.h>

#include "follow.h"

#include "align/align.h"
#include "outside/table.h"
#include "trace/execution.h"

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "ours: %s\n", error->message);
	exit(1);
}

static uint64_t decoded_statements(const struct recording *run)
{
	struct execution_options options = {.table = run->table};
	struct execution *e;
	uint64_t count;

	must(execution_create(run->modules, run->folder, run->tape, &options, &e));
	must(execution_run(e, NULL));
	count = execution_statements(e);
	execution_destroy(e);
	return count;
}

/* What has no partner has a fork or is aligned, and both directions agree. */
static void check_answers(const struct alignment *al)
{
	for (uint64_t a = 1; a <= al->a_statements; a++) {
		uint64_t b = alignment_of_a(al, a);

		if (b ? alignment_of_b(al, b) != a || alignment_decided(al, true, a) != NULL
		      : false) {
			fprintf(stderr, "ours: the answers for %llu do not agree\n",
			        (unsigned long long)a);
			exit(1);
		}
	}
}

static void check_forks(const struct alignment *al)
{
	for (uint32_t i = 0; i < al->forks.size; i++) {
		const struct align_fork *f = &al->forks.at[i], *next = f + 1;

		if (f->a_end <= f->a || f->b_end <= f->b ||
		    (i + 1 < al->forks.size &&
		     (next->a < f->a_end - 1 || next->b < f->b_end - 1))) {
			fprintf(stderr, "ours: fork %u is not in order\n", i);
			exit(1);
		}
	}
}

/* Both runs can go along the rails of either. */
static void check_rails(const struct recording *runs, const struct alignment *al)
{
	for (unsigned list = 0; list < 2; list++) {
		const struct rail *all;
		struct rails *rails;
		uint32_t count;

		must(rails_create(&runs[0], &runs[1], al, list, &rails));
		all = rails_all(rails, &count);
		for (unsigned i = 0; i < 2; i++) {
			struct point_branches b;
			uint32_t at = 0;

			must(points_branches(&runs[i], UINT64_MAX, &b));
			for (uint32_t k = 0; k < b.all.size && at != UINT32_MAX; k++)
				at = follow_branch(all, count, at, &b.all.at[k]);
			if (at == UINT32_MAX || !follow_ended(all, count, at)) {
				fprintf(stderr, "ours: the rails of run %u do not let run %u\n",
				        list, i);
				exit(1);
			}
			point_branches_deinit(&b);
		}
		rails_destroy(rails);
	}
}

int main(int argc, char **argv)
{
	struct recording runs[2] = {0};
	struct alignment al;
	size_t size;
	void *table;

	if (argc != 5)
		return 2;
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	for (int i = 0; i < 2; i++) {
		runs[i].modules = i ? runs[0].modules : modules_create();
		runs[i].folder = argv[2];
		runs[i].tape = (uint32_t)atoi(argv[3 + i]);
		runs[i].table = table;
	}
	must(align_runs(&runs[0], &runs[1], NULL, &al));
	if (al.a_statements != decoded_statements(&runs[0]) ||
	    al.b_statements != decoded_statements(&runs[1])) {
		fprintf(stderr,
		        "ours: the decoder counts %llu and %llu statements, align %llu and %llu\n",
		        (unsigned long long)decoded_statements(&runs[0]),
		        (unsigned long long)decoded_statements(&runs[1]),
		        (unsigned long long)al.a_statements, (unsigned long long)al.b_statements);
		return 1;
	}
	check_answers(&al);
	check_forks(&al);
	check_rails(runs, &al);
	for (uint32_t i = 0; i < al.spans.size; i++)
		printf("%llu %llu %llu\n", (unsigned long long)al.spans.at[i].a,
		       (unsigned long long)al.spans.at[i].b,
		       (unsigned long long)al.spans.at[i].count);
	printf("%llu and %llu statements\n", (unsigned long long)al.a_statements,
	       (unsigned long long)al.b_statements);
	alignment_deinit(&al);
	modules_destroy(runs[0].modules);
	free(table);
	return 0;
}
