/* Inside violation.h: output that is not as expected. */
#ifndef HENCE_CAUSES_VIOLATION_OUTPUT_H
#define HENCE_CAUSES_VIOLATION_OUTPUT_H

#include "actions/format.h"
#include "causes/violation_work.h"

struct violation_output {
	struct watch watch;
	struct violation_work *work;
	uint64_t offset; /* the first wrong byte */
	uint64_t target; /* what is looked at: that byte, or the one before it */
	uint64_t size;   /* of what was put out so far */
	bool found;      /* the call that put it out */
	bool done;       /* and a violation was made of it */
};

/* A piece of output, and the call of the function on top that put it out. */
struct violation_piece {
	const struct outputs_stream *stream;
	const struct outputs_piece *piece;
	const struct activation *a;
	uint32_t call; /* instance */
	char next;     /* the byte that the call puts out behind the piece */
	bool has_next;
};

/* --- violation_printed.c --- */

/* The conversion that printed the piece; false: none did. */
bool violation_conversion(struct violation_output *o, const struct violation_piece *p,
                          struct format_part *out);

/* The value that would have been printed as is expected, as a claim. False: the expected text is none that the
   conversion prints. */
bool violation_of_number(struct violation_output *o, const struct violation_piece *p,
                         const struct format_part *part);

/* The argument that the piece was printed from; 0: it has no term. */
term violation_argument(struct violation_output *o, const struct violation_piece *p, uint32_t size);

/* Appends it as C. */
void violation_add_argument(struct violation_output *o, const struct violation_piece *p,
                            struct str *out);

#endif
