/*
 * printf and its family: which arguments a format uses, how many bytes of each, and which strings it
 * reads. Arguments lie behind the named ones of the call, or in a va_list as the x86-64 ABI lays it
 * out. Formats of wide characters are not followed: their models say `reads`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "trace/actions_work.h"

#define GP_END    48u         /* six integer registers are saved, then */
#define FP_END    176u        /* eight of 16 bytes */
#define LONGEST   (1u << 20)  /* bytes of a format */
#define LARGEST   1000000000u /* number in a format */
#define UNLIMITED UINT64_MAX

struct form {
	struct work *work;
	const struct outside_clause *clause;
	bool from_list;
	bool lost;     /* it cannot be followed any further */
	uint32_t next; /* index of the call's next argument */
	uint32_t gp, fp;
	uint64_t overflow, saved;
};

struct conversion {
	uint32_t position;  /* from 1; 0: the next one */
	uint64_t precision; /* UNLIMITED: none */
	bool vague;         /* there is one, but it is not known */
	char modifier;
	bool twice; /* hh, ll */
	char letter;
};

static void lose(struct form *form, uint32_t argument)
{
	if (!form->lost)
		work_unknown_read(form->work, OUTSIDE_FORMATS, argument, 0, 0);
	form->lost = true;
}

/* --- arguments --- */

static uint64_t slot_of_integer(struct form *form)
{
	uint64_t slot = form->overflow;

	if (form->gp < GP_END && form->saved) {
		slot = form->saved + form->gp;
		form->gp += 8;
	} else {
		form->overflow += 8;
	}
	return slot;
}

static uint64_t slot_of_real(struct form *form, bool is_long)
{
	uint64_t slot;

	if (!is_long && form->fp < FP_END && form->saved) {
		form->fp += 16;
		return form->saved + form->fp - 16;
	}
	slot = is_long ? (form->overflow + 15) & ~15ull : form->overflow;
	form->overflow = slot + (is_long ? 16 : 8);
	return slot;
}

/* The argument at a position of the call, of which `size` bytes are used. False: there is none. */
static bool use_argument(struct form *form, uint32_t position, uint64_t size, uint32_t *index)
{
	uint32_t params = form->work->before.call->model->params;
	struct action *action;

	*index = position ? params + position - 1 : form->next++;
	if (*index >= form->work->before.call->count) {
		lose(form, *index + 1);
		return false;
	}
	action = vec_push(&form->work->out->reads);
	action->kind = ACTION_USED;
	action->argument = (uint16_t)(*index + 1);
	action->size = size;
	return true;
}

/* Takes an integer or pointer, of which `size` bytes are used; `argument` as in struct action. False:
   its value is not known. */
static bool take_integer(struct form *form, uint32_t position, uint64_t size, uint64_t *value,
                         uint32_t *argument)
{
	uint32_t index;
	uint64_t slot;

	*argument = 0;
	if (!form->from_list) {
		if (!use_argument(form, position, size, &index))
			return false;
		*argument = index + 1;
		*value = form->work->before.call->arguments[index];
		return true;
	}
	slot = slot_of_integer(form);
	work_read(form->work, 0, slot, size, ACTIONS_ALL);
	*value = 0;
	return view_read(&form->work->before, slot, 8, (uint8_t *)value) == 8;
}

static void take_real(struct form *form, const struct conversion *c)
{
	bool is_long = c->modifier == 'L';
	uint64_t size = is_long ? 10 : 8;
	uint32_t index;

	if (form->from_list)
		work_read(form->work, 0, slot_of_real(form, is_long), size, ACTIONS_ALL);
	else
		use_argument(form, c->position, size, &index);
}

/* --- reading a conversion --- */

static uint32_t number(const char **at)
{
	uint32_t n = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		n = n < LARGEST ? 10 * n + (uint32_t)(**at - '0') : n;
	return n;
}

/* N$, if it stands there. */
static uint32_t position(struct form *form, const char **at)
{
	const char *ahead = *at;
	uint32_t n = number(&ahead);

	if (!n || *ahead != '$')
		return 0;
	*at = ahead + 1;
	/* In a list, where an argument lies depends on the types of all before it. */
	if (form->from_list)
		lose(form, 0);
	return n;
}

/* A width or precision that is given as an argument. */
static int32_t star(struct form *form, const char **at, bool *known)
{
	uint32_t which, argument;
	uint64_t value = 0;

	++*at;
	which = position(form, at);
	*known = !form->lost && take_integer(form, which, 4, &value, &argument);
	return (int32_t)value;
}

