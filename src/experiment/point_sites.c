/* The sites of a recorded program in its memory: see point.h. */
#include "base/map.h"
#include "base/str.h"
#include "experiment/point.h"
#include "run/sites.h"

MAP_DEFINE_STRING(file_map, struct sites *);

/* Of one module. */
struct own_sites {
	const struct hence_site_entry *entries;
	uint32_t count;
	uint32_t first_block; /* of those of all modules */
};

struct point_sites {
	const struct program *program;
	struct walk *walk; /* has it; NULL: the recording's path does */
	const struct recording_edit *edit;
	struct hence_site_entry *edited; /* entries of the edited module */
	struct file_map files;
	VEC(struct own_sites) modules;
	uint32_t blocks; /* of all of them */
	VEC(struct site_place) places[HENCE_SITE_KINDS];
};

static const struct program_module *module_of(const struct point_sites *s, uint32_t module)
{
	return &s->program->modules.at[module];
}

/* --- from entries to places --- */

static uint32_t first_number(const struct plan_function *f, enum hence_site_kind kind)
{
	return kind == HENCE_SITE_BRANCH ? f->first_block : f->first_statement;
}

static uint32_t find_function(const struct plan *plan, enum hence_site_kind kind, uint32_t number)
{
	uint32_t low = 0, high = plan->functions.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (first_number(&plan->functions.at[middle], kind) <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The last block whose statements begin at or before this one. */
static uint32_t find_block(const struct plan_function *f, uint32_t statement)
{
	uint32_t low = 0, high = f->blocks.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (f->blocks.at[middle].first_statement <= statement)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* False: there is no such site. */
static bool find_site(const struct plan *plan, const struct hence_site_entry *entry,
                      struct site *out)
{
	enum hence_site_kind kind = entry->site >> 30;
	uint32_t number = entry->site & 0x3fffffff, function, statements;
	const struct plan_function *f;

	if (!plan->functions.size)
		return false;
	function = find_function(plan, kind, number);
	f = &plan->functions.at[function];
	number -= first_number(f, kind);
	out->function = function;
	if (kind == HENCE_SITE_BRANCH) {
		out->block = number;
		if (number >= f->blocks.size)
			return false;
		statements = f->blocks.at[number].statements;
		out->statement = statements ? statements - 1 : 0;
		return true;
	}
	out->block = find_block(f, number);
	out->statement = number - f->blocks.at[out->block].first_statement;
	return number < f->statements.size;
}

static bool is_edited(const struct point_sites *s, uint32_t module)
{
	return s->edit && !memcmp(module_of(s, module)->hash, s->edit->hash, 16);
}

/* Where the code of a function is. */
static uint64_t code_of(const struct point_sites *s, uint32_t module, uint32_t function)
{
	if (is_edited(s, module) && function == s->edit->function)
		return s->edit->address;
	return module_of(s, module)->addresses[function];
}

/* Does the program execute this definition of the function, or another one? */
static bool is_used(const struct point_sites *s, uint32_t module, uint32_t function)
{
	uint64_t address = module_of(s, module)->addresses[function];
	const struct program_place *place = program_at(s->program, address);

	return place && place->module == module && place->function == function;
}

static struct hence_error *add_places(struct point_sites *s, uint32_t number)
{
	const struct program_module *module = module_of(s, number);
	const struct own_sites *own = &s->modules.at[number];

	for (uint32_t i = 0; i < own->count; i++) {
		struct site_place place = {.site.module = number};

		if (!find_site(module->plan, &own->entries[i], &place.site))
			return error_create(HENCE_ERROR_INPUT,
			                    "%s: its section " HENCE_POINTS_SECTION
			                    " does not fit its IR; rebuild it with hence cc",
			                    module->path);
		if (!is_used(s, number, place.site.function))
			continue;
		place.address = code_of(s, number, place.site.function) + own->entries[i].offset;
		*vec_push(&s->places[own->entries[i].site >> 30]) = place;
	}
	return NULL;
}

/* --- edited code --- */

static int by_entry(const void *a, const void *b)
{
	const struct hence_site_entry *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The sites of a module that has an edited function: the file's, numbered as the edited module numbers them, and
   those of the new code. */
static void number_anew(struct point_sites *s, uint32_t number, struct own_sites *own)
{
	const struct plan *now = module_of(s, number)->plan, *before = s->edit->plan;
	const struct hence_site_entry *new = s->edit->sites;
	uint32_t count = 0;

	s->edited = mem_alloc((own->count + s->edit->site_count + 1) * sizeof(*s->edited));
	for (uint32_t i = 0; i < own->count; i++) {
		enum hence_site_kind kind = own->entries[i].site >> 30;
		uint32_t at = own->entries[i].site & 0x3fffffff;
		uint32_t f = find_function(before, kind, at);

		if (f == s->edit->function)
			continue;
		at = at - first_number(&before->functions.at[f], kind) +
		     first_number(&now->functions.at[f], kind);
		s->edited[count++] = (struct hence_site_entry){.site = (uint32_t)kind << 30 | at,
		                                               .offset = own->entries[i].offset};
	}
	for (uint32_t i = 0; i < s->edit->site_count; i++)
		s->edited[count++] = new[i];
	qsort(s->edited, count, sizeof(*s->edited), by_entry);
	own->entries = s->edited;
	own->count = count;
}

/* --- reading --- */

static struct hence_error *load_file(struct point_sites *s, const char *path, struct sites **out)
{
	struct sites **sites = file_map_put(&s->files, path);
	struct hence_error *error = *sites ? NULL : sites_open(path, sites);

	*out = *sites;
	return error;
}

static struct hence_error *load_module(struct point_sites *s, uint32_t number)
{
	const struct program_module *module = module_of(s, number);
	struct own_sites *own = vec_push(&s->modules);
	const struct plan_function *last;
	struct hence_error *error;
	struct sites *sites;

	own->first_block = s->blocks;
	if (!module->plan)
		return NULL;
	if (module->plan->functions.size) {
		last = &module->plan->functions.at[module->plan->functions.size - 1];
		s->blocks += last->first_block + last->blocks.size;
	}
	error = load_file(s, module->path, &sites);
	if (error)
		return error;
	own->entries = sites_module(sites, module->hash, &own->count);
	if (!own->entries)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s has lost a part of its section " HENCE_POINTS_SECTION
		                    "; rebuild it with hence cc",
		                    module->path);
	if (is_edited(s, number))
		number_anew(s, number, own);
	return add_places(s, number);
}

static int by_address(const void *a, const void *b)
{
	const struct site_place *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static struct hence_error *load(struct point_sites *s)
{
	struct hence_error *error = NULL;

	for (uint32_t m = 0; !error && m < s->program->modules.size; m++)
		error = load_module(s, m);
	for (uint32_t kind = 0; kind < HENCE_SITE_KINDS; kind++)
		if (s->places[kind].size)
			qsort(s->places[kind].at, s->places[kind].size, sizeof(struct site_place),
			      by_address);
	return error;
}

struct hence_error *point_sites_create(const struct recording *run, struct point_sites **out)
{
	struct point_sites *s = mem_alloc(sizeof(*s));
	uint64_t statements;
	struct hence_error *error = path_program(run, &s->program, &statements);

	s->edit = run->edit;
	if (!error && !s->program) {
		error = walk_create(run->modules, run->folder, run->tape, &s->walk);
		if (!error)
			error = walk_to_end(s->walk, NULL);
		if (!error)
			s->program = walk_program(s->walk);
	}
	if (!error)
		error = load(s);
	if (error)
		point_sites_destroy(s);
	else
		*out = s;
	return error;
}

void point_sites_destroy(struct point_sites *s)
{
	if (!s)
		return;
	map_each(&s->files, i) sites_close(s->files.at[i].value);
	file_map_deinit(&s->files);
	vec_deinit(&s->modules);
	for (uint32_t kind = 0; kind < HENCE_SITE_KINDS; kind++)
		vec_deinit(&s->places[kind]);
	walk_destroy(s->walk);
	free(s->edited);
	free(s);
}

/* --- answers --- */

static const struct plan_function *function_of(const struct point_sites *s, const struct site *site)
{
	return &module_of(s, site->module)->plan->functions.at[site->function];
}

uint32_t point_sites_find(const struct point_sites *s, const struct site *site,
                          enum hence_site_kind kind, uint64_t *out, uint32_t room)
{
	const struct own_sites *own = &s->modules.at[site->module];
	uint32_t number = plan_site(function_of(s, site), site->block, site->statement, kind);
	const struct hence_site_entry *found;
	uint32_t count;

	if (!is_used(s, site->module, site->function))
		return 0;
	found = sites_find(own->entries, own->count, kind, number, &count);
	for (uint32_t i = 0; i < count && i < room; i++)
		out[i] = code_of(s, site->module, site->function) + found[i].offset;
	return count;
}

const struct site_place *point_sites_all(const struct point_sites *s, enum hence_site_kind kind,
                                         uint32_t *count)
{
	*count = s->places[kind].size;
	return s->places[kind].at;
}

bool point_sites_value(const struct point_sites *s, const struct site *site, uint32_t successor,
                       uint64_t *value)
{
	return plan_branch_value(function_of(s, site), site->block, successor, value);
}

uint32_t point_sites_successor(const struct point_sites *s, const struct site *site, uint64_t value)
{
	return plan_branch_successor(function_of(s, site), site->block, value);
}

uint32_t point_sites_way(const struct point_sites *s, const struct site *site, uint64_t value)
{
	const struct plan_function *f = function_of(s, site);
	uint32_t successor = plan_branch_successor(f, site->block, value);

	return plan_way(f, site->block,
	                f->successors.at[f->blocks.at[site->block].successor + successor]);
}

uint32_t point_sites_number(const struct point_sites *s, const struct site *site)
{
	return s->modules.at[site->module].first_block + function_of(s, site)->first_block +
	       site->block;
}

const char *point_sites_file(const struct point_sites *s, const struct site *site)
{
	return module_of(s, site->module)->path;
}
