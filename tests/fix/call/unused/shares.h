long share_down(long cents, long persons);
long share_up(long cents, long persons);
/* Prints what each person pays, and returns what all of them pay. */
long pay(const char *cents, const char *heads);
