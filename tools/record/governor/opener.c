/*
 * tools/record/governor/opener.c - see opener.h.
 */
#define _GNU_SOURCE
#include "record/governor/opener.h"

#include <string.h>
#include <sys/prctl.h>

#define WINDOW_NS 30000u
#define INTERRUPTED_NS 300000u
#define COUNT_LEAD_NS 20000u
#define COUNT_NS 100000u
#define COUNT_WHOLE 3u        /* of so many windows that count, one has a part of the functions on */
#define COUNT_PART (1u << 30) /* a quarter of them */
#define COUNT_INTERRUPTED_NS 2000000u
#define IDLE_NS 1000000000u    /* while there is nothing to open */
#define STRETCH_REST_NS 100000 /* mean, before each window in a stretch */
#define STRETCH_WINDOWS 16     /* at most */
#define TRIES 256
#define MOST_NOTES 65536u /* the pump has not looked for a minute */

static uint64_t next_gap_ns(struct prof_opener *opener) {
  bool idles = opener->gap_ns == 0 || opener->bursts.count == 0 || opener->paused;
  return idles || opener->in_stretches ? IDLE_NS : prof_beat_gap_ns(&opener->beat, (double)opener->gap_ns);
}

/* A function that can't count would seem to be never called: then no window counts. */
static bool choose_counts(struct prof_opener *opener, const struct prof_burst *burst) {
  for (uint32_t k = 0; k < burst->count; k++) {
    struct prof_count_source source = {.site = opener->sites.sites.items[burst->first + k]};
    if (!prof_texts_counter(&opener->texts, source.site, &source.process, &source.counter) ||
        !prof_vec_push(&opener->counts.sources, source) || !prof_vec_push(&opener->chosen.sites, source.site))
      return false;
  }
  return true;
}

/* Which functions count: now and then a part of them, as what counting costs shows in the difference. */
static struct prof_window_note choose_part(struct prof_opener *opener) {
  if (opener->count_turn++ % COUNT_WHOLE != 0)
    return (struct prof_window_note){.part = UINT32_MAX, .counts = true};
  for (int i = 0; i < TRIES; i++) {
    uint64_t seed = prof_beat_random(&opener->beat);
    for (size_t k = 0; k < opener->bursts.count; k++)
      if (!opener->bursts.items[k].is_loop && prof_window_has(seed, COUNT_PART, opener->bursts.items[k].site))
        return (struct prof_window_note){.seed = seed, .part = COUNT_PART, .counts = true};
  }
  return (struct prof_window_note){.part = UINT32_MAX, .counts = true};
}

static bool choose_counting(struct prof_opener *opener, const struct prof_window_note *which) {
  opener->chosen.sites.count = opener->counts.sources.count = 0;
  for (size_t i = 0; i < opener->bursts.count; i++) {
    const struct prof_burst *burst = &opener->bursts.items[i];
    if (!burst->is_loop && prof_window_has(which->seed, which->part, burst->site) && !choose_counts(opener, burst))
      return false;
  }
  return opener->chosen.sites.count > 0;
}

/* false: no function is on with this seed. */
static bool choose(struct prof_opener *opener, uint64_t seed) {
  opener->chosen.sites.count = 0;
  for (size_t i = 0; i < opener->bursts.count; i++) {
    const struct prof_burst *burst = &opener->bursts.items[i];
    if (!prof_window_has(seed, opener->part, burst->site))
      continue;
    if (!prof_vec_reserve(&opener->chosen.sites, burst->count))
      return false;
    for (uint32_t k = 0; k < burst->count; k++)
      opener->chosen.sites.items[opener->chosen.sites.count++] = opener->sites.sites.items[burst->first + k];
  }
  return opener->chosen.sites.count > 0;
}

/* A window without a function would tell nothing.  The program has no part in the choice, so no count is biased. */
static bool choose_some(struct prof_opener *opener, uint64_t *seed) {
  for (int i = 0; i < TRIES; i++) {
    *seed = prof_beat_random(&opener->beat);
    if (choose(opener, *seed))
      return true;
  }
  return false;
}

/* The clock is read inside the lock: see opener.h.  The window begins later. */
static bool note_begin(struct prof_opener *opener, uint64_t seed, uint32_t part, uint64_t *number) {
  pthread_mutex_lock(&opener->note_lock);
  struct prof_window_note note = {
      .number = opener->next, .begin = prof_ticks_now(opener->clock) + opener->lead_ticks, .seed = seed, .part = part};
  bool good = opener->notes.count < MOST_NOTES && prof_vec_push(&opener->notes, note);
  *number = opener->next;
  opener->next += good;
  pthread_mutex_unlock(&opener->note_lock);
  return good;
}

