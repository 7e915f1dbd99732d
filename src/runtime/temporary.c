/*
 * Temporary files. A confined run may write only below its scratch folder, which $TMPDIR names, but tmpfile() makes its
 * file in /tmp whatever $TMPDIR is. hence cc turns calls of it into calls of the function below, which makes the file in
 * the scratch folder where /tmp is refused. Without confinement it is the C library's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/tape.h"

HENCE_RT_EXPORT FILE *hence_rt_tmpfile(void);
FILE *hence_rt_tmpfile(void)
{
	FILE *file = tmpfile();
	const char *folder = getenv("TMPDIR");
	int refused = errno, fd;

	if (file || (refused != EACCES && refused != EPERM) || !folder)
		return file;
	fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL, 0600);
	if (fd >= 0)
		file = fdopen(fd, "w+");
	if (fd >= 0 && !file)
		close(fd);
	if (!file)
		errno = refused;
	return file;
}
