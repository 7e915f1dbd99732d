/* Putting the hooks into a function, as its plan says. */
#ifndef HENCE_CC_WEAVE_H
#define HENCE_CC_WEAVE_H

#include "cc/hooks.h"
#include "cc/points.h"
#include "cc/tables.h"
#include "model/plan.h"

/* Instruments one function of the plan. Its locals are moved into a frame; the plan's
   plan_local.alloca_ are gone afterwards. If it only `counts`, it is not recorded and has no sites: calls and rounds
   of loops count as work, and outside calls go through the runtime. */
void weave_function(const struct plan *plan, uint32_t function, struct hooks *hooks,
                    struct tables *tables, struct points *points, bool counts);

#endif
