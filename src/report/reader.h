/*
 * Reads members of JSON into structures, and knows where it is: 'steps[3].line'. The first thing
 * that is wrong is kept as an error; whatever is asked for afterwards is empty, so that readers
 * need no tests of their own. What was built up to then is whole and can be freed.
 */
#ifndef HENCE_REPORT_READER_H
#define HENCE_REPORT_READER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "report/explanation.h"

struct reader {
	struct str path;           /* of the object that is read */
	struct hence_error *error; /* the first; NULL: none */
	struct explanation *kept;  /* its `kept` has the texts of words that are not from a list */
};

/* Frees what it holds and hands over the error. Caller frees with error_destroy(). */
struct hence_error *reader_finish(struct reader *reader);

/* Something is wrong with a member: `format` goes on behind its path. Without a key it is the
   object itself. */
void reader_fail(struct reader *reader, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Further down, and back to what it gave. */
size_t reader_enter(struct reader *reader, const char *key);
void reader_leave(struct reader *reader, size_t mark);

/* --- members of an object --- */

/* They must be there. */
void reader_need(struct reader *reader, const json_t *object, const char *key);

/* A text; NULL: it is not there. Caller frees with free(). */
char *reader_text(struct reader *reader, const json_t *object, const char *key);

/* A whole number up to `most`; 0 if it is not there. */
uint64_t reader_number(struct reader *reader, const json_t *object, const char *key, uint64_t most);

/* A number between the two, which may have a fraction; 0 if it is not there. */
double reader_fraction(struct reader *reader, const json_t *object, const char *key, double least,
                       double most);

/* False if it is not there. */
bool reader_flag(struct reader *reader, const json_t *object, const char *key);

/* One of these words, which end with NULL; NULL: it is not there. */
const char *reader_choice(struct reader *reader, const json_t *object, const char *key,
                          const char *const *words);

/* Any word; NULL: it is not there. Valid as long as reader->kept. */
const char *reader_word(struct reader *reader, const json_t *object, const char *key);

/* NULL: it is not there, or nothing of that kind. */
const json_t *reader_object(struct reader *reader, const json_t *object, const char *key);
const json_t *reader_list(struct reader *reader, const json_t *object, const char *key);

/* Calls `read` with each object of a list; `out` is for the caller. */
void reader_each(struct reader *reader, const json_t *object, const char *key,
                 void (*read)(struct reader *reader, const json_t *item, void *out), void *out);

/* A list of texts; NULL: there is none. Caller frees them and it with free(). */
char **reader_text_list(struct reader *reader, const json_t *object, const char *key,
                        uint32_t *count);

/* The same into a vector of texts that is empty. */
#define reader_texts(reader, object, key, vector)                                                  \
	do {                                                                                       \
		(vector)->at = reader_text_list((reader), (object), (key), &(vector)->size);       \
		(vector)->room = (vector)->size;                                                   \
	} while (0)

/* A list of whole numbers of at most 32 bits; the same. */
uint32_t *reader_number_list(struct reader *reader, const json_t *object, const char *key,
                             uint32_t *count);

#define reader_numbers(reader, object, key, vector)                                                \
	do {                                                                                       \
		(vector)->at = reader_number_list((reader), (object), (key), &(vector)->size);     \
		(vector)->room = (vector)->size;                                                   \
	} while (0)

/* The name of a file, exactly; NULL: it is not there. Caller frees with free(). */
char *reader_file(struct reader *reader, const json_t *object);

/* The members of a place. */
void reader_place(struct reader *reader, const json_t *object, struct explanation_place *out);

#endif
