/* The library's interface. */
struct stack;

struct stack *stack_new(int room);
void stack_push(struct stack *s, int v);
int stack_pop(struct stack *s, int *v);
void stack_free(struct stack *s);
int stack_grown(void);
int *grow(int *values, int *room);
