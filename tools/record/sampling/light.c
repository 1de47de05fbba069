/*
 * tools/record/sampling/light.c - see light.h.
 */
#include "record/sampling/light.h"

#include <stdlib.h>

#define LOOK_NS 50000000u /* while no thread is dense */
#define SLICE_NS 5000000u
#define GAP_NS 10000000u      /* minimum */
#define GAP_MORE_NS 10000000u /* random, so that intervals don't align with a period of the program */
#define DENSE_SHARE 0.3       /* of CPU time in probes; readers use intervals from a third on (correct.h) */
#define MOST_THREADS 256u     /* the kernel switches a sampler for each thread, each time */
#define HEAD_BYTES 128u       /* of a chunk */
#define FULL_SLICES 32u       /* in a chunk: less than a second's */

/* The thread's filled slots, up to a segment too few or too many. */
static uint64_t slots_of(const struct prof_thread *record) {
  return __atomic_load_n(&record->slots, __ATOMIC_RELAXED);
}

/* Do probes take DENSE_SHARE of the thread's CPU time since the last look?  Both numbers are from the begin of the
 * thread's last segment. */
static bool is_dense(const struct prof_light *light, uint32_t index, double ticks_per_ns) {
  const struct prof_thread *record = &light->region->threads[index];
  struct prof_light_thread *thread = &light->threads[index];
  uint64_t slots = slots_of(record), cpu_ns = __atomic_load_n(&record->cpu_ns, __ATOMIC_RELAXED);
  uint32_t generation = record->generation;
  bool known = thread->generation == generation && slots > thread->slots && cpu_ns > thread->cpu_ns;
  double filled = known ? (double)(slots - thread->slots) : 0;
  double ran_ticks = known ? (double)(cpu_ns - thread->cpu_ns) * ticks_per_ns : 0;
  *thread =
      (struct prof_light_thread){.slots = slots, .cpu_ns = cpu_ns, .generation = generation, .slices = thread->slices};
  return known && filled * light->event_ticks > DENSE_SHARE * ran_ticks;
}

static bool is_live(const struct prof_thread *record) {
  return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == PROF_THREAD_LIVE && record->content == PROF_THREAD_EVENTS;
}

/* True: an interval has begun. */
static bool begin_slice(struct prof_light *light) {
  uint64_t passed_ns = prof_steady_ns() - light->first.ns, passed = prof_ticks_now(light->clock) - light->first.ticks;
  double ticks_per_ns = passed_ns > 0 ? (double)passed / (double)passed_ns : 0;
  uint32_t used = prof_region_records_used(light->region), live = 0;
  bool any = false;
  for (uint32_t i = 0; i < used; i++)
    live += is_live(&light->region->threads[i]);
  if (live > MOST_THREADS)
    return false;
  for (uint32_t i = 0; i < used; i++) {
    struct prof_thread *record = &light->region->threads[i];
    struct prof_light_thread *thread = &light->threads[i];
    if (!is_live(record) || !is_dense(light, i, ticks_per_ns))
      continue;
    if (!any)
      prof_perf_extra(light->perf, true);
    any = thread->on = true;
    thread->begin_slots = thread->slots;
    thread->begin = prof_ticks_now(light->clock);
    __atomic_store_n(&record->light, UINT64_MAX, __ATOMIC_RELEASE);
  }
  return any;
}

static void end_of(struct prof_light *light, uint32_t index) {
  struct prof_thread *record = &light->region->threads[index];
  struct prof_light_thread *thread = &light->threads[index];
  if (!thread->on)
    return;
  thread->on = false;
  uint64_t slots = slots_of(record);
  __atomic_store_n(&record->light, 0, __ATOMIC_RELEASE);
  struct prof_light_slice slice = {thread->begin, prof_ticks_now(light->clock),
                                   slots > thread->begin_slots ? slots - thread->begin_slots : 0};
  if (slice.end > slice.begin)
    (void)prof_vec_push(&thread->slices, slice);
}

static void end_slice(struct prof_light *light) {
  uint32_t used = prof_region_records_used(light->region);
  for (uint32_t i = 0; i < used; i++)
    end_of(light, i);
  prof_perf_extra(light->perf, false);
}

