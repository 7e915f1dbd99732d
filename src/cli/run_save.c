/* --save of `hence run`: gathers what run/saved.h keeps. */
#include "cli/run_save.h"

#include <string.h>

#include "run/blobs.h"
#include "run/saved.h"

static void add_outcome(struct saved_run *saved, uint32_t tape, const struct outcome *outcome)
{
	struct saved_outcome *entry = vec_push(&saved->outcomes);

	entry->tape = tape;
	outcome_copy(&entry->outcome, outcome);
}

/* A file that can no longer be read keeps a hash of zeros. */
static void add_elf(struct saved_run *saved, const char *path)
{
	struct saved_elf *elf;
	struct hence_error *error;
	struct blobs *blobs;

	for (uint32_t i = 0; i < saved->elfs.size; i++)
		if (!strcmp(saved->elfs.at[i].path, path))
			return;
	elf = vec_push(&saved->elfs);
	elf->path = mem_strdup(path);
	error = blobs_open(path, &blobs);
	if (!error) {
		blobs_build_hash(blobs, elf->hash);
		blobs_close(blobs);
	}
	error_destroy(error);
}

struct hence_error *run_save(const struct run *run)
{
	struct saved_run saved = {.argv = VEC_INIT};
	struct hence_error *error;

	for (char **word = run->options->command; *word; word++)
		*vec_push(&saved.argv) = mem_strdup(*word);
	add_outcome(&saved, SAVED_COMMAND, run_outcome(run));
	for (uint32_t i = 0; i < run->recorded.size; i++) {
		const struct tape *tape = run->recorded.at[i].tape;

		add_outcome(&saved, tape->number, &run->recorded.at[i].outcome);
		for (uint32_t j = 0; j < tape->elfs.size; j++)
			add_elf(&saved, tape->elfs.at[j]);
	}
	error = saved_write(run->options->save, &saved, &run->tapes);
	saved_run_deinit(&saved);
	return error;
}
