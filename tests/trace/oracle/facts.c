/* The text of facts: see facts.h. */
#include "facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put_instance(const char *label, int64_t instance)
{
	if (instance == FACTS_NONE)
		printf(" %s=-", label);
	else
		printf(" %s=%" PRId64, label, instance);
}

static void put_place(const struct facts_place *p)
{
	if (!p->kind)
		printf("-");
	else if (p->name)
		printf("%s %s+%" PRIu64, p->kind, p->name, p->offset);
	else if (p->of == FACTS_NONE)
		printf("%s %" PRId64 "+%" PRIu64, p->kind, p->number, p->offset);
	else
		printf("%s %" PRId64 " of %" PRId64 "+%" PRIu64, p->kind, p->number, p->of,
		       p->offset);
}

static void put_code(const char *what, int64_t instance, const struct facts_code *code)
{
	printf("%s %" PRId64 " %s:%u:%u", what, instance, code->function, code->block,
	       code->number);
}

static void put_sources(const int64_t *sources, uint64_t size)
{
	printf(" from=");
	for (uint64_t i = 0, n; i < size; i += n) {
		for (n = 1; i + n < size && sources[i + n] == sources[i]; n++)
			;
		if (sources[i] < 0)
			printf("%s?", i ? "," : "");
		else
			printf("%s%" PRId64, i ? "," : "", sources[i]);
		if (n > 1)
			printf("x%" PRIu64, n);
	}
}

static void put_value(const uint8_t *bytes, uint64_t size, const struct facts_place *value)
{
	uint64_t word = 0;

	if (size > 8)
		return;
	printf(" value=");
	memcpy(&word, bytes, size);
	if (value->kind) {
		printf("&");
		put_place(value);
	} else if (size == 8 && word >> 46 == 1) {
		printf("&?");
	} else {
		for (uint64_t i = 0; i < size; i++)
			printf("%02x", bytes[i]);
	}
}

void facts_enter(int64_t activation, const char *function, int64_t call)
{
	printf("enter %" PRId64 " %s", activation, function);
	put_instance("call", call);
	printf("\n");
}

void facts_leave(int64_t activation, int64_t at)
{
	printf("leave %" PRId64, activation);
	put_instance("at", at);
	printf("\n");
}

void facts_block(int64_t instance, const struct facts_code *code, int64_t activation,
                 int64_t parent)
{
	printf("block %" PRId64 " %s:%u", instance, code->function, code->block);
	put_instance("of", activation);
	if (parent == FACTS_NONE)
		printf(" parent=call\n");
	else
		printf(" parent=%" PRId64 "\n", parent);
}

void facts_load(int64_t instance, const struct facts_code *code, const struct facts_place *at,
                const uint8_t *bytes, uint64_t size, const struct facts_place *value,
                bool undefined, const int64_t *sources)
{
	put_code("load", instance, code);
	printf(" at=");
	put_place(at);
	if (at->kind) {
		if (undefined)
			printf(" value=?");
		else
			put_value(bytes, size, value);
		put_sources(sources, size);
	}
	printf("\n");
}

void facts_store(int64_t instance, const struct facts_code *code, const struct facts_place *at,
                 const uint8_t *bytes, uint64_t size, const struct facts_place *value)
{
	put_code("store", instance, code);
	printf(" at=");
	put_place(at);
	if (at->kind)
		put_value(bytes, size, value);
	printf("\n");
}

void facts_copy(int64_t instance, const struct facts_code *code, const struct facts_place *to,
                const struct facts_place *from, uint64_t size, const int64_t *sources)
{
	put_code("copy", instance, code);
	printf(" to=");
	put_place(to);
	printf(" of=");
	put_place(from);
	printf(" size=%" PRIu64, size);
	if (from->kind)
		put_sources(sources, size);
	printf("\n");
}

void facts_fill(int64_t instance, const struct facts_code *code, const struct facts_place *to,
                uint64_t size)
{
	put_code("fill", instance, code);
	printf(" to=");
	put_place(to);
	printf(" size=%" PRIu64 "\n", size);
}

void facts_heap(int64_t number, uint64_t size, int64_t born, int64_t died)
{
	printf("heap %" PRId64 " size=%" PRIu64, number, size);
	put_instance("born", born);
	put_instance("died", died);
	printf("\n");
}