static void note_end(struct prof_opener *opener, uint64_t number, bool interrupted) {
  pthread_mutex_lock(&opener->note_lock);
  struct prof_window_note end = {.number = number, .end = prof_ticks_now(opener->clock), .interrupted = interrupted};
  size_t count = opener->notes.count;
  if (count > 0 && opener->notes.items[count - 1].number == number) {
    opener->notes.items[count - 1].end = end.end;
    opener->notes.items[count - 1].interrupted = interrupted;
  } else { /* its begin was looked at; there is room, as it was taken from there */
    (void)prof_vec_push(&opener->notes, end);
  }
  pthread_mutex_unlock(&opener->note_lock);
}

/* With the lock, which it releases meanwhile. */
static void open_window(struct prof_opener *opener) {
  uint64_t seed, number = 0;
  uint32_t part = opener->part;
  if (!choose_some(opener, &seed))
    return;
  if (prof_texts_switch(&opener->texts, opener->chosen.sites.items, opener->chosen.sites.count, true) == 0)
    return; /* nothing is recorded now: its counts would be zeros */
  opener->is_open = true;
  opener->spoiled = false;
  bool noted = note_begin(opener, seed, part, &number);
  uint64_t begin_ns = prof_steady_ns();
  __atomic_store_n(&opener->open_ns, begin_ns, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&opener->beat.lock);
  const struct timespec length = {0, PROF_WINDOW_LEAD_NS + WINDOW_NS};
  if (noted)
    (void)!nanosleep(&length, NULL);
  pthread_mutex_lock(&opener->beat.lock);
  if (noted)
    note_end(opener, number, opener->spoiled || prof_steady_ns() - begin_ns > INTERRUPTED_NS);
  (void)prof_texts_switch(&opener->texts, opener->chosen.sites.items, opener->chosen.sites.count, false);
  opener->closed_ticks = prof_ticks_now(opener->clock);
  opener->is_open = false;
  __atomic_store_n(&opener->open_ns, 0, __ATOMIC_RELAXED);
  opener->opened += noted;
}

static void sleep_ns(uint64_t ns) {
  const struct timespec length = {0, (long)ns};
  (void)!nanosleep(&length, NULL);
}

/* Reads the counters, after or before the clock; *took: ticks.  note: which functions count. */
static bool count_begin(struct prof_opener *opener, struct prof_window_note note, uint64_t *number, uint64_t *took) {
  pthread_mutex_lock(&opener->note_lock);
  uint64_t begin = prof_ticks_now(opener->clock);
  note.number = opener->next;
  note.begin = begin;
  bool good = opener->notes.count < MOST_NOTES && prof_vec_push(&opener->notes, note);
  *number = opener->next;
  opener->next += good;
  pthread_mutex_unlock(&opener->note_lock);
  bool read = good && prof_count_reader_begin(&opener->counts);
  *took = prof_ticks_now(opener->clock) - begin;
  opener->spoiled |= !read;
  return good;
}

/* Both readings must have taken equally long: else one was interrupted. */
static void count_end(struct prof_opener *opener, uint64_t number, uint64_t begin_took, bool interrupted) {
  struct prof_count_rows rows = {0};
  uint64_t end = prof_ticks_now(opener->clock);
  if (!interrupted)
    prof_count_reader_end(&opener->counts, number, &rows);
  uint64_t took = prof_ticks_now(opener->clock) - end;
  uint64_t apart = took > begin_took ? took - begin_took : begin_took - took;
  interrupted |= apart > opener->lead_ticks / 2;
  pthread_mutex_lock(&opener->note_lock);
  if (!interrupted && prof_vec_reserve(&opener->noted.items, rows.items.count)) {
    for (size_t i = 0; i < rows.items.count; i++)
      opener->noted.items.items[opener->noted.items.count++] = rows.items.items[i];
  } else {
    interrupted = true;
  }
  struct prof_window_note note = {.number = number, .end = end, .interrupted = interrupted};
  (void)prof_vec_push(&opener->notes, note); /* as in note_end, but its begin keeps a note of its own */
  pthread_mutex_unlock(&opener->note_lock);
  prof_vec_fini(&rows.items);
}

