/* Where files really lie: paths after all their links were followed. */
#ifndef HENCE_BASE_PATH_H
#define HENCE_BASE_PATH_H

#include <stdbool.h>

/* The path from a directory to something that is in it, at any depth; "" if it is the directory itself. NULL: it is not in
   it, or one of the two does not exist. Caller frees. */
char *path_within(const char *path, const char *folder);

/* Is there such a path? */
bool path_is_within(const char *path, const char *folder);

#endif
