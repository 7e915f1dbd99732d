/* An explanation as a graph for graphviz. */
#include "report/explanation.h"

void explanation_print_dot(const struct explanation *e, const struct explanation_style *style,
                           FILE *file)
{
}
