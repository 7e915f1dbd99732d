/* An explanation as a page. */
#include "report/explanation.h"

void explanation_print_html(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
}
