/* How a report was made, as JSON and back (report/recipe.h), and bytes in JSON (report/json.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>
#include <string.h>

#include "base/mem.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/recipe.h"

/* --- bytes --- */

static void check_bytes(const char *bytes, size_t size, const char *json)
{
	struct str out = STR_INIT, back = STR_INIT;
	json_t *value;

	json_add_bytes_value(&out, bytes, size);
	assert_string_equal(str_text(&out), json);
	value = json_loads(str_text(&out), JSON_DECODE_ANY, NULL);
	assert_non_null(value);
	assert_true(json_read_bytes(value, &back));
	assert_int_equal(back.length, size);
	assert_memory_equal(str_text(&back), bytes, size);
	json_decref(value);
	str_deinit(&out);
	str_deinit(&back);
}

static void test_bytes(void **state)
{
	(void)state;
	check_bytes("", 0, "\"\"");
	check_bytes("a\"\n", 3, "\"a\\\"\\u000a\"");
	check_bytes("\303\244", 2, "\"\303\244\"");
	check_bytes("\377", 1, "{\"base64\":\"/w==\"}");
	check_bytes("\377\0", 2, "{\"base64\":\"/wA=\"}");
	check_bytes("\377\0-", 3, "{\"base64\":\"/wAt\"}");
	check_bytes("a\0bc", 4, "{\"base64\":\"YQBiYw==\"}");
}

static void test_no_bytes(void **state)
{
	static const char *const wrong[] = {"1",
	                                    "{}",
	                                    "{\"base64\":1}",
	                                    "{\"base64\":\"YQ\"}",
	                                    "{\"base64\":\"Y===\"}",
	                                    "{\"base64\":\"=AAA\"}",
	                                    "{\"base64\":\"YQ==YQ==\"}",
	                                    "{\"base64\":\"YQ=A\"}",
	                                    "{\"base64\":\"!!!!\"}",
	                                    "{\"base64\":\"YQ==\",\"more\":1}"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		json_t *value = json_loads(wrong[i], JSON_DECODE_ANY, NULL);
		struct str out = STR_INIT;

		assert_non_null(value);
		assert_false(json_read_bytes(value, &out));
		json_decref(value);
		str_deinit(&out);
	}
}

/* --- recipes --- */

#define BUILD "0123456789abcdef0123456789abcdef"

/* All that there can be at once. */
static struct recipe *make(void)
{
	struct recipe *r = recipe_create();

	r->program = (struct recipe_program){mem_strdup("./p\377"), mem_strdup("/a/p\377"),
	                                     mem_strdup(BUILD)};
	r->folder = mem_strdup("/a");
	input_add_bytes(&r->given, INPUT_ARGUMENT, NULL, "x", 1);
	input_add_bytes(&r->given, INPUT_STDIN, NULL, "\0\377", 2);
	input_add_bytes(&r->given, INPUT_FILE, "f\n", "", 0);
	input_add_bytes(&r->given, INPUT_VARIABLE, "V", "1", 1);
	r->given.parts.at[0].varied = true;
	input_copy(&r->failing, &r->given);
	str_deinit(&r->failing.parts.at[3].bytes);
	r->failing.parts.at[3].unset = true;
	r->tree_of_given = r->fixes_of_given = true;
	r->kind = RECIPE_PATCHED;
	r->patch = (struct recipe_patch){mem_strdup("a.c"), 7, 2, 3, 99, 1};
	r->has_expected = true;
	str_add_bytes(&r->expected, "\376", 1);
	r->line = r->any = r->unconfined = true;
	r->timeout = 2.5;
	*vec_push(&r->models) = mem_strdup("/m");
	r->tape_limit = 1000;
	return r;
}

static void write_recipe(const struct recipe *r, struct str *out)
{
	str_add_char(out, '{');
	fields_write(&recipe_fields, r, out);
	str_add_char(out, '}');
}

static struct hence_error *read_recipe(const json_t *json, struct recipe **out)
{
	struct reader reader = {0};
	struct recipe *r = recipe_create();
	struct hence_error *error;

	reader_enter(&reader, "recipe");
	fields_read(&reader, &recipe_fields, json, r);
	error = reader_finish(&reader);
	if (error)
		recipe_destroy(r);
	else
		*out = r;
	return error;
}

static struct hence_error *read_text(const char *text, struct recipe **out)
{
	json_t *json = json_loads(text, 0, NULL);
	struct hence_error *error;

	assert_non_null(json);
	error = read_recipe(json, out);
	json_decref(json);
	return error;
}

