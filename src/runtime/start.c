/*
 * How recording starts: each program and shared library that hence cc linked has a constructor that
 * registers its modules; the first one looks for a session. A forked child gets a tape of its own.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "runtime/calls.h"
#include "runtime/edits.h"
#include "runtime/given.h"
#include "runtime/server.h"
#include "runtime/stops.h"
#include "runtime/system.h"
#include "runtime/tape.h"

static struct hence_control *control;
static uint32_t modules;

const struct hence_control *hence_rt_control(void)
{
	return control;
}

/* --- the session --- */

static const char *find_session(char **environment)
{
	size_t length = strlen(HENCE_SESSION_ENV);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, HENCE_SESSION_ENV, length) &&
		    (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/* Maps DIR/control whole; NULL: it is not there or not ours. */
static struct hence_control *open_control(const char *folder, bool writable)
{
	char path[4096];
	size_t length = strlen(folder);
	struct hence_control *c;
	long fd, size;

	if (length + sizeof("/control") > sizeof(path))
		return NULL;
	memcpy(path, folder, length);
	memcpy(path + length, "/control", sizeof("/control"));
	fd = HENCE_SYS3(SYS_open, path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
	if (fd < 0)
		return NULL;
	size = HENCE_SYS3(SYS_lseek, fd, 0, 2);
	c = size < (long)sizeof(*c)
	            ? NULL
	            : hence_rt_map((uint64_t)size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
	                           MAP_SHARED, fd);
	HENCE_SYS3(SYS_close, fd, 0, 0);
	if (!c || memcmp(c->magic, HENCE_CTL_MAGIC, 8))
		return NULL;
	if (c->protocol == HENCE_PROTOCOL)
		return c;
	if (writable)
		__atomic_add_fetch(&c->refused, 1, __ATOMIC_RELAXED);
	return NULL;
}

static uint32_t next_number(void)
{
	return __atomic_fetch_add(&control->tapes, 1, __ATOMIC_RELAXED);
}

bool hence_rt_take_budget(uint64_t bytes)
{
	return __atomic_sub_fetch(&control->budget, (int64_t)bytes, __ATOMIC_RELAXED) >= 0;
}

/* The head as it was at the fork: the parent goes on writing to the one that both share. */
static struct hence_head parent;

void hence_rt_fork_begins(void)
{
	parent = hence_rt_head;
}

/* The child of a fork must not write to its parent's tape. */
static void child_starts(void)
{
	if (!hence_rt_recording())
		return;
	if (!hence_rt_signals_forked() ||
	    !hence_rt_tape_open(hence_rt_session(), next_number(), parent.limit)) {
		hence_rt_forget_tape();
		return;
	}
	hence_rt_head.parent = parent.number;
	hence_rt_head.parent_at = (uint64_t)(parent.cur - parent.base);
	hence_rt_head.outframe = parent.outframe;
	hence_rt_head.stack_base = parent.stack_base;
	hence_rt_head.argv = parent.argv;
	hence_rt_head.environ = parent.environ;
	hence_rt_head.argc = parent.argc;
	memcpy(hence_rt_head.program, parent.program, sizeof(parent.program));
	hence_rt_head.end = parent.end ? hence_rt_stream.end : NULL;
	hence_rt_calls_forked();
}

void hence_rt_fork_ended(void)
{
	if (parent.pid != (int32_t)HENCE_SYS3(SYS_getpid, 0, 0, 0))
		child_starts();
}

/* What pthread_atfork() calls; that one needs the start files of a normal program. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

static void start(int argc, char **argv, char **environment)
{
	const char *folder = find_session(environment);

	hence_rt_server_find(environment);
	if (hence_rt_server_experiments()) {
		/* An experiment: nothing is recorded, and answers that vary are those of the
		   recorded run. */
		control = folder ? open_control(folder, false) : NULL;
		if (control && hence_rt_calls_init())
			hence_rt_tape_repeat(folder, hence_rt_server_tape());
		return;
	}
	if (!folder) {
		hence_rt_server_patch();
		return;
	}
	if (!(control = open_control(folder, true)))
		return;
	if (!hence_rt_calls_init() ||
	    !hence_rt_tape_open(folder, next_number(), control->tape_limit)) {
		__atomic_add_fetch(&control->failed, 1, __ATOMIC_RELAXED);
		return;
	}
	hence_rt_head.argc = (uint32_t)argc;
	hence_rt_head.argv = (uint64_t)argv;
	hence_rt_head.environ = (uint64_t)environment;
	hence_rt_head.stack_base = (uint64_t)__builtin_frame_address(0);
	HENCE_SYS3(SYS_readlink, "/proc/self/exe", hence_rt_head.program,
	           sizeof(hence_rt_head.program) - 1);
	hence_rt_give(argv, environment);
	__register_atfork(hence_rt_fork_begins, NULL, child_starts, NULL);
	hence_rt_server_patch();
}

