/*
 * Tables of fields: what a struct holds, and how a report has it as JSON. One table for each struct drives
 * writing, reading, freeing and settling (explanation_settle()), so that the four cannot disagree.
 *
 *	static const struct field cell_rows[] = {
 *		FIELD_TEXT(struct cell, name, "name"),
 *		FIELD_NUMBER(struct cell, target, "points_to", .needed = true),
 *		FIELD_END,
 *	};
 *	static const struct fields cell_fields = FIELDS(struct cell, cell_rows);
 *
 * Rows are in the order in which the members are written. What is NULL, 0, false or empty is left out. The
 * macros refuse a member of a wrong type.
 */
#ifndef HENCE_REPORT_FIELDS_H
#define HENCE_REPORT_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "report/explanation.h"

/*
 * Reads JSON, and knows where it is: 'steps[3].line'. The first thing that is wrong is kept as an error;
 * whatever is read afterwards is empty, so that hooks need no tests of their own. What was built up to then is
 * whole and can be freed.
 */
struct reader {
	struct str path;           /* of the object that is read */
	struct hence_error *error; /* the first; NULL: none */
	struct explanation *kept;  /* its `kept` has the texts of words that are not from a list */
};

/* --- rows --- */

enum field_kind {
	FIELD_KIND_END,   /* after the last row */
	FIELD_KIND_NONE,  /* holds nothing: only hooks know what it is */
	FIELD_KIND_TEXT,  /* char *; bytes that are no UTF-8 are lost */
	FIELD_KIND_BYTES, /* char *, exact: {"base64": ...} where it is no UTF-8 */
	FIELD_KIND_STR,   /* struct str, the same, with zero bytes */
	FIELD_KIND_FILE,  /* char *, exact: "file_bytes" is there, too, where it is no UTF-8 */
	FIELD_KIND_WORD,  /* const char *: any word, since another hence may know more of them */
	FIELD_KIND_ENUM,  /* an enum: an index of `words`; where the first is NULL, 0 is nothing */
	FIELD_KIND_OPEN, /* the same, whose first is NULL; 0 is also any other word, which `other` has */
	FIELD_KIND_FLAG,     /* bool */
	FIELD_KIND_NUMBER,   /* uint32_t or uint64_t */
	FIELD_KIND_FRACTION, /* double */
	FIELD_KIND_TEXTS,    /* VEC(char *) */
	FIELD_KIND_BYTES_LIST,
	FIELD_KIND_NUMBERS, /* VEC(uint32_t) */
	FIELD_KIND_MEMBERS, /* a struct whose members stand among those of this one */
	FIELD_KIND_OBJECT,  /* a struct that is an object */
	FIELD_KIND_LIST,    /* VEC(struct) */
	FIELD_KIND_POINTER, /* a struct that is an object and allocated, or NULL */
};

struct field {
	const char *key; /* NULL: not in the report, only freed */
	enum field_kind kind;
	size_t offset, size;        /* of the member */
	const struct fields *inner; /* of the struct or structs in it */
	bool needed;                /* what is read must have it */
	bool always;                /* it is written though there is nothing */
	bool only_written;          /* another row reads and frees it */
	bool only_read;             /* another row writes it */
	const char *const *words;   /* of an enum, in its order, then NULL */
	size_t other;               /* offset of a const char *: the word, if it is none of them */
	uint64_t most;              /* of a number; 0: what the member can hold */
	double from, to;            /* of a fraction */
	int digits;                 /* after the point, of a fraction */
	/* Is it written? `member`: its address in the object. */
	bool (*when)(const void *object, const void *member);
	/* Instead of what its kind says: writes with the key, which starts with a comma where it must. `root` is the
	   whole that is written: the outermost struct, or the one that a FIELD_POINTER leads to. */
	void (*write)(struct str *out, const void *object, const void *root);
	void (*read)(struct reader *reader, const json_t *json, void *object);
};

struct fields {
	const struct field *rows; /* the last is FIELD_END */
	size_t size;              /* of the struct */
	bool strict;              /* what is read has no other members */
	/* Looks at what was read, without an error so far. */
	void (*check)(struct reader *reader, const json_t *json, void *object);
	/* Before its members are settled. */
	void (*settle)(void *object);
};

