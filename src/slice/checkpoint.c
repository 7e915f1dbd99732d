/* Copies of a process that wait for work: see checkpoint.h. */
#include "slice/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- bytes through pipes --- */

static bool put(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool get(int fd, void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* --- ranges --- */

/* One range of an instance; `to` 0: it is whole. */
struct sent_range {
	uint64_t from, to;
	uint32_t instance;
};

static bool put_ranges(int fd, const struct marks_map *map)
{
	VEC(struct sent_range) all = VEC_INIT;
	bool ok;

	map_each(map, i)
	{
		const struct marks_ranges *r = &map->at[i].value;

		if (r->whole)
			*vec_push(&all) = (struct sent_range){.instance = (uint32_t)map->at[i].key};
		for (uint32_t k = 0; !r->whole && k < r->at.size; k++)
			*vec_push(&all) = (struct sent_range){r->at.at[k].from, r->at.at[k].to,
			                                      (uint32_t)map->at[i].key};
	}
	ok = put(fd, &all.size, sizeof(all.size)) &&
	     put(fd, all.at, (size_t)all.size * sizeof(*all.at));
	vec_deinit(&all);
	return ok;
}

static bool get_ranges(int fd, struct marks *marks)
{
	struct sent_range range;
	uint32_t count;

	marks_drop_ranges(marks, 0);
	if (!get(fd, &count, sizeof(count)))
		return false;
	while (count--) {
		if (!get(fd, &range, sizeof(range)))
			return false;
		marks_add_range(marks, range.instance, range.from,
		                range.to ? range.to - range.from : 0);
	}
	return true;
}

/* --- open memory --- */

struct sent_open {
	uint64_t key;
	struct relevant_open open;
};

static bool put_open(int fd, const struct relevant *r)
{
	uint64_t count = r->open.size;
	bool ok = put(fd, r->classes, sizeof(r->classes)) && put(fd, &count, sizeof(count));

	map_each(&r->open, i)
	{
		struct sent_open open = {r->open.at[i].key, r->open.at[i].value};

		ok = ok && put(fd, &open, sizeof(open));
	}
	return ok;
}

static bool get_open(int fd, struct relevant *r)
{
	struct sent_open open;
	uint64_t count;

	relevant_deinit(r);
	if (!get(fd, r->classes, sizeof(r->classes)) || !get(fd, &count, sizeof(count)))
		return false;
	while (count--) {
		if (!get(fd, &open, sizeof(open)))
			return false;
		*relevant_map_put(&r->open, open.key) = open.open;
	}
	return true;
}

/* --- what was found --- */

static bool put_found(int fd, const struct backward_found *f)
{
	return put(fd, f, sizeof(*f)) &&
	       put(fd, f->edges.at, (size_t)f->edges.size * sizeof(*f->edges.at));
}

static bool get_found(int fd, struct backward *b)
{
	struct backward_found found, *f = &b->found;
	uint32_t had = f->edges.size;

	if (!get(fd, &found, sizeof(found)))
		return false;
	f->given |= found.given;
	f->unseen |= found.unseen;
	f->guesses += found.guesses;
	f->windows += found.windows;
	f->peak = found.peak > f->peak ? found.peak : f->peak;
	vec_reserve(&f->edges, had + found.edges.size);
	f->edges.size += found.edges.size;
	return get(fd, f->edges.at + had, (size_t)found.edges.size * sizeof(*f->edges.at));
}

static bool put_error(int fd, const struct hence_error *error)
{
	uint32_t size = error ? (uint32_t)strlen(error->message) + 1 : 0;
	uint32_t kind = error ? (uint32_t)error->kind : 0;

	return put(fd, &size, sizeof(size)) && put(fd, &kind, sizeof(kind)) &&
	       (!error || put(fd, error->message, size));
}

static bool get_error(int fd, struct hence_error **error)
{
	uint32_t size, kind;
	char *message;

	if (!get(fd, &size, sizeof(size)) || !get(fd, &kind, sizeof(kind)))
		return false;
	if (!size)
		return true;
	message = mem_alloc(size);
	if (get(fd, message, size))
		*error = error_create((enum hence_error_kind)kind, "%s", message);
	free(message);
	return *error != NULL;
}

/* --- the copy --- */

/* Handlers are the parent's; an interrupt from the terminal is its business, too. */
static void reset_signals(void)
{
	static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};

	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
		signal(deadly[i], SIG_DFL);
	signal(SIGINT, SIG_IGN);
}

static void wait_for_work(struct backward *b, const struct checkpoint *c, pid_t parent,
                          struct checkpoint_work *work)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	if (getppid() != parent || !get(c->to, work, sizeof(*work)) ||
	    !get_ranges(c->to, &b->marks) || !get_open(c->to, &b->relevant))
		_exit(0);
	vec_deinit(&b->found.edges);
	memset(&b->found, 0, sizeof(b->found));
}

void checkpoint_answer(struct backward *b, struct checkpoint *c, struct hence_error *error)
{
	bool ok = put_error(c->from, error);

	if (ok && !error)
		ok = put_ranges(c->from, &b->marks.ranges) && put_open(c->from, &b->relevant) &&
		     put_found(c->from, &b->found);
	_exit(ok ? 0 : 1);
}

/* --- its parent --- */

static void close_pipes(int pipes[4])
{
	for (int i = 0; i < 4; i++)
		if (pipes[i] >= 0)
			close(pipes[i]);
}

struct hence_error *checkpoint_create(struct backward *b, uint32_t first, struct checkpoint *out,
                                      bool *copy, struct checkpoint_work *work)
{
	int pipes[4] = {-1, -1, -1, -1};
	pid_t parent = getpid(), process = -1;

	if (!pipe2(pipes, O_CLOEXEC) && !pipe2(pipes + 2, O_CLOEXEC))
		process = fork();
	if (process < 0) {
		close_pipes(pipes);
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start a process to slice in");
	}
	*out = (struct checkpoint){.process = process, .first = first};
	out->to = pipes[process ? 1 : 0];
	out->from = pipes[process ? 2 : 3];
	close(pipes[process ? 0 : 1]);
	close(pipes[process ? 3 : 2]);
	*copy = !process;
	if (!process)
		wait_for_work(b, out, parent, work);
	return NULL;
}

static void end_copy(struct checkpoint *c, int *status)
{
	close(c->to);
	close(c->from);
	while (waitpid(c->process, status, 0) < 0 && errno == EINTR)
		;
}

struct hence_error *checkpoint_ask(struct checkpoint *c, struct backward *b,
                                   struct checkpoint_work work)
{
	struct hence_error *error = NULL;
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	int status = 0;
	bool ok = put(c->to, &work, sizeof(work)) && put_ranges(c->to, &b->marks.ranges) &&
	          put_open(c->to, &b->relevant) && get_error(c->from, &error) &&
	          (error || (get_ranges(c->from, &b->marks) && get_open(c->from, &b->relevant) &&
	                     get_found(c->from, b)));

	signal(SIGPIPE, old);
	end_copy(c, &status);
	if (ok)
		return error;
	if (WIFSIGNALED(status))
		return error_create(HENCE_ERROR_INTERNAL,
		                    "a process that sliced a part of the run died of signal %d%s",
		                    WTERMSIG(status),
		                    WTERMSIG(status) == SIGKILL ? "; is memory short?" : "");
	return error_create(HENCE_ERROR_INTERNAL,
	                    "a process that sliced a part of the run ended early");
}

void checkpoint_drop(struct checkpoint *c)
{
	int status;

	/* Younger copies have the pipe open, too: it would not see the end. */
	kill(c->process, SIGKILL);
	end_copy(c, &status);
}
