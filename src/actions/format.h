/*
 * A format of printf and its family, part by part: text, and conversions with the place of their
 * arguments. These lie behind the named ones of the call, or in a va_list as the x86-64 ABI lays it
 * out. Formats of wide characters are not followed.
 *
 *	if (format_open(&format, &view, clause))
 *		while (format_next(&format, &part))
 *			use(&part);
 *	if (format.lost)
 *		the rest cannot be followed;
 *	format_close(&format);
 */
#ifndef HENCE_ACTIONS_FORMAT_H
#define HENCE_ACTIONS_FORMAT_H

#include "actions/actions_view.h"

#define FORMAT_SMALL     512u
#define FORMAT_UNLIMITED UINT64_MAX

struct format {
	const struct view *view; /* memory before the call */
	uint64_t address;        /* of the text; 0: it is not known */
	uint64_t length;
	uint64_t list; /* address of the va_list; 0: none, arguments of the call */
	bool lost;
	uint32_t culprit; /* the argument for which it is, as in struct action */
	/* while it is followed */
	char *text, small[FORMAT_SMALL];
	const char *at;
	uint32_t next; /* index of the call's next argument */
	uint32_t gp, fp;
	uint64_t overflow, saved;
};

struct format_argument {
	uint32_t size;   /* bytes of it that are used; 0: there is no argument */
	uint32_t number; /* 1 + index of the call's argument; 0: it lies in the list */
	uint64_t slot;   /* there */
	bool known;
	uint64_t bits; /* its first 8 bytes */
};

struct format_part {
	const char *text; /* in the format; valid until format_close() */
	uint32_t length;
	char letter; /* of a conversion; 0: text that is printed as it is */
	char flags[8];
	int32_t width;      /* 0: none; below 0: on the left */
	uint64_t precision; /* FORMAT_UNLIMITED: none */
	bool vague;         /* width or precision is not known */
	char modifier;
	bool twice; /* hh, ll */
	struct format_argument width_from, precision_from, value;
};

/* Reads the format of a `formats` clause and finds its list. False: it is lost. */
bool format_open(struct format *format, struct view *before, const struct outside_clause *clause);
void format_close(struct format *format);

/* The next part. False: there are no more, or it is lost. */
bool format_next(struct format *format, struct format_part *out);

/* Bytes of a character of %s and %c. */
uint32_t format_unit(const struct format_part *part);

/* Is it a conversion of floating point? */
bool format_is_real(const struct format_part *part);

union format_value {
	uint64_t bits;
	double real;
	long double precise;
};

/* What a number or character becomes, in the locale C: as snprintf() gives it. */
int format_render(const struct format_part *part, const union format_value *value, char *out,
                  size_t room);

#endif
