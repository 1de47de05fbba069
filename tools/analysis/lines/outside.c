/*
 * tools/analysis/lines/outside.c - see outside.h.
 */
#include "analysis/lines/outside.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

bool prof_outside_begin(struct prof_outside *outside, const prof_trace *trace) {
  *outside = (struct prof_outside){.trace = trace, .modules = prof_sample_modules_of(trace)};
  outside->paths = prof_trace_paths(trace, &outside->path_count);
  return outside->modules != NULL;
}

void prof_outside_fini(struct prof_outside *outside) {
  free(outside->modules);
  outside->modules = NULL;
}

/* An address of the sample's process, if it lies in a module with probes. */
static bool is_probed(const struct prof_outside *search, const struct prof_sample *sample, uint64_t address,
                      struct prof_sample_address *out) {
  struct prof_place place;
  if (!address || !prof_trace_place(search->trace, sample->process, address, sample->time, &place) || place.own ||
      !search->modules[place.module].has_probes)
    return false;
  out->module = search->modules[place.module].twin;
  out->address = place.address;
  return true;
}

static bool is_outside(const struct prof_sample *sample) {
  return sample->where == PROF_WHERE_LIBRARY || sample->where == PROF_WHERE_KERNEL ||
         sample->where == PROF_WHERE_UNKNOWN;
}

bool prof_outside_find(const struct prof_outside *search, const struct prof_sample *sample,
                       struct prof_sample_address *out) {
  if (!is_outside(sample))
    return false;
  if (sample->where == PROF_WHERE_KERNEL && is_probed(search, sample, sample->address, out))
    return true;
  for (uint32_t at = sample->path; at && at < search->path_count; at = search->paths[at].parent) {
    if (is_probed(search, sample, search->paths[at].address - 1, out))
      return true;
    if (search->paths[at].parent >= at) /* of a damaged file */
      break;
  }
  return false;
}

prof_status prof_outside_of(const struct prof_samples *samples, const struct prof_profile *profile, bool within,
                            struct prof_diag *diag, struct prof_sample_addresses *out) {
  struct prof_outside search;
  size_t most = samples ? samples->count : 0;
  memset(out, 0, sizeof *out);
  bool begun = prof_outside_begin(&search, profile->trace);
  out->items = malloc((most + 1) * sizeof *out->items);
  for (size_t i = 0; begun && out->items && i < most; i++) {
    struct prof_sample_address item = {.where = PROF_WHERE_PROBED};
    if (prof_sample_is_shown(&samples->items[i], profile, within, &item.function) &&
        prof_outside_find(&search, &samples->items[i], &item)) {
      prof_weighted_add(&item.met, 1, samples->items[i].weight_ticks);
      out->items[out->count++] = item;
    }
  }
  prof_outside_fini(&search);
  if (!begun || !out->items) {
    prof_sample_addresses_free(out);
    return prof_diag_memory(diag);
  }
  prof_sample_addresses_merge(out);
  return PROF_OK;
}
