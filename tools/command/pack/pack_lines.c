/*
 * tools/command/pack/pack_lines.c - see pack_lines.h.
 */
#include "pack_lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/outside.h"
#include "base/diag.h"
#include "base/order.h"

struct addresses {
  PROF_VEC(uint64_t) list;
};

static int by_number(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return prof_order(left, right);
}

/* Those of instructions that led out of the module. */
static bool collect_outside(const struct prof_profile *profile, const struct prof_samples *samples, uint32_t module,
                            struct addresses *out) {
  struct prof_sample_addresses outside;
  bool done = prof_outside_of(samples, profile, false, NULL, &outside) == PROF_OK;
  for (size_t i = 0; done && i < outside.count; i++)
    if (outside.items[i].module == module)
      done = prof_vec_push(&out->list, outside.items[i].address);
  prof_sample_addresses_free(&outside);
  return done;
}

/* Collects addresses, ascending, each once.  false: no memory. */
static bool collect(const struct prof_profile *profile, const struct prof_samples *samples, uint32_t module,
                    struct addresses *out) {
  bool done = true;
  for (uint32_t i = 0; i < profile->place_count && done; i++)
    if (profile->places[i].module == module && profile->places[i].address > 0)
      done = prof_vec_push(&out->list, profile->places[i].address - 1);
  for (size_t i = 0; samples && i < samples->count && done; i++)
    if (samples->items[i].module == module && samples->items[i].where != PROF_WHERE_PROFILER)
      done = prof_vec_push(&out->list, samples->items[i].address);
  done = done && collect_outside(profile, samples, module, out);
  if (out->list.count)
    qsort(out->list.items, out->list.count, sizeof *out->list.items, by_number);
  size_t kept = 0;
  for (size_t i = 0; i < out->list.count; i++)
    if (kept == 0 || out->list.items[kept - 1] != out->list.items[i])
      out->list.items[kept++] = out->list.items[i];
  out->list.count = kept;
  return done;
}

bool prof_pack_files_add(struct prof_pack_files *files, const char *file) {
  for (size_t i = files->list.count; file && i > 0; i--) /* usually the last one, by the same pointer */
    if (files->list.items[i - 1] == file)
      return true;
  for (size_t i = files->list.count; file && i > 0; i--)
    if (strcmp(files->list.items[i - 1], file) == 0)
      return true;
  return !file || prof_vec_push(&files->list, file);
}

static prof_status add_address(struct prof_symbols *symbols, uint32_t module, uint64_t address,
                               struct prof_pack_files *files, struct prof_pack_lines *lines) {
  struct prof_debug_chain chain;
  prof_status status = prof_symbols_chain(symbols, module, address, &chain);
  if (status == PROF_NO_MEMORY)
    return status;
  struct prof_packed_address at = {address, (uint32_t)lines->frames.count, chain.count};
  bool done = prof_vec_push(&lines->addresses, at);
  for (uint32_t i = 0; i < chain.count && done; i++) {
    const struct prof_debug_frame *from = &chain.frames[i];
    struct prof_packed_frame frame = {from->function, from->file, from->line, from->column};
    done = prof_vec_push(&lines->frames, frame) && prof_pack_files_add(files, from->file);
  }
  return done ? PROF_OK : PROF_NO_MEMORY;
}

static int by_address(const void *a, const void *b) {
  const struct prof_packed_extent *left = a, *right = b;
  return prof_order(left->address, right->address);
}

static bool add_extents(struct prof_symbols *symbols, const struct prof_profile *profile, uint32_t module,
                        struct prof_pack_files *files, struct prof_pack_lines *lines) {
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(profile->trace, &function_count);
  bool done = true;
  for (uint32_t i = 0; i < function_count && done; i++) {
    struct prof_function_extent extent;
    if (functions[i].module != module || !prof_figures_are_shown(&profile->functions[i]) ||
        !prof_symbols_extent(symbols, i, &extent))
      continue;
    struct prof_packed_extent packed = {extent.address, extent.raw, extent.first, extent.last};
    done = prof_vec_push(&lines->extents, packed) && prof_pack_files_add(files, extent.raw);
  }
  if (lines->extents.count)
    qsort(lines->extents.items, lines->extents.count, sizeof *lines->extents.items, by_address);
  size_t kept = 0;
  for (size_t i = 0; i < lines->extents.count; i++)
    if (kept == 0 || lines->extents.items[kept - 1].address != lines->extents.items[i].address)
      lines->extents.items[kept++] = lines->extents.items[i];
  lines->extents.count = kept;
  return done;
}

prof_status prof_pack_lines_make(struct prof_symbols *symbols, const struct prof_profile *profile,
                                 const struct prof_samples *samples, uint32_t module, struct prof_pack_files *files,
                                 struct prof_diag *diag, struct prof_pack_lines *lines) {
  struct addresses addresses = {0};
  memset(lines, 0, sizeof *lines);
  prof_status status = collect(profile, samples, module, &addresses) ? PROF_OK : PROF_NO_MEMORY;
  for (size_t i = 0; i < addresses.list.count && status == PROF_OK; i++)
    status = add_address(symbols, module, addresses.list.items[i], files, lines);
  if (status == PROF_OK && !add_extents(symbols, profile, module, files, lines))
    status = PROF_NO_MEMORY;
  prof_vec_fini(&addresses.list);
  if (status != PROF_OK)
    return prof_diag_memory(diag);
  struct prof_symbols_facts facts = prof_symbols_facts(symbols, module);
  lines->packed = (struct prof_packed_lines){
      .module = module,
      .flags = facts.flags,
      .splits_missing = facts.splits_missing,
      .built = prof_symbols_built(symbols, module),
      .reason = facts.reason,
      .remedy = facts.remedy,
      .addresses = lines->addresses.items,
      .address_count = (uint32_t)lines->addresses.count,
      .frames = lines->frames.items,
      .frame_count = (uint32_t)lines->frames.count,
      .extents = lines->extents.items,
      .extent_count = (uint32_t)lines->extents.count,
  };
  return PROF_OK;
}

void prof_pack_lines_free(struct prof_pack_lines *lines) {
  prof_vec_fini(&lines->addresses);
  prof_vec_fini(&lines->frames);
  prof_vec_fini(&lines->extents);
}

void prof_pack_files_fini(struct prof_pack_files *files) {
  prof_vec_fini(&files->list);
}
