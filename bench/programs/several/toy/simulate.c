#include <stdio.h>
#include <string.h>

#include "toy.h"

void machine_start(struct machine *m, const struct program *p)
{
	memset(m, 0, sizeof *m);
	memcpy(m->memory, p->data, sizeof m->memory);
	m->sp = MEMORY;
}

static void compare(struct machine *m, int difference)
{
	m->zero = difference == 0;
	m->negative = difference < 0;
}

static void set(struct machine *m, int where, int value)
{
	m->registers[where] = (int16_t)value;
	compare(m, (int16_t)value);
}

static int16_t *word_at(struct machine *m, int address)
{
	static int16_t nothing;

	if (address >= 0 && address < MEMORY)
		return &m->memory[address];
	m->stopped = "address outside the memory";
	return &nothing;
}

static bool condition(const struct machine *m, enum operation operation)
{
	switch (operation) {
	case JEQ: return m->zero;
	case JNE: return !m->zero;
	case JLT: return m->negative;
	case JLE: return m->negative && m->zero;
	default: return true;
	}
}

static void execute(struct machine *m, const struct instruction *i)
{
	int16_t *r = m->registers;

	switch (i->operation) {
	case LDI: r[i->a] = i->number; break;
	case MOV: r[i->a] = r[i->b]; break;
	case LD: r[i->a] = *word_at(m, r[i->b]); break;
	case ST: *word_at(m, r[i->b]) = r[i->a]; break;
	case ADD: set(m, i->a, r[i->a] + r[i->b]); break;
	case ADDI: set(m, i->a, r[i->a] + i->number); break;
	case SUB: set(m, i->a, r[i->a] - r[i->b]); break;
	case MUL: set(m, i->a, r[i->a] * r[i->b]); break;
	case SHR: set(m, i->a, r[i->a] >> (i->number & 15)); break;
	case CMP: compare(m, r[i->a] - r[i->b]); break;
	case CALL:
		*word_at(m, --m->sp) = (int16_t)m->pc;
		m->pc = i->number;
		break;
	case RET: m->pc = *word_at(m, m->sp++); break;
	case OUT: printf("%d\n", r[i->a]); break;
	case HALT: m->stopped = "halt"; break;
	default:
		if (condition(m, i->operation))
			m->pc = i->number;
	}
}

void machine_run(struct machine *m, struct program *p, long most)
{
	while (!m->stopped) {
		if (m->pc < 0 || m->pc >= p->size) {
			m->stopped = "no instruction there";
			return;
		}
		if (m->steps++ == most) {
			m->stopped = "too many steps";
			return;
		}
		p->code[m->pc].executed++;
		execute(m, &p->code[m->pc++]);
	}
}
