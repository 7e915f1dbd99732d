/* Statements of a dual slice: see dual_listing.h. */
#include "report/dual_listing.h"

#include "base/guard.h"
#include "words/describe.h"
#include "report/json.h"

#define MOST 10000u /* statements of a run that are described: the last ones */

/* A statement of one run. */
struct told {
	uint64_t time;
	char *text, *file, *function;
	unsigned line, column;
};

struct teller {
	VEC(struct told) all; /* in order */
	uint32_t next;        /* that the decoding comes to */
	struct names *names;
	uint64_t left_out;
};

/* --- which statements --- */

static void choose(const struct dual *dual, unsigned side, struct teller *t)
{
	uint32_t first, end, count = 0;
	uint64_t last = 0;

	execution_kept(dual_execution(dual, side), &first, &end);
	for (uint32_t i = first; i < end; i++) {
		uint64_t time = dual_has(dual, side, i) ? dual_statement(dual, side, i) : last;

		if (time <= last)
			continue;
		last = time;
		vec_push(&t->all)->time = time;
	}
	while (t->all.size - count > MOST)
		count++;
	t->left_out = count;
	memmove(t->all.at, t->all.at + count, (t->all.size - count) * sizeof(*t->all.at));
	t->all.size -= count;
}

/* --- what they did --- */

static void tell(struct teller *t, struct execution *e, char *text)
{
	const struct activation *a = execution_top(e, 0);
	LLVMValueRef instruction = a->function->instructions[a->pc ? a->pc - 1 : 0];
	struct told *told = &t->all.at[t->next++];
	unsigned length = 0;
	const char *file = LLVMGetDebugLocFilename(instruction, &length);

	told->text = text;
	told->file = file ? mem_strndup(file, length) : mem_strdup("?");
	told->function = mem_strdup(a->function->plan->name);
	told->line = LLVMGetDebugLocLine(instruction);
	told->column = LLVMGetDebugLocColumn(instruction);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct teller *t = context;
	struct described d = {.unfinished = event == EXECUTION_LEFT};

	names_follow(t->names);
	/* It is told again when it returns. */
	if (t->next >= t->all.size || number != t->all.at[t->next].time ||
	    event == EXECUTION_CALLS_BACK)
		return;
	describe_statement(t->names, e, event == EXECUTION_CALLS, &d);
	tell(t, e, mem_strdup(str_text(&d.text)));
	described_deinit(&d);
	if (t->next == t->all.size)
		walk_halt(execution_walk(e));
}

static void tell_death(void *context, struct execution *e)
{
	struct teller *t = context;

	if (t->next < t->all.size && execution_died(e))
		tell(t, e, mem_strdup("the program died here"));
}

static struct hence_error *decode(const struct recording *run, struct teller *t)
{
	const struct execution_options options = {
		.table = run->table, .statement = on_statement, .context = t};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < t->all.size; i++)
		*vec_push(&times) = t->all.at[i].time;
	error = times.size ? names_visit(run, times.at, times.size, &options, &t->names, tell_death)
	                   : NULL;
	vec_deinit(&times);
	return error;
}

/* --- both runs --- */

static void free_told(struct teller *t)
{
	for (uint32_t i = 0; i < t->all.size; i++) {
		free(t->all.at[i].text);
		free(t->all.at[i].file);
		free(t->all.at[i].function);
	}
	vec_deinit(&t->all);
}

/* Takes over what was told. */
static void put(struct dual_listing_entry *entry, unsigned side, struct told *told)
{
	entry->times[side] = told->time;
	entry->texts[side] = told->text;
	told->text = NULL;
	if (entry->file)
		return;
	entry->file = told->file;
	entry->function = told->function;
	entry->line = told->line;
	entry->column = told->column;
	told->file = told->function = NULL;
}

/* Those that are alone come before the next one that both have. */
static void merge(const struct alignment *alignment, struct teller tellers[2],
                  struct dual_listing *out)
{
	uint32_t at[2] = {0};

