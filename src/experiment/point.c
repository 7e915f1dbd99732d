/* Points of a run, their sites in the program, and branches: see point.h. */
#include "experiment/point.h"

#include <fcntl.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "run/sites.h"
#include "runtime/harmless.h"
#include "words/describe.h"

/* ------ how far a run may be forked ------ */

/*
 * A child must find everything as the parent left it, and what it does must not be seen by others. Memory is its
 * own, and so are the offsets of files that are open for reading, once they are put back; all else that programs
 * do to the world outside is shared.
 */

/* Beside those of runtime/harmless.h: what reads files and closes them, looks around, or ends the program. A
   name that is not here costs nothing but a longer way from the last snapshot. */
/* clang-format off */
static const char reads[] =
	/* stdio */
	" fread fread_unlocked fgets fgets_unlocked gets fgetc fgetc_unlocked getc getc_unlocked _IO_getc getchar"
	" getchar_unlocked getw getline getdelim __getdelim ungetc __uflow __underflow scanf fscanf vscanf vfscanf"
	" __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf __isoc23_fscanf"
	" __isoc23_vscanf __isoc23_vfscanf fgetwc getwc getwchar ungetwc fgetws wscanf fwscanf __fgets_chk __fread_chk"
	" fseek fseeko fseeko64 ftell ftello ftello64 rewind fgetpos fsetpos fclose fmemopen"
	/* descriptors */
	" read pread pread64 readv __read_chk __pread_chk lseek lseek64 close"
	/* looking at files and the system */
	" stat stat64 fstat fstat64 lstat lstat64 fstatat fstatat64 __xstat __fxstat __lxstat access faccessat euidaccess"
	" readlink readlinkat realpath getcwd get_current_dir_name pathconf fpathconf uname gethostname"
	" getlogin getpwnam getpwuid getgrnam getgrgid ttyname getpriority getgroups"
	/* time: answers that vary are those of the recording; these follow from them */
	" localtime localtime_r gmtime gmtime_r mktime timegm timelocal ctime ctime_r asctime asctime_r strftime wcsftime"
	" strptime difftime tzset"
	/* the end */
	" exit _exit _Exit quick_exit abort __assert_fail __assert __stack_chk_fail __chk_fail __fortify_fail"
	" err errx verr verrx warn warnx vwarn vwarnx error"
	" ";

/* What opens a file; the next argument says how. */
static const char opens[] = " open open64 __open __open_2 __open64_2 fopen fopen64 fdopen freopen freopen64 ";
static const char opens_at[] = " openat openat64 __openat_2 __openat64_2 ";
/* clang-format on */

struct fork_search {
	const struct outside_table *table;
	uint64_t last;
};

/* fopen()'s word for it. */
static bool only_reads(LLVMValueRef mode)
{
	LLVMValueRef text = LLVMIsAGlobalVariable(mode) ? LLVMGetInitializer(mode) : NULL;
	const char *at;
	size_t size;

	if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return false;
	at = LLVMGetAsString(text, &size);
	return size && at[0] == 'r' && !memchr(at, '+', size);
}

/* Does the call open a file, and for reading only? Seen from the code alone: what a variable holds is
   not known here. */
static bool opens_to_read(const char *name, LLVMValueRef instruction)
{
	unsigned at = hence_is_listed(opens_at, name) ? 2 : 1;
	LLVMValueRef how;

	if (at == 1 && !hence_is_listed(opens, name))
		return false;
	if (LLVMGetNumArgOperands(instruction) <= at)
		return false;
	how = LLVMGetOperand(instruction, at);
	if (LLVMIsAConstantInt(how))
		return !(LLVMConstIntGetZExtValue(how) & (O_ACCMODE | O_CREAT | O_TRUNC));
	return only_reads(how);
}

static bool is_fine(const struct fork_search *s, const char *name, LLVMValueRef instruction)
{
	const struct outside_function *model = s->table ? outside_table_find(s->table, name) : NULL;

	if (hence_is_listed(hence_harmless, name) || hence_is_listed(reads, name))
		return true;
	if (model && model->flags & (OUTSIDE_PURE | OUTSIDE_VARIES))
		return true;
	return opens_to_read(name, instruction);
}

/* The statement of the call has been counted: the point before it is the last. */
static bool look(void *context, const char *name, LLVMValueRef call, uint64_t time)
{
	struct fork_search *s = context;

	if (is_fine(s, name, call))
		return true;
	s->last = time;
	return false;
}

