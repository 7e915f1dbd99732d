/* Taking a command line apart: see args.h. */
#include "cc/args.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

struct cc_option {
	const char *name;
	enum cc_item_kind kind;
	bool takes_word; /* the next word, when the option stands alone */
};

/* ------ tables of options ------ */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Options with an exact name. `true`: the next word belongs to it. */
static const struct cc_option exact[] = {
	{"-o", CC_OUTPUT, true},
	{"-I", CC_FLAG, true},
	{"-D", CC_FLAG, true},
	{"-U", CC_FLAG, true},
	{"-A", CC_FLAG, true},
	{"-B", CC_FLAG, true},
	{"-F", CC_FLAG, true},
	{"-G", CC_FLAG, true},
	{"-include", CC_FLAG, true},
	{"-include-pch", CC_FLAG, true},
	{"-imacros", CC_FLAG, true},
	{"-isystem", CC_FLAG, true},
	{"-isystem-after", CC_FLAG, true},
	{"-iquote", CC_FLAG, true},
	{"-idirafter", CC_FLAG, true},
	{"-isysroot", CC_FLAG, true},
	{"-iprefix", CC_FLAG, true},
	{"-iwithprefix", CC_FLAG, true},
	{"-iwithprefixbefore", CC_FLAG, true},
	{"-iwithsysroot", CC_FLAG, true},
	{"-iframework", CC_FLAG, true},
	{"-iframeworkwithsysroot", CC_FLAG, true},
	{"-imultilib", CC_FLAG, true},
	{"-ivfsoverlay", CC_FLAG, true},
	{"-cxx-isystem", CC_FLAG, true},
	{"-Xclang", CC_FLAG, true},
	{"-Xpreprocessor", CC_FLAG, true},
	{"-Xassembler", CC_FLAG, true},
	{"-Xanalyzer", CC_FLAG, true},
	{"-Xopenmp-target", CC_FLAG, true},
	{"-mllvm", CC_FLAG, true},
	{"-target", CC_FLAG, true},
	{"-arch", CC_FLAG, true},
	{"-gcc-toolchain", CC_FLAG, true},
	{"-working-directory", CC_FLAG, true},
	{"-serialize-diagnostics", CC_FLAG, true},
	{"--serialize-diagnostics", CC_FLAG, true},
	{"-resource-dir", CC_FLAG, true},
	{"-dependency-dot", CC_FLAG, true},
	{"-MJ", CC_FLAG, true},
	{"--config", CC_FLAG, true},
	{"--param", CC_FLAG, true},
	{"--sysroot", CC_FLAG, true},
	{"-aux-info", CC_FLAG, true},
	{"-wrapper", CC_FLAG, true},
	{"-specs", CC_FLAG, true},
	{"-dumpbase", CC_FLAG, true},
	{"-dumpbase-ext", CC_FLAG, true},
	{"-dumpdir", CC_FLAG, true},
	{"-MF", CC_DEPS, true},
	{"-MT", CC_DEPS, true},
	{"-MQ", CC_DEPS, true},
	{"-MD", CC_DEPS, false},
	{"-MMD", CC_DEPS, false},
	{"-MP", CC_DEPS, false},
	{"-MG", CC_DEPS, false},
	{"-MV", CC_DEPS, false},
	{"-L", CC_LINK, true},
	{"-l", CC_LINK, true},
	{"-T", CC_LINK, true},
	{"-Tbss", CC_LINK, true},
	{"-Tdata", CC_LINK, true},
	{"-Ttext", CC_LINK, true},
	{"-u", CC_LINK, true},
	{"-z", CC_LINK, true},
	{"-e", CC_LINK, true},
	{"-rpath", CC_LINK, true},
	{"--entry", CC_LINK, true},
	{"-framework", CC_LINK, true},
	{"-Xlinker", CC_LINK, true},
	{"-s", CC_LINK, false},
	{"-t", CC_LINK, false},
	{"-r", CC_LINK, false},
	{"-rdynamic", CC_LINK, false},
	{"-nostdlib", CC_LINK, false},
	{"-nodefaultlibs", CC_LINK, false},
	{"-nolibc", CC_LINK, false},
	{"-nostartfiles", CC_LINK, false},
	{"-c", CC_MODE, false},
	{"-S", CC_MODE, false},
	{"-E", CC_MODE, false},
	{"-M", CC_MODE, false},
	{"-MM", CC_MODE, false},
	{"-fsyntax-only", CC_MODE, false},
	{"--analyze", CC_MODE, false},
	{"--precompile", CC_MODE, false},
	{"-emit-llvm", CC_MODE, false},
	{"-emit-ast", CC_MODE, false},
};

