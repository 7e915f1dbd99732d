/* Tables of fields, and what they drive: see fields.h. */
#include "report/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/mem.h"
#include "report/json.h"

#define MOST_ALIKE 64u /* words that are compared with a new one, so that each is kept once */

/* Any VEC(). It is copied in and out, since the compiler takes the real one for another type. */
struct any_vec {
	char *at;
	uint32_t size, room;
};

static struct any_vec load_vec(const void *member)
{
	struct any_vec vec;

	memcpy(&vec, member, sizeof(vec));
	return vec;
}

static void store_vec(void *member, struct any_vec vec)
{
	memcpy(member, &vec, sizeof(vec));
}

static void *load_pointer(const void *member)
{
	void *pointer;

	memcpy(&pointer, member, sizeof(pointer));
	return pointer;
}

/* --- writing --- */

static void write_members(const struct fields *fields, const void *object, const void *root,
                          struct str *out);

void fields_write_list(const struct fields *fields, const char *key, const void *structs,
                       uint32_t count, const void *root, struct str *out)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? ",{" : "{");
		write_members(fields, (const char *)structs + i * fields->size, root, out);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void write_object(const struct field *f, const void *object, const void *root,
                         struct str *out)
{
	json_add_key(out, f->key);
	str_add_char(out, '{');
	write_members(f->inner, object, root, out);
	str_add_char(out, '}');
}

/* The name as everybody reads it, and where that is not all, its bytes with %XX for some. */
static void write_file(const char *file, struct str *out)
{
	json_add_known(out, "file", file);
	if (!file || json_is_utf8(file))
		return;
	json_add_key(out, "file_bytes");
	str_add_char(out, '"');
	for (const unsigned char *at = (const unsigned char *)file; *at; at++)
		str_printf(out, isalnum(*at) || strchr("/._-+", *at) ? "%c" : "%%%02X", *at);
	str_add_char(out, '"');
}

static void write_vec(const struct field *f, struct any_vec vec, const void *root, struct str *out)
{
	char *const *texts = (char *const *)(void *)vec.at;

	if (!vec.size && !f->always)
		return;
	if (f->kind == FIELD_KIND_LIST) {
		fields_write_list(f->inner, f->key, vec.at, vec.size, root, out);
		return;
	}
	json_add_key(out, f->key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < vec.size; i++) {
		str_add(out, i ? "," : "");
		if (f->kind == FIELD_KIND_TEXTS)
			json_add_string(out, texts[i]);
		else if (f->kind == FIELD_KIND_BYTES_LIST)
			json_add_bytes_value(out, texts[i], strlen(texts[i]));
		else
			str_printf(out, "%u", ((const uint32_t *)(void *)vec.at)[i]);
	}
	str_add_char(out, ']');
}

static void write_field(const struct field *f, const void *object, const void *root,
                        struct str *out)
{
	const void *member = (const char *)object + f->offset;
	const char *text;
	uint64_t number;