/* --- modules --- */

/* Puts the folder that the program stands in before a relative path. */
static void make_absolute(char *path, size_t room)
{
	size_t length = strlen(path), folder;
	char whole[4096];
	long n;

	if (path[0] == '/')
		return;
	n = HENCE_SYS3(SYS_getcwd, whole, sizeof(whole), 0);
	folder = n > 0 ? (size_t)n - 1 : 0;
	if (!folder || folder + length + 2 > sizeof(whole) || folder + length + 2 > room)
		return;
	whole[folder] = '/';
	memcpy(whole + folder + 1, path, length + 1);
	memcpy(path, whole, folder + length + 2);
}

/* The ELF file that holds an image: for the program itself what the kernel ran. */
static void file_of(const void *image, char *path, size_t room)
{
	const Elf64_Ehdr *header = image;
	bool program = getauxval(AT_PHDR) == (uint64_t)image + header->e_phoff;
	Dl_info info;
	long n;

	path[0] = '\0';
	if (program) {
		n = HENCE_SYS3(SYS_readlink, "/proc/self/exe", path, room - 1);
		path[n > 0 ? n : 0] = '\0';
	} else if (dladdr(image, &info) && info.dli_fname && strlen(info.dli_fname) < room) {
		memcpy(path, info.dli_fname, strlen(info.dli_fname) + 1);
		make_absolute(path, room);
	}
}

struct arguments {
	int argc;
	char **argv, **environment;
};

HENCE_RT_EXPORT void hence_rt_register(struct hence_rt_module **from, struct hence_rt_module **to,
                                       const void *image, const struct arguments *arguments);
void hence_rt_register(struct hence_rt_module **from, struct hence_rt_module **to,
                       const void *image, const struct arguments *arguments)
{
	static bool started;
	bool first = !started;
	char path[4096];

	if (first) {
		started = true;
		start(arguments->argc, arguments->argv, arguments->environment);
	}
	if (hence_rt_recording())
		file_of(image, path, sizeof(path));
	for (; from != to; from++) {
		struct hence_module_record record;
		size_t count;
		uint8_t *open;

		(*from)->number = modules++;
		hence_rt_edits_add(*from);
		if (!hence_rt_recording()) {
			hence_rt_server_add(*from);
			continue;
		}
		hence_rt_functions_add(*from);
		record = (struct hence_module_record){.number = (*from)->number,
		                                      .functions = (*from)->functions,
		                                      .globals = (*from)->globals,
		                                      .labels = (*from)->labels,
		                                      .imports = (*from)->imports};
		count = (size_t)(*from)->functions + (*from)->globals + (*from)->labels +
		        (*from)->imports;
		open = hence_rt_open_record(HENCE_MODULE);
		memcpy(record.hash, (*from)->hash, 16);
		hence_rt_put(&record, sizeof(record));
		hence_rt_put((*from)->addresses, count * sizeof(*(*from)->addresses));
		hence_rt_put(path, strlen(path) + 1);
		hence_rt_close_record(open);
	}
	/* Only now, so that not every experiment has to register what its server has registered. */
	if (first && hence_rt_server_experiments())
		hence_rt_server_begin();
	hence_rt_stops_loaded();
}

/* Of this program or shared library, and no other. */
#define OWN __attribute__((visibility("hidden")))
extern OWN struct hence_rt_module *__start_hence_modules[] __attribute__((weak));
extern OWN struct hence_rt_module *__stop_hence_modules[] __attribute__((weak));
extern OWN const char __ehdr_start[];

/* Runs in each program and shared library, before the program's own constructors; hence cc links
   with -u hence_rt_unit, so that none goes without. */
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
__attribute__((constructor(1))) OWN void hence_rt_unit(int argc, char **argv, char **environment);
void hence_rt_unit(int argc, char **argv, char **environment)
{
	struct arguments arguments = {argc, argv, environment};

	hence_rt_register(__start_hence_modules, __stop_hence_modules, __ehdr_start, &arguments);
}

__attribute__((destructor(1))) static void destructor(void)
{
	if (hence_rt_recording() && hence_rt_head.pid == (int32_t)HENCE_SYS3(SYS_getpid, 0, 0, 0))
		hence_rt_head.state = HENCE_ENDED;
}
