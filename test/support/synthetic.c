/*
 * test/support/synthetic.c - see synthetic.h.
 */
#include "synthetic.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_LIMIT 6
#define DEPTH_LIMIT 60
#define HALF_TICKS_PER_STEP 45 /* a step of 22.5 ticks */

struct call {
  uint32_t function;
  uint8_t repeat; /* at most */
  uint8_t odds;   /* of 256 that it happens; 255: always */
};
struct body {
  uint32_t self_ticks; /* before each call and at the end */
  uint32_t call_count;
  struct call calls[CALLS_LIMIT];
};
struct open_call {
  uint32_t function, next, repeated;
};
struct prof_synthetic {
  struct prof_synthetic_options options;
  uint64_t random;
  uint64_t half_ticks; /* exact time */
  uint64_t last;       /* as shown by the clock */
  uint32_t depth, script, script_at;
  struct open_call stack[DEPTH_LIMIT + 1];
  struct body bodies[];
};

static uint64_t next_random(struct prof_synthetic *synthetic) { /* xorshift64*, G. Marsaglia 2003 / S. Vigna 2016 */
  uint64_t x = synthetic->random;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  synthetic->random = x;
  return x * 0x2545f4914f6cdd1dull >> 16;
}

static uint32_t below(struct prof_synthetic *synthetic, uint32_t limit) {
  return (uint32_t)(next_random(synthetic) % limit);
}

struct prof_synthetic *prof_synthetic_new(const struct prof_synthetic_options *options) {
  uint32_t count = options->functions;
  struct prof_synthetic *synthetic = calloc(1, sizeof *synthetic + count * sizeof *synthetic->bodies);
  if (!synthetic)
    return NULL;
  synthetic->options = *options;
  synthetic->random = options->seed * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
  synthetic->half_ticks = options->start_ticks * 2;
  for (uint32_t f = 0; f < count; f++) {
    struct body *body = &synthetic->bodies[f];
    body->self_ticks = 12 + below(synthetic, 30);
    if (f + 1 >= count || (f > count / 2 && below(synthetic, 4)))
      continue; /* a leaf */
    body->call_count = 1 + below(synthetic, CALLS_LIMIT - 2);
    for (uint32_t i = 0; i < body->call_count; i++) {
      uint32_t reach = count - f - 1 < 80 ? count - f - 1 : 80;
      body->calls[i] = (struct call){.function = f + 1 + below(synthetic, reach),
                                     .repeat = (uint8_t)(below(synthetic, 6) ? 1 : 2 + below(synthetic, 6)),
                                     .odds = (uint8_t)(below(synthetic, 8) ? 255 : 20 + below(synthetic, 220))};
    }
  }
  return synthetic;
}

void prof_synthetic_free(struct prof_synthetic *synthetic) {
  free(synthetic);
}

static uint64_t read_clock(struct prof_synthetic *synthetic) {
  uint64_t shown = synthetic->half_ticks / HALF_TICKS_PER_STEP * HALF_TICKS_PER_STEP / 2;
  uint32_t jitter = synthetic->options.jitter_ticks;
  if (jitter)
    shown = shown + below(synthetic, 2 * jitter + 1) - jitter;
  if (shown < synthetic->last)
    shown = synthetic->last;
  synthetic->last = shown;
  return shown;
}

static struct prof_event make(struct prof_synthetic *synthetic, uint32_t site, uint32_t kind, uint32_t aux) {
  return (struct prof_event){read_clock(synthetic), prof_event_what(site, kind), aux};
}

static struct prof_event enter(struct prof_synthetic *synthetic, uint32_t function, uint32_t call) {
  uint32_t caller = synthetic->depth ? 1 + synthetic->stack[synthetic->depth - 1].function : 0;
  synthetic->stack[synthetic->depth++] = (struct open_call){function, 0, 0};
  return make(synthetic, 1 + 2 * function, PROF_EVENT_ENTRY, 0x400000 + caller * 64 + call * 8);
}

/* The innermost function's next call; NULL: it returns. */
static const struct call *choose(struct prof_synthetic *synthetic) {
  struct open_call *open = &synthetic->stack[synthetic->depth - 1];
  const struct body *body = &synthetic->bodies[open->function];
  while (synthetic->depth < DEPTH_LIMIT && open->next < body->call_count) {
    const struct call *call = &body->calls[open->next];
    bool begun = open->repeated > 0;
    if (open->repeated < call->repeat && (begun || call->odds == 255 || below(synthetic, 256) < call->odds)) {
      open->repeated++;
      return call;
    }
    open->next++;
    open->repeated = 0;
  }
  return NULL;
}

static struct prof_event next_event(struct prof_synthetic *synthetic) {
  if (!synthetic->depth) /* the dispatcher repeats the same few scripts */
    return enter(synthetic, (synthetic->script++ / 64) % 3 % synthetic->options.functions, 0);
  struct open_call *open = &synthetic->stack[synthetic->depth - 1];
  uint32_t function = open->function;
  synthetic->half_ticks += 2 * synthetic->bodies[function].self_ticks + 26;
  if (!below(synthetic, 20000)) /* an interrupt */
    synthetic->half_ticks += 6000 + below(synthetic, 120000);
  const struct call *call = choose(synthetic);
  if (call)
    return enter(synthetic, call->function, (uint32_t)(call - synthetic->bodies[function].calls));
  synthetic->depth--;
  return make(synthetic, 2 + 2 * function, PROF_EVENT_EXIT, 0);
}

void prof_synthetic_fill(struct prof_synthetic *synthetic, struct prof_event *out, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = next_event(synthetic);
}