/* Like open_window.  false: there is none that can count. */
static bool open_counting(struct prof_opener *opener) {
  uint64_t number = 0, took = 0;
  const struct prof_window_note which = choose_part(opener);
  if (!choose_counting(opener, &which))
    return false;
  const struct prof_site_list *chosen = &opener->chosen;
  opener->is_open = true;
  opener->spoiled = false;
  (void)prof_texts_switch(&opener->texts, chosen->sites.items, chosen->sites.count, PROF_TEXT_COUNT);
  uint64_t begin_ns = prof_steady_ns();
  __atomic_store_n(&opener->open_ns, begin_ns, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&opener->beat.lock);
  sleep_ns(COUNT_LEAD_NS);
  bool noted = count_begin(opener, which, &number, &took);
  if (noted)
    sleep_ns(COUNT_NS);
  pthread_mutex_lock(&opener->beat.lock);
  if (noted)
    count_end(opener, number, took, opener->spoiled || prof_steady_ns() - begin_ns > COUNT_INTERRUPTED_NS);
  (void)prof_texts_switch(&opener->texts, chosen->sites.items, chosen->sites.count, PROF_TEXT_OFF);
  opener->closed_ticks = prof_ticks_now(opener->clock);
  opener->is_open = false;
  __atomic_store_n(&opener->open_ns, 0, __ATOMIC_RELAXED);
  opener->opened += noted;
  return true;
}

static void open_next(struct prof_opener *opener) {
  opener->count_next = opener->can_count && !opener->count_next;
  if (!opener->count_next || !open_counting(opener))
    open_window(opener);
}

/* As many as without stretches would have opened since the last one, at random times in it. */
static void open_in_stretch(struct prof_opener *opener) {
  uint64_t now_ns = prof_steady_ns();
  uint64_t owed = opener->stretch_ns != 0 ? (now_ns - opener->stretch_ns) / opener->gap_ns : 1;
  owed = owed < STRETCH_WINDOWS ? owed : STRETCH_WINDOWS;
  opener->stretch_ns = owed > 0 ? now_ns : opener->stretch_ns;
  for (; owed > 0 && opener->stretch_on && !opener->beat.ends; owed--)
    if (prof_beat_rest(&opener->beat, prof_beat_gap_ns(&opener->beat, STRETCH_REST_NS)) && opener->stretch_on)
      open_next(opener);
}

/* Under a realtime policy nobody else gives way: the pump would keep a window open. */
static void rise_above_pump(void) {
  struct sched_param parameter;
  int policy;
  if (pthread_getschedparam(pthread_self(), &policy, &parameter) != 0 || (policy != SCHED_FIFO && policy != SCHED_RR))
    return;
  parameter.sched_priority++;
  (void)pthread_setschedparam(pthread_self(), policy, &parameter); /* at the highest one it stays */
}

static void *run(void *context) {
  struct prof_opener *opener = context;
  rise_above_pump();
  prctl(PR_SET_TIMERSLACK, 1);
  pthread_mutex_lock(&opener->beat.lock);
  while (prof_beat_rest(&opener->beat, next_gap_ns(opener)))
    if (opener->gap_ns != 0 && opener->bursts.count > 0 && !opener->paused) {
      if (opener->in_stretches)
        open_in_stretch(opener);
      else
        open_next(opener);
    }
  pthread_mutex_unlock(&opener->beat.lock);
  return NULL;
}

bool prof_opener_start(struct prof_opener *opener, enum prof_ticks_of clock, int region_fd, uint64_t texts_begin,
                       uint64_t texts_end) {
  *opener = (struct prof_opener){.clock = clock};
  prof_texts_init(&opener->texts, region_fd, texts_begin, texts_end);
  pthread_mutex_init(&opener->note_lock, NULL);
  return prof_beat_start(&opener->beat, run, opener);
}

void prof_opener_count(struct prof_opener *opener, const struct prof_region *region, prof_opener_thread_of *thread_of,
                       void *context) {
  pthread_mutex_lock(&opener->beat.lock);
  opener->thread_of = thread_of;
  opener->context = context;
  opener->can_count = prof_count_reader_open(&opener->counts, region);
  pthread_mutex_unlock(&opener->beat.lock);
}