	if (f->only_read || (f->when && !f->when(object, member)))
		return;
	if (f->write) {
		f->write(out, object, root);
		return;
	}
	if (!f->key && f->kind != FIELD_KIND_MEMBERS)
		return;
	switch (f->kind) {
	case FIELD_KIND_END:
	case FIELD_KIND_NONE: break;
	case FIELD_KIND_TEXT:
	case FIELD_KIND_WORD:
		text = *(const char *const *)member;
		if (text || f->always)
			json_add_member(out, f->key, text ? text : "");
		break;
	case FIELD_KIND_BYTES:
		text = *(const char *const *)member;
		if (text || f->always)
			json_add_bytes(out, f->key, text ? text : "", text ? strlen(text) : 0);
		break;
	case FIELD_KIND_STR: {
		const struct str *bytes = member;

		if (bytes->length || f->always)
			json_add_bytes(out, f->key, str_text(bytes), bytes->length);
		break;
	}
	case FIELD_KIND_FILE: write_file(*(const char *const *)member, out); break;
	case FIELD_KIND_ENUM:
		json_add_known(out, f->key, f->words[*(const uint32_t *)member]);
		break;
	case FIELD_KIND_OPEN:
		text = f->words[*(const uint32_t *)member];
		json_add_known(out, f->key,
		               text ? text
		                    : *(const char *const *)((const char *)object + f->other));
		break;
	case FIELD_KIND_FLAG:
		if (*(const bool *)member || f->always)
			json_add_flag(out, f->key, *(const bool *)member);
		break;
	case FIELD_KIND_NUMBER:
		number = f->size == sizeof(uint64_t) ? *(const uint64_t *)member
		                                     : *(const uint32_t *)member;
		if (number || f->always)
			json_add_number(out, f->key, number);
		break;
	case FIELD_KIND_FRACTION:
		if (*(const double *)member > 0 || f->always)
			json_add_fraction(out, f->key, *(const double *)member, f->digits);
		break;
	case FIELD_KIND_TEXTS:
	case FIELD_KIND_BYTES_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_LIST: write_vec(f, load_vec(member), root, out); break;
	case FIELD_KIND_MEMBERS: write_members(f->inner, member, root, out); break;
	case FIELD_KIND_OBJECT: write_object(f, member, root, out); break;
	case FIELD_KIND_POINTER:
		if (load_pointer(member))
			write_object(f, load_pointer(member), load_pointer(member), out);
		break;
	}
}

static void write_members(const struct fields *fields, const void *object, const void *root,
                          struct str *out)
{
	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++)
		write_field(f, object, root, out);
}

void fields_write(const struct fields *fields, const void *object, struct str *out)
{
	write_members(fields, object, object, out);
}

/* --- freeing and settling --- */

static void free_text(void *member)
{
	char **text = member;

	free(*text);
	*text = NULL;
}

void fields_free(const struct fields *fields, void *object)
{
	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++) {
		void *member = (char *)object + f->offset;
		struct any_vec vec;

		if (f->only_written)
			continue;
		switch (f->kind) {
		case FIELD_KIND_TEXT:
		case FIELD_KIND_BYTES:
		case FIELD_KIND_FILE: free_text(member); break;
		case FIELD_KIND_STR: str_deinit(member); break;
		case FIELD_KIND_TEXTS:
		case FIELD_KIND_BYTES_LIST:
		case FIELD_KIND_NUMBERS:
		case FIELD_KIND_LIST:
			vec = load_vec(member);
			for (uint32_t i = 0; i < vec.size && f->kind != FIELD_KIND_NUMBERS; i++)
				if (f->kind == FIELD_KIND_LIST)
					fields_free(f->inner, vec.at + i * f->inner->size);
				else
					free_text(vec.at + i * sizeof(char *));
			free(vec.at);
			store_vec(member, (struct any_vec){0});
			break;
		case FIELD_KIND_MEMBERS:
		case FIELD_KIND_OBJECT: fields_free(f->inner, member); break;
		case FIELD_KIND_POINTER:
			if (load_pointer(member))
				fields_free(f->inner, load_pointer(member));
			free(load_pointer(member));
			memset(member, 0, sizeof(void *));
			break;
		default: break;
		}
	}
}

static void settle_text(void *member)
{
	char **text = member, *clean;

	if (!*text || json_is_utf8(*text))
		return;
	clean = json_clean(*text);
	free(*text);
	*text = clean;
}

void fields_settle(const struct fields *fields, void *object)
{
	if (fields->settle)
		fields->settle(object);
	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++) {
		void *member = (char *)object + f->offset;
		struct any_vec vec;

		if (f->only_written || (!f->key && f->kind != FIELD_KIND_MEMBERS))
			continue;
		switch (f->kind) {
		case FIELD_KIND_TEXT: settle_text(member); break;
		case FIELD_KIND_FRACTION:
			*(double *)member = json_round(*(double *)member, f->digits);
			break;
		case FIELD_KIND_TEXTS:
		case FIELD_KIND_LIST:
			vec = load_vec(member);
			for (uint32_t i = 0; i < vec.size; i++)
				if (f->kind == FIELD_KIND_LIST)
					fields_settle(f->inner, vec.at + i * f->inner->size);
				else
					settle_text(vec.at + i * sizeof(char *));
			break;
		case FIELD_KIND_MEMBERS:
		case FIELD_KIND_OBJECT: fields_settle(f->inner, member); break;
		case FIELD_KIND_POINTER:
			if (load_pointer(member))
				fields_settle(f->inner, load_pointer(member));
			break;
		default: break;
		}
	}
}

