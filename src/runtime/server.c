/*
 * The fork server: runs the program up to where it is about to see what will be varied, waits
 * there, and forks a child for each order (SERVER in protocol.h).
 *
 * Up to there nothing may happen that a forked child would not have as if it had started afresh:
 * no file opened (children would share its offset), no thread or process started, no clock read.
 * So before main has begun, and then before the first outside call that is not known to be
 * harmless, it waits. Writing to standard output is fine: what is in stdio's buffer is in each
 * child's copy of it, and what has gone out is kept by hence, which gives the orders.
 *
 * Only system calls without libc: the program may be anywhere inside it, in a callback of
 * qsort().
 */
#include "runtime/server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/edits.h"
#include "runtime/stops.h"
#include "runtime/system.h"

/* ------ descriptors of a process that waits ------ */

#define MOST 1024u

struct file {
	int32_t fd, flags;
	int64_t at; /* below 0: it cannot be sought */
};

static struct file files[MOST];
static uint32_t file_count;

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
			if (file_count == MOST)
				return false;
			files[file_count++] =
				(struct file){fd, (int32_t)HENCE_SYS3(SYS_fcntl, fd, F_GETFL, 0),
			                      HENCE_SYS3(SYS_lseek, fd, 0, SEEK_CUR)};
		}
		i += entry->d_reclen;
	}
	return true;
}

