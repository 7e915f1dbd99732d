/* What the files of `hence slice` share. */
#ifndef HENCE_CLI_SLICE_H
#define HENCE_CLI_SLICE_H

#include "causes/criterion.h"
#include "cli/record.h"
#include "report/graph.h"
#include "report/listing.h"

enum slice_format {
	SLICE_TEXT,
	SLICE_GCC,
	SLICE_JSON,
	SLICE_DOT,
};

/* The command line. */
struct slice_command {
	struct run_options run;
	char *file; /* of --at; NULL: not given */
	unsigned line;
	char *variable;   /* NULL: none */
	int64_t instance; /* 0: not given */
	char *stream;     /* of --output; NULL: standard output */
	uint64_t byte;
	bool output; /* --output is given */
	bool forward;
	VEC(struct slice_input) inputs; /* their names are in `texts` */
	VEC(char *) texts;
	bool relevant, data;
	const char *expect; /* file */
	const char *expect_text;
	uint64_t process; /* 0: the first */
	enum slice_format format;
	uint64_t depth; /* of the graph */
	bool depth_given;
	const char *out; /* file */
	bool coloured;   /* --color=always, or a terminal */
};

struct hence_error *slice_command_parse(int argc, char **argv, struct slice_command *out);
void slice_command_deinit(struct slice_command *command);

/* What is to be printed. */
struct slice_answer {
	const struct slice_command *command;
	const struct criterion *criterion;
	const struct slice *slice;
	const struct listing *listing;
	struct graph *graph; /* SLICE_DOT */
	struct str title;
	VEC(char *) notes;
};

void slice_print(const struct slice_answer *answer, FILE *file);

/* --- slice_graph.c: the dependences of a slice --- */

struct slice_graph;

struct slice_graph *slice_graph_create(void);
void slice_graph_destroy(struct slice_graph *graph);

/* For slice_options.edge and listing_choice.member; the context is the graph. */
void slice_graph_edge(void *context, const struct slice_edge *edge);
void slice_graph_member(void *context, uint32_t part, uint32_t whole, uint32_t code);

/* The statements within `depth` dependences of the criterion (forward: of what was begun with).
   True: there were too many dependences, and some are missing. */
bool slice_graph_build(struct slice_graph *graph, const struct criterion *criterion,
                       const struct slice *slice, const struct listing *listing, uint64_t depth,
                       bool forward, struct graph *out);

#endif