static void *run(void *context) {
  struct prof_light *light = context;
  pthread_mutex_lock(&light->beat.lock);
  light->first.ns = prof_steady_ns();
  light->first.ticks = prof_ticks_now(light->clock);
  uint64_t pause_ns = LOOK_NS;
  while (prof_beat_rest(&light->beat, pause_ns)) {
    pause_ns = LOOK_NS;
    if (light->event_ticks <= 0 || !begin_slice(light))
      continue;
    bool goes_on = prof_beat_rest(&light->beat, SLICE_NS);
    end_slice(light);
    if (!goes_on)
      break;
    pause_ns = GAP_NS + prof_beat_random(&light->beat) % GAP_MORE_NS;
  }
  pthread_mutex_unlock(&light->beat.lock);
  return NULL;
}

void prof_light_start(struct prof_light *light, const struct prof_region *region, struct prof_perf *perf,
                      enum prof_ticks_of clock) {
  *light = (struct prof_light){.region = region, .perf = perf, .clock = clock};
  if (perf->layout.extra_ns == 0)
    return;
  light->threads = calloc(region->thread_count, sizeof *light->threads);
  if (light->threads == NULL)
    return;
  if (!prof_beat_start(&light->beat, run, light))
    prof_light_fini(light);
}

void prof_light_stop(struct prof_light *light) {
  prof_beat_stop(&light->beat);
}

void prof_light_fini(struct prof_light *light) {
  if (light->threads == NULL)
    return;
  prof_beat_fini(&light->beat);
  uint32_t used = prof_region_records_used(light->region);
  for (uint32_t i = 0; i < used; i++)
    prof_vec_fini(&light->threads[i].slices);
  free(light->threads);
  light->threads = NULL;
}

void prof_light_cost(struct prof_light *light, double event_ticks) {
  if (light->threads == NULL)
    return;
  pthread_mutex_lock(&light->beat.lock);
  light->event_ticks = event_ticks;
  pthread_mutex_unlock(&light->beat.lock);
}

void prof_light_write(struct prof_light *light, prof_writer *writer, uint32_t index, const struct prof_channel *channel,
                      enum prof_light_part part) {
  if (light->threads == NULL)
    return;
  struct prof_light_thread *thread = &light->threads[index], taken = {0};
  pthread_mutex_lock(&light->beat.lock);
  if (part == PROF_LIGHT_LAST)
    end_of(light, index);
  if (part != PROF_LIGHT_MANY || thread->slices.count >= FULL_SLICES) {
    taken = *thread;
    *thread = (struct prof_light_thread){.on = taken.on,
                                         .begin = taken.begin,
                                         .begin_slots = taken.begin_slots,
                                         .slots = taken.slots,
                                         .cpu_ns = taken.cpu_ns,
                                         .generation = part == PROF_LIGHT_LAST ? 0 : taken.generation};
  }
  pthread_mutex_unlock(&light->beat.lock);
  struct prof_matcher_figures figures;
  prof_matcher_figures(channel->matcher, &figures);
  double slot_events = channel->passed > 0 ? (double)figures.events / (double)channel->passed : 1;
  for (size_t i = 0; i < taken.slices.count; i++)
    taken.slices.items[i].events = (uint64_t)((double)taken.slices.items[i].events * slot_events);
  if (taken.slices.count > 0)
    (void)prof_writer_light(writer, channel->number, PROF_LIGHT_SLOTS, taken.slices.items, taken.slices.count);
  prof_vec_fini(&taken.slices);
}

uint64_t prof_light_waiting_bytes(struct prof_light *light) {
  uint64_t bytes = 0;
  if (light->threads == NULL)
    return 0;
  pthread_mutex_lock(&light->beat.lock);
  for (uint32_t i = 0; i < prof_region_records_used(light->region); i++)
    if (light->threads[i].slices.count > 0 || light->threads[i].on)
      bytes += HEAD_BYTES + (light->threads[i].slices.count + 1) * sizeof(struct prof_light_slice);
  pthread_mutex_unlock(&light->beat.lock);
  return bytes;
}
