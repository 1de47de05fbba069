/*
 * test/support/tracetext_bursts.c - states of functions, and windows, of a text.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/write/write_bursts.h"
#include "tracetext_parts.h"

/* state FUNCTION @TIME always|burst|off */
prof_status prof_tracetext_state_line(struct tracetext *text) {
  static const char *const words[] = {"always", "burst", "off"};
  if (text->word_count != 4 || text->words[2][0] != '@')
    return prof_tracetext_wrong(text, "state FUNCTION @TIME always|burst|off", text->words[1]);
  for (uint32_t state = 0; state < 3; state++)
    if (!strcmp(text->words[3], words[state])) {
      struct text_state change = {.time = text->start + strtoull(text->words[2] + 1, NULL, 0),
                                  .loop = prof_tracetext_loop(text, text->words[1]),
                                  .state = state};
      if (change.loop < 0)
        change.function = prof_tracetext_function(text, text->words[1]);
      return prof_vec_push(&text->states, change) ? PROF_OK : PROF_NO_MEMORY;
    }
  return prof_tracetext_wrong(text, "not a state", text->words[3]);
}

/* window @TIME for=TICKS [seed=N] [part=N] [counts=1]: the `counted` lines that follow are of it */
prof_status prof_tracetext_window_line(struct tracetext *text) {
  if (text->word_count < 2 || text->words[1][0] != '@')
    return prof_tracetext_wrong(text, "window @TIME for=TICKS [...]", text->words[1]);
  struct prof_window window = {.begin = text->start + strtoull(text->words[1] + 1, NULL, 0),
                               .seed = prof_tracetext_number(text, "seed", 0),
                               .part = (uint32_t)prof_tracetext_number(text, "part", UINT32_MAX),
                               .flags = prof_tracetext_number(text, "counts", 0) ? PROF_WINDOW_COUNTED : 0,
                               .first_thread = (uint32_t)text->window_threads.count};
  window.end = window.begin + prof_tracetext_number(text, "for", 1);
  return prof_vec_push(&text->windows, window) ? PROF_OK : PROF_NO_MEMORY;
}

/* in THREAD [events=N]: the `counted` lines that follow are of this thread */
prof_status prof_tracetext_in_line(struct tracetext *text) {
  int thread = text->word_count > 1 ? prof_tracetext_thread(text, text->words[1]) : -1;
  if (thread < 0 || text->windows.count == 0)
    return prof_tracetext_wrong(text, "in THREAD, after a window", text->words[1]);
  text->windows.items[text->windows.count - 1].thread_count++;
  struct prof_window_thread in = {.thread = (uint32_t)thread + 1,
                                  .first_row = (uint32_t)text->window_rows.count,
                                  .events = prof_tracetext_number(text, "events", 1)};
  return prof_vec_push(&text->window_threads, in) ? PROF_OK : PROF_NO_MEMORY;
}

/* counted FUNCTION calls=N [caller=FUNCTION or caller=0xADDRESS] */
prof_status prof_tracetext_counted_line(struct tracetext *text) {
  if (text->word_count < 2 || text->window_threads.count == 0)
    return prof_tracetext_wrong(text, "counted FUNCTION, after `in`", text->words[1]);
  const char *caller = prof_tracetext_option(text, "caller");
  bool address = caller && !strncmp(caller, "0x", 2);
  int loop = prof_tracetext_loop(text, text->words[1]);
  struct text_window_row row = {.loop = loop,
                                .function = loop < 0 ? prof_tracetext_function(text, text->words[1]) : 0,
                                .caller = caller && !address ? prof_tracetext_function(text, caller) : UINT32_MAX,
                                .row = {.calls = prof_tracetext_number(text, "calls", 1),
                                        .iterations = prof_tracetext_number(text, "iterations", 0),
                                        .caller = address ? (uint32_t)strtoull(caller, NULL, 16) : 0}};
  text->window_threads.items[text->window_threads.count - 1].row_count++;
  return prof_vec_push(&text->window_rows, row) ? PROF_OK : PROF_NO_MEMORY;
}

static void put_states(struct tracetext *text, prof_writer *writer) {
  PROF_VEC(struct prof_state_change) changes = {0};
  for (size_t i = 0; i < text->states.count; i++) {
    const struct text_state *state = &text->states.items[i];
    struct prof_state_change change = {state->time,
                                       state->loop < 0 ? prof_tracetext_site(text, state->function)
                                                       : prof_tracetext_loop_site(text, (uint32_t)state->loop),
                                       state->state};
    if (!prof_vec_push(&changes, change))
      abort();
  }
  if (changes.count)
    (void)prof_writer_states(writer, changes.items, changes.count);
  prof_vec_fini(&changes);
}

static void put_windows(struct tracetext *text, prof_writer *writer) {
  PROF_VEC(struct prof_window_row) rows = {0};
  for (size_t i = 0; i < text->window_rows.count; i++) {
    const struct text_window_row *from = &text->window_rows.items[i];
    struct prof_window_row row = from->row;
    row.site = from->loop < 0 ? prof_tracetext_site(text, from->function)
                              : prof_tracetext_loop_site(text, (uint32_t)from->loop);
    if (from->caller != UINT32_MAX)
      row.caller = (uint32_t)(prof_tracetext_address(text, from->caller) + 0x20);
    if (!prof_vec_push(&rows, row))
      abort();
  }
  const struct prof_windows_record record = {text->windows.items, (uint32_t)text->windows.count,
                                             text->window_threads.items, rows.items};
  if (text->windows.count)
    (void)prof_writer_windows(writer, &record);
  prof_vec_fini(&rows);
}

void prof_tracetext_bursts_put(struct tracetext *text, prof_writer *writer) {
  put_states(text, writer);
  put_windows(text, writer);
  prof_vec_fini(&text->states);
  prof_vec_fini(&text->windows);
  prof_vec_fini(&text->window_threads);
  prof_vec_fini(&text->window_rows);
}
