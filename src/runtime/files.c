/* Descriptors of a process that waits: see files.h. */
#include "runtime/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/system.h"

#define MOST 1024u

struct file {
	int32_t fd, flags;
	int64_t at; /* below 0: it cannot be sought */
};

static struct file files[MOST];
static uint32_t count;

static void note(int32_t fd)
{
	files[count++] = (struct file){fd, (int32_t)HENCE_SYS3(SYS_fcntl, fd, F_GETFL, 0),
	                               HENCE_SYS3(SYS_lseek, fd, 0, SEEK_CUR)};
}

/* The number that a name is; -1: none. */
static int32_t number_of(const char *name)
{
	int32_t number = 0;

	for (; *name; name++) {
		if (*name < '0' || *name > '9')
			return -1;
		number = 10 * number + *name - '0';
	}
	return number;
}

/* One of the kernel's blocks of directory entries. */
static bool note_block(const char *block, long size, long folder)
{
	for (long i = 0; i < size;) {
		const struct dirent64 *entry = (const void *)(block + i);
		int32_t fd = number_of(entry->d_name);

		if (fd >= 0 && fd != folder) {
			if (count == MOST)
				return false;
			note(fd);
		}
		i += entry->d_reclen;
	}
	return true;
}

bool hence_rt_files_note(void)
{
	long folder = HENCE_SYS3(SYS_open, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	_Alignas(8) char block[4096];
	bool good = folder >= 0;
	long size;

	count = 0;
	while (good && (size = HENCE_SYS3(SYS_getdents64, folder, block, sizeof(block))) > 0)
		good = note_block(block, size, folder);
	if (folder >= 0)
		HENCE_SYS3(SYS_close, folder, 0, 0);
	return good;
}

void hence_rt_files_restore(void)
{
	for (uint32_t i = 0; i < count; i++) {
		HENCE_SYS3(SYS_fcntl, files[i].fd, F_SETFL, files[i].flags);
		if (files[i].at >= 0)
			HENCE_SYS3(SYS_lseek, files[i].fd, files[i].at, SEEK_SET);
	}
}
