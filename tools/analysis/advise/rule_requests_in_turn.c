/*
 * tools/analysis/advise/rule_requests_in_turn.c - a client sends each request only when it has the answer before.
 *
 * Evidence: events of --locks and --io: many waits for input from an endpoint that the program connected to, each after
 * one thing was sent there.
 */
#include <math.h>

#include "analysis/advise/evidence.h"

#define LEAST_WAITS 50u
#define MOST_NS 100e6 /* of one; what takes longer is work of the server */

extern const struct prof_advice_rule prof_rule_requests_in_turn;

static bool find(struct prof_evidence *evidence) {
  const struct prof_wait_habits *habits = &evidence->measured.habits;
  for (size_t i = 0; i < habits->count; i++) {
    const struct prof_wait_habit_row *row = &habits->rows[i];
    double share = row->threads_ns ? fmin((double)row->wait_ns / (double)row->threads_ns, 1) : 0;
    if (row->habit != PROF_WAIT_ANSWERS || row->waits < LEAST_WAITS ||
        (double)row->wait_ns > MOST_NS * (double)row->waits || share < 4 * evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, &prof_rule_requests_in_turn, &row->place);
    if (!advice)
      return false;
    const struct prof_interval interval = {share * 0.9, share};
    prof_advice_weigh(advice, interval, 1.5, 20);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share, "of these threads' time waits for answers");
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->waits, "waits, each after one thing was sent");
    prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)row->wait_ns / (double)row->waits, "each");
    if (row->endpoint[0])
      prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, prof_advice_text(evidence, "endpoint %s", row->endpoint));
  }
  return true;
}

const struct prof_advice_rule prof_rule_requests_in_turn = {
    .kind = "requests-in-turn",
    .title = "Each request waits for the answer before",
    .of = "these threads' time",
    .why =
        "The way there and back is paid for each request. Send many before you read the answers (pipelining), ask for "
        "many things in one request, or use more connections.",
    .before = "for (i = 0; i < n; i++) {\n  send(fd, request[i]);\n  receive(fd, answer[i]);\n}",
    .after = "for (i = 0; i < n; i++)\n  send(fd, request[i]);\nfor (i = 0; i < n; i++)\n  receive(fd, answer[i]);",
    .check = "locks --all",
    .find = find,
};
