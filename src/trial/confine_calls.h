/* The part of the confinement (confine.h) that looks at system calls: a seccomp filter. */
#ifndef HENCE_TRIAL_CONFINE_CALLS_H
#define HENCE_TRIAL_CONFINE_CALLS_H

/* Puts the filter on this process and all that come from it, which must have no_new_privs. 0, or -1
   with errno. Makes a single system call. */
int confine_calls(void);

#endif
