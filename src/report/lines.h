/*
 * Inside a listing: the statements of the code that was executed, the instructions that belong to
 * them, and the lines that they stand on.
 */
#ifndef HENCE_REPORT_LINES_H
#define HENCE_REPORT_LINES_H

#include "names/names.h"
#include "report/listing.h"

/* A statement, under the number of the instruction that ends it. */
struct lines_statement {
	bool asked;           /* the rest is filled in */
	bool empty;           /* it does nothing that matters */
	bool wanted;          /* it is in the set of instructions */
	bool chosen;          /* it, or a part of it, is in the set of instructions */
	uint32_t line;        /* 1 + index; 0: it has no place in the source */
	uint32_t part, parts; /* instructions that compute for it: in lines.parts */
	struct lines_count {
		uint64_t executed; /* times */
		uint64_t chosen;   /* of these, in the listing */
	} count, again;            /* in the first decoding, and in the second */
	uint32_t entry;            /* 1 + index in lines.entries; 0: not in the listing */
};

/* An instruction that computes for a statement. */
struct lines_part {
	uint32_t code;
	bool wanted; /* it is in the set of instructions */
};

struct lines_line {
	uint32_t file;
	unsigned line;
	const char *function;
	bool executed, chosen, marked;
	bool dependent; /* by an instruction that is not special */
};

/* A statement of the listing. */
struct lines_entry {
	uint32_t line; /* index */
	struct listing_statement statement;
};

MAP_DEFINE_U64(line_index, uint32_t);
MAP_DEFINE_STRING(file_index, uint32_t);
MAP_DEFINE_U64(insn_index, uint32_t);

struct lines {
	struct names *names;
	const roaring_bitmap_t *codes;
	VEC(struct lines_statement) statements; /* by instruction */
	VEC(struct lines_part) parts;
	VEC(struct lines_line) all;
	VEC(struct lines_entry) entries;
	VEC(struct listing_file) files;     /* of `all` */
	struct line_index index;            /* file << 32 | line: 1 + index */
	struct file_index names_of;         /* 1 + index */
	const struct code_function *mapped; /* whose instructions are in: */
	struct insn_index insns;            /* by LLVM's value: 1 + index */
};

/* `codes` are those that are chosen. Both must outlive it. Caller frees with lines_deinit(). */
void lines_init(struct lines *lines, struct names *names, const roaring_bitmap_t *codes);
void lines_deinit(struct lines *lines);

/* The statement that the instruction ends. Valid until the next call. */
struct lines_statement *lines_at(struct lines *lines, uint32_t code);

/* The entry of a statement in the listing, made if there is none. Valid until the next call. */
struct lines_entry *lines_entry(struct lines *lines, uint32_t code);

/* The line of an instruction, made if there is none: 1 + index; 0: none is known. */
uint32_t lines_of(struct lines *lines, uint32_t code);

/* How many lines the program has, and how many a set of instructions has. */
uint64_t lines_of_program(struct lines *lines);
uint64_t lines_of_codes(struct lines *lines, const roaring_bitmap_t *codes);

/* Adds lines of chosen instructions that belong to no statement, and says which lines are chosen
   only by instructions in `special`. */
void lines_complete(struct lines *lines, const roaring_bitmap_t *special);

#endif
