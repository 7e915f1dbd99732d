/* A member that nobody needs, so the linker leaves it out. */
int stack_unused(void);

int stack_unused(void)
{
	return 1;
}
