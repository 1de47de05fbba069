/*
 * tools/fold/summary/bursts.c - see bursts.h.
 */
#include "fold/summary/bursts.h"

void prof_summary_bursts_fini(struct prof_summary_bursts *bursts) {
  prof_vec_fini(&bursts->threads);
  prof_index_fini(&bursts->known_threads);
  prof_vec_fini(&bursts->frames);
  prof_index_fini(&bursts->known_frames);
  prof_vec_fini(&bursts->rates);
  prof_index_fini(&bursts->known_rates);
  prof_vec_fini(&bursts->places);
  prof_index_fini(&bursts->known_places);
  prof_vec_fini(&bursts->chains);
  prof_index_fini(&bursts->known_chains);
  *bursts = (struct prof_summary_bursts){0};
}

bool prof_summary_add_window_thread(struct prof_summary_bursts *bursts, const struct prof_summary_window_thread *from) {
  uint32_t at = prof_index_meet(&bursts->known_threads, &bursts->threads, from->thread, i, true,
                                ((struct prof_summary_window_thread){.thread = from->thread}));
  if (at == UINT32_MAX)
    return false;
  struct prof_summary_window_thread *to = &bursts->threads.items[at];
  to->events += from->events;
  to->life += from->life;
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++) {
    to->met[kind] += from->met[kind];
    to->ran[kind] += from->ran[kind];
  }
  return true;
}

bool prof_summary_add_frame(struct prof_summary_bursts *bursts, const struct prof_summary_frame *from) {
  const struct prof_summary_frame *all = bursts->frames.items;
  uint32_t at = prof_index_meet(&bursts->known_frames, &bursts->frames, prof_index_hash(from->key, from->thread), i,
                                all[i].thread == from->thread && all[i].key == from->key,
                                ((struct prof_summary_frame){.thread = from->thread, .key = from->key}));
  if (at == UINT32_MAX)
    return false;
  struct prof_summary_frame *to = &bursts->frames.items[at];
  to->ran += from->ran;
  to->events += from->events;
  to->off += from->off;
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++) {
    to->on[kind] += from->on[kind];
    to->on_ticks[kind] += from->on_ticks[kind];
  }
  return true;
}

bool prof_summary_add_rate(struct prof_summary_bursts *bursts, const struct prof_summary_rate *from) {
  const struct prof_summary_rate *all = bursts->rates.items;
  uint32_t hash = prof_index_hash((uint64_t)from->key << 32 | from->caller, from->thread);
  uint32_t at =
      prof_index_meet(&bursts->known_rates, &bursts->rates, hash, i,
                      all[i].thread == from->thread && all[i].key == from->key && all[i].caller == from->caller,
                      ((struct prof_summary_rate){.thread = from->thread, .key = from->key, .caller = from->caller}));
  if (at == UINT32_MAX)
    return false;
  struct prof_summary_rate *to = &bursts->rates.items[at];
  to->counted += from->counted;
  to->iterations += from->iterations;
  for (int cost = 0; cost < PROF_SUMMARY_COSTS; cost++)
    to->sums[cost] += from->sums[cost];
  to->squares += from->squares;
  to->ran += from->ran;
  to->spent += from->spent;
  to->least += from->least;
  to->given += from->given;
  to->waiting += from->waiting;
  return true;
}

bool prof_summary_add_place(struct prof_summary_bursts *bursts, struct prof_summary_place from) {
  uint32_t at = prof_index_meet(&bursts->known_places, &bursts->places, from.key, i, true,
                                ((struct prof_summary_place){.key = from.key}));
  if (at != UINT32_MAX)
    bursts->places.items[at].calls += from.calls;
  return at != UINT32_MAX;
}

uint32_t prof_summary_chain(struct prof_summary_bursts *bursts, struct prof_summary_chain chain) {
  const struct prof_summary_chain *all = bursts->chains.items;
  uint32_t hash = prof_index_hash((uint64_t)chain.around << 32 | chain.key, chain.kind);
  uint32_t at =
      prof_index_meet(&bursts->known_chains, &bursts->chains, hash, i,
                      all[i].around == chain.around && all[i].key == chain.key && all[i].kind == chain.kind, chain);
  return at == UINT32_MAX ? 0 : at + 1;
}