static void read_precision(struct form *form, const char **at, struct conversion *c)
{
	bool known;
	int32_t given;

	c->precision = UNLIMITED;
	if (**at != '.')
		return;
	++*at;
	if (**at != '*') {
		c->precision = number(at);
		return;
	}
	given = star(form, at, &known);
	c->vague = !known;
	if (known && given >= 0)
		c->precision = (uint64_t)given;
}

static void read_conversion(struct form *form, const char **at, struct conversion *c)
{
	bool known;

	*c = (struct conversion){.position = position(form, at)};
	*at += strspn(*at, "-+ #0'I");
	if (**at == '*')
		star(form, at, &known);
	else
		number(at);
	read_precision(form, at, c);
	for (; **at && strchr("hlqjztL", **at); ++*at) {
		c->twice = c->modifier == **at;
		c->modifier = **at;
	}
	c->letter = **at;
	*at += c->letter != 0;
}

/* --- what it uses --- */

static uint64_t integer_size(const struct conversion *c)
{
	switch (c->modifier) {
	case 'h': return c->twice ? 1 : 2;
	case 0: return 4;
	default: return 8;
	}
}

static void use_string(struct form *form, const struct conversion *c)
{
	uint32_t unit = c->letter == 'S' || c->modifier == 'l' ? 4 : 1, argument;
	uint64_t address, length;

	if (!take_integer(form, c->position, 8, &address, &argument)) {
		if (!form->lost)
			work_unknown_read(form->work, OUTSIDE_READS, argument, 0, 0);
		return;
	}
	if (address < VIEW_LOWEST || !c->precision)
		return;
	if (!c->vague && view_length(&form->work->before, address, unit, c->precision, &length))
		work_read(form->work, argument, address, (length + (length < c->precision)) * unit,
		          ACTIONS_ALL);
	else
		work_unknown_read(form->work, OUTSIDE_READS, argument, address, 0);
}

static void use(struct form *form, const struct conversion *c)
{
	uint64_t value, size = integer_size(c);
	uint32_t argument;

	switch (c->letter) {
	case 0:
	case '%':
	case 'm': return;
	case 's':
	case 'S': use_string(form, c); return;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G': take_real(form, c); return;
	case 'c': size = c->modifier == 'l' ? 4 : 1; break;
	case 'C': size = 4; break;
	case 'p':
	case 'n': size = 8; break;
	case 'b':
	case 'B':
	case 'd':
	case 'i':
	case 'o':
	case 'u':
	case 'x':
	case 'X': break;
	default: lose(form, 0); return;
	}
	take_integer(form, c->position, size, &value, &argument);
}

static void follow(struct form *form, const char *at)
{
	struct conversion c;

	while (!form->lost && (at = strchr(at, '%'))) {
		at++;
		read_conversion(form, &at, &c);
		if (!form->lost)
			use(form, &c);
	}
}

/* --- all --- */

static bool open_list(struct form *form)
{
	const struct view *before = &form->work->before;
	uint64_t list = (uint64_t)view_argument(before->call, form->clause->extra), words[3];

	if (list < VIEW_LOWEST ||
	    view_read(before, list, sizeof(words), (uint8_t *)words) < sizeof(words))
		return false;
	work_read(form->work, form->clause->extra + 1, list, sizeof(words), ACTIONS_ALL);
	form->gp = (uint32_t)words[0];
	form->fp = (uint32_t)(words[0] >> 32);
	form->overflow = words[1];
	form->saved = words[2];
	return true;
}

static void follow_at(struct form *form, uint64_t address, uint64_t length)
{
	char small[512], *text = length < sizeof(small) ? small : mem_alloc(length + 1);

	if (view_read(&form->work->before, address, length, (uint8_t *)text) == length) {
		text[length] = '\0';
		follow(form, text);
	}
	if (text != small)
		free(text);
}

void work_formats(struct work *work, const struct outside_clause *clause)
{
	struct form form = {.work = work,
	                    .clause = clause,
	                    .from_list = clause->extra != OUTSIDE_FORM,
	                    .next = work->before.call->model->params};
	uint64_t length;
	int64_t address;

	if (view_holds(&work->after, clause) == VIEW_NONE)
		return;
	if (!view_value(&work->before, clause->at, &address) || (uint64_t)address < VIEW_LOWEST ||
	    !view_length(&work->before, (uint64_t)address, 1, LONGEST, &length) ||
	    length == LONGEST) {
		lose(&form, clause->argument);
		return;
	}
	work_read(work, clause->argument, (uint64_t)address, length + 1, ACTIONS_ALL);
	if (form.from_list && !open_list(&form))
		lose(&form, clause->extra + 1);
	else
		follow_at(&form, (uint64_t)address, length);
}
