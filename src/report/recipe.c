/* How a report was made: see recipe.h. */
#include "report/recipe.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/blobs.h"

struct recipe *recipe_create(void)
{
	return mem_alloc(sizeof(struct recipe));
}

static void deinit_program(struct recipe_program *program)
{
	free(program->name);
	free(program->path);
	free(program->build);
}

void recipe_destroy(struct recipe *recipe)
{
	if (!recipe)
		return;
	deinit_program(&recipe->program);
	deinit_program(&recipe->other);
	for (uint32_t i = 0; i < recipe->sources.size; i++)
		free(recipe->sources.at[i]);
	for (uint32_t i = 0; i < recipe->models.size; i++)
		free(recipe->models.at[i]);
	vec_deinit(&recipe->sources);
	for (uint32_t i = 0; i < recipe->locale.size; i++)
		free(recipe->locale.at[i]);
	vec_deinit(&recipe->models);
	vec_deinit(&recipe->locale);
	free(recipe->folder);
	input_deinit(&recipe->given);
	input_deinit(&recipe->failing);
	input_deinit(&recipe->reference);
	free(recipe->patch.file);
	free(recipe->edit);
	str_deinit(&recipe->expected);
	free(recipe->test);
	free(recipe);
}

struct hence_error *recipe_build_of(const char *path, char **out)
{
	struct str text = STR_INIT;
	struct blobs *blobs;
	uint8_t hash[16];
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	blobs_build_hash(blobs, hash);
	blobs_close(blobs);
	for (unsigned i = 0; i < sizeof(hash); i++)
		str_printf(&text, "%02x", hash[i]);
	*out = str_steal(&text);
	return NULL;
}
