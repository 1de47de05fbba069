/*
 * tools/analysis/advise/evidence.c - see evidence.h: figures of functions, from the fold and its samples.
 */
#include "analysis/advise/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "estimate/profile_build.h"
#include "names/loop_frames.h"

uint32_t prof_evidence_owner(const struct prof_evidence *evidence, uint32_t node) {
  const prof_trace *trace = evidence->recording->trace;
  if (node >= evidence->profile->node_count)
    return PROF_NONE;
  uint32_t frame = evidence->profile->nodes[node].function, loop = prof_frame_loop(trace, frame);
  if (loop != PROF_NONE)
    frame = prof_trace_loops(trace, NULL)[loop].function;
  return frame < evidence->function_count ? frame : PROF_NONE;
}

/* ---- the fold ---- */

static void add_nodes(struct prof_evidence *evidence) {
  const struct prof_profile *profile = evidence->profile;
  for (uint32_t i = 1; i < profile->node_count; i++) {
    const struct prof_node *node = &profile->nodes[i];
    uint32_t owner = prof_evidence_owner(evidence, i);
    uint64_t running = node->parent != 0 ? prof_node_self(node, PROF_TIME_RUNNING) : 0;
    evidence->running_ticks += running;
    if (owner == PROF_NONE || node->parent == 0)
      continue;
    evidence->functions[owner].running_ticks += running;
    evidence->functions[owner].waiting_ticks += node->self_off.waiting;
    evidence->functions[owner].calls += node->function == owner ? node->calls : 0;
  }
  for (uint32_t i = 0; profile->estimated_functions && i < evidence->function_count; i++)
    if (profile->estimated_functions[i].what & PROF_ESTIMATED_UNKNOWN)
      evidence->functions[i].calls = 0;
  evidence->span_ticks = profile->coverage.span_ticks;
  evidence->event_ticks = profile->coverage.event_cost_ticks;
  evidence->event_taken_ticks = profile->coverage.event_taken_ticks;
}

static void add_places(struct prof_evidence *evidence) {
  size_t count;
  const prof_trace *trace = evidence->recording->trace;
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < loads[i].site_count; j++) {
      struct prof_site_info site = prof_trace_site(trace, loads[i].first_site + j);
      if (site.function >= evidence->function_count || evidence->functions[site.function].module != PROF_NONE)
        continue;
      evidence->functions[site.function].module = loads[i].module;
      evidence->functions[site.function].address = site.address;
    }
}

static bool add_waits(struct prof_evidence *evidence) {
  const struct prof_samples *samples = evidence->samples;
  uint32_t *last = malloc((evidence->function_count + 1) * sizeof *last);
  if (!last)
    return false;
  memset(last, 0xff, (evidence->function_count + 1) * sizeof *last);
  for (size_t i = 0; samples && i < samples->pause_count; i++) { /* by thread */
    const struct prof_pause *pause = &samples->pauses[i];
    uint32_t owner = prof_evidence_owner(evidence, pause->node);
    if (owner == PROF_NONE || !pause->waits || pause->stalled)
      continue;
    evidence->functions[owner].waits++;
    evidence->functions[owner].waiting_threads += last[owner] != pause->thread;
    last[owner] = pause->thread;
  }
  free(last);
  return true;
}

/* ---- samples ---- */

struct known_address {
  uint32_t module;
  uint64_t address;
  enum prof_call_class class;
};
struct classes {
  PROF_VEC(struct known_address) list;
  struct prof_index_map map;
};

/* The class of the library function at a sample's address. */
static enum prof_call_class class_at(struct prof_evidence *evidence, struct classes *classes,
                                     const struct prof_sample *sample, bool *failed) {
  struct known_address fresh = {sample->module, sample->address, PROF_CALL_OTHER};
  uint32_t hash = prof_index_hash(fresh.module, fresh.address);
  uint32_t at =
      prof_index_find(&classes->map, hash, i,
                      classes->list.items[i].module == fresh.module && classes->list.items[i].address == fresh.address);
  if (at != UINT32_MAX)
    return classes->list.items[at].class;
  struct prof_debug_chain chain;
  prof_status status = prof_symbols_chain(evidence->symbols, fresh.module, fresh.address, &chain);
  const char *path = prof_trace_modules(evidence->recording->trace, NULL)[fresh.module].path;
  if (strstr(path, "/libgcc_s.so")) /* its inner functions have no symbols */
    fresh.class = PROF_CALL_UNWIND;
  else if (status == PROF_OK && chain.count > 0 && chain.frames[chain.count - 1].function) {
    const char *name = chain.frames[chain.count - 1].function;
    fresh.class = prof_call_class_of(name, strlen(name));
  }
  *failed |= status == PROF_NO_MEMORY || !prof_vec_push(&classes->list, fresh) ||
             !prof_index_add(&classes->map, hash, (uint32_t)classes->list.count - 1);
  return fresh.class;
}

