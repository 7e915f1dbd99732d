/* Names of libc variables: see globals.h. */
#include "outside/globals.h"

#include <string.h>

#include "runtime/outside_table.h"

int outside_global_find(const char *name, size_t length)
{
	static const char *const names[OUTSIDE_GLOBALS] = {
		[OUTSIDE_STDIN] = "stdin",
		[OUTSIDE_STDOUT] = "stdout",
		[OUTSIDE_STDERR] = "stderr",
		[OUTSIDE_OPTARG] = "optarg",
		[OUTSIDE_OPTIND] = "optind",
		[OUTSIDE_OPTERR] = "opterr",
		[OUTSIDE_OPTOPT] = "optopt",
		[OUTSIDE_ENVIRON] = "environ",
		[OUTSIDE_TIMEZONE] = "timezone",
		[OUTSIDE_DAYLIGHT] = "daylight",
		[OUTSIDE_TZNAME] = "tzname",
		[OUTSIDE_CTYPE] = "ctype",
		[OUTSIDE_CTYPE_LOWER] = "ctype_lower",
		[OUTSIDE_CTYPE_UPPER] = "ctype_upper",
	};

	for (int i = 0; i < OUTSIDE_GLOBALS; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return i;
	return -1;
}