struct hence_error *points_last_fork(const struct recording *run, uint64_t *out)
{
	struct fork_search s = {.table = run->table, .last = UINT64_MAX};
	const struct path_visitor visitor = {.context = &s, .called = look};
	struct hence_error *error = path_visit(run, &visitor);

	if (!error)
		*out = s.last;
	return error;
}

/* ------ the sites of a recorded program in its memory ------ */

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
static uint64_t code_address(const struct point_sites *s, uint32_t module, uint32_t function)
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
		place.address =
			code_address(s, number, place.site.function) + own->entries[i].offset;
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
		out[i] = code_address(s, site->module, site->function) + found[i].offset;
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

/* ------ points of a run ------ */

/* --- which statement it is --- */

struct search {
	const uint64_t *times;
	uint32_t next, count;
	struct point *out;
	uint64_t statements;
};

static void found(struct search *s, const struct site *site, uint32_t statement)
{
	struct point *point = &s->out[s->next];

	*point = (struct point){.time = s->times[s->next], .site = *site};
	point->site.statement = statement;
	s->next++;
}

static bool search_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct search *s = context;

	while (s->next < s->count && s->times[s->next] <= time + (to - site->statement))
		found(s, site, site->statement + (uint32_t)(s->times[s->next] - time - 1));
	return s->next < s->count;
}

/* Statements of the last block that leave nothing on the tape: the program died in one of them. */
static void search_rest(void *context, const struct path_end *end)
{
	struct search *s = context;
	const struct plan_function *f =
		end->over && end->standing
			? program_function(
				  end->program,
				  (struct program_place){end->at.module, end->at.function, 0})
			: NULL;

	s->statements = end->statements;
	while (f && s->next < s->count) {
		uint64_t rest = end->at.statement + (s->times[s->next] - end->statements - 1);

		if (rest >= f->blocks.at[end->at.block].statements)
			return;
		found(s, &end->at, (uint32_t)rest);
	}
}

static struct hence_error *search_sites(const struct recording *run, const uint64_t *times,
                                        uint32_t count, struct point *out)
{
	struct search s = {.times = times, .count = count, .out = out};
	const struct path_visitor visitor = {
		.context = &s, .passed = search_passed, .ended = search_rest};
	struct hence_error *error = path_visit(run, &visitor);

	if (!error && s.next < count)
		error = error_create(HENCE_ERROR_INPUT,
		                     "there is no point %llu: the run has only %llu statements",
		                     (unsigned long long)times[s.next],
		                     (unsigned long long)s.statements);
	return error;
}

/* --- how often it was passed --- */

/* A question: how often had the site been passed before this time? */
struct wanted {
	uint64_t time;
	uint64_t *out;
	uint32_t
		next; /* 1 + index of the next question about the site, later or at the same time */
};

struct counted {
	struct site site;
	uint64_t passed;
	uint32_t first, last; /* 1 + index of the next question, and of the last */
	uint32_t next;        /* 1 + index of the next site of the block */
};

/* For each block of a function 1 + index of its first site that is counted. */
MAP_DEFINE_U64(marks_map, uint32_t *);

struct counting {
	VEC(struct counted) sites;
	VEC(struct wanted) wanted;
	struct marks_map marks; /* by module << 32 | function */
	uint64_t last;          /* the latest time of a question */
	uint64_t key;           /* of the function that was looked for last, */
	const uint32_t *own;    /* and its marks */
};

static uint64_t key_of(const struct site *site)
{
	return (uint64_t)site->module << 32 | site->function;
}

static bool is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

static struct counted *counted_site(struct counting *c, const struct site *site)
{
	uint32_t **marks = marks_map_put(&c->marks, key_of(site));
	uint32_t *head, k;

	if (!*marks || (*marks)[0] <= site->block) {
		uint32_t room = *marks ? (*marks)[0] : 0, need = site->block + 1;

		*marks = mem_resize(*marks, (need + 1) * sizeof(**marks));
		memset(*marks + 1 + room, 0, (need - room) * sizeof(**marks));
		(*marks)[0] = need;
	}
	head = &(*marks)[1 + site->block];
	for (k = *head; k; k = c->sites.at[k - 1].next)
		if (is_same(&c->sites.at[k - 1].site, site))
			return &c->sites.at[k - 1];
	*vec_push(&c->sites) = (struct counted){.site = *site, .next = *head};
	*head = c->sites.size;
	return &c->sites.at[c->sites.size - 1];
}

