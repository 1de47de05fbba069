/*
 * tools/fold/tail_calls.c - see tail_calls.h.
 */
#include "fold/tail_calls.h"

#include "proftrace_samples.h"

enum prof_return_code prof_return_code_of(const prof_trace *trace, uint32_t process, uint64_t caller,
                                          uint64_t time_ticks) {
  struct prof_place at;
  if (caller == 0 || !prof_trace_place(trace, process, caller - 1, time_ticks, &at))
    return PROF_RETURN_OTHER;
  const struct prof_module *module = &prof_trace_modules(trace, NULL)[at.module];
  if (at.own)
    return PROF_RETURN_OWN;
  return module->function_count > 0 || module->called_count > 0 ? PROF_RETURN_PROBED : PROF_RETURN_OTHER;
}

uint64_t prof_tail_call_place(const prof_trace *trace, const struct prof_walk_left *left) {
  const struct prof_site_info site = prof_trace_site(trace, left->site);
  size_t count;
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count && site.function != PROF_NONE; i++)
    if (left->site >= loads[i].first_site && left->site - loads[i].first_site < loads[i].site_count)
      return loads[i].bias + (site.begin ? site.begin : site.address) + 1;
  return 0;
}
