/* A session directory: see session.h. */
#include "run/session.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/folder.h"

#define SESSION_PREFIX "hence-"
#define WAY_OUT        "; set HENCE_TAPE_DIR to a directory with space"

/* For the signal handler, which may not touch the heap. */
static char active[4096];

static void end_on_signal(int number)
{
	if (active[0])
		folder_remove(active);
	signal(number, SIG_DFL);
	raise(number);
}

/* Libraries that we use may call exit(). */
static void end_on_exit(void)
{
	if (active[0])
		folder_remove(active);
}

static struct hence_error *write_all(int fd, const char *folder, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return error_create(HENCE_ERROR_INPUT,
			                    "cannot write to the tape directory %s: %s" WAY_OUT,
			                    folder, strerror(errno));
		at += done;
		size -= done;
	}
	return NULL;
}

static int open_control(const struct session *session, int flags)
{
	char *path = str_format("%s/control", session->path);
	int fd = open(path, flags | O_CLOEXEC, 0600);

	free(path);
	return fd;
}

static struct hence_error *write_control(const struct session *session,
                                         const struct session_options *options)
{
	struct hence_control control = {
		.protocol = HENCE_PROTOCOL,
		.tape_limit = session->tape_limit,
		.budget = session->space,
		.table_offset = options->table ? sizeof(control) : 0,
		.table_size = options->table ? options->table_size : 0,
	};
	struct hence_error *error;
	int fd = open_control(session, O_WRONLY | O_CREAT | O_EXCL);

	if (fd < 0)
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot write to the tape directory %s: %s" WAY_OUT,
		                    session->folder, strerror(errno));
	memcpy(control.magic, HENCE_CTL_MAGIC, sizeof(control.magic));
	error = write_all(fd, session->folder, &control, sizeof(control));
	if (!error && options->table)
		error = write_all(fd, session->folder, options->table, options->table_size);
	close(fd);
	return error;
}

struct hence_error *session_limit(struct session *session, uint64_t tape_limit)
{
	uint64_t limit = (tape_limit < session->space ? tape_limit : session->space) & ~4095ull;
	bool written;
	int fd;

	fd = open_control(session, O_WRONLY);
	written = fd >= 0 && pwrite(fd, &limit, sizeof(limit),
	                            offsetof(struct hence_control, tape_limit)) == sizeof(limit);
	if (fd >= 0)
		close(fd);
	if (!written)
		return error_create(HENCE_ERROR_INPUT, "cannot write to the tape directory %s: %s",
		                    session->path, strerror(errno));
	session->tape_limit = limit;
	return NULL;
}

static struct hence_error *make_directory(struct session *session)
{
	session->path = str_format("%s/" SESSION_PREFIX "XXXXXX", session->folder);
	if (guard_start(session->path, folder_remove, &session->guard))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "cannot write to the tape directory %s: %s" WAY_OUT,
	                    session->folder, strerror(errno));
}

struct hence_error *session_create(const struct session_options *options, struct session *out)
{
	struct session session = {.lock = -1, .guard = GUARD_INIT};
	struct hence_error *error;
	uint64_t space = 0;

	assert(!active[0]);
	error = folder_choose(&session.folder, &space);
	if (error)
		return error;
	folder_remove_stale(session.folder, SESSION_PREFIX, folder_remove);
	session.space = space;
	session.tape_limit = options->tape_limit < space ? options->tape_limit & ~4095ull : space;
	error = make_directory(&session);
	if (error) {
		free(session.folder);
		free(session.path);
		return error;
	}
	snprintf(active, sizeof(active), "%s", session.path);

	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	static bool registered;
	struct sigaction action = {.sa_handler = end_on_signal, .sa_flags = SA_NODEFER}, old;

	if (!registered)
		atexit(end_on_exit);
	registered = true;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		/* What nohup and the like made us ignore stays ignored. */
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);

	session.lock = folder_lock(session.path);
	error = write_control(&session, options);
	if (error)
		session_destroy(&session);
	else
		*out = session;
	return error;
}

void session_destroy(struct session *session)
{
	if (!session->path)
		return;
	folder_remove(session->path);
	active[0] = '\0';
	guard_stop(&session->guard);
	if (session->lock >= 0)
		close(session->lock);
	free(session->path);
	free(session->folder);
	*session = (struct session){.lock = -1, .guard = GUARD_INIT};
}

struct hence_error *session_control(const struct session *session, struct hence_control *out)
{
	struct hence_control control;
	int fd = open_control(session, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, &control, sizeof(control));

	if (fd >= 0)
		close(fd);
	if (got != sizeof(control) || memcmp(control.magic, HENCE_CTL_MAGIC, sizeof(control.magic)))
		return error_create(HENCE_ERROR_INPUT,
		                    "the session in %s was damaged while the program ran",
		                    session->path);
	*out = control;
	return NULL;
}

static struct hence_error *rename_tapes(const struct session *session, uint32_t tapes)
{
	for (uint32_t i = 0; i < tapes; i++) {
		char *from = str_format("%s/%08u.tape", session->path, i);
		char *to = str_format("%s/%08u.first", session->path, i);
		int failed = rename(from, to) && errno != ENOENT;

		free(from);
		free(to);
		if (failed)
			return error_from_errno(HENCE_ERROR_INTERNAL, "cannot rename a tape in %s",
			                        session->path);
	}
	return NULL;
}

struct hence_error *session_repeat(struct session *session)
{
	struct hence_control control;
	struct hence_error *error = session_control(session, &control);
	int fd;

	if (!error)
		error = rename_tapes(session, control.tapes);
	if (error)
		return error;
	control.tapes = 0;
	control.refused = 0;
	control.repeat = 1;
	fd = open_control(session, O_WRONLY);
	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot write %s", session->path);
	error = write_all(fd, session->folder, &control, sizeof(control));
	close(fd);
	return error;
}
