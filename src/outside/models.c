/* The set of models: see models.h. The hash is the one that goes into the table. */
#include "outside/models.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define MODEL_FILE_LIMIT (16u << 20) /* a larger file is surely not meant */

void outside_models_init(struct outside_models *models)
{
	memset(models, 0, sizeof(*models));
	vec_push(&models->insns); /* insn 0 is the empty expression, text 0 the empty string */
	vec_push(&models->text);
}

void outside_models_deinit(struct outside_models *models)
{
	vec_deinit(&models->functions);
	vec_deinit(&models->files);
	vec_deinit(&models->clauses);
	vec_deinit(&models->insns);
	vec_deinit(&models->text);
	vec_deinit(&models->slots);
}

uint32_t outside_models_text(struct outside_models *models, const char *text, size_t size)
{
	uint32_t place = models->text.size;

	for (size_t i = 0; i < size; i++)
		*vec_push(&models->text) = text[i];
	vec_push(&models->text);
	return place;
}

/* The slot that holds the name, or the empty one where it would go. */
static uint32_t find_slot(const struct outside_models *models, const char *name)
{
	uint32_t mask = models->slots.size - 1;
	uint32_t slot = outside_hash(name) & mask;

	for (; models->slots.at[slot]; slot = (slot + 1) & mask) {
		uint32_t index = models->slots.at[slot] - 1;

		if (!strcmp(models->text.at + models->functions.at[index].name, name))
			break;
	}
	return slot;
}

int64_t outside_models_find(const struct outside_models *models, const char *name)
{
	if (!models->slots.size)
		return -1;
	return (int64_t)models->slots.at[find_slot(models, name)] - 1;
}

bool outside_models_put(struct outside_models *models, const struct outside_function *function)
{
	uint32_t slot, index;

	if (models->slots.size <= models->functions.size * 2) {
		/* The hash stays at most half full. */
		uint32_t count = models->slots.size ? models->slots.size * 2 : 64;

		vec_deinit(&models->slots);
		for (uint32_t i = 0; i < count; i++)
			vec_push(&models->slots);
		for (uint32_t i = 0; i < models->functions.size; i++) {
			const char *name = models->text.at + models->functions.at[i].name;

			models->slots.at[find_slot(models, name)] = i + 1;
		}
	}
	slot = find_slot(models, models->text.at + function->name);
	if (!models->slots.at[slot]) {
		vec_push(&models->functions);
		vec_push(&models->files);
		models->slots.at[slot] = models->functions.size;
	} else if (models->files.at[models->slots.at[slot] - 1] == models->file_count) {
		return false;
	}
	index = models->slots.at[slot] - 1;
	models->functions.at[index] = *function;
	models->files.at[index] = models->file_count;
	return true;
}

static struct hence_error *read_file(FILE *file, const char *path, struct str *text)
{
	char buffer[4096];
	size_t size;

	while ((size = fread(buffer, 1, sizeof(buffer), file)) > 0) {
		str_add_bytes(text, buffer, size);
		if (text->length > MODEL_FILE_LIMIT)
			return error_create(HENCE_ERROR_INPUT,
			                    "%s is too large for a file of models", path);
	}
	if (ferror(file))
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read models from %s", path);
	return NULL;
}

struct hence_error *outside_models_add_file(struct outside_models *models, const char *path)
{
	struct str text = STR_INIT;
	struct hence_error *error;
	FILE *file = fopen(path, "re");

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read models from %s", path);
	error = read_file(file, path, &text);
	fclose(file);
	if (!error)
		error = outside_models_add_text(models, path, str_text(&text), text.length);
	str_deinit(&text);
	return error;
}

static int is_further_model(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 6 &&
	       !strcmp(entry->d_name + length - 6, ".model") &&
	       strcmp(entry->d_name, "libc.model") != 0;
}

static struct hence_error *add_in_folder(struct outside_models *models, const char *folder,
                                         const char *name)
{
	char *path = str_format("%s/%s", folder, name);
	struct hence_error *error = outside_models_add_file(models, path);

	free(path);
	return error;
}

struct hence_error *outside_models_add_folder(struct outside_models *models, const char *folder)
{
	struct hence_error *error = add_in_folder(models, folder, "libc.model");
	struct dirent **entries = NULL;
	int count;

	if (error)
		return error;
	count = scandir(folder, &entries, is_further_model, alphasort);
	if (count < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read the folder %s", folder);
	for (int i = 0; i < count; i++) {
		if (!error)
			error = add_in_folder(models, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return error;
}