bool fields_know(const struct fields *fields, const char *key)
{
	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++)
		if (f->kind == FIELD_KIND_MEMBERS ? fields_know(f->inner, key)
		                                  : f->key && !strcmp(f->key, key))
			return true;
	return false;
}

/* --- where the reader is --- */

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

size_t reader_enter_item(struct reader *r, const char *key, size_t index)
{
	size_t mark = reader_enter(r, key);

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
	struct str text GUARD(str_deinit) = STR_INIT;
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
	reader_leave(r, mark);
}

/* --- members of the JSON --- */

enum wanted { WANT_TEXT, WANT_WHOLE, WANT_NUMBER, WANT_FLAG, WANT_OBJECT, WANT_LIST };

/* Is the value of that type? Else it is an error. */
static bool check_type(struct reader *r, const char *key, const json_t *value, enum wanted wanted)
{
	static const char *const names[] = {
		[WANT_TEXT] = "a text",      [WANT_WHOLE] = "a whole number",
		[WANT_NUMBER] = "a number",  [WANT_FLAG] = "true or false",
		[WANT_OBJECT] = "an object", [WANT_LIST] = "a list"};
	const char *is = "null";
	bool fits = false;

	switch (json_typeof(value)) {
	case JSON_OBJECT:
		is = names[WANT_OBJECT];
		fits = wanted == WANT_OBJECT;
		break;
	case JSON_ARRAY:
		is = names[WANT_LIST];
		fits = wanted == WANT_LIST;
		break;
	case JSON_STRING:
		is = names[WANT_TEXT];
		fits = wanted == WANT_TEXT;
		break;
	case JSON_INTEGER:
		is = names[WANT_WHOLE];
		fits = wanted == WANT_WHOLE || wanted == WANT_NUMBER;
		break;
	case JSON_REAL:
		is = "a number with a fraction";
		fits = wanted == WANT_NUMBER;
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		is = names[WANT_FLAG];
		fits = wanted == WANT_FLAG;
		break;
	case JSON_NULL: break;
	}
	if (!fits)
		reader_fail(r, key, "is %s, not %s", is, names[wanted]);
	return fits;
}

/* The member, if it is of the type that is wanted; NULL: it is not there, or another. */
static const json_t *find(struct reader *r, const json_t *object, const char *key,
                          enum wanted wanted)
{
	const json_t *value = r->error ? NULL : json_object_get(object, key);

	return value && check_type(r, key, value, wanted) ? value : NULL;
}

void reader_need(struct reader *r, const json_t *object, const char *key)
{
	if (!r->error && !json_object_get(object, key))
		reader_fail(r, key, "is missing");
}

bool reader_flag(struct reader *r, const json_t *object, const char *key)
{
	return json_is_true(find(r, object, key, WANT_FLAG));
}

const char *reader_text(struct reader *r, const json_t *object, const char *key)
{
	return json_string_value(find(r, object, key, WANT_TEXT));
}

/* NULL: it is not there. Caller frees with free(). */
static char *read_text(struct reader *r, const json_t *object, const char *key)
{
	const char *text = reader_text(r, object, key);

	return text ? mem_strdup(text) : NULL;
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
	const json_t *value = find(r, object, key, WANT_WHOLE);

	return value ? check_number(r, key, value, most) : 0;
}

static double read_fraction(struct reader *r, const struct field *f, const json_t *object)
{
	const json_t *value = find(r, object, f->key, WANT_NUMBER);
	double number = value ? json_number_value(value) : 0;

	if (!value || (number >= f->from && number <= f->to))
		return number;
	reader_fail(r, f->key, "is %g, not between %g and %g", number, f->from, f->to);
	return 0;
}

