/* Edits of the code once more: see repeat.h. */
#include <stdlib.h>

#include "causes/repeat_work.h"
#include "edit/repeat.h"

struct hence_error *repeat_edits(const struct edit_search_options *options,
                                 struct repeat_items *items)
{
	VEC(struct edit_repeat) edits = VEC_INIT;
	VEC(struct repeat_item *) owners = VEC_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < items->all.size; i++) {
		struct repeat_item *item = &items->all.at[i];

		if (!item->fix)
			continue;
		if (!item->fix->edit || !item->fix->at.file) {
			repeat_refuse(item, REPEAT_DIFFERS,
			              mem_strdup("the report does not name the edit"));
			continue;
		}
		*vec_push(&edits) = (struct edit_repeat){.name = item->fix->edit,
		                                         .file = item->fix->at.file,
		                                         .line = item->fix->at.line};
		*vec_push(&owners) = item;
	}
	if (edits.size)
		error = edit_repeat(options, edits.at, edits.size);
	for (uint32_t i = 0; i < edits.size && !error; i++) {
		if (edits.at[i].tried)
			repeat_judge(owners.at[i], "pass", edits.at[i].outcome);
		else if (!edits.at[i].edits)
			repeat_refuse(owners.at[i], REPEAT_DIFFERS,
			              mem_strdup("the program has no such edit"));
	}
	vec_deinit(&edits);
	vec_deinit(&owners);
	return error;
}
