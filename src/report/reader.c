/* Reads members of JSON: see reader.h. */
#include "report/reader.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "report/json.h"

#define MOST_ALIKE 64u /* words that are compared with a new one, so that each is kept once */

struct hence_error *reader_finish(struct reader *r)
{
	struct hence_error *error = r->error;

	str_deinit(&r->path);
	r->error = NULL;
	return error;
}

size_t reader_enter(struct reader *r, const char *key)
{
	size_t mark = r->path.length;

	str_printf(&r->path, "%s%s", mark ? "." : "", key);
	return mark;
}

static size_t enter_item(struct reader *r, size_t index)
{
	size_t mark = r->path.length;

	str_printf(&r->path, "[%zu]", index);
	return mark;
}

void reader_leave(struct reader *r, size_t mark)
{
	r->path.length = mark;
	if (r->path.text)
		r->path.text[mark] = '\0';
}

void reader_fail(struct reader *r, const char *key, const char *format, ...)
{
	struct str text = STR_INIT;
	size_t mark = r->path.length;
	va_list args;

	if (r->error)
		return;
	if (key)
		reader_enter(r, key);
	str_printf(&text, "%s ", r->path.length ? str_text(&r->path) : "it");
	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	r->error = error_create(HENCE_ERROR_INPUT, "%s", str_text(&text));
	str_deinit(&text);
	reader_leave(r, mark);
}

/* --- what is there --- */

static const char *type_name(const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT: return "an object";
	case JSON_ARRAY: return "a list";
	case JSON_STRING: return "a text";
	case JSON_INTEGER: return "a whole number";
	case JSON_REAL: return "a number with a fraction";
	case JSON_TRUE:
	case JSON_FALSE: return "true or false";
	default: return "null";
	}
}

/* The member, if it is of the type that is wanted; NULL: it is not there, or another. */
static const json_t *find(struct reader *r, const json_t *object, const char *key,
                          bool (*is)(const json_t *), const char *wanted)
{
	const json_t *value = r->error ? NULL : json_object_get(object, key);

	if (!value || is(value))
		return value;
	reader_fail(r, key, "is %s, not %s", type_name(value), wanted);
	return NULL;
}

static bool is_text(const json_t *value)
{
	return json_is_string(value);
}

static bool is_whole(const json_t *value)
{
	return json_is_integer(value);
}

static bool is_number(const json_t *value)
{
	return json_is_number(value);
}

static bool is_flag(const json_t *value)
{
	return json_is_boolean(value);
}

static bool is_object(const json_t *value)
{
	return json_is_object(value);
}

static bool is_list(const json_t *value)
{
	return json_is_array(value);
}

void reader_need(struct reader *r, const json_t *object, const char *key)
{
	if (!r->error && !json_object_get(object, key))
		reader_fail(r, key, "is missing");
}

/* --- simple members --- */

char *reader_text(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = find(r, object, key, is_text, "a text");

	return value ? mem_strdup(json_string_value(value)) : NULL;
}

static uint64_t check_number(struct reader *r, const char *key, const json_t *value, uint64_t most)
{
	json_int_t number = json_integer_value(value);

	if (number >= 0 && (uint64_t)number <= most)
		return (uint64_t)number;
	reader_fail(r, key, "is %lld, which is %s", (long long)number,
	            number < 0 ? "below 0" : "too large");
	return 0;
}

uint64_t reader_number(struct reader *r, const json_t *object, const char *key, uint64_t most)
{
	const json_t *value = find(r, object, key, is_whole, "a whole number");

	return value ? check_number(r, key, value, most) : 0;
}

double reader_fraction(struct reader *r, const json_t *object, const char *key, double least,
                       double most)
{
	const json_t *value = find(r, object, key, is_number, "a number");
	double number = value ? json_number_value(value) : 0;

	if (!value || (number >= least && number <= most))
		return number;
	reader_fail(r, key, "is %g, not between %g and %g", number, least, most);
	return 0;
}

bool reader_flag(struct reader *r, const json_t *object, const char *key)
{
	return json_is_true(find(r, object, key, is_flag, "true or false"));
}

const json_t *reader_object(struct reader *r, const json_t *object, const char *key)
{
	return find(r, object, key, is_object, "an object");
}

const json_t *reader_list(struct reader *r, const json_t *object, const char *key)
{
	return find(r, object, key, is_list, "a list");
}

/* --- words --- */

