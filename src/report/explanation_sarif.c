/* An explanation as SARIF 2.1.0. */
#include "report/explanation.h"

void explanation_print_sarif(const struct explanation *e, const struct explanation_style *style,
                             FILE *file)
{
}
