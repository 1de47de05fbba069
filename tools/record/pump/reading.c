/*
 * tools/record/pump/reading.c - see reading.h.
 */
#include "record/pump/reading.h"

#include "record/parts/cut.h"

static bool is_summary(const struct prof_pump *pump) {
  return pump->options.parts != NULL && pump->options.parts->wish.mode == PROF_SERIES_SUMMARY;
}

bool prof_reading_take(struct prof_pump *pump) {
  struct prof_answers *answers = &pump->answers;
  if (!prof_read_slots_asked(&answers->slots, pump->options.region) || prof_answers_busy(answers) || pump->closed ||
      prof_answers_take(answers, pump->options.region, &pump->processes, prof_steady_ns()) == 0)
    return false;
  if (pump->options.parts == NULL) {
    prof_governor_hurry(&pump->governor);
    return true;
  }
  if (is_summary(pump)) {
    answers->waits = true;
    answers->waits_for = prof_summaries_ask(&pump->summaries);
  } else { /* the program was told that it is refused */
    prof_answers_refuse(answers);
  }
  return false;
}

void prof_reading_flush(struct prof_pump *pump, uint64_t ticks) {
  if (pump->closed) {
    prof_answers_refuse(&pump->answers);
    return;
  }
  prof_sampling_take_all(pump->options.sampling, pump->source.now_ns);
  prof_cut_flush(pump, ticks);
  pump->frequency_hz = prof_clock_log_write(pump->options.clock, pump->options.writer);
  prof_answers_begin(&pump->answers, &pump->processes, pump->options.base(pump->options.context));
}

void prof_reading_go_on(struct prof_pump *pump) {
  struct prof_answers *answers = &pump->answers;
  bool written = false;
  if (!answers->waits || !prof_summaries_answered(&pump->summaries, answers->waits_for, &written))
    return;
  answers->waits = false;
  if (written)
    prof_answers_begin(answers, &pump->processes, pump->options.base(pump->options.context));
  else
    prof_answers_refuse(answers);
}
