/*
 * tools/analysis/lines/sample_addresses.c - see sample_addresses.h.
 */
#include "analysis/lines/sample_addresses.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"

static int compare(const void *a, const void *b) {
  const struct prof_sample_address *left = a, *right = b;
  int order = prof_order(left->module, right->module) ?: prof_order(left->address, right->address);
  return order ?: prof_order(left->where, right->where) ?: prof_order(left->function, right->function);
}

bool prof_sample_is_shown(const struct prof_sample *sample, const struct prof_profile *profile, bool within,
                          uint32_t *function) {
  bool in_frame = sample->node != PROF_NONE && sample->node != 0 && profile->nodes[sample->node].parent != 0;
  *function = in_frame ? profile->nodes[sample->node].function : PROF_NONE;
  return prof_sample_is_counted(sample) && (in_frame || !within);
}

/* Makes an entry per sample that is shown. */
static size_t collect(const struct prof_samples *samples, const struct prof_profile *profile, bool within,
                      struct prof_sample_address *items) {
  size_t count = 0;
  for (size_t i = 0; i < samples->count; i++) {
    const struct prof_sample *sample = &samples->items[i];
    struct prof_sample_address item = {
        .module = sample->module,
        .where = sample->where,
        .address = sample->where == PROF_WHERE_KERNEL ? 0 : sample->address, /* kernel lines are not known */
    };
    if (!prof_sample_is_shown(sample, profile, within, &item.function))
      continue;
    prof_weighted_add(&item.met, 1, sample->weight_ticks);
    items[count++] = item;
  }
  return count;
}

void prof_sample_addresses_merge(struct prof_sample_addresses *addresses) {
  size_t count = addresses->count;
  struct prof_sample_address *items = addresses->items;
  qsort(items, count, sizeof *items, compare);
  addresses->count = 0;
  for (size_t i = 0; i < count; i++) {
    prof_weighted_join(&addresses->all, &items[i].met);
    if (addresses->count > 0 && compare(&items[addresses->count - 1], &items[i]) == 0)
      prof_weighted_join(&items[addresses->count - 1].met, &items[i].met);
    else
      items[addresses->count++] = items[i];
  }
}

prof_status prof_sample_addresses_of(const struct prof_samples *samples, const struct prof_profile *profile,
                                     bool within, struct prof_diag *diag, struct prof_sample_addresses *out) {
  memset(out, 0, sizeof *out);
  size_t most = samples ? samples->count : 0;
  out->items = malloc((most + 1) * sizeof *out->items);
  if (!out->items)
    return prof_diag_memory(diag);
  out->count = most ? collect(samples, profile, within, out->items) : 0;
  prof_sample_addresses_merge(out);
  return PROF_OK;
}

void prof_sample_addresses_free(struct prof_sample_addresses *addresses) {
  free(addresses->items);
  memset(addresses, 0, sizeof *addresses);
}

struct prof_weighted prof_sample_addresses_within(const struct prof_sample_addresses *addresses, uint32_t module,
                                                  uint64_t low, uint64_t high) {
  size_t begin = 0, end = addresses->count;
  while (begin < end) { /* find the first one that isn't before (module, low) */
    size_t middle = begin + (end - begin) / 2;
    const struct prof_sample_address *at = &addresses->items[middle];
    if (at->module < module || (at->module == module && at->address < low))
      begin = middle + 1;
    else
      end = middle;
  }
  struct prof_weighted sum = {0};
  for (; begin < addresses->count; begin++) {
    const struct prof_sample_address *at = &addresses->items[begin];
    if (at->module != module || at->address >= high)
      break;
    prof_weighted_join(&sum, &at->met);
  }
  return sum;
}