/* Options whose word is part of them, for which the prefix says what they are for. */
static const struct cc_option joined[] = {
	{"-Wl,", CC_LINK, false}, {"-L", CC_LINK, false},   {"-l", CC_LINK, false},
	{"-T", CC_LINK, false},   {"-o", CC_OUTPUT, false}, {"-MF", CC_DEPS, false},
	{"-MT", CC_DEPS, false},  {"-MQ", CC_DEPS, false},
};

/* The kind of an option as written; options not listed are plain flags. Valid for ever. */
static struct cc_option options_find(const char *text)
{
	for (size_t i = 0; i < COUNT(exact); i++)
		if (!strcmp(text, exact[i].name))
			return exact[i];
	for (size_t i = 0; i < COUNT(joined); i++)
		if (args_begins(text, joined[i].name))
			return joined[i];
	return (struct cc_option){text, CC_FLAG, false};
}

static const char *const asking[] = {
	"--version",    "--help",
	"-help",        "--target-help",
	"-###",         "-dumpspecs",
	"-dumpversion", "-dumpfullversion",
	"-dumpmachine", "--print-supported-cpus",
};

static bool asks(const char *text)
{
	for (size_t i = 0; i < COUNT(asking); i++)
		if (!strcmp(text, asking[i]))
			return true;
	return args_begins(text, "-print-") || args_begins(text, "--print-") ||
	       args_begins(text, "--help=");
}

/* The stronger wish wins, whatever the order: that is how enum cc_mode is sorted. */
static enum cc_mode options_mode(const char *text, enum cc_mode mode)
{
	enum cc_mode wish = CC_LINKING;

	if (asks(text) && strcmp(text, "--print-missing-file-dependencies"))
		wish = CC_ASKING;
	else if (options_find(text).kind != CC_MODE)
		return mode;
	else if (!strcmp(text, "-c"))
		wish = CC_COMPILING;
	else if (!strcmp(text, "-S"))
		wish = CC_ASSEMBLING;
	else
		wish = CC_THROUGH;
	return wish > mode ? wish : mode;
}

static const struct {
	const char *name;
	const char *letter;
} names[] = {
	{"--compile", "-c"},
	{"--assemble", "-S"},
	{"--preprocess", "-E"},
	{"--dependencies", "-M"},
	{"--user-dependencies", "-MM"},
	{"--write-dependencies", "-MD"},
	{"--write-user-dependencies", "-MMD"},
	{"--print-missing-file-dependencies", "-MG"},
	{"--output", "-o"},
	{"--language", "-x"},
	{"--include-directory", "-I"},
	{"--define-macro", "-D"},
	{"--undefine-macro", "-U"},
	{"--include", "-include"},
	{"--imacros", "-imacros"},
	{"--library-directory", "-L"},
	{"--for-linker", "-Xlinker"},
	{"--debug", "-g"},
	{"--optimize", "-O"},
	{"--coverage", "-coverage"},
	{"--profile", "-p"},
	{"--shared", "-shared"},
	{"--static", "-static"},
	{"--pie", "-pie"},
	{"--verbose", "-v"},
	{"--pipe", "-pipe"},
	{"--save-temps", "-save-temps"},
};

/*
 * The short form of a GNU long option (--output=x: -o, x). False if there is none. *value is the
 * part behind '=', or NULL. Valid as long as `text`.
 */
static bool options_shorten(const char *text, const char **name, const char **value)
{
	size_t length = strcspn(text, "=");

	for (size_t i = 0; i < COUNT(names); i++) {
		if (strlen(names[i].name) != length || strncmp(text, names[i].name, length))
			continue;
		*name = names[i].letter;
		*value = text[length] ? text + length + 1 : NULL;
		return true;
	}
	return false;
}

struct naming {
	const char *name;
	enum cc_language language;
};

