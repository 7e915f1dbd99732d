/*
 * paths MAP LOG LOG: aligns two runs by the definition. For each statement of each run the whole path from
 * the root of the execution's tree is computed; statements with equal paths are aligned. Paths are numbers:
 * the same number is the same path. Slow and simple, and nothing of hence.
 *
 * Prints 'A B COUNT' for statements A, A+1, ... aligned with B, B+1, ..., and how many there are.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph.h"
#include "map.h"

static struct function *functions;
static int function_count;

static void die(const char *what)
{
	fprintf(stderr, "paths: %s\n", what);
	exit(1);
}

/* --- numbers for things that are equal --- */

#define WORDS 6

struct thing {
	uint64_t words[WORDS];
	uint64_t value;
};

struct table {
	struct thing *at;
	size_t size, room;
};

static size_t slot_of(const struct table *t, const uint64_t words[WORDS])
{
	uint64_t hash = 0;

	for (int i = 0; i < WORDS; i++)
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
	size_t i = (size_t)(hash ^ hash >> 31) & (t->room - 1);

	while (t->at[i].value && memcmp(t->at[i].words, words, sizeof(t->at[i].words)))
		i = (i + 1) & (t->room - 1);
	return i;
}

/* The value of the thing, 0 if it is new. */
static uint64_t *find(struct table *t, const uint64_t words[WORDS])
{
	struct table old = *t;

	if (t->size * 2 >= t->room) {
		t->room = old.room ? 2 * old.room : 1024;
		t->at = calloc(t->room, sizeof(*t->at));
		for (size_t i = 0; i < old.room; i++)
			if (old.at[i].value)
				t->at[slot_of(t, old.at[i].words)] = old.at[i];
		free(old.at);
	}
	size_t i = slot_of(t, words);

	if (!t->at[i].value) {
		memcpy(t->at[i].words, words, sizeof(t->at[i].words));
		t->size++;
	}
	return &t->at[i].value;
}

static struct table path_table;

/* The path that goes on from `parent` by a node with this label. */
static uint64_t path_of(uint64_t parent, char kind, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t words[WORDS] = {parent, (uint64_t)kind, a, b, c, d};
	uint64_t *number = find(&path_table, words);

	if (!*number)
		*number = path_table.size;
	return *number;
}

/* --- a run --- */

struct count {
	uint64_t block, times;
};

struct node {
	uint64_t path;
	int until;            /* -2: a call */
	struct count *counts; /* how often blocks were entered right below it */
	int count_size;
	uint64_t entered; /* blocks in all */
	uint64_t callbacks;
};

/* A call: the nodes that have been open ever since it was made. */
struct mark {
	uint64_t block, call;
	int height;
	uint64_t entered;           /* how often its block was, below that node */
	uint64_t progress, returns; /* how often it has returned again since that node got on */
};

struct frame {
	bool outside;
	uint64_t address;
	const struct function *function;
	uint64_t number;
	int base; /* nodes below its own */
	int block;
	uint64_t times; /* that the block was entered below this node */
	const char *item;
	uint64_t call_block, call; /* the last */
	struct mark *marks;
	int mark_count;
};

struct run {
	struct node *nodes;
	int height;
	struct frame *frames;
	int depth;
	uint64_t statements;
	struct table *times; /* of each statement, by its path */
};

static struct frame *top(struct run *r)
{
	return &r->frames[r->depth - 1];
}

static uint64_t here(const struct run *r)
{
	return r->height ? r->nodes[r->height - 1].path : 0;
}

static void open_node(struct run *r, uint64_t path, int until)
{
	r->nodes = realloc(r->nodes, (size_t)(r->height + 1) * sizeof(*r->nodes));
	r->nodes[r->height++] = (struct node){.path = path, .until = until};
}

static void close_nodes(struct run *r, int height)
{
	struct frame *f = top(r);

	while (r->height > height)
		free(r->nodes[--r->height].counts);
	for (int i = 0; i < f->mark_count; i++)
		if (f->marks[i].height > height)
			f->marks[i].height = height;
}

static void open_frame(struct run *r, uint64_t path)
{
	r->frames = realloc(r->frames, (size_t)(r->depth + 1) * sizeof(*r->frames));
	r->frames[r->depth++] = (struct frame){.base = r->height, .block = -1, .item = ""};
	open_node(r, path, -2);
}

static void close_frame(struct run *r)
{
	close_nodes(r, top(r)->base);
	free(top(r)->marks);
	r->depth--;
}

static uint64_t enter_below(struct run *r, int block)
{
	struct node *n = &r->nodes[r->height - 1];

	n->entered++;
	for (int i = 0; i < n->count_size; i++)
		if (n->counts[i].block == (uint64_t)block)
			return ++n->counts[i].times;
	n->counts = realloc(n->counts, (size_t)(n->count_size + 1) * sizeof(*n->counts));
	n->counts[n->count_size++] = (struct count){(uint64_t)block, 1};
	return 1;
}

/* A statement of the function on top is executed. */
static void execute(struct run *r)
{
	const struct frame *f = top(r);
	const char *items = f->function->blocks[f->block].items;
	uint64_t words[WORDS] = {
		here(r), f->number, (uint64_t)f->block, f->times, (uint64_t)(f->item - items), 1};
	uint64_t *time = find(r->times, words);

	if (*time)
		die("two statements of one run have the same path");
	*time = ++r->statements;
}

static void run_items(struct run *r)
{
	while (*top(r)->item == 's') {
		execute(r);
		top(r)->item++;
	}
}

