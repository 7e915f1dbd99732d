/* What may be called before the program waits as a server: see harmless.h. */
#include "runtime/harmless.h"

#include "runtime/server.h"

bool hence_rt_harmless(const char *name)
{
	/* Once for each function of the program: no need to be quick. */
	return hence_is_listed(hence_harmless, name);
}
