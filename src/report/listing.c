/* The data of a listing: see listing.h. */
#include "report/listing.h"

static void free_statement(struct listing_statement *s)
{
	for (uint32_t i = 0; i < s->instances.size; i++)
		free(s->instances.at[i].text);
	vec_deinit(&s->instances);
}

static void free_line(struct listing_line *line)
{
	for (uint32_t i = 0; i < line->statements.size; i++)
		free_statement(&line->statements.at[i]);
	vec_deinit(&line->statements);
	free(line->function);
}

void listing_deinit(struct listing *l)
{
	for (uint32_t i = 0; i < l->lines.size; i++)
		free_line(&l->lines.at[i]);
	for (uint32_t i = 0; i < l->files.size; i++) {
		free(l->files.at[i].name);
		free(l->files.at[i].directory);
		free(l->files.at[i].elf);
	}
	vec_deinit(&l->lines);
	vec_deinit(&l->files);
	*l = (struct listing){0};
}
