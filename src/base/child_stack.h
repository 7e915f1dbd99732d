/*
 * The stack of a child that shares our memory until it executes a program, as with vfork(): clone(CLONE_VM) needs one. A fork
 * would copy the page tables of hence for nothing.
 */
#ifndef HENCE_BASE_CHILD_STACK_H
#define HENCE_BASE_CHILD_STACK_H

/* NULL: there is no memory; errno says why. Caller frees with child_stack_destroy(), when the child is gone or executes a program. */
void *child_stack_create(void);

/* Where it begins: what clone() wants. */
void *child_stack_top(void *stack);

/* NULL is fine. */
void child_stack_destroy(void *stack);

#endif