const char *reader_choice(struct reader *r, const json_t *object, const char *key,
                          const char *const *words)
{
	const json_t *value = find(r, object, key, WANT_TEXT);
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

/* Any word; NULL: it is not there. Valid as long as reader->kept. */
static const char *read_word(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = find(r, object, key, WANT_TEXT);

	if (!value)
		return NULL;
	for (uint32_t i = 0; i < r->kept->kept.size && i < MOST_ALIKE; i++)
		if (!strcmp(r->kept->kept.at[i], json_string_value(value)))
			return r->kept->kept.at[i];
	return *vec_push(&r->kept->kept) = mem_strdup(json_string_value(value));
}

/* Appends the bytes of a value; `zeros`: it may have zero bytes. */
static void read_bytes(struct reader *r, const char *key, const json_t *value, bool zeros,
                       struct str *out)
{
	if (!json_read_bytes(value, out))
		reader_fail(r, key, "is neither a text nor bytes in base64");
	else if (!zeros && memchr(str_text(out), 0, out->length))
		reader_fail(r, key, "has a zero byte");
}

/* NULL: there is an error. Caller frees with free(). */
static char *read_bytes_text(struct reader *r, const char *key, const json_t *value)
{
	struct str bytes GUARD(str_deinit) = STR_INIT;

	read_bytes(r, key, value, false, &bytes);
	if (!r->error)
		return str_steal(&bytes);
	return NULL;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* What has %XX for some bytes. NULL: it is not so. Caller frees with free(). */
static char *decode_percent(const char *text)
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

/* The exact bytes must be those of the name that everybody reads. */
static char *read_file(struct reader *r, const json_t *object)
{
	char *file = read_text(r, object, "file"), *exact = read_text(r, object, "file_bytes");
	char *decoded = exact ? decode_percent(exact) : NULL;
	char *clean = decoded ? json_clean(decoded) : NULL;

	if (exact && (!clean || !file || strcmp(clean, file)))
		reader_fail(r, "file_bytes", "is no other form of the name of the file");
	free(clean);
	free(exact);
	if (!decoded)
		return file;
	free(file);
	return decoded;
}

/* --- lists and structs --- */

/* The address of a zeroed element at the end, valid until the next one. */
static void *push(void *member, size_t size)
{
	struct any_vec vec = load_vec(member);

	if (vec.size == vec.room) {
		vec.room = vec.room < 8 ? 8 : vec.room * 2;
		vec.at = mem_resize(vec.at, vec.room * size);
	}
	memset(vec.at + vec.size * size, 0, size);
	vec.size++;
	store_vec(member, vec);
	return vec.at + (vec.size - 1) * size;
}

static void read_vec(struct reader *r, const struct field *f, const json_t *json, void *member)
{
	const json_t *list = find(r, json, f->key, WANT_LIST);

	for (size_t i = 0; i < json_array_size(list) && !r->error; i++) {
		size_t mark = reader_enter_item(r, f->key, i);
		const json_t *item = json_array_get(list, i);

		switch (f->kind) {
		case FIELD_KIND_LIST:
			if (check_type(r, NULL, item, WANT_OBJECT))
				fields_read(r, f->inner, item, push(member, f->inner->size));
			break;
		case FIELD_KIND_TEXTS:
			if (check_type(r, NULL, item, WANT_TEXT))
				*(char **)push(member, sizeof(char *)) =
					mem_strdup(json_string_value(item));
			break;
		case FIELD_KIND_BYTES_LIST:
			*(char **)push(member, sizeof(char *)) = read_bytes_text(r, NULL, item);
			break;
		default:
			if (check_type(r, NULL, item, WANT_WHOLE))
				*(uint32_t *)push(member, sizeof(uint32_t)) =
					(uint32_t)check_number(r, NULL, item, UINT32_MAX);
			break;
		}
		reader_leave(r, mark);
	}
}

void reader_list(struct reader *r, const json_t *object, const char *key,
                 const struct fields *fields, void *list)
{
	const struct field f = {.key = key, .kind = FIELD_KIND_LIST, .inner = fields};

	read_vec(r, &f, object, list);
}

static void read_object(struct reader *r, const struct field *f, const json_t *json, void *object)
{
	size_t mark = reader_enter(r, f->key);

	fields_read(r, f->inner, json, object);
	reader_leave(r, mark);
}

static void read_field(struct reader *r, const struct field *f, const json_t *json, void *object)
{
	void *member = (char *)object + f->offset;
	const json_t *value = NULL;
	uint64_t number;

	if (f->only_written || (!f->key && f->kind != FIELD_KIND_MEMBERS))
		return;
	if (f->read) {
		f->read(r, json, object);
		return;
	}
	switch (f->kind) {
	case FIELD_KIND_END:
	case FIELD_KIND_NONE: break;
	case FIELD_KIND_TEXT: *(char **)member = read_text(r, json, f->key); break;
	case FIELD_KIND_BYTES:
		value = json_object_get(json, f->key);
		*(char **)member = value && !r->error ? read_bytes_text(r, f->key, value) : NULL;
		break;
	case FIELD_KIND_STR:
		value = json_object_get(json, f->key);
		if (value && !r->error)
			read_bytes(r, f->key, value, true, member);
		break;
	case FIELD_KIND_FILE: *(char **)member = read_file(r, json); break;
	case FIELD_KIND_WORD: *(const char **)member = read_word(r, json, f->key); break;
	case FIELD_KIND_ENUM: {
		uint32_t first = !f->words[0];
		const char *word = reader_choice(r, json, f->key, f->words + first);

		for (uint32_t i = first; word && f->words[i]; i++)
			if (word == f->words[i])
				*(uint32_t *)member = i;
		break;
	}
	case FIELD_KIND_OPEN: {
		const char *word = read_word(r, json, f->key);
		uint32_t i = 1;

		while (word && f->words[i] && strcmp(f->words[i], word))
			i++;
		if (word && f->words[i])
			*(uint32_t *)member = i;
		else
			*(const char **)((char *)object + f->other) = word;
		break;
	}
	case FIELD_KIND_FLAG: *(bool *)member = reader_flag(r, json, f->key); break;
	case FIELD_KIND_NUMBER:
		number = reader_number(r, json, f->key,
		                       f->most                       ? f->most
		                       : f->size == sizeof(uint64_t) ? UINT64_MAX
		                                                     : UINT32_MAX);
		if (f->size == sizeof(uint64_t))
			*(uint64_t *)member = number;
		else
			*(uint32_t *)member = (uint32_t)number;
		break;
	case FIELD_KIND_FRACTION: *(double *)member = read_fraction(r, f, json); break;
	case FIELD_KIND_TEXTS:
	case FIELD_KIND_BYTES_LIST:
	case FIELD_KIND_NUMBERS:
	case FIELD_KIND_LIST: read_vec(r, f, json, member); break;
	case FIELD_KIND_MEMBERS: fields_read(r, f->inner, json, member); break;
	case FIELD_KIND_OBJECT:
		value = find(r, json, f->key, WANT_OBJECT);
		if (value)
			read_object(r, f, value, member);
		break;
	case FIELD_KIND_POINTER:
		value = find(r, json, f->key, WANT_OBJECT);
		if (value) {
			void *inner = mem_alloc(f->inner->size);

			memcpy(member, &inner, sizeof(inner));
			read_object(r, f, value, inner);
		}
		break;
	}
}

void fields_read(struct reader *r, const struct fields *fields, const json_t *json, void *object)
{
	const char *key;
	json_t *unused;

	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++)
		if (f->needed)
			reader_need(r, json, f->key);
	for (const struct field *f = fields->rows; f->kind != FIELD_KIND_END; f++)
		read_field(r, f, json, object);
	if (fields->strict)
		json_object_foreach((json_t *)json, key, unused) if (!fields_know(fields, key))
			reader_fail(r, NULL, "has unknown members");
	if (!r->error && fields->check)
		fields->check(r, json, object);
}