#define FIELD_IS(type, member, wanted)                                                             \
	__builtin_types_compatible_p(__typeof__(((type *)0)->member), wanted)
#define FIELD_ROW(row_kind, type, member, fits, row_key, ...)                                      \
	{                                                                                          \
		.key = (row_key), .kind = (row_kind),                                              \
		.offset = offsetof(type, member) + 0 * sizeof(char[(fits) ? 1 : -1]),              \
		.size = sizeof(((type *)0)->member), ##__VA_ARGS__                                 \
	}

#define FIELD_TEXT(type, member, key, ...)                                                         \
	FIELD_ROW(FIELD_KIND_TEXT, type, member, FIELD_IS(type, member, char *), key, ##__VA_ARGS__)
#define FIELD_BYTES(type, member, key, ...)                                                        \
	FIELD_ROW(FIELD_KIND_BYTES, type, member, FIELD_IS(type, member, char *), key,             \
	          ##__VA_ARGS__)
#define FIELD_STR(type, member, key, ...)                                                          \
	FIELD_ROW(FIELD_KIND_STR, type, member, FIELD_IS(type, member, struct str), key,           \
	          ##__VA_ARGS__)
#define FIELD_WORD(type, member, key, ...)                                                         \
	FIELD_ROW(FIELD_KIND_WORD, type, member, FIELD_IS(type, member, const char *), key,        \
	          ##__VA_ARGS__)
#define FIELD_FLAG(type, member, key, ...)                                                         \
	FIELD_ROW(FIELD_KIND_FLAG, type, member, FIELD_IS(type, member, bool), key, ##__VA_ARGS__)
#define FIELD_COUNT(type, member, key, ...)                                                        \
	FIELD_ROW(FIELD_KIND_NUMBER, type, member, FIELD_IS(type, member, uint64_t), key,          \
	          ##__VA_ARGS__)
#define FIELD_NUMBER(type, member, key, ...)                                                       \
	FIELD_ROW(FIELD_KIND_NUMBER, type, member, FIELD_IS(type, member, uint32_t), key,          \
	          ##__VA_ARGS__)
#define FIELD_FRACTION(type, member, key, ...)                                                     \
	FIELD_ROW(FIELD_KIND_FRACTION, type, member, FIELD_IS(type, member, double), key,          \
	          ##__VA_ARGS__)
#define FIELD_TEXTS(type, member, key, ...)                                                        \
	FIELD_ROW(FIELD_KIND_TEXTS, type, member, FIELD_IS(type, member.at, char **), key,         \
	          ##__VA_ARGS__)
#define FIELD_BYTES_LIST(type, member, key, ...)                                                   \
	FIELD_ROW(FIELD_KIND_BYTES_LIST, type, member, FIELD_IS(type, member.at, char **), key,    \
	          ##__VA_ARGS__)
#define FIELD_NUMBERS(type, member, key, ...)                                                      \
	FIELD_ROW(FIELD_KIND_NUMBERS, type, member, FIELD_IS(type, member.at, uint32_t *), key,    \
	          ##__VA_ARGS__)
#define FIELD_FILE(type, member, ...)                                                              \
	FIELD_ROW(FIELD_KIND_FILE, type, member, FIELD_IS(type, member, char *), "file",           \
	          ##__VA_ARGS__)
#define FIELD_ENUM(type, member, key, names, ...)                                                  \
	FIELD_ROW(FIELD_KIND_ENUM, type, member, sizeof(((type *)0)->member) == 4, key,            \
	          .words = (names), ##__VA_ARGS__)
#define FIELD_OPEN(type, member, other_word, key, names, ...)                                      \
	FIELD_ROW(FIELD_KIND_OPEN, type, member,                                                   \
	          sizeof(((type *)0)->member) == 4 && FIELD_IS(type, other_word, const char *),    \
	          key, .words = (names), .other = offsetof(type, other_word), ##__VA_ARGS__)
#define FIELD_LIST(type, member, key, table, ...)                                                  \
	FIELD_ROW(FIELD_KIND_LIST, type, member, true, key, .inner = (table), ##__VA_ARGS__)
#define FIELD_MEMBERS(type, member, table, ...)                                                    \
	FIELD_ROW(FIELD_KIND_MEMBERS, type, member, true, NULL, .inner = (table), ##__VA_ARGS__)
#define FIELD_OBJECT(type, member, key, table, ...)                                                \
	FIELD_ROW(FIELD_KIND_OBJECT, type, member, true, key, .inner = (table), ##__VA_ARGS__)
#define FIELD_POINTER(type, member, key, table)                                                    \
	FIELD_ROW(FIELD_KIND_POINTER, type, member, true, key, .inner = (table))
/* Members of the same struct that are an object of their own, or written under a condition of their own. */
#define FIELD_OBJECT_OF_SAME(row_key, table, ...)                                                  \
	{                                                                                          \
		.key = (row_key), .kind = FIELD_KIND_OBJECT, .inner = (table), ##__VA_ARGS__       \
	}
#define FIELD_MEMBERS_OF_SAME(table, ...)                                                          \
	{                                                                                          \
		.kind = FIELD_KIND_MEMBERS, .inner = (table), ##__VA_ARGS__                        \
	}
#define FIELD_HOOK(row_key, ...)                                                                   \
	{                                                                                          \
		.key = (row_key), .kind = FIELD_KIND_NONE, ##__VA_ARGS__                           \
	}
#define FIELD_END                                                                                  \
	{                                                                                          \
		.kind = FIELD_KIND_END                                                             \
	}

/* The table of a struct, from its rows. */
#define FIELDS(type, array, ...)                                                                   \
	{                                                                                          \
		.rows = (array), .size = sizeof(type), ##__VA_ARGS__                               \
	}

/* --- what tables do --- */

/* Appends the members of an object, without its brackets. */
void fields_write(const struct fields *fields, const void *object, struct str *out);

/* Reads the members into a zeroed struct. Caller frees it with fields_free(), after an error, too. */
void fields_read(struct reader *reader, const struct fields *fields, const json_t *json,
                 void *object);

/* Frees all that it holds, which is empty then; numbers, words and flags stay. */
void fields_free(const struct fields *fields, void *object);

/* Makes it what JSON can hold: texts become UTF-8, fractions are rounded. */
void fields_settle(const struct fields *fields, void *object);

/* Is there a row with that key? */
bool fields_know(const struct fields *fields, const char *key);

/* --- for hooks --- */

/* Frees what the reader holds and gives the error. Caller frees with error_destroy(). */
MUST_USE struct hence_error *reader_finish(struct reader *reader);

/* Something is wrong with a member: `format` goes on after its path. Without a key it is the object itself. */
void reader_fail(struct reader *reader, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Further down, and back to what it gave. */
size_t reader_enter(struct reader *reader, const char *key);
size_t reader_enter_item(struct reader *reader, const char *key, size_t index);
void reader_leave(struct reader *reader, size_t mark);

/* Fails if the member is not there. */
void reader_need(struct reader *reader, const json_t *object, const char *key);

/* A member that is a text; NULL: it is not there. Valid as long as the JSON. */
const char *reader_text(struct reader *reader, const json_t *object, const char *key);

/* A member that is one of these words, which end with NULL; NULL: it is not there. */
const char *reader_choice(struct reader *reader, const json_t *object, const char *key,
                          const char *const *words);

/* A member that is true; false if it is not there. */
bool reader_flag(struct reader *reader, const json_t *object, const char *key);

/* A whole number up to `most`; 0 if it is not there. */
uint64_t reader_number(struct reader *reader, const json_t *object, const char *key, uint64_t most);

/* Reads the objects of a list, each into a struct that is appended to the vector at `list`. */
void reader_list(struct reader *reader, const json_t *object, const char *key,
                 const struct fields *fields, void *list);

/* Appends `"key":[...]` with `count` structs. */
void fields_write_list(const struct fields *fields, const char *key, const void *structs,
                       uint32_t count, const void *root, struct str *out);

/* --- tables of structs that others contain --- */

/* Of struct explanation_place. "source" is read, but rows of the struct around it write that, each at its place. */
extern const struct fields explanation_place_fields;
extern const struct fields cause_tree_fields;
extern const struct fields recipe_fields;

#endif
