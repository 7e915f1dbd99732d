/*
 * The text that scanf() read, walked along its format once more, to know which bytes of it became
 * which value.
 */
#ifndef HENCE_RUNTIME_SCAN_TEXT_H
#define HENCE_RUNTIME_SCAN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A conversion of a format: %5ld */
struct hence_rt_conversion {
	char letter;       /* 0: the format ends */
	char modifier;     /* h l j z t q L; 0: none */
	bool twice;        /* hh, ll */
	bool ignored;      /* %*d */
	bool allocates;    /* %ms */
	uint32_t width;    /* 0: none given */
	uint32_t position; /* %2$d: 2; 0: none given */
	const char *set;   /* behind the [ */
	const char *set_end;
};

struct hence_rt_text {
	const char *at, *end; /* NULL: the text is not there to be looked at */
};

/* Reads the conversion at *format, which stands behind a %, and moves on behind it. */
struct hence_rt_conversion hence_rt_scan_conversion(const char **format);

/* Passes what the format has between conversions, up to a % or the end. Both are moved. */
void hence_rt_scan_literal(const char **format, struct hence_rt_text *text);

/* Passes space that a conversion skips, and then what it takes. *start is where that begins. */
void hence_rt_scan_pass(const struct hence_rt_conversion *conversion, struct hence_rt_text *text,
                        const char **start);

#endif
