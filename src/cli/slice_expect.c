/* --expect of `hence slice`: the program's standard output against what is right. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/slice_expect.h"

static struct hence_error *read_all(int fd, struct str *out)
{
	char buffer[65536];
	ssize_t size;

	while ((size = read(fd, buffer, sizeof(buffer))) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			return error_from_errno(HENCE_ERROR_INPUT, "reading");
		str_add_bytes(out, buffer, (size_t)size);
	}
	return NULL;
}

static struct hence_error *load(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct hence_error *error;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "--expect: cannot read %s", path);
	error = read_all(fd, out);
	close(fd);
	if (!error)
		return NULL;
	error_destroy(error);
	return error_from_errno(HENCE_ERROR_INPUT, "--expect: cannot read %s", path);
}

struct hence_error *slice_expect_init(struct slice_expect *e, const char *path, const char *text)
{
	struct hence_error *error = NULL;

	*e = (struct slice_expect){.fd = -1};
	if (path)
		error = load(path, &e->expected);
	else
		str_add(&e->expected, text);
	if (error)
		return error;
	e->line =
		!path && (!e->expected.length || e->expected.text[e->expected.length - 1] != '\n');
	e->fd = memfd_create("hence-output", MFD_CLOEXEC);
	if (e->fd >= 0)
		return NULL;
	return error_from_errno(HENCE_ERROR_INTERNAL, "cannot keep the program's output");
}

void slice_expect_deinit(struct slice_expect *e)
{
	str_deinit(&e->expected);
	str_deinit(&e->actual);
	if (e->fd > 0)
		close(e->fd);
}

/* The user still sees what the program prints. */
static void show(const struct str *text)
{
	for (size_t done = 0; done < text->length;) {
		ssize_t size = write(2, text->text + done, text->length - done);

		if (size <= 0)
			return;
		done += (size_t)size;
	}
}

struct hence_error *slice_expect_compare(struct slice_expect *e)
{
	size_t length, common = 0;
	struct hence_error *error;

	lseek(e->fd, 0, SEEK_SET);
	error = read_all(e->fd, &e->actual);
	if (error)
		return error;
	show(&e->actual);
	length = e->actual.length;
	/* Who gives a line on the command line leaves out its end. */
	if (e->line && length && e->actual.text[length - 1] == '\n')
		length--;
	while (common < length && common < e->expected.length &&
	       e->actual.text[common] == e->expected.text[common])
		common++;
	e->same = common == length && common == e->expected.length;
	e->wrong = common;
	e->missing = common == length && !e->same;
	return NULL;
}
