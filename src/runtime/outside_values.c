/* Arguments, results and expressions of outside calls: see outside.h. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/calls.h"
#include "runtime/objects.h"
#include "runtime/outside.h"
#include "runtime/outside_eval.h"
#include "runtime/plain.h"

#define LOWEST 4096u /* below this there is no memory: NULL and what is near it */

/* --- the table --- */

const struct outside_table *hence_rt_table;

void hence_rt_table_find(void)
{
	const struct hence_control *control = hence_rt_control();
	const struct outside_table *found;

	if (hence_rt_table || !control || !control->table_offset)
		return;
	found = (const void *)((const char *)control + control->table_offset);
	if (control->table_size >= sizeof(*found) &&
	    !__builtin_memcmp(found->magic, OUTSIDE_MAGIC, 8) && found->version == OUTSIDE_VERSION)
		hence_rt_table = found;
}

/* --- arguments and results --- */

static inline int64_t integer(char letter, const union hence_rt_value *value)
{
	switch (letter) {
	case 'b': return (int8_t)value->u8;
	case 's': return (int16_t)value->u16;
	case 'i': return value->i32;
	case 'l':
	case 'p':
	case 'S': return value->i64;
	default: return 0;
	}
}

int64_t hence_rt_argument(const struct hence_rt_call *call, uint32_t index)
{
	if (index >= call->argc)
		return 0;
	return integer(call->site->signature[index + 1], &call->args[index]);
}

int64_t hence_rt_result_value(const struct hence_rt_call *call)
{
	char letter = call->site->signature[0];

	if (letter == 'S' || !call->result_size)
		return 0;
	return integer(letter, call->result);
}

/* --- expressions --- */

extern char **__environ;
extern long __timezone;
extern int __daylight;
extern char *__tzname[2];

/* Weak, so that a static program that does without them is not made to link them. */
#pragma weak stdin
#pragma weak stdout
#pragma weak stderr
#pragma weak optarg
#pragma weak optind
#pragma weak opterr
#pragma weak optopt
#pragma weak __environ
#pragma weak __timezone
#pragma weak __daylight
#pragma weak __tzname
#pragma weak strerrordesc_np
#pragma weak __ctype_b_loc
#pragma weak __ctype_tolower_loc
#pragma weak __ctype_toupper_loc

int64_t hence_rt_global(int32_t which)
{
	switch (which) {
	case OUTSIDE_STDIN: return (int64_t)&stdin;
	case OUTSIDE_STDOUT: return (int64_t)&stdout;
	case OUTSIDE_STDERR: return (int64_t)&stderr;
	case OUTSIDE_OPTARG: return (int64_t)&optarg;
	case OUTSIDE_OPTIND: return (int64_t)&optind;
	case OUTSIDE_OPTERR: return (int64_t)&opterr;
	case OUTSIDE_OPTOPT: return (int64_t)&optopt;
	case OUTSIDE_ENVIRON: return (int64_t)&__environ;
	case OUTSIDE_TIMEZONE: return (int64_t)&__timezone;
	case OUTSIDE_DAYLIGHT: return (int64_t)&__daylight;
	case OUTSIDE_TZNAME: return (int64_t)&__tzname;
	case OUTSIDE_CTYPE: return __ctype_b_loc ? (int64_t)__ctype_b_loc() : 0;
	case OUTSIDE_CTYPE_LOWER: return __ctype_tolower_loc ? (int64_t)__ctype_tolower_loc() : 0;
	case OUTSIDE_CTYPE_UPPER: return __ctype_toupper_loc ? (int64_t)__ctype_toupper_loc() : 0;
	default: return 0;
	}
}

static int64_t error_length(int32_t number)
{
	const char *text = strerrordesc_np ? strerrordesc_np(number) : NULL;

	return text ? (int64_t)plain_length(text) : 0;
}

static inline int64_t leaf(void *context, uint32_t op, int32_t value)
{
	struct hence_rt_frame *frame = context;

	switch (op) {
	case OUTSIDE_ARG: return hence_rt_argument(frame->call, (uint32_t)value);
	case OUTSIDE_RET: return frame->ret;
	case OUTSIDE_CONSUMED: return frame->consumed;
	case OUTSIDE_ERRORLEN: return error_length(frame->errno_before);
	case OUTSIDE_OLD: return frame->old[value];
	default: return hence_rt_global(value);
	}
}

static inline int64_t load(void *context, uint64_t address, int32_t size)
{
	if (address < LOWEST)
		return 0;
	switch (size) {
	case 1: return *(const uint8_t *)address;
	case 2: return *(const int16_t *)address;
	case 4: return *(const int32_t *)address;
	default: return *(const int64_t *)address;
	}
}

static inline int64_t length(void *context, uint64_t address, uint32_t unit, uint64_t most)
{
	if (address < LOWEST)
		return 0;
	if (unit == 4)
		return (int64_t)plain_wide_length((const uint32_t *)address);
	if (most == UINT64_MAX)
		return (int64_t)plain_length((const char *)address);
	return (int64_t)plain_length_to((const char *)address, most);
}

static inline int64_t object(void *context, uint64_t address)
{
	return (int64_t)hence_rt_objects_size(address);
}

static const struct outside_world world = {leaf, load, length, object};

/* Apart, so that the short cut below saves no registers. */
static __attribute__((noinline)) int64_t evaluate(struct hence_rt_frame *frame,
                                                  const struct outside_insn *insn)
{
	return outside_eval(insn, &world, frame);
}

int64_t hence_rt_value(struct hence_rt_frame *frame, uint32_t code)
{
	const struct outside_insn *insn =
		(const struct outside_insn *)((const char *)hence_rt_table + hence_rt_table->insns);

	insn += code;
	/* Most expressions are just a parameter or the result. */
	if (insn->op == OUTSIDE_RET && insn[1].op == OUTSIDE_END)
		return frame->ret;
	if (insn->op == OUTSIDE_ARG && insn[1].op == OUTSIDE_END)
		return hence_rt_argument(frame->call, (uint32_t)insn->value);
	return evaluate(frame, insn);
}

struct hence_rt_region hence_rt_region(struct hence_rt_frame *frame,
                                       const struct outside_clause *clause)
{
	struct hence_rt_region region = {(uint64_t)hence_rt_value(frame, clause->at), 0};
	int64_t from, to;

	if (region.address < LOWEST)
		return (struct hence_rt_region){0, 0};
	switch (clause->region) {
	case OUTSIDE_STRING: region.size = plain_length((const char *)region.address) + 1; break;
	case OUTSIDE_WSTRING:
		region.size = 4 * plain_wide_length((const uint32_t *)region.address) + 4;
		break;
	default:
		from = clause->from ? hence_rt_value(frame, clause->from) : 0;
		to = hence_rt_value(frame, clause->to);
		region.address += (uint64_t)from;
		region.size = to > from ? (uint64_t)(to - from) : 0;
	}
	return region;
}