void prof_opener_stretch(struct prof_opener *opener, bool on) {
  pthread_mutex_lock(&opener->beat.lock);
  opener->in_stretches = true;
  opener->stretch_on = on;
  if (on)
    prof_beat_hurry(&opener->beat);
  pthread_mutex_unlock(&opener->beat.lock);
}

void prof_opener_leave_stretches(struct prof_opener *opener) {
  pthread_mutex_lock(&opener->beat.lock);
  if (opener->in_stretches)
    prof_beat_hurry(&opener->beat);
  opener->in_stretches = opener->stretch_on = false;
  pthread_mutex_unlock(&opener->beat.lock);
}

void prof_opener_stop(struct prof_opener *opener) {
  prof_beat_stop(&opener->beat);
}

void prof_opener_limit(struct prof_opener *opener) {
  uint64_t since_ns = __atomic_load_n(&opener->open_ns, __ATOMIC_RELAXED);
  if (since_ns == 0 || prof_steady_ns() - since_ns < INTERRUPTED_NS)
    return;
  pthread_mutex_lock(&opener->beat.lock);
  if (opener->open_ns == since_ns) {
    opener->spoiled = true;
    (void)prof_texts_switch(&opener->texts, opener->chosen.sites.items, opener->chosen.sites.count, false);
    __atomic_store_n(&opener->open_ns, 0, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&opener->beat.lock);
}

void prof_opener_fini(struct prof_opener *opener) {
  prof_beat_fini(&opener->beat);
  pthread_mutex_destroy(&opener->note_lock);
  prof_texts_fini(&opener->texts);
  prof_vec_fini(&opener->bursts);
  prof_vec_fini(&opener->sites.sites);
  prof_vec_fini(&opener->chosen.sites);
  prof_vec_fini(&opener->notes);
  prof_vec_fini(&opener->noted.items);
  prof_vec_fini(&opener->waiting.items);
  prof_count_reader_fini(&opener->counts);
}

/* With the note lock. */
static void take_noted(struct prof_opener *opener) {
  struct prof_count_rows *from = &opener->noted, *to = &opener->waiting;
  if (from->items.count == 0 || !prof_vec_reserve(&to->items, from->items.count))
    return;
  memcpy(to->items.items + to->items.count, from->items.items, from->items.count * sizeof *from->items.items);
  to->items.count += from->items.count;
  from->items.count = 0;
}

/* Rows of a thread in a window follow each other. */
static void book_rows(struct prof_opener *opener, struct prof_window_book *book) {
  struct prof_count_row *rows = opener->waiting.items.items;
  size_t kept = 0, count = opener->waiting.items.count;
  struct prof_tally tally = {0};
  for (size_t i = 0, end; i < count; i = end) {
    const struct prof_count_row first = rows[i];
    for (end = i; end < count && rows[end].window == first.window && rows[end].record == first.record; end++)
      ;
    if (prof_window_book_at(book, first.window) == NULL)
      continue; /* it was written */
    uint32_t thread = opener->thread_of(opener->context, first.record, first.tid);
    for (size_t k = i; k < end; k++)
      if (thread == 0)
        rows[kept++] = rows[k];
      else
        prof_tally_add(&tally, &(struct prof_window_row){.site = rows[k].site, .calls = rows[k].calls});
    if (thread != 0)
      prof_window_book_add(book, first.window, thread, &tally);
  }
  opener->waiting.items.count = kept;
  prof_tally_fini(&tally);
}

void prof_opener_look(struct prof_opener *opener, struct prof_window_book *book) {
  pthread_mutex_lock(&opener->note_lock);
  size_t taken = 0;
  for (; taken < opener->notes.count; taken++) {
    const struct prof_window_note *note = &opener->notes.items[taken];
    if (note->begin != 0 && !prof_window_book_open(book, note->begin, note->seed, note->part))
      break; /* no memory: their numbers must stay in step */
    if (note->begin != 0 && note->counts)
      prof_window_book_at(book, note->number)->window.flags = PROF_WINDOW_COUNTED;
    if (note->end != 0)
      prof_window_book_end(book, note->number, note->end, note->interrupted);
  }
  opener->notes.count -= taken;
  if (opener->notes.count > 0)
    memmove(opener->notes.items, opener->notes.items + taken, opener->notes.count * sizeof *opener->notes.items);
  else
    take_noted(opener);
  pthread_mutex_unlock(&opener->note_lock);
  if (opener->waiting.items.count > 0)
    book_rows(opener, book);
}