static const struct naming languages[] = {
	{"c", CC_LANG_C},
	{"cpp-output", CC_LANG_C},
	{"c++", CC_LANG_CXX},
	{"c++-cpp-output", CC_LANG_CXX},
	{"c++-header", CC_LANG_HEADER},
	{"c++-module", CC_LANG_CXX},
	{"c-header", CC_LANG_HEADER},
	{"ir", CC_LANG_IR},
};

static const struct naming suffixes[] = {
	{"c", CC_LANG_C},        {"i", CC_LANG_C},        {"cc", CC_LANG_CXX},
	{"cp", CC_LANG_CXX},     {"cpp", CC_LANG_CXX},    {"CPP", CC_LANG_CXX},
	{"cxx", CC_LANG_CXX},    {"CXX", CC_LANG_CXX},    {"c++", CC_LANG_CXX},
	{"C", CC_LANG_CXX},      {"CC", CC_LANG_CXX},     {"ii", CC_LANG_CXX},
	{"cppm", CC_LANG_CXX},   {"ll", CC_LANG_IR},      {"bc", CC_LANG_IR},
	{"h", CC_LANG_HEADER},   {"H", CC_LANG_HEADER},   {"hh", CC_LANG_HEADER},
	{"hpp", CC_LANG_HEADER}, {"hxx", CC_LANG_HEADER}, {"s", CC_LANG_OTHER},
	{"S", CC_LANG_OTHER},    {"sx", CC_LANG_OTHER},   {"asm", CC_LANG_OTHER},
	{"m", CC_LANG_OTHER},    {"mm", CC_LANG_OTHER},   {"mi", CC_LANG_OTHER},
	{"mii", CC_LANG_OTHER},  {"f", CC_LANG_OTHER},    {"F", CC_LANG_OTHER},
	{"f90", CC_LANG_OTHER},  {"cl", CC_LANG_OTHER},   {"cu", CC_LANG_OTHER},
};

/* The language of an input: by the name given to -x, or by the suffix of a file's name. */
static enum cc_language options_language(const char *name)
{
	for (size_t i = 0; i < COUNT(languages); i++)
		if (!strcmp(name, languages[i].name))
			return languages[i].language;
	return CC_LANG_OTHER;
}

static enum cc_language options_suffix(const char *path)
{
	const char *dot = strrchr(args_base(path), '.');

	for (size_t i = 0; dot && i < COUNT(suffixes); i++)
		if (!strcmp(dot + 1, suffixes[i].name))
			return suffixes[i].language;
	return CC_LANG_LINKED;
}

/* ------ taking a command line apart ------ */

/* Where the parser is. */
struct reader {
	const struct cc_words *words;
	uint32_t at;
	const char *forced; /* the -x in force; NULL: by suffix */
	bool only_inputs;   /* after -- */
	struct cc_args *args;
};

bool args_begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

const char *args_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct cc_item *add_item(struct reader *reader, enum cc_item_kind kind, const char *text)
{
	struct cc_item *item = vec_push(&reader->args->items);

	item->kind = kind;
	item->text = mem_strdup(text);
	return item;
}

/* The word after an option. */
static struct hence_error *next_word(struct reader *reader, const char *option, const char **word)
{
	if (reader->at >= reader->words->list.size)
		return error_create(HENCE_ERROR_INPUT, "%s needs a word after it", option);
	*word = reader->words->list.at[reader->at++];
	return NULL;
}

static void set_language(struct reader *reader, const char *name)
{
	reader->forced = strcmp(name, "none") ? name : NULL;
}

/* An option in its short form, with the value that a long form brought along, or NULL. */
static struct hence_error *add_option(struct reader *reader, const char *text, const char *value)
{
	bool language = !strcmp(text, "-x");
	struct cc_option option = options_find(text);
	struct hence_error *error;
	struct cc_item *item;

	if (!value && (option.takes_word || language)) {
		error = next_word(reader, text, &value);
		if (error)
			return error;
	}
	if (language) {
		set_language(reader, value);
		return NULL;
	}
	item = add_item(reader, option.kind, text);
	item->value = value ? mem_strdup(value) : NULL;
	reader->args->mode = options_mode(text, reader->args->mode);
	return NULL;
}