static void want(struct counting *c, const struct site *site, uint64_t time, uint64_t *out)
{
	struct counted *counted = counted_site(c, site);

	*vec_push(&c->wanted) = (struct wanted){.time = time, .out = out};
	if (counted->last)
		c->wanted.at[counted->last - 1].next = c->wanted.size;
	else
		counted->first = c->wanted.size;
	counted->last = c->wanted.size;
	c->last = time;
}

/* Answers the questions about a site up to, and with, this time. */
static void answer(struct counting *c, struct counted *counted, uint64_t time)
{
	while (counted->first && c->wanted.at[counted->first - 1].time <= time) {
		struct wanted *wanted = &c->wanted.at[counted->first - 1];

		*wanted->out = counted->passed;
		counted->first = wanted->next;
	}
}

static bool count_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct counting *c = context;
	uint32_t k = 0;

	if (time >= c->last)
		return false;
	if (!c->own || c->key != key_of(site)) {
		uint32_t **marks = marks_map_find(&c->marks, key_of(site));

		if (!marks)
			return true;
		c->key = key_of(site);
		c->own = *marks;
	}
	if (site->block < c->own[0])
		k = c->own[1 + site->block];
	for (; k; k = c->sites.at[k - 1].next) {
		struct counted *counted = &c->sites.at[k - 1];
		uint32_t statement = counted->site.statement;

		if (statement < site->statement || statement >= to)
			continue;
		answer(c, counted, time + 1 + (statement - site->statement));
		counted->passed++;
	}
	return true;
}

static struct hence_error *count_all(struct counting *c, const struct recording *run)
{
	const struct path_visitor visitor = {.context = c, .passed = count_passed};
	struct hence_error *error = NULL;
	bool kept = true;

	/* All sites of a block are counted at once. */
	for (uint32_t k = 0; !error && kept && k < c->sites.size; k++)
		if (!c->sites.at[k].next)
			error = path_visit_block(run, &c->sites.at[k].site, count_passed, c, &kept);
	if (!error && !kept)
		error = path_visit(run, &visitor);
	for (uint32_t k = 0; !error && k < c->sites.size; k++)
		answer(c, &c->sites.at[k], UINT64_MAX);
	return error;
}

static void counting_deinit(struct counting *c)
{
	map_each(&c->marks, i) free(c->marks.at[i].value);
	marks_map_deinit(&c->marks);
	vec_deinit(&c->sites);
	vec_deinit(&c->wanted);
}

/* --- both --- */

struct hence_error *points_find(const struct recording *run, const uint64_t *times, uint32_t count,
                                struct point *out)
{
	struct point *points = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error = search_sites(run, times, count, points);
	struct counting c = {0};

	for (uint32_t i = 0; !error && i < count; i++)
		want(&c, &points[i].site, points[i].time, &points[i].count);
	if (!error)
		error = count_all(&c, run);
	for (uint32_t i = 0; !error && i < count; i++) {
		out[i] = points[i];
		out[i].count++;
	}
	counting_deinit(&c);
	free(points);
	return error;
}

struct hence_error *points_count(const struct recording *run, const struct site *site,
                                 const uint64_t *times, uint32_t count, uint64_t *out)
{
	uint64_t *counts = mem_alloc((count + 1) * sizeof(*counts));
	struct hence_error *error;
	struct counting c = {0};

	for (uint32_t i = 0; i < count; i++)
		want(&c, site, times[i], &counts[i]);
	error = count_all(&c, run);
	if (!error && count)
		memcpy(out, counts, count * sizeof(*out));
	counting_deinit(&c);
	free(counts);
	return error;
}

/* --- branches and the ways that they went --- */

struct listing {
	uint64_t until;
	struct point_branches found;
};

static bool list_branched(void *context, const struct site *site, bool loose, uint64_t time)
{
	struct listing *l = context;

	*vec_push(&l->found.all) = (struct point_branch){
		.time = time + loose, .site = *site, .loose = loose, .way = POINTS_NO_WAY};
	return time < l->until;
}

static void list_went(void *context, uint32_t branch, uint32_t way)
{
	struct listing *l = context;

	l->found.all.at[branch].way = way;
}

static void list_modules(void *context, const struct path_end *end)
{
	struct listing *l = context;

	for (uint32_t i = 0; i < end->program->modules.size; i++) {
		const struct program_module *loaded = &end->program->modules.at[i];
		struct point_module *module = vec_push(&l->found.modules);

		memcpy(module->hash, loaded->hash, sizeof(module->hash));
		module->plan = loaded->plan;
	}
}