static bool take_sample(struct prof_evidence *evidence, struct classes *classes, const struct prof_sample *sample) {
  bool failed = false;
  prof_weighted_add(&evidence->all, 1, sample->weight_ticks);
  uint32_t owner = sample->node != PROF_NONE ? prof_evidence_owner(evidence, sample->node) : PROF_NONE;
  if (owner == PROF_NONE)
    return true;
  struct prof_function_evidence *function = &evidence->functions[owner];
  prof_weighted_add(&function->samples, 1, sample->weight_ticks);
  if (sample->where == PROF_WHERE_PROBED && sample->module != PROF_NONE) {
    struct prof_code_sample fresh = {.function = owner, .module = sample->module, .address = sample->address};
    prof_weighted_add(&fresh.met, 1, sample->weight_ticks);
    return prof_vec_push(&evidence->code_samples, fresh);
  }
  bool is_kernel = sample->where == PROF_WHERE_KERNEL;
  if (is_kernel && sample->module == PROF_NONE)
    prof_weighted_add(&function->kernel, 1, sample->weight_ticks);
  if ((is_kernel || sample->where == PROF_WHERE_LIBRARY) && sample->module != PROF_NONE) {
    enum prof_call_class class = class_at(evidence, classes, sample, &failed);
    if (class != PROF_CALL_OTHER)
      prof_weighted_add(&function->calls_of[class], 1, sample->weight_ticks);
  }
  return !failed;
}

static int by_place(const void *a, const void *b) {
  const struct prof_code_sample *left = a, *right = b;
  return prof_order(left->function, right->function) ?: prof_order(left->module, right->module) ?:
         prof_order(left->address, right->address);
}

static bool add_samples(struct prof_evidence *evidence) {
  struct classes classes = {0};
  bool done = true;
  for (size_t i = 0; evidence->samples && i < evidence->samples->count && done; i++)
    if (prof_sample_is_counted(&evidence->samples->items[i]))
      done = take_sample(evidence, &classes, &evidence->samples->items[i]);
  prof_vec_fini(&classes.list);
  prof_index_fini(&classes.map);
  prof_vec_sort(&evidence->code_samples, by_place);
  size_t kept = 0;
  for (size_t i = 0; i < evidence->code_samples.count; i++) {
    struct prof_code_sample *items = evidence->code_samples.items;
    if (kept > 0 && by_place(&items[kept - 1], &items[i]) == 0)
      prof_weighted_join(&items[kept - 1].met, &items[i].met);
    else
      items[kept++] = items[i];
  }
  evidence->code_samples.count = kept;
  return done;
}

/* ---- all ---- */

prof_status prof_evidence_make(struct prof_evidence *evidence, uint64_t max_bytes, struct prof_diag *diag) {
  const struct prof_recording *recording = evidence->recording;
  const struct prof_fold_options options = {.loops = true, .max_bytes = max_bytes};
  prof_status status = prof_recording_fold(recording, &options, diag, &evidence->profile, &evidence->samples);
  if (status == PROF_OK)
    status = prof_loops_rank(evidence->profile, recording->names,
                             recording->has_switches ? PROF_TIME_RUNNING : PROF_TIME_ELAPSED, PROF_LOOP_SORT_SELF, diag,
                             &evidence->loops);
  if (status != PROF_OK)
    return status;
  prof_trace_functions(recording->trace, &evidence->function_count);
  evidence->functions = calloc(evidence->function_count + 1, sizeof *evidence->functions);
  evidence->codes = calloc(evidence->function_count + 1, sizeof *evidence->codes);
  if (!evidence->functions || !evidence->codes)
    return prof_diag_memory(diag);
  for (size_t i = 0; i < evidence->function_count; i++)
    evidence->functions[i].module = PROF_NONE;
  add_nodes(evidence);
  add_places(evidence);
  if (!add_waits(evidence) || !add_samples(evidence))
    return prof_diag_memory(diag);
  return prof_measured_evidence_make(recording, evidence->symbols, diag, &evidence->measured);
}

void prof_evidence_free(struct prof_evidence *evidence) {
  for (size_t i = 0; evidence->codes && i < evidence->function_count; i++) {
    struct prof_code *code = evidence->codes[i];
    if (!code)
      continue;
    prof_instructions_fini(&code->instructions);
    prof_vec_fini(&code->lines);
    prof_vec_fini(&code->loops);
    free(code);
  }
  prof_measured_evidence_free(&evidence->measured);
  free(evidence->codes);
  free(evidence->functions);
  prof_vec_fini(&evidence->code_samples);
  prof_loops_free(&evidence->loops);
  prof_samples_free(evidence->samples);
  prof_profile_free(evidence->profile);
}

/* ---- shares ---- */

double prof_evidence_share(const struct prof_evidence *evidence, const struct prof_weighted *part) {
  return evidence->all.count < PROF_ADVICE_MIN_SAMPLES ? 0 : prof_weighted_share(part, &evidence->all);
}

struct prof_interval prof_evidence_interval(const struct prof_evidence *evidence, const struct prof_weighted *part) {
  return prof_interval_weighted(part, &evidence->all);
}

struct prof_interval prof_evidence_spread(const struct prof_evidence *evidence, double share) {
  uint64_t all = evidence->all.count > 0 ? evidence->all.count : 1;
  return prof_interval_share((uint64_t)(share * (double)all + 0.5), all);
}

double prof_evidence_idle(const struct prof_evidence *evidence) {
  const struct prof_profile *profile = evidence->profile;
  double busy = 0; /* a thread that is preempted has work too */
  if (!evidence->recording->has_switches || evidence->span_ticks == 0)
    return 0;
  for (uint32_t at = profile->nodes[0].first_child; at != PROF_NONE; at = profile->nodes[at].next_sibling) {
    const struct prof_node *thread = &profile->nodes[at];
    busy += thread->total_ticks > thread->off.waiting ? (double)(thread->total_ticks - thread->off.waiting) : 0;
  }
  busy /= (double)evidence->span_ticks;
  return busy < 1 ? 1 - busy : 0;
}