/* Notes where each open file stands. False: there are too many. */
static bool hence_rt_files_note(void)
{
	long folder = HENCE_SYS3(SYS_open, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	_Alignas(8) char block[4096];
	bool good = folder >= 0;
	long size;

	file_count = 0;
	while (good && (size = HENCE_SYS3(SYS_getdents64, folder, block, sizeof(block))) > 0)
		good = note_block(block, size, folder);
	if (folder >= 0)
		HENCE_SYS3(SYS_close, folder, 0, 0);
	return good;
}

/* Puts them there again. */
static void hence_rt_files_restore(void)
{
	for (uint32_t i = 0; i < file_count; i++) {
		HENCE_SYS3(SYS_fcntl, files[i].fd, F_SETFL, files[i].flags);
		if (files[i].at >= 0)
			HENCE_SYS3(SYS_lseek, files[i].fd, files[i].at, SEEK_SET);
	}
}

bool hence_rt_server_on_way;

static struct hence_server *server;
static uint64_t work, limit; /* of this process */
static long own;             /* the process that hence waits for */

/* What glibc has told the kernel of this thread; a fork must tell it again. */
static struct {
	int *thread_id;
	void *robust;
	size_t robust_size;
} libc;

/* Modules whose calls are looked at. */
#define MODULES 65536
static struct hence_rt_module **modules;
static uint32_t module_count;

/* What main gets in a child. NULL: what it was started with. */
static struct {
	int argc;
	char **argv, **environment;
} given;

extern char **environ;
#pragma weak environ

/* --- start --- */

/* The number behind HENCE_SERVER=, whose entry is taken out; -1: there is none. */
static long take_variable(char **environment)
{
	size_t length = sizeof(HENCE_SERVER_ENV "=") - 1;
	long number = 0;

	while (environment && *environment && strncmp(*environment, HENCE_SERVER_ENV "=", length))
		environment++;
	if (!environment || !*environment)
		return -1;
	for (const char *at = *environment + length; *at >= '0' && *at <= '9'; at++)
		number = number < 1000000 ? 10 * number + *at - '0' : number;
	for (; *environment; environment++)
		environment[0] = environment[1];
	return number;
}

/* Maps the file; NULL: the descriptor is something else. */
static struct hence_server *map_file(long fd)
{
	struct hence_server *s;
	struct stat info;

	if (HENCE_SYS3(SYS_fstat, fd, &info, 0) < 0 ||
	    (uint64_t)info.st_size < HENCE_SERVER_WORDS + HENCE_SERVER_ROOM)
		return NULL;
	s = hence_rt_map((uint64_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
	                 fd);
	if (!s)
		return NULL;
	if (memcmp(s->magic, HENCE_SRV_MAGIC, 8)) {
		HENCE_SYS3(SYS_munmap, s, info.st_size, 0);
		return NULL;
	}
	HENCE_SYS3(SYS_close, fd, 0, 0);
	return s;
}

void hence_rt_server_find(char **environment)
{
	long fd = take_variable(environment);
	struct hence_server *s = fd < 0 ? NULL : map_file(fd);

	if (!s || s->protocol != HENCE_PROTOCOL)
		return;
	server = s;
	limit = s->limit;
	s->state = HENCE_SERVER_STARTED;
	hence_rt_edits_find(s);
	hence_rt_server_on_way = s->wait == HENCE_WAIT_MAIN || s->wait == HENCE_WAIT_INPUT;
	/* So that code which runs before main is noticed. */
	if (s->wait == HENCE_WAIT_MAIN)
		hence_rt_head.end = NULL;
}

/* Stops; the tracer looks at the state and lets it go on. */
static void tell(enum hence_server_state state)
{
	long process = HENCE_SYS3(SYS_getpid, 0, 0, 0);

	server->state = state;
	HENCE_SYS3(SYS_tgkill, process, HENCE_SYS3(SYS_gettid, 0, 0, 0), SIGSTOP);
}

/* Waiting would be too late, or too early: hence must do without. */
static void give_up(void)
{
	hence_rt_server_on_way = false;
	tell(HENCE_SERVER_EARLY);
}

/* Nobody listens: calls of outside functions go straight through. */
static void let_pass(struct hence_rt_module *module)
{
	for (uint32_t i = 0; i < module->imports; i++)
		module->import[i].state = HENCE_INSTRUMENTED;
}

void hence_rt_server_add(struct hence_rt_module *module)
{
	if (hence_rt_server_experiments()) {
		hence_rt_functions_add(module);
		return;
	}
	if (!hence_rt_server_on_way || server->wait != HENCE_WAIT_INPUT) {
		let_pass(module);
		return;
	}
	if (!modules)
		modules = hence_rt_memory(MODULES * sizeof(*modules));
	if (!modules || module_count == MODULES) {
		give_up();
		return;
	}
	hence_rt_functions_add(module);
	modules[module_count++] = module;
}

/* --- serving --- */

/* As libc's fork(), but the child's parent is ours, and the tracer is not told of the fork: the
   child is traced from its first instruction all the same. */
static long make_child(void)
{
	unsigned long flags = CLONE_PARENT | CLONE_PARENT_SETTID | CLONE_PTRACE | CLONE_UNTRACED;

	if (libc.thread_id)
		flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
	return HENCE_SYS6(SYS_clone, flags, 0, &server->child, libc.thread_id, 0, 0);
}

/* Returns in each child. `number`: of the orders that are meant for this process. */
static void serve(uint32_t number)
{
	const uint32_t *order = &server->order[number];
	uint32_t seen = *order;
	long child;

	tell(HENCE_SERVER_WAITING);
	for (;;) {
		while (__atomic_load_n(order, __ATOMIC_ACQUIRE) == seen)
			HENCE_SYS6(SYS_futex, order, FUTEX_WAIT, seen, 0, 0, 0);
		seen = *order;
		child = server->command != HENCE_COMMAND_NONE ? make_child() : -ENOSYS;
		if (!child)
			return;
		if (child < 0) {
			server->state = HENCE_SERVER_FAILED;
			HENCE_SYS3(SYS_exit_group, 1, 0, 0);
		}
	}
}

/* --- the child --- */

/* `count` strings that lie one behind the other become an array; gives what is behind it. */
static char **make_array(char **array, char **string, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		*array++ = *string;
		*string += strlen(*string) + 1;
	}
	*array++ = NULL;
	return array;
}

/* Arguments and environment lie as the kernel lays them: the arrays behind each other, the
   strings too, so that a program that runs over the end of one finds the same. */
static bool take_words(void)
{
	uint64_t arrays = (server->argc + server->envc + 2ull) * sizeof(char *);
	uint64_t size = server->words;
	char *memory, *string;

	memory = hence_rt_memory(arrays + size);
	if (!memory)
		return false;
	string = memory + arrays;
	memcpy(string, (const char *)server + HENCE_SERVER_WORDS, size);
	given.argc = (int)server->argc;
	given.argv = (char **)memory;
	given.environment = make_array(given.argv, &string, server->argc);
	make_array(given.environment, &string, server->envc);
	if (&environ)
		environ = given.environment;
	return true;
}

static void wait_as(uint32_t number)
{
	HENCE_SYS3(SYS_prctl, PR_GET_TID_ADDRESS, &libc.thread_id, 0);
	HENCE_SYS3(SYS_get_robust_list, 0, &libc.robust, &libc.robust_size);
	serve(number);
	HENCE_SYS3(SYS_setpgid, 0, 0, 0);
	if (libc.robust)
		HENCE_SYS3(SYS_set_robust_list, libc.robust, libc.robust_size, 0);
	limit = server->limit;
	own = HENCE_SYS3(SYS_getpid, 0, 0, 0);
	if (server->command == HENCE_COMMAND_RUN)
		work = 0;
	if (server->wait == HENCE_WAIT_MAIN && !take_words())
		HENCE_SYS3(SYS_exit_group, 127, 0, 0);
	hence_rt_edits_select();
}

static void wait_here(void)
{
	int saved = errno;

	hence_rt_server_on_way = false;
	for (uint32_t i = 0; i < module_count; i++)
		let_pass(modules[i]);
	wait_as(0);
	errno = saved;
}

/* --- experiments --- */

bool hence_rt_server_experiments(void)
{
	return server && server->wait == HENCE_WAIT_START;
}

bool hence_rt_server_repeats(void)
{
	return hence_rt_server_experiments() && own == HENCE_SYS3(SYS_getpid, 0, 0, 0);
}

uint32_t hence_rt_server_tape(void)
{
	return server->tape;
}

void hence_rt_server_obey(struct hence_rt_registers *registers)
{
	struct hence_orders *orders = (void *)((char *)server + HENCE_ORDERS);

	hence_rt_stops_begin(orders, orders->here ? registers : NULL,
	                     server->command == HENCE_COMMAND_SNAPSHOT);
}

void hence_rt_server_snapshot(void)
{
	if (!hence_rt_files_note())
		hence_rt_stops_end();
	wait_as(server->snapshot);
	hence_rt_files_restore();
}

void hence_rt_server_begin(void)
{
	if (!hence_rt_files_note()) {
		hence_rt_edits_select();
		return;
	}
	wait_as(0);
	hence_rt_files_restore();
	hence_rt_server_obey(NULL);
}

void hence_rt_server_patch(void)
{
	struct hence_orders *orders = (void *)((char *)server + HENCE_ORDERS);

	if (!server || server->wait != HENCE_WAIT_PATCHED)
		return;
	hence_rt_head.patched = orders->patch_time;
	hence_rt_stops_begin(orders, NULL, false);
}

/* --- where to wait --- */

static bool main_begun;

void hence_rt_server_entered(void)
{
	if (server->wait == HENCE_WAIT_MAIN)
		give_up();
}

void hence_rt_server_call(struct hence_rt_import *import)
{
	if (hence_rt_is_instrumented(import->address) || hence_rt_harmless(import->name))
		import->state = HENCE_INSTRUMENTED;
	else if (main_begun)
		wait_here();
	else
		give_up();
}

void hence_rt_server_call_pointer(const void *target)
{
	if (hence_rt_is_instrumented(target))
		return;
	if (main_begun)
		wait_here();
	else
		give_up();
}

/* The start of main: what it is to take for its parameters. */
HENCE_RT_EXPORT int hence_rt_main_count(int argc);
int hence_rt_main_count(int argc)
{
	/* Only once: a program may call its own main. */
	if (main_begun)
		memset(&given, 0, sizeof(given));
	main_begun = true;
	if (hence_rt_server_on_way && server->wait == HENCE_WAIT_MAIN)
		wait_here();
	return given.argv ? given.argc : argc;
}

HENCE_RT_EXPORT char **hence_rt_main_words(char **argv);
char **hence_rt_main_words(char **argv)
{
	return given.argv ? given.argv : argv;
}

HENCE_RT_EXPORT char **hence_rt_main_environment(char **environment);
char **hence_rt_main_environment(char **environment)
{
	return given.environment ? given.environment : environment;
}

/* --- counting --- */

void hence_rt_server_count(uint64_t bytes)
{
	if (!server || hence_rt_server_on_way)
		return;
	work += bytes;
	/* Of several processes, that which did most. */
	if (work > server->work)
		server->work = work;
	if (!limit || work <= limit)
		return;
	server->cut = 1;
	HENCE_SYS3(SYS_kill, HENCE_SYS3(SYS_getpid, 0, 0, 0), SIGKILL, 0);
}
