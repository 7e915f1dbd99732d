/* Memory for tapes, ahead of time: see feed.h. */
#include "run/feed.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "runtime/protocol.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define MOST_TAPES 64         /* that are fed: a script's thousandth process is a short one */
#define WORTH      (2u << 20) /* a tape smaller than this is not fed */
#define STEP       (4u << 20)
#define AHEAD      (96u << 20)

struct fed {
	int fd;
	const volatile struct hence_head *head;
	uint64_t size; /* of the file that has memory */
};

struct feed {
	pthread_t thread;
	char *session;
	const volatile struct hence_control *control;
	VEC(struct fed) tapes;
	volatile bool stop;
};

static const void *map_page(int fd)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	return page == MAP_FAILED ? NULL : page;
}

/* Looks for tapes that have been started since. */
static void find_tapes(struct feed *feed)
{
	while (feed->tapes.size < feed->control->tapes && feed->tapes.size < MOST_TAPES) {
		char *path = str_format("%s/%08u.tape", feed->session, feed->tapes.size);
		struct fed fed = {.fd = open(path, O_RDWR | O_CLOEXEC)};
		struct stat st;

		free(path);
		if (fed.fd < 0)
			return;
		/* Its first page is not there yet. */
		if (fstat(fed.fd, &st) || st.st_size < (off_t)HENCE_STREAM) {
			close(fed.fd);
			return;
		}
		fed.head = map_page(fed.fd);
		*vec_push(&feed->tapes) = fed;
	}
}

/* Gives memory to the next part of a tape. */
static bool extend(struct fed *fed, uint64_t limit)
{
	uint64_t size = limit - fed->size < STEP ? limit - fed->size : STEP;
	void *part =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fed->fd, (off_t)fed->size);
	bool done;

	if (part == MAP_FAILED)
		return false;
	done = !madvise(part, size, MADV_POPULATE_WRITE);
	munmap(part, size);
	fed->size += size;
	return done;
}

/* One step for one tape. False: nothing to do. */
static bool feed_tape(struct fed *fed)
{
	uint64_t have, ahead, limit;

	if (!fed->head || fed->head->state != HENCE_RECORDING)
		return false;
	have = fed->head->populated;
	limit = fed->head->limit & ~4095ull;
	ahead = have < AHEAD ? have : AHEAD;
	if (fed->size < have)
		fed->size = have;
	if (have < WORTH || fed->size >= have + ahead || fed->size >= limit)
		return false;
	if (!extend(fed, limit)) {
		munmap((void *)fed->head, 4096);
		fed->head = NULL; /* no room: the program will notice by itself */
	}
	return true;
}

static void *feed_all(void *argument)
{
	struct timespec nap = {.tv_nsec = 500000};
	struct feed *feed = argument;

	while (!feed->stop) {
		bool busy = false;

		find_tapes(feed);
		for (uint32_t i = 0; i < feed->tapes.size; i++)
			busy |= feed->control->budget > AHEAD && feed_tape(&feed->tapes.at[i]);
		if (!busy)
			nanosleep(&nap, NULL);
	}
	return NULL;
}

static const void *map_control(const char *session)
{
	char *path = str_format("%s/control", session);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const void *page = NULL;

	free(path);
	if (fd >= 0) {
		page = map_page(fd);
		close(fd);
	}
	return page;
}

/* Signals are for the thread that waits for the program. */
static bool start_thread(struct feed *feed)
{
	sigset_t all, old;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	started = !pthread_create(&feed->thread, NULL, feed_all, feed);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

struct feed *feed_start(const char *session)
{
	struct feed *feed = mem_alloc(sizeof(*feed));

	feed->session = mem_strdup(session);
	feed->control = map_control(session);
	if (feed->control && start_thread(feed))
		return feed;
	free(feed->session);
	free(feed);
	return NULL;
}

void feed_stop(struct feed *feed)
{
	if (!feed)
		return;
	feed->stop = true;
	pthread_join(feed->thread, NULL);
	for (uint32_t i = 0; i < feed->tapes.size; i++) {
		if (feed->tapes.at[i].head)
			munmap((void *)feed->tapes.at[i].head, 4096);
		close(feed->tapes.at[i].fd);
	}
	vec_deinit(&feed->tapes);
	munmap((void *)feed->control, 4096);
	free(feed->session);
	free(feed);
}