static void see_block(struct run *r, int block)
{
	struct frame *f = top(r);
	const struct block *last = f->block < 0 ? NULL : &f->function->blocks[f->block];

	if (last && last->end == 'b')
		open_node(r,
		          path_of(here(r), 'b', f->number, (uint64_t)f->block, f->times,
		                  (uint64_t)block),
		          last->until);
	while (r->height > f->base + 1 && r->nodes[r->height - 1].until == block)
		close_nodes(r, r->height - 1);
	f->block = block;
	f->times = enter_below(r, block);
	f->item = f->function->blocks[block].items;
	run_items(r);
}

static struct mark *mark_of(struct frame *f, uint64_t block, uint64_t call)
{
	for (int i = 0; i < f->mark_count; i++)
		if (f->marks[i].block == block && f->marks[i].call == call)
			return &f->marks[i];
	f->marks = realloc(f->marks, (size_t)(f->mark_count + 1) * sizeof(*f->marks));
	f->marks[f->mark_count] = (struct mark){.block = block, .call = call};
	return &f->marks[f->mark_count++];
}

/* A call: of the function that the next event enters, or of outside code. */
static void see_call(struct run *r, const struct event *e)
{
	struct frame *f = top(r);
	struct mark *m = mark_of(f, e->block, e->value);
	uint64_t place, target = e[1].value;

	*m = (struct mark){e->block, e->value, r->height, f->times, 0, 0};
	if (*f->item == 'c')
		execute(r);
	f->item++;
	f->call_block = e->block;
	f->call = e->value;
	place = path_of(here(r), 'c', f->number, e->block, f->times, e->value);
	if (e[2].kind == EVENT_ENTER && e[2].value == target) {
		open_frame(r, path_of(place, 'f', e[2].function, 0, 0, 0));
	} else {
		open_frame(r, path_of(place, 'o', target, 0, 0, 0));
		top(r)->outside = true;
	}
}

static void see_enter(struct run *r, const struct event *e)
{
	/* The frame of a call is there already. */
	if (!r->depth || top(r)->outside) {
		uint64_t number = r->depth ? ++r->nodes[r->height - 1].callbacks : 1;

		open_frame(r, path_of(here(r), 'e', number, e->function, 0, 0));
	}
	graph_find(&functions[e->function]);
	top(r)->function = &functions[e->function];
	top(r)->number = e->function;
	top(r)->address = e->frame;
}

/* Comes back to a call that had returned before. */
static void see_again(struct run *r, const struct event *e)
{
	struct frame *f;
	struct mark *m;
	uint64_t place, progress;
	int height, until;

	while (r->depth && (top(r)->outside || top(r)->address != e->frame))
		close_frame(r);
	if (!r->depth)
		die("a jump to nowhere");
	f = top(r);
	m = mark_of(f, e->block, e->value);
	height = m->height;
	until = height < r->height ? r->nodes[height].until : f->function->blocks[f->block].until;
	close_nodes(r, height);
	place = path_of(here(r), 'c', f->number, e->block, m->entered, e->value);
	progress = r->nodes[r->height - 1].entered;
	m->returns = m->progress == progress ? m->returns + 1 : 1;
	m->progress = progress;
	open_node(r, path_of(place, 'r', progress, m->returns, 0, 0), until);
	f->block = (int)e->block;
	f->times = enter_below(r, f->block);
	f->item = f->function->blocks[e->block].items;
	for (uint64_t calls = 0; calls <= e->value; f->item++)
		calls += *f->item != 's';
}

static void see_after(struct run *r, const struct event *e)
{
	struct frame *f = top(r)->outside ? top(r) - 1 : top(r);

	if (f->address != e->frame || f->call_block != e->block || f->call != e->value)
		see_again(r, e);
	else if (top(r)->outside)
		close_frame(r);
	run_items(r);
}

static void follow(struct run *r, const struct event *e)
{
	for (; e->kind; e++)
		switch (e->kind) {
		case EVENT_ENTER: see_enter(r, e); break;
		case EVENT_BLOCK: see_block(r, (int)e->block); break;
		case EVENT_CALL: see_call(r, e); break;
		case EVENT_AFTER: see_after(r, e); break;
		case EVENT_LEAVE: close_frame(r); break;
		}
}

static const struct event *read_log(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status))
		die("no log");
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		die("no log");
	return bytes;
}

int main(int argc, char **argv)
{
	struct table times[2] = {0};
	struct run runs[2] = {{.times = &times[0]}, {.times = &times[1]}};
	uint64_t *aligned, a = 1;

	if (argc != 4)
		return 2;
	functions = graph_read(argv[1], &function_count);
	for (int i = 0; i < 2; i++)
		follow(&runs[i], read_log(argv[2 + i]));
	aligned = calloc(runs[0].statements + 2, sizeof(*aligned));
	for (size_t i = 0; i < times[0].room; i++)
		if (times[0].at[i].value)
			aligned[times[0].at[i].value] = *find(&times[1], times[0].at[i].words);
	while (a <= runs[0].statements) {
		uint64_t count = 1;

		while (aligned[a] && aligned[a + count] == aligned[a] + count)
			count++;
		if (aligned[a])
			printf("%llu %llu %llu\n", (unsigned long long)a,
			       (unsigned long long)aligned[a], (unsigned long long)count);
		a += count;
	}
	printf("%llu and %llu statements\n", (unsigned long long)runs[0].statements,
	       (unsigned long long)runs[1].statements);
	return 0;
}
