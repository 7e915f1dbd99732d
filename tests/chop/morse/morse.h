/* Letters and digits as dots and dashes. */
#ifndef MORSE_H
#define MORSE_H

/* NULL: the character has no code. */
const char *morse_code(int c);
/* 0: no character has it. */
int morse_character(const char *code);

#endif