	while (at[0] < tellers[0].next || at[1] < tellers[1].next) {
		struct dual_listing_entry *entry = vec_push(&out->entries);
		struct told *told[2] = {NULL};
		uint64_t others[2] = {0};

		for (unsigned i = 0; i < 2; i++)
			if (at[i] < tellers[i].next)
				told[i] = &tellers[i].all.at[at[i]];
		if (told[0])
			others[0] = alignment_of_a(alignment, told[0]->time);
		if (told[1])
			others[1] = alignment_of_b(alignment, told[1]->time);
		if (told[0] && (!told[1] || !others[0] || others[0] <= told[1]->time)) {
			put(entry, 0, told[0]);
			at[0]++;
		}
		if (told[1] && (!entry->times[0] || others[0] == told[1]->time)) {
			put(entry, 1, told[1]);
			at[1]++;
		}
	}
}

struct hence_error *dual_listing_collect(const struct recording *a, const struct recording *b,
                                         const struct alignment *alignment, const struct dual *dual,
                                         struct dual_listing *out)
{
	const struct recording *const runs[2] = {a, b};
	struct dual_listing listing = {0};
	struct teller tellers[2] = {0};
	struct hence_error *error = NULL;

	for (unsigned i = 0; i < 2 && !error; i++) {
		choose(dual, i, &tellers[i]);
		listing.left_out += tellers[i].left_out;
		error = decode(runs[i], &tellers[i]);
	}
	if (!error) {
		merge(alignment, tellers, &listing);
		*out = listing;
	}
	free_told(&tellers[0]);
	free_told(&tellers[1]);
	return error;
}

void dual_listing_deinit(struct dual_listing *listing)
{
	for (uint32_t i = 0; i < listing->entries.size; i++) {
		struct dual_listing_entry *entry = &listing->entries.at[i];

		free(entry->texts[0]);
		free(entry->texts[1]);
		free(entry->file);
		free(entry->function);
	}
	vec_deinit(&listing->entries);
}

/* --- printing --- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* 'both' where they did the same, else what each did. */
static void print_entry(const struct dual_listing_entry *entry, const char *const names[2],
                        int width, int place, FILE *file)
{
	char *where GUARD_FREE = str_format("%s:%u", base_name(entry->file), entry->line);
	bool same = entry->texts[0] && entry->texts[1] && !strcmp(entry->texts[0], entry->texts[1]);

	for (unsigned i = 0; i < 2; i++)
		if (entry->texts[i] && !(same && i))
			fprintf(file, "%-*s  %-*s  %s: %s\n", width, same ? "both" : names[i],
			        place, where, entry->function, entry->texts[i]);
}

void dual_listing_print(const struct dual_listing *listing, const char *const names[2], FILE *file)
{
	size_t width = strlen(names[0]) > strlen(names[1]) ? strlen(names[0]) : strlen(names[1]);
	int place = 0;

	width = width < strlen("both") ? strlen("both") : width;
	for (uint32_t i = 0; i < listing->entries.size; i++) {
		const struct dual_listing_entry *entry = &listing->entries.at[i];
		int length = snprintf(NULL, 0, "%s:%u", base_name(entry->file), entry->line);

		place = length > place && length <= 32 ? length : place;
	}
	if (listing->left_out)
		fprintf(file, "(%llu earlier statements are left out)\n",
		        (unsigned long long)listing->left_out);
	for (uint32_t i = 0; i < listing->entries.size; i++)
		print_entry(&listing->entries.at[i], names, (int)width, place, file);
}

static void add_side(const struct dual_listing_entry *entry, unsigned side, const char *name,
                     struct str *out)
{
	if (!entry->texts[side])
		return;
	json_add_key(out, name);
	str_add_char(out, '{');
	json_add_number(out, "statement", entry->times[side]);
	json_add_member(out, "text", entry->texts[side]);
	str_add_char(out, '}');
}

void dual_listing_add_json(const struct dual_listing *listing, const char *const names[2],
                           struct str *out)
{
	str_add_char(out, '[');
	for (uint32_t i = 0; i < listing->entries.size; i++) {
		const struct dual_listing_entry *entry = &listing->entries.at[i];

		str_add(out, i ? ",{" : "{");
		json_add_member(out, "file", entry->file);
		json_add_number(out, "line", entry->line);
		json_add_number(out, "column", entry->column);
		json_add_member(out, "function", entry->function);
		add_side(entry, 0, names[0], out);
		add_side(entry, 1, names[1], out);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}
