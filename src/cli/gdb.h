/* `hence gdb`: its options, where its program runs, and what gdb is told. */
#ifndef HENCE_CLI_GDB_H
#define HENCE_CLI_GDB_H

#include "cli/again.h"
#include "trial/trial_scratch.h"

struct gdb_command {
	const char *path; /* of the report */
	uint64_t step;
	bool reference; /* the run that the failing one is compared with */
	struct again_trust trust;
	bool batch, help;
	char **words; /* for gdb, behind '--' */
};

/* --- gdb_moment.c --- */

/* Where gdb has to stop. */
struct gdb_moment {
	VEC(uint64_t) addresses; /* of the statement in the code: there may be several */
	uint64_t count;          /* it is passed for the nth time */
	bool library; /* the code is in a shared library, and there only when main() begins */
	bool copied;  /* the run needed a copy of the working directory */
	struct edited *edited; /* the program runs with this edit; NULL: as it is */
};

/* Runs the program again as the report has it and finds the moment of a step; *code as of pair_find(). Caller frees with
   gdb_moment_deinit(), after an error too. */
struct hence_error *gdb_find_moment(const struct gdb_command *command, struct again *again,
                                    struct gdb_moment *out, int *code);

void gdb_moment_deinit(struct gdb_moment *moment);

/* The input of the run that is looked at. */
const struct input *gdb_input(const struct gdb_command *command, const struct again *again);

/* --- gdb_room.c --- */

/* A scratch directory with what the program reads, and how it is started. */
struct gdb_room {
	struct trial_scratch scratch;
	char *hence; /* the executable: with GDB_START and `start` it executes what stands behind these */
	char *start;  /* a file for gdb_start() */
	char *script; /* commands for gdb */
};

/* Writes the input into a scratch directory, below which a `confined` program may write. If the input has files, or a confined
   program needed a copy when its moment was found, it runs in a copy of the working directory, else in that itself. Caller frees with
   gdb_room_deinit(), after an error too. */
struct hence_error *gdb_room_init(const struct input *input, bool confined,
                                  const struct gdb_moment *moment, struct gdb_room *out);
void gdb_room_deinit(struct gdb_room *room);

/* Writes one of its files. */
struct hence_error *gdb_room_write(const struct gdb_room *room, const char *name,
                                   const struct str *bytes, char **path);

/* --- gdb_start.c --- */

/*
 * `hence gdb --start FILE PROGRAM`, which gdb executes instead of the program: confines itself and becomes the program. FILE has
 * texts, each ended by a zero byte: the directory to confine to, or nothing; the one to go to, or nothing; the file for
 * standard input; then variables and arguments, with a letter in front.
 */
#define GDB_START "--start"

enum gdb_start_letter {
	GDB_START_SET = '=',   /* NAME=VALUE */
	GDB_START_UNSET = '-', /* NAME */
	GDB_START_ARGUMENT = '+',
	GDB_START_EDIT =
		'!', /* path of an image of edited code, which the runtime of the program loads */
};

/* Does not come back but for an error: `words` are FILE and PROGRAM. Gives the exit code. */
int gdb_start(char *const *words);

/* --- gdb_words.c --- */

/* The commands that lead gdb to the moment. */
void gdb_add_script(const struct gdb_moment *moment, const struct gdb_room *room, struct str *out);

/* The commands that display a variable of a step, or say why there is none, each on a line. `edited`: it is a condition that the edit of the
   reference changes. Caller frees. */
char *gdb_display(const struct explanation_step *step, const struct explanation_value *value,
                  bool reference, bool edited);

#endif
