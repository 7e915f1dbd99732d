/* Plugins: dlopen of two instrumented objects, callbacks both ways, dlclose, missing ones,
 * RTLD_DEFAULT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugin.h"

int host_total = 1;

int host_add(int v)
{
	host_total = (host_total * 31 + v) % 10007;
	return host_total;
}

static int callback(int v)
{
	return host_add(v) % 100;
}

static void use(const char *name, int rounds)
{
	void *handle = dlopen(name, RTLD_NOW);
	const struct plugin *(*entry)(int (*)(int));
	const struct plugin *p;

	if (!handle) {
		printf("no %s\n", name);
		return;
	}
	*(void **)&entry = dlsym(handle, "plugin_entry");
	p = entry(callback);
	for (int i = 0; i < rounds; i++)
		printf("%s %d\n", p->name, p->work(i));
	printf("missing symbol: %d\n", dlsym(handle, "nothing_like_it") == NULL);
	printf("close %d\n", dlclose(handle));
}

int main(void)
{
	int (*own)(int);

	use("plugin1.so", 3);
	use("plugin2.so", 2);
	use("plugin3.so", 1);
	use("plugin1.so", 2);
	*(void **)&own = dlsym(RTLD_DEFAULT, "host_add");
	printf("own %d", own ? own(5) : -1);
	printf(" total %d\n", host_total);
	return 0;
}
