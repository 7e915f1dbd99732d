/*
 * What a worker keeps for its trials: a part of the scratch directory, streams, the copy of the
 * working directory if there is one. A room is furnished for a trial, and tidied up after it.
 *
 *	PART/dir     the copy of the working directory
 *	    /tmp     TMPDIR of the program
 *	    /files/N varied files that do not lie in the working directory
 *	    /stdin, /args for the user's test
 */
#ifndef HENCE_TRIAL_WORKER_ROOM_H
#define HENCE_TRIAL_WORKER_ROOM_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"
#include "trial/input.h"
#include "trial/trial_tree.h"

#define ROOM_MOST_OUTPUT (16u << 20) /* bytes of output that are kept */

/*
 * Varied files: where they lie, and by which names the arguments of the program call them. A trial
 * finds a changed copy of each; an argument that would lead it past the copy, to the user's own
 * file, is made to name the copy.
 *
 * All to be asked in the user's working directory, while the files are there.
 */

/* One varied file. */
struct worker_file {
	const char *name; /* as the user wrote it */
	char *below;      /* its path below the working directory; NULL: it lies elsewhere */
	bool named;       /* by an argument */
	/* How arguments name it: these ends of them do not lead to `below` in a copy of the working
	   directory. */
	VEC(char *) names;
};

/* Looks at the file `name` and the arguments of the input. Caller frees with worker_file_deinit().
   `name` must live as long. */
void worker_file_init(struct worker_file *file, const char *name, const struct input *input);
void worker_file_deinit(struct worker_file *file);

/* The length of the end of the argument that must be replaced by the path of the copy; 0: the
   argument can stay as it is. */
size_t worker_file_match(const struct worker_file *file, const char *argument);

struct room_options {
	const char *program; /* absolute path of what is run */
	const char *name;    /* argv[0] */
	const char *line;    /* of the user's test, for the shell; NULL: none */
	const char *folder;  /* the user's working directory */
	const char *origin;  /* a copy of it as it was; NULL: trials run in place, and only read */
	const char *part;    /* does not exist before */
	const char *session; /* directory that the program records into; NULL: it does not */
	const struct input *input; /* the failing one: which files and variables there are */
};

/* A file of the failing input. */
struct room_file {
	struct worker_file file;
	char *path; /* where trials find it */
};

struct room {
	const struct room_options *options;
	char *dir; /* that trials run in */
	struct trial_tree tree;
	VEC(struct room_file) files;
	bool copied;
	bool rebuilt; /* the copy had to be made anew: the directory is another one */
	bool changed; /* files in it are others: who has them open has the old ones */
	int source;   /* standard input: a file in memory, to be written */
	int in;       /* and to be read */
	int out;      /* standard output: a file in memory */
	int message;  /* standard error: the same */
	int none;     /* /dev/null */
};

/* A command line and an environment. */
struct room_command {
	const char *path;
	VEC(char *) argv; /* with a NULL at the end */
	VEC(char *) environment;
};

/* Caller frees with room_destroy(), which leaves the files. `options` must live as long. */
MUST_USE struct hence_error *room_create(const struct room_options *options, struct room *out);
void room_destroy(struct room *room);

/* Puts files, standard input, arguments and variables of a trial in place. Caller frees with
   room_command_deinit(). */
MUST_USE struct hence_error *room_furnish(struct room *room, const struct input *input,
                                          struct room_command *out);
void room_command_deinit(struct room_command *command);

/* Puts only the files in place, for a program that is given the rest in another way. */
MUST_USE struct hence_error *room_put_files(struct room *room, const struct input *input);

/* The input as the program is to see it: arguments name the copies of files. `out` is empty
   before. */
void room_translate(const struct room *room, const struct input *input, struct input *out);

/* The output of the trial, and what it wrote to standard error, up to a limit. */
MUST_USE struct hence_error *room_output(struct room *room, struct str *out, struct str *message);

/* Replaces names in the scratch directory by those that they stand for, so that two trials that do
   the same also say the same. */
void room_hide_scratch(const struct room *room, struct str *text);

/* Makes all as it was before the trial. */
MUST_USE struct hence_error *room_tidy(struct room *room);

#endif