const char *reader_choice(struct reader *r, const json_t *object, const char *key,
                          const char *const *words)
{
	const json_t *value = find(r, object, key, is_text, "a text");
	struct str list = STR_INIT;

	if (!value)
		return NULL;
	for (uint32_t i = 0; words[i]; i++) {
		if (!strcmp(words[i], json_string_value(value))) {
			str_deinit(&list);
			return words[i];
		}
		str_printf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	reader_fail(r, key, "is none of these words: %s", str_text(&list));
	str_deinit(&list);
	return NULL;
}

const char *reader_word(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = find(r, object, key, is_text, "a text");

	if (!value)
		return NULL;
	for (uint32_t i = 0; i < r->kept->kept.size && i < MOST_ALIKE; i++)
		if (!strcmp(r->kept->kept.at[i], json_string_value(value)))
			return r->kept->kept.at[i];
	return *vec_push(&r->kept->kept) = mem_strdup(json_string_value(value));
}

/* --- lists --- */

void reader_each(struct reader *r, const json_t *object, const char *key,
                 void (*read)(struct reader *r, const json_t *item, void *out), void *out)
{
	const json_t *list = reader_list(r, object, key);
	size_t mark = reader_enter(r, key);

	for (size_t i = 0; i < json_array_size(list) && !r->error; i++) {
		const json_t *item = json_array_get(list, i);
		size_t inner = enter_item(r, i);

		if (json_is_object(item))
			read(r, item, out);
		else
			reader_fail(r, NULL, "is %s, not an object", type_name(item));
		reader_leave(r, inner);
	}
	reader_leave(r, mark);
}

/* Is the item of the type that is wanted? */
static bool check_item(struct reader *r, const char *key, size_t index, bool fits,
                       const json_t *item, const char *wanted)
{
	size_t mark = reader_enter(r, key);

	enter_item(r, index);
	if (!fits)
		reader_fail(r, NULL, "is %s, not %s", type_name(item), wanted);
	reader_leave(r, mark);
	return fits;
}

char **reader_text_list(struct reader *r, const json_t *object, const char *key, uint32_t *count)
{
	const json_t *list = reader_list(r, object, key);
	VEC(char *) texts = VEC_INIT;

	for (size_t i = 0; i < json_array_size(list) && !r->error; i++) {
		const json_t *item = json_array_get(list, i);

		if (check_item(r, key, i, json_is_string(item), item, "a text"))
			*vec_push(&texts) = mem_strdup(json_string_value(item));
	}
	*count = texts.size;
	return texts.at;
}

uint32_t *reader_number_list(struct reader *r, const json_t *object, const char *key,
                             uint32_t *count)
{
	const json_t *list = reader_list(r, object, key);
	VEC(uint32_t) numbers = VEC_INIT;

	for (size_t i = 0; i < json_array_size(list) && !r->error; i++) {
		const json_t *item = json_array_get(list, i);

		if (check_item(r, key, i, json_is_integer(item), item, "a whole number"))
			*vec_push(&numbers) = (uint32_t)check_number(r, key, item, UINT32_MAX);
	}
	*count = numbers.size;
	return numbers.at;
}

/* --- places --- */

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* What has %XX for some bytes. NULL: it is not so. Caller frees with free(). */
static char *decode(const char *text)
{
	struct str bytes = STR_INIT;

	for (; *text; text++) {
		int high = *text == '%' ? digit_of(text[1]) : -1;
		int low = high >= 0 ? digit_of(text[2]) : -1;

		if (*text != '%') {
			str_add_char(&bytes, *text);
		} else if (low < 0 || high + low == 0) {
			str_deinit(&bytes);
			return NULL;
		} else {
			str_add_char(&bytes, (char)(high << 4 | low));
			text += 2;
		}
	}
	return str_steal(&bytes);
}

/* Its bytes must be those of the name that everybody reads. */
char *reader_file(struct reader *r, const json_t *object)
{
	char *file = reader_text(r, object, "file"), *exact = reader_text(r, object, "file_bytes");
	char *decoded = exact ? decode(exact) : NULL, *clean = decoded ? json_clean(decoded) : NULL;

	if (exact && (!clean || !file || strcmp(clean, file)))
		reader_fail(r, "file_bytes", "is no other form of the name of the file");
	free(clean);
	free(exact);
	if (!decoded)
		return file;
	free(file);
	return decoded;
}

void reader_place(struct reader *r, const json_t *object, struct explanation_place *out)
{
	out->file = reader_file(r, object);
	out->line = (unsigned)reader_number(r, object, "line", INT_MAX);
	out->column = (unsigned)reader_number(r, object, "column", INT_MAX);
	out->function = reader_text(r, object, "function");
	out->source = reader_text(r, object, "source");
}
