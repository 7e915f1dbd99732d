/* Inside the runtime: descriptors of a process that waits and forks: children share their offsets. */
#ifndef HENCE_RUNTIME_FILES_H
#define HENCE_RUNTIME_FILES_H

#include <stdbool.h>

/* Notes where each open file stands. False: there are too many. */
bool hence_rt_files_note(void);

/* Puts them there again. */
void hence_rt_files_restore(void);

#endif
