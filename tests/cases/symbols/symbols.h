/* What the two files share. */
int replaced(int x);
int symbols_common(void);
__attribute__((visibility("hidden"))) int symbols_hidden(int x);
int symbols_helper(int x);

inline int symbols_inline(int x)
{
	return x * x;
}