void point_branches_deinit(struct point_branches *branches)
{
	vec_deinit(&branches->all);
	vec_deinit(&branches->modules);
}

struct hence_error *points_branches(const struct recording *run, uint64_t until,
                                    struct point_branches *out)
{
	struct listing l = {.until = until};
	const struct path_visitor visitor = {
		.context = &l, .branched = list_branched, .went = list_went, .ended = list_modules};
	struct hence_error *error = path_visit(run, &visitor);

	if (error)
		point_branches_deinit(&l.found);
	else
		*out = l.found;
	return error;
}

struct hence_error *points_ways(const struct recording *run, const uint64_t *times, uint32_t count,
                                uint32_t *out)
{
	struct point_branches all = {0};
	struct hence_error *error = count ? points_branches(run, times[count - 1], &all) : NULL;
	uint32_t at = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		while (at < all.all.size &&
		       (all.all.at[at].time < times[i] || all.all.at[at].loose))
			at++;
		out[i] = at < all.all.size && all.all.at[at].time == times[i] ? all.all.at[at].way
		                                                              : POINTS_NO_WAY;
	}
	point_branches_deinit(&all);
	return error;
}

/* ------ a branch or switch: where it could have gone, and what it is called ------ */

/* --- where it can go --- */

static uint32_t block_after(const struct plan_function *function, const struct plan_block *block,
                            uint32_t successor)
{
	return function->successors.at[block->successor + successor];
}

static bool leads_to(const struct branch *branch, uint32_t block)
{
	for (uint32_t i = 0; i < branch->ways; i++)
		if (branch->blocks[i] == block)
			return true;
	return false;
}

void branch_find(const struct point_sites *sites, const struct activation *a, struct branch *out)
{
	const struct program_place *place = &a->function->place;
	const struct plan_block *block;
	uint64_t value;

	*out = (struct branch){.site = {place->module, place->function, a->block,
	                                a->function->plan->blocks.at[a->block].statements - 1}};
	block = &a->function->plan->blocks.at[out->site.block];
	if (!point_sites_find(sites, &out->site, HENCE_SITE_BRANCH, NULL, 0))
		return;
	for (uint32_t i = 0; i < block->successors && out->ways < BRANCH_WAYS; i++) {
		uint32_t to = block_after(a->function->plan, block, i);

		if (leads_to(out, to) || !point_sites_value(sites, &out->site, i, &value))
			continue;
		out->successors[out->ways] = i;
		out->blocks[out->ways++] = to;
	}
}

uint32_t branch_goes(const struct execution *e, const struct activation *a)
{
	const struct code_slot *slot = execution_slot(e, a, a->function->insns[a->pc - 1].a);
	const struct plan_function *function = a->function->plan;

	if (slot->undefined)
		return UINT32_MAX;
	return block_after(function, &function->blocks.at[a->block],
	                   plan_branch_successor(function, a->block, slot->bits));
}

/* --- what it is called --- */

/* What is left of a text without what begins and ends it; NULL: nothing is. Caller frees. */
static char *middle(const struct str *text, size_t begin, size_t end)
{
	if (text->length <= begin + end)
		return NULL;
	return mem_strndup(str_text(text) + begin, text->length - begin - end);
}

void branch_describe(struct names *names, struct execution *e, uint32_t successor,
                     struct branch_words *out)
{
	struct described described = {0};

	describe_statement(names, e, false, &described);
	if (described.kind == DESCRIBED_SWITCH) {
		const struct activation *a;
		struct describe_scope scope;
		LLVMValueRef instruction;
		struct str text = STR_INIT;

		out->condition = middle(&described.text, strlen("switch ("),
		                        strlen("): ") + described.result.length);
		/* 'case 3', 'default' */
		a = execution_top(e, 0);
		scope = (struct describe_scope){.names = names, .a = a};
		instruction = a->function->instructions[a->pc - 1];
		if (!successor) {
			out->other = mem_strdup("default");
		} else {
			str_add(&text, "case ");
			describe_case(&scope, instruction, successor - 1, &text);
			out->other = str_steal(&text);
		}
	} else {
		out->condition =
			middle(&described.text, 0, strlen(" is ") + described.result.length);
		out->other = mem_strdup(successor ? "false" : "true");
	}
	out->failing = str_steal(&described.result);
	described_deinit(&described);
}
