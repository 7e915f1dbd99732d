/*
 * C types: what a programmer declared, as far as naming the parts of an object and printing its
 * bytes need it. Built from debug information by types.h; this part knows nothing of LLVM.
 *
 * Types are shared and may be recursive; they never change once built. A typedef or a qualifier is
 * a type of its own, so that names print as they were written: ctype_strip() looks through it.
 * A NULL type means that nothing is known, and every function here takes it.
 *
 * Bytes are those of the machine that ran the program: x86-64, little endian.
 */
#ifndef HENCE_MODEL_CTYPE_H
#define HENCE_MODEL_CTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum ctype_kind {
	CTYPE_UNKNOWN, /* cannot be read; `size` may be known */
	CTYPE_VOID,
	CTYPE_BOOL,
	CTYPE_CHAR, /* char, signed char, unsigned char: see is_signed */
	CTYPE_INTEGER,
	CTYPE_FLOAT,
	CTYPE_COMPLEX, /* two of `target` */
	CTYPE_POINTER,
	CTYPE_ARRAY,
	CTYPE_VECTOR,
	CTYPE_STRUCT,
	CTYPE_UNION,
	CTYPE_ENUM,
	CTYPE_FUNCTION,
	/* The rest are names or qualifiers of `target`. */
	CTYPE_TYPEDEF,
	CTYPE_CONST,
	CTYPE_VOLATILE,
	CTYPE_RESTRICT,
	CTYPE_ATOMIC,
};

/* The length of an array is not part of its type: a flexible member, a VLA, `extern int a[]`. */
#define CTYPE_NO_COUNT UINT64_MAX

struct ctype_member {
	const char *name; /* NULL: an anonymous struct or union */
	const struct ctype *type;
	uint64_t bit_offset; /* from the start of the struct */
	uint32_t bit_size;   /* of a bit-field; 0: it is none */
};

struct ctype_enumerator {
	const char *name;
	int64_t value; /* an unsigned one has the same bits */
};

struct ctype {
	enum ctype_kind kind;
	bool is_signed;   /* char, integer, enum */
	bool incomplete;  /* declared, not defined: struct, union, enum */
	bool variadic;    /* function: `...` at the end */
	bool prototyped;  /* function: the parameters are known */
	bool ieee_quad;   /* float of 16 bytes: __float128, not the long double of the x87 */
	bool brain;       /* float of 2 bytes: __bf16 */
	const char *name; /* tag, typedef or basic type; NULL: none */
	uint64_t size;    /* bytes; 0: not known, or really 0 */

	const struct ctype *target; /* pointed to, element, result, base; NULL: none (an enum) */
	uint64_t count;             /* array, vector: elements, or CTYPE_NO_COUNT */

	/* One of the three, by kind; valid as long as the types that it belongs to. */
	const struct ctype_member *members;         /* struct, union */
	const struct ctype_enumerator *enumerators; /* enum */
	const struct ctype *const *parameters;      /* function */
	uint32_t member_count;                      /* of the one */
};

/* The type behind typedefs and qualifiers; NULL for NULL. */
const struct ctype *ctype_strip(const struct ctype *type);

/* Is it a number, an enum, a pointer (after stripping)? */
bool ctype_is_scalar(const struct ctype *type);

/* Appends the name of a type: "struct list *", "int [4]", "int (*)(char, ...)". */
void ctype_name(const struct ctype *type, struct str *out);

/* Appends the declaration of a name: "struct list *p", "int a[4]". */
void ctype_declare(const struct ctype *type, const char *name, struct str *out);

/*
 * Parts of an object: how C names the bytes at an offset in it.
 */

enum ctype_fit {
	CTYPE_WHOLE,  /* the outermost part that has exactly these bytes */
	CTYPE_SCALAR, /* the scalar that has exactly these bytes; without one as CTYPE_WHOLE */
	CTYPE_AROUND, /* the innermost part that contains these bytes */
};

struct ctype_part {
	const struct ctype *type;
	uint64_t offset;     /* byte of the object where the part begins */
	uint32_t bit_offset; /* from there, of a bit-field */
	uint32_t bit_size;   /* 0: not a bit-field */
};

/*
 * Finds the part of an object of `type` that lies at `offset` with `size` bytes (0: whatever begins
 * there), and appends what C writes behind the name of the object: ".next", ".pos[2].x", "[1][2]",
 * "" for the whole. False, and nothing is appended, when there is no such part: padding, the
 * middle of a scalar, two members at once, outside.
 *
 * Anonymous members are passed through. Of a union's members it takes the first that has the
 * size, else the first that has a fitting part. Bytes that hold only bit-fields and padding are
 * named after the first bit-field in them, since compilers load and store several at once: who
 * knows which bits are meant asks ctype_part_bits(). A flexible array, and an array of no or one
 * element at the end of a struct, goes on as far as asked. The halves of a complex number are
 * ".real" and ".imag"; C has no such suffix.
 *
 * `part` and `out` may be NULL.
 */
bool ctype_part(const struct ctype *type, uint64_t offset, uint64_t size, enum ctype_fit fit,
                struct ctype_part *part, struct str *out);

/* The scalar or bit-field that has exactly these bits of the object. */
bool ctype_part_bits(const struct ctype *type, uint64_t bit_offset, uint64_t bit_size,
                     struct ctype_part *part, struct str *out);

/* ctype_part() with CTYPE_WHOLE, for those who need only the text. */
bool ctype_path(const struct ctype *type, uint64_t offset, uint64_t size, struct str *out);

/*
 * Values. `limit` is how many characters a struct, union, array or vector may take (0: any
 * number; less than 8 counts as 8); what is left out is written "...". A number is never cut.
 */

/*
 * Appends a value as a C programmer reads it: 7, 'a' (of signed or unsigned char 97 'a'), true, RED, 0x7fff12, NULL, 1.5,
 * {x = 1, y = 2}, "text\n", {1, 2, 3}. A char array is text up to its first 0; one of signed or
 * unsigned char only if it looks like text, else a list of numbers. Of a union the first
 * member that has its size is shown.
 * Fewer bytes than the type has are shown as far as they go; a scalar of another size as
 * ctype_print_raw(). `undefined` (NULL: none) has a 1 for each bit that was never written: a
 * scalar with such bits is shown as "?".
 */
void ctype_print(const struct ctype *type, const uint8_t *bytes, const uint8_t *undefined,
                 size_t size, size_t limit, struct str *out);

/* The same for a part that ctype_part() found: `object` and `undefined` are the whole object's. */
void ctype_print_part(const struct ctype_part *part, const uint8_t *object,
                      const uint8_t *undefined, size_t object_size, size_t limit, struct str *out);

/* Appends a value of at most 8 bytes whose type is not known: small numbers as decimals (with their
   sign), others as hexadecimals. */
void ctype_print_raw(uint64_t bits, size_t size, struct str *out);

/* Appends bytes as a C string literal, without looking for a 0: "a\n\000". Text in UTF-8 stays. At
   most `limit` characters (0: any number; at least 5 are taken), else it ends in `"...`: then
   false. */
bool ctype_print_text(const uint8_t *bytes, size_t size, size_t limit, struct str *out);

#endif