/* Written, read and written again it is the same. */
static void check_back(struct recipe *r)
{
	struct str first = STR_INIT, second = STR_INIT;
	struct recipe *back;

	write_recipe(r, &first);
	assert_null(read_text(str_text(&first), &back));
	write_recipe(back, &second);
	assert_string_equal(str_text(&first), str_text(&second));
	assert_int_equal(back->kind, r->kind);
	assert_true(input_equal(&back->failing, &r->failing));
	assert_int_equal(back->expected.length, r->expected.length);
	recipe_destroy(back);
	recipe_destroy(r);
	str_deinit(&first);
	str_deinit(&second);
}

static void test_back(void **state)
{
	struct recipe *r = make();

	(void)state;
	check_back(r);
	r = make();
	r->kind = RECIPE_INPUT;
	input_copy(&r->reference, &r->given);
	check_back(r);
	r = make();
	r->kind = RECIPE_PROGRAM;
	r->has_expected = r->line = false;
	str_deinit(&r->expected);
	r->other = (struct recipe_program){mem_strdup("q"), mem_strdup("/q"), mem_strdup(BUILD)};
	check_back(r);
	r = make();
	r->kind = RECIPE_NONE;
	free(r->program.path);
	r->program.path = NULL;
	*vec_push(&r->sources) = mem_strdup("p.c");
	check_back(r);
}

/* --- what is refused --- */

/* A member of the whole, or of the object that is called so, gets this value; NULL: it is taken out. */
static void check_refused(const char *object, const char *key, const char *value,
                          const char *message)
{
	struct recipe *r = make(), *back = NULL;
	struct str text = STR_INIT;
	struct hence_error *error;
	json_t *json, *at;

	write_recipe(r, &text);
	json = json_loads(str_text(&text), 0, NULL);
	at = object ? json_object_get(json, object) : json;
	if (json_is_array(at))
		at = json_array_get(at, 0);
	if (value)
		json_object_set_new(at, key, json_loads(value, JSON_DECODE_ANY, NULL));
	else
		json_object_del(at, key);
	error = read_recipe(json, &back);
	assert_non_null(error);
	assert_string_equal(error->message, message);
	error_destroy(error);
	json_decref(json);
	recipe_destroy(r);
	str_deinit(&text);
}

static void test_refused(void **state)
{
	(void)state;
	check_refused(NULL, "program", NULL, "recipe.program is missing");
	check_refused(NULL, "program", "1", "recipe.program is a whole number, not an object");
	check_refused("program", "build", "\"12\"",
	              "recipe.program.build is not 32 hexadecimal digits");
	check_refused("program", "path", "\"p\"", "recipe.program.path does not begin with /");
	check_refused("program", "path", NULL, "recipe.program needs a path, or sources");
	check_refused("program", "else", "1", "recipe.program has unknown members");
	check_refused(NULL, "else", "1", "recipe has unknown members");
	check_refused(NULL, "folder", "7", "recipe.folder is neither a text nor bytes in base64");
	check_refused(NULL, "folder", "{\"base64\":\"AAAA\"}", "recipe.folder has a zero byte");
	check_refused(NULL, "given", "{}", "recipe.given is an object, not a list");
	check_refused(
		"given", "kind", "\"what\"",
		"recipe.given[0].kind is none of these words: argument, stdin, file, variable");
	check_refused("given", "kind", "\"file\"", "recipe.given[0].name is missing");
	check_refused("given", "name", "\"x\"", "recipe.given[0].name is one too many");
	check_refused("given", "kind", "\"stdin\"",
	              "recipe.given[1].kind stands at the wrong place");
	check_refused("given", "bytes", "{\"base64\":\"AAAA\"}",
	              "recipe.given[0].bytes has a zero byte");
	check_refused("given", "bytes", NULL, "recipe.given[0].bytes is missing");
	check_refused("given", "unset", "true", "recipe.given[0].unset is about variables only");
	check_refused("patch", "time", "-1", "recipe.patch.time is -1, which is below 0");
	check_refused("patch", "outcome", "4294967296",
	              "recipe.patch.outcome is 4294967296, which is too large");
	check_refused(NULL, "reference", "[]", "recipe.reference is not the only one");
	check_refused(NULL, "test", "\"x\"", "recipe.expected is not the only judge");
	check_refused(NULL, "timeout", "0", "recipe.timeout is no number of seconds");
	check_refused(NULL, "line", "1", "recipe.line is a whole number, not true or false");
	check_refused(NULL, "models", "1", "recipe.models is a whole number, not a list");
}

static void test_other_kinds(void **state)
{
	struct recipe *back;
	struct hence_error *error = read_text("[]", &back);

	(void)state;
	assert_non_null(error);
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),       cmocka_unit_test(test_no_bytes),
		cmocka_unit_test(test_back),        cmocka_unit_test(test_refused),
		cmocka_unit_test(test_other_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