/* -Wp,-MD,FILE says -MD -MF FILE to the preprocessor; clang reads it so, too. */
static bool add_deps_for_preprocessor(struct reader *reader, const char *text)
{
	size_t skip = args_begins(text, "-Wp,-MD,") ? 8 : args_begins(text, "-Wp,-MMD,") ? 9 : 0;

	if (!skip || strchr(text + skip, ','))
		return false;
	add_item(reader, CC_DEPS, skip == 8 ? "-MD" : "-MMD");
	add_item(reader, CC_DEPS, "-MF")->value = mem_strdup(text + skip);
	return true;
}

static struct hence_error *add_word(struct reader *reader, const char *word)
{
	const char *name;
	const char *value;

	if (reader->only_inputs || word[0] != '-' || !word[1]) {
		struct cc_item *item = add_item(reader, CC_INPUT, word);

		/* A file that looks like an option gets a name that does not. */
		if (word[0] == '-' && word[1]) {
			free(item->text);
			item->text = str_format("./%s", word);
		}
		item->language =
			reader->forced ? options_language(reader->forced) : options_suffix(word);
		item->forced = reader->forced ? mem_strdup(reader->forced) : NULL;

		return NULL;
	}
	if (!strcmp(word, "--")) {
		reader->only_inputs = true;
		return NULL;
	}
	if (args_begins(word, "-x") && word[2]) {
		set_language(reader, word + 2);
		return NULL;
	}
	if (add_deps_for_preprocessor(reader, word))
		return NULL;
	if (options_shorten(word, &name, &value))
		return add_option(reader, name, value);
	return add_option(reader, word, NULL);
}

static bool has_something_to_link(const struct cc_args *args)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (args_begins(item->text, "-l") || args_begins(item->text, "-Wl,") ||
		    !strcmp(item->text, "-Xlinker"))
			return true;
	}
	return false;
}

struct hence_error *args_parse(const struct cc_words *words, struct cc_args *args)
{
	struct cc_args parsed = {.mode = CC_LINKING};
	struct reader reader = {.words = words, .args = &parsed};

	while (reader.at < words->list.size) {
		struct hence_error *error = add_word(&reader, words->list.at[reader.at++]);

		if (error) {
			args_deinit(&parsed);
			return error;
		}
	}

	/* The inputs decide on the mode too: a call without any is a question, and headers alone
	   are precompiled. */
	uint32_t inputs = 0;
	uint32_t headers = 0;

	for (uint32_t i = 0; i < parsed.items.size; i++) {
		const struct cc_item *item = &parsed.items.at[i];

		inputs += item->kind == CC_INPUT;
		headers += item->kind == CC_INPUT && item->language == CC_LANG_HEADER;
		/* Clang asks for -x when standard input has none; let it say so. */
		if (item->kind == CC_INPUT && !strcmp(item->text, "-") && !item->forced &&
		    parsed.mode < CC_THROUGH)
			parsed.mode = CC_THROUGH;
	}
	if (!inputs && (parsed.mode != CC_LINKING || !has_something_to_link(&parsed)))
		parsed.mode = CC_ASKING;
	else if (inputs && headers == inputs && parsed.mode < CC_THROUGH)
		parsed.mode = CC_THROUGH;

	for (uint32_t i = 0; i < parsed.items.size; i++) {
		const struct cc_item *item = &parsed.items.at[i];

		if (item->kind == CC_OUTPUT)
			parsed.output = item->value ? item->value : item->text + 2;
	}
	*args = parsed;
	return NULL;
}

void args_deinit(struct cc_args *args)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		free(args->items.at[i].text);
		free(args->items.at[i].value);
		free(args->items.at[i].forced);
	}
	vec_deinit(&args->items);
}

bool args_has(const struct cc_args *args, const char *text)
{
	for (uint32_t i = 0; i < args->items.size; i++) {
		const struct cc_item *item = &args->items.at[i];

		if (item->kind != CC_INPUT && !item->dropped && !strcmp(item->text, text))
			return true;
	}
	return false;
}

void args_emit(const struct cc_item *item, struct cc_words *words)
{
	if (item->dropped)
		return;
	words_add(words, item->text);
	if (item->value)
		words_add(words, item->value);
}
