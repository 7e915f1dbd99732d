/*
 * A typed vector: VEC(int) declares a struct type; the macros below work on any of them.
 *
 *	VEC(int) numbers = VEC_INIT;
 *	*vec_push(&numbers) = 7;
 *	for (uint32_t i = 0; i < numbers.size; i++) use(numbers.at[i]);
 *	vec_deinit(&numbers);
 *
 * Elements move when the vector grows: keep indices, not pointers.
 */
#ifndef HENCE_BASE_VEC_H
#define HENCE_BASE_VEC_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *at;                                                                          \
		uint32_t size;                                                                     \
		uint32_t room;                                                                     \
	}

#define VEC_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}

/* Room for `count` elements in all. */
#define vec_reserve(v, count)                                                                      \
	do {                                                                                       \
		uint32_t vec_need_ = (count);                                                      \
		if (vec_need_ > (v)->room) {                                                       \
			(v)->room = vec_need_ < 8 ? 8 : vec_need_ + vec_need_ / 2;                 \
			(v)->at = mem_resize((v)->at, (size_t)(v)->room * sizeof(*(v)->at));       \
		}                                                                                  \
	} while (0)

/* Appends one zeroed element and gives its address, valid until the vector grows. */
#define vec_push(v)                                                                                \
	({                                                                                         \
		vec_reserve((v), (v)->size + 1);                                                   \
		memset(&(v)->at[(v)->size], 0, sizeof(*(v)->at));                                  \
		&(v)->at[(v)->size++];                                                             \
	})

/* Gives a vector that is a bytewise copy of another elements of its own. */
#define vec_own(v)                                                                                 \
	do {                                                                                       \
		const void *vec_old_ = (v)->at;                                                    \
		(v)->room = (v)->size;                                                             \
		(v)->at = NULL;                                                                    \
		if ((v)->size)                                                                     \
			(v)->at = memcpy(mem_resize(NULL, (size_t)(v)->size * sizeof(*(v)->at)),   \
			                 vec_old_, (size_t)(v)->size * sizeof(*(v)->at));          \
	} while (0)

/* Frees the elements; the vector is empty and usable again. */
#define vec_deinit(v)                                                                              \
	do {                                                                                       \
		free((v)->at);                                                                     \
		(v)->at = NULL;                                                                    \
		(v)->size = (v)->room = 0;                                                         \
	} while (0)

/* The same of pointers, which free() takes first. */
#define vec_free(v)                                                                                \
	do {                                                                                       \
		for (uint32_t vec_i_ = 0; vec_i_ < (v)->size; vec_i_++)                            \
			free((v)->at[vec_i_]);                                                     \
		vec_deinit(v);                                                                     \
	} while (0)

#endif
