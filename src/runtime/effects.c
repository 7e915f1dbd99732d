/* Effects of outside calls on the tape. */
#include "runtime/outside.h"

void hence_rt_effect(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                     uint64_t address, uint64_t offset, uint64_t size)
{
	struct hence_effect effect = {.kind = (uint8_t)kind,
	                              .argument = (uint16_t)argument,
	                              .stream = stream,
	                              .address = address,
	                              .offset = offset,
	                              .size = size};

	hence_rt_put(&effect, sizeof(effect));
}

void hence_rt_effect_bytes(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                           uint64_t address, uint64_t size)
{
	struct hence_effect effect = {.kind = (uint8_t)kind,
	                              .has_bytes = 1,
	                              .argument = (uint16_t)argument,
	                              .stream = stream,
	                              .address = address,
	                              .size = size};

	hence_rt_put(&effect, sizeof(effect));
	hence_rt_put((const void *)address, size);
}
