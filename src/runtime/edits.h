/* Inside the runtime: edited code is loaded in place of the program's own (edit_image.h). */
#ifndef HENCE_RUNTIME_EDITS_H
#define HENCE_RUNTIME_EDITS_H

#include "runtime/edit_image.h"

/* The memory that is shared with hence names an image: it is read. */
void hence_rt_edits_find(struct hence_server *server);

/* A module was registered: if the image has edits of it, its functions are replaced. */
void hence_rt_edits_add(struct hence_rt_module *module);

/* choices.c: what the value becomes with the choice that is in force. */
uint64_t hence_rt_choose(struct hence_choices *choices, void *const *variables, uint64_t original,
                         uint32_t selector)
	__attribute__((no_caller_saved_registers, target("general-regs-only")));
/* choices.c: the address, or for scouts, if nothing can be read there, one of zeros. */
void *hence_rt_safe(void *address, void *unused, uint64_t nothing, uint32_t selector)
	__attribute__((no_caller_saved_registers, target("general-regs-only")));
extern struct hence_scout *hence_rt_edit_scouts; /* where scouts write */

/* Puts the edit in force that the shared memory names. */
void hence_rt_edits_select(void);

#endif
