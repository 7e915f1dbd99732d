/* Plugin one: uses the host's callback; has state, a constructor and a destructor. */
#include <stdio.h>

#include "plugin.h"

static int (*call_host)(int);
static int loaded;

__attribute__((constructor)) static void load(void)
{
	loaded = 1;
	printf("one is loaded\n");
}

__attribute__((destructor)) static void unload(void)
{
	printf("one is unloaded %d\n", loaded);
}

static int work(int v)
{
	int sum = 0;

	for (int i = 0; i <= v; i++)
		sum = sum * 3 + call_host(i + loaded);
	loaded++;
	return sum;
}

const struct plugin *plugin_entry(int (*callback)(int));

const struct plugin *plugin_entry(int (*callback)(int))
{
	static const struct plugin self = {"one", work};

	call_host = callback;
	return &self;
}
