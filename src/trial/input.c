/* What a program is given: see input.h. */
#include "trial/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"

void input_copy(struct input *to, const struct input *from)
{
	vec_reserve(&to->parts, from->parts.size);
	for (uint32_t i = 0; i < from->parts.size; i++) {
		const struct input_part *part = &from->parts.at[i];

		input_add_bytes(to, part->kind, part->name, part->bytes.text, part->bytes.length);
		to->parts.at[to->parts.size - 1].varied = part->varied;
		to->parts.at[to->parts.size - 1].unset = part->unset;
	}
}

void input_deinit(struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++) {
		free(input->parts.at[i].name);
		str_deinit(&input->parts.at[i].bytes);
	}
	vec_deinit(&input->parts);
}

void input_add_bytes(struct input *input, enum input_kind kind, const char *name, const void *bytes,
                     size_t size)
{
	struct input_part *part = vec_push(&input->parts);

	part->kind = kind;
	part->name = name ? mem_strdup(name) : NULL;
	str_add_bytes(&part->bytes, size ? bytes : "", size);
}

struct hence_error *input_add_file(struct input *input, enum input_kind kind, const char *name,
                                   const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct str bytes = STR_INIT;
	struct hence_error *error = NULL;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	if (!str_add_from(&bytes, fd))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	close(fd);
	if (!error)
		input_add_bytes(input, kind, name, bytes.text, bytes.length);
	str_deinit(&bytes);
	return error;
}

static bool same_part(const struct input_part *a, const struct input_part *b)
{
	return a->kind == b->kind && a->unset == b->unset &&
	       (a->name && b->name ? !strcmp(a->name, b->name) : a->name == b->name) &&
	       a->bytes.length == b->bytes.length &&
	       (!a->bytes.length || !memcmp(a->bytes.text, b->bytes.text, a->bytes.length));
}

bool input_equal(const struct input *a, const struct input *b)
{
	if (a->parts.size != b->parts.size)
		return false;
	for (uint32_t i = 0; i < a->parts.size; i++)
		if (!same_part(&a->parts.at[i], &b->parts.at[i]))
			return false;
	return true;
}

/* Eight bytes at a time: inputs may be large, and each that is tried is hashed. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size)
{
	while (size) {
		size_t count = size < 8 ? size : 8;
		uint64_t word = 0;

		memcpy(&word, bytes, count);
		hash = map_hash_u64(hash + word);
		bytes += count;
		size -= count;
	}
	return hash;
}

uint64_t input_hash(const struct input *input)
{
	uint64_t hash = input->parts.size;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		const char *name = part->name ? part->name : "";

		hash = map_hash_u64(hash ^ (part->kind + (part->unset ? 16 : 0)));
		hash = map_hash_u64(hash ^ part->bytes.length);
		hash = hash_bytes(hash, name, strlen(name));
		hash = hash_bytes(hash, str_text(&part->bytes), part->bytes.length);
	}
	return hash;
}

char *input_part_text(const struct input *input, uint32_t part)
{
	const struct input_part *at = &input->parts.at[part];
	uint32_t number = 0;

	switch (at->kind) {
	case INPUT_ARGUMENT:
		for (uint32_t i = 0; i <= part; i++)
			number += input->parts.at[i].kind == INPUT_ARGUMENT;
		return str_format("argument %u", number);
	case INPUT_STDIN: break;
	case INPUT_FILE: return str_format("the file %s", at->name);
	case INPUT_VARIABLE: return str_format("the variable %s", at->name);
	}
	return mem_strdup("standard input");
}
