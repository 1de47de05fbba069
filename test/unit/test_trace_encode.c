/*
 * test/unit/test_trace_encode.c - matcher and encoder against a second, slow and simple statement of the rules.
 *
 * Random ring events (calls, lost exits, landings, stalls, clock steps back, long pauses, deep recursion, many edges)
 * go through encoder, file and reader; the model below says for each what must come out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "match/matcher.h"
#include "row.h"
#include "trace_folder.h"

/* Sites of function f: 1 + 3 f entry, + 1 exit, + 2 landed. */
static uint32_t site_of(uint32_t function, uint32_t kind) {
  return 1 + 3 * function + (kind - 1);
}

/* ---- the model ---- */

struct model_frame {
  uint32_t site, caller, function, address;
  uint64_t entry, stalled;
};
struct expected {
  enum prof_op op;
  uint32_t site, caller; /* of entries and unmatched */
  uint64_t count, time;
};
struct model {
  struct model_frame *stack;
  size_t depth;
  struct expected *out;
  size_t out_count;
  uint64_t last, stalled, stall_begin;
  uint32_t next_address;
  struct prof_matcher_figures figures;
};

static void expect(struct model *model, uint64_t time, struct expected what) {
  what.time = time;
  model->out[model->out_count++] = what;
}

static uint64_t clamp(struct model *model, uint64_t time) {
  if (time < model->last) {
    model->figures.inversions++;
    return model->last;
  }
  return model->last = time;
}

static uint64_t waited(const struct model *model, uint64_t time) {
  return model->stalled + (model->stall_begin ? time - model->stall_begin : 0);
}

/* A frame that is below a new one of the same stack, or at it, and that isn't inlined into it. */
static bool gone(const struct model_frame *frame, uint32_t word) {
  uint32_t address = word & ~PROF_EVENT_STACK_INLINED;
  if (!frame->address || frame->address > address || address - frame->address > PROF_EVENT_STACK_REACH)
    return false;
  return frame->address < address || !(word & PROF_EVENT_STACK_INLINED);
}

static void model_enter(struct model *model, uint64_t time) {
  size_t depth = model->depth;
  while (model->next_address && depth > 0 && gone(&model->stack[depth - 1], model->next_address))
    depth--;
  if (depth < model->depth) {
    expect(model, time, (struct expected){.op = PROF_OP_EXIT, .count = model->depth - depth - 1});
    model->figures.skipped += model->depth - depth;
    model->depth = depth;
  }
}

static void model_leave(struct model *model, uint64_t time, uint32_t function, uint32_t site, uint32_t address) {
  for (size_t at = model->depth; address && at-- > 0;)
    if (model->stack[at].function == function && model->stack[at].address == address) {
      model->figures.skipped += model->depth - 1 - at;
      expect(model, time, (struct expected){.op = PROF_OP_EXIT, .count = model->depth - 1 - at});
      model->depth = at;
      return;
    }
  for (size_t at = model->depth; at-- > 0;)
    if (model->stack[at].function == function) {
      model->figures.skipped += model->depth - 1 - at;
      expect(model, time, (struct expected){.op = PROF_OP_EXIT, .count = model->depth - 1 - at});
      model->depth = at;
      return;
    }
  model->figures.unmatched++;
  expect(model, time, (struct expected){.op = PROF_OP_UNMATCHED, .site = site});
}

static void model_land(struct model *model, uint64_t time, uint32_t function, uint32_t site, uint32_t address) {
  size_t found = SIZE_MAX;
  for (size_t at = model->depth; at-- > 0 && found == SIZE_MAX;)
    if (address && model->stack[at].function == function && model->stack[at].address == address)
      found = at;
  for (size_t at = model->depth; at-- > 0 && found == SIZE_MAX;)
    if (model->stack[at].function == function && (!address || !model->stack[at].address))
      found = at;
  if (found == SIZE_MAX) {
    model->figures.unmatched++;
    expect(model, time, (struct expected){.op = PROF_OP_UNMATCHED, .site = site});
    return;
  }
  model->figures.skipped += model->depth - 1 - found;
  expect(model, time, (struct expected){.op = PROF_OP_LANDED, .count = model->depth - 1 - found});
  model->depth = found + 1;
}

static void model_take(struct model *model, const struct prof_event *event) {
  uint32_t site = prof_event_site(event->what), function = (site - 1) / 3;
  switch (prof_event_kind(event->what)) {
  case PROF_EVENT_ENTRY: {
    uint64_t time = clamp(model, event->time);
    model_enter(model, time);
    expect(model, time, (struct expected){.op = PROF_OP_ENTRY, .site = site, .caller = event->aux});
    model->stack[model->depth++] = (struct model_frame){
        site, event->aux, function, model->next_address & ~PROF_EVENT_STACK_INLINED, time, waited(model, time)};
    model->next_address = 0;
    break;
  }
  case PROF_EVENT_EXIT:
    model_leave(model, clamp(model, event->time), function, site, event->aux);
    break;
  case PROF_EVENT_LANDED:
    model_land(model, clamp(model, event->time), function, site, event->aux);
    break;
  case PROF_EVENT_FRAME:
    if (model->depth && model->stack[model->depth - 1].site == site)
      model->stack[model->depth - 1].address = event->aux;
    break;
  case PROF_EVENT_STACK:
    model->next_address = event->aux;
    break;
  case PROF_EVENT_STALL_BEGIN:
    if (!model->stall_begin) {
      model->stall_begin = clamp(model, event->time);
      expect(model, model->stall_begin, (struct expected){.op = PROF_OP_STALL_BEGIN});
    }
    break;
  case PROF_EVENT_STALL_END:
    if (model->stall_begin) {
      uint64_t time = clamp(model, event->time);
      expect(model, time, (struct expected){.op = PROF_OP_STALL_END});
      model->stalled += time - model->stall_begin;
      model->stall_begin = 0;
    }
    break;
  case PROF_EVENT_GAP:
    expect(model, clamp(model, event->time), (struct expected){.op = PROF_OP_GAP, .count = event->aux});
    model->figures.gap_lost += event->aux;
    break;
  case PROF_EVENT_STOP:
    expect(model, clamp(model, event->time), (struct expected){.op = PROF_OP_STOP});
    model->depth = 0;
    break;
  }
}

/* ---- made-up streams ---- */

static uint64_t random_state;
static uint32_t below(uint32_t limit) { /* xorshift64, G. Marsaglia 2003 */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 20) % limit);
}

struct mixture {
  uint32_t functions, callers;
  uint32_t odd;        /* one event in so many is out of the ordinary */
  uint32_t enter_odds; /* of 100 */
  uint64_t seed;
  size_t events;
  size_t flush_every; /* 0: never on demand */
};

static struct prof_event odd_event(uint64_t time, uint32_t function) {
  static const uint32_t kinds[] = {
      PROF_EVENT_LANDED, PROF_EVENT_FRAME, PROF_EVENT_STALL_BEGIN, PROF_EVENT_STALL_END,   PROF_EVENT_GAP,
      PROF_EVENT_STOP,   PROF_EVENT_EXIT,  PROF_EVENT_LANDED,      PROF_EVENT_STALL_BEGIN, PROF_EVENT_STALL_END,
      PROF_EVENT_STACK,  PROF_EVENT_STACK, PROF_EVENT_STACK};
  uint32_t kind = kinds[below(sizeof kinds / sizeof *kinds)];
  if (kind == PROF_EVENT_STOP && below(20))
    kind = PROF_EVENT_GAP;
  bool of_function = kind == PROF_EVENT_LANDED || kind == PROF_EVENT_EXIT || kind == PROF_EVENT_FRAME;
  uint32_t site = of_function ? site_of(function, kind == PROF_EVENT_FRAME ? PROF_PROBE_ENTRY : kind) : 0;
  uint32_t aux = kind == PROF_EVENT_STACK ? 1 + below(9) : below(4);
  if (kind == PROF_EVENT_STOP) /* with frames that go on: test_trace_drain.c */
    aux = 0;
  return (struct prof_event){time, prof_event_what(site, kind), aux};
}

static uint64_t next_time(uint64_t time) {
  static const uint32_t bits[] = {3, 5, 5, 5, 6, 8, 9, 14, 17, 25, 33, 36};
  if (!below(50))
    return time - below(30); /* a signal handler came between */
  uint32_t shift = bits[below(below(8) ? 5 : 12)];
  return time + ((uint64_t)below(1u << 31) << 5 >> (36 - shift));
}

/* One event that mostly fits the model's stack. */
static struct prof_event make(const struct mixture *mixture, const struct model *model, uint64_t time) {
  uint32_t function = below(mixture->functions);
  if (!below(mixture->odd))
    return odd_event(time, function);
  if (!model->depth || below(100) < mixture->enter_odds)
    return (struct prof_event){time, prof_event_what(site_of(function, PROF_PROBE_ENTRY), PROF_EVENT_ENTRY),
                               0x1000 + below(mixture->callers)};
  uint32_t top = model->stack[model->depth - 1].function;
  return (struct prof_event){time, prof_event_what(site_of(top, PROF_PROBE_EXIT), PROF_EVENT_EXIT), 0};
}

/* ---- comparison ---- */

static void write_figures(prof_writer *writer) {
  struct prof_clock_record clock = {.ticks = 1, .frequency_hz = 1000000000, .step_ticks = 1, .source = 1};
  assert_int_equal(prof_writer_clock(writer, &clock), PROF_OK);
}

/* A reader's stack, from the steps alone; what a chunk says of its open frames must equal it. */
struct check {
  const struct model *model;
  size_t at;      /* expected events passed */
  size_t nothing; /* TIME events, of which the model knows nothing */
  struct model_frame *stack;
  size_t depth;
  uint64_t stalled, stall_begin;
};

static uint64_t waited_so_far(const struct check *check, uint64_t time) {
  return check->stalled + (check->stall_begin ? time - check->stall_begin : 0);
}

static void compare_frames(const struct check *check, const struct prof_chunk *chunk) {
  assert_int_equal(chunk->frame_count, check->depth);
  assert_int_equal(chunk->stalled_before, waited_so_far(check, chunk->base_time));
  for (size_t i = 0; i < check->depth; i++) {
    const struct prof_frame *frame = &chunk->frames[i];
    assert_int_equal(frame->entry, check->stack[i].entry);
    assert_int_equal(frame->stalled, check->stack[i].stalled);
    assert_int_equal(chunk->edges[frame->edge].site, check->stack[i].site);
    assert_int_equal(chunk->edges[frame->edge].caller, check->stack[i].caller);
  }
}

static void follow(struct check *check, const struct prof_chunk *chunk, const struct prof_step *step) {
  if (step->op == PROF_OP_ENTRY) {
    const struct prof_edge *edge = &chunk->edges[step->value];
    check->stack[check->depth++] = (struct model_frame){
        .site = edge->site, .caller = edge->caller, .entry = step->time, .stalled = waited_so_far(check, step->time)};
  } else if (step->op == PROF_OP_EXIT || step->op == PROF_OP_LANDED) {
    size_t leaves = step->count + (step->op == PROF_OP_EXIT);
    assert_true(leaves <= check->depth);
    check->depth -= leaves;
  } else if (step->op == PROF_OP_STOP) {
    check->depth = 0;
  } else if (step->op == PROF_OP_STALL_BEGIN) {
    check->stall_begin = step->time;
  } else if (step->op == PROF_OP_STALL_END) {
    check->stalled = waited_so_far(check, step->time);
    check->stall_begin = 0;
  }
}

static void compare_step(struct check *check, const struct prof_chunk *chunk, const struct prof_step *step) {
  if (step->op == PROF_OP_NOTHING) {
    check->nothing++;
    return;
  }
  assert_true(check->at < check->model->out_count);
  const struct expected *expected = &check->model->out[check->at++];
  assert_int_equal(step->op, expected->op);
  assert_int_equal(step->time, expected->time);
  assert_int_equal(step->count, expected->count);
  if (step->op == PROF_OP_ENTRY) {
    assert_int_equal(chunk->edges[step->value].site, expected->site);
    assert_int_equal(chunk->edges[step->value].caller, expected->caller);
  } else if (step->op == PROF_OP_UNMATCHED) {
    assert_int_equal(step->value, expected->site);
  }
  follow(check, chunk, step);
}

static void compare_chunk(struct check *check, const struct prof_chunk *chunk) {
  struct prof_cursor cursor;
  struct prof_step step;
  compare_frames(check, chunk);
  prof_cursor_begin(&cursor, chunk);
  while (prof_cursor_next(&cursor, &step))
    compare_step(check, chunk, &step);
  assert_int_equal(cursor.index, chunk->event_count);
}

/* Edges and frames alone are those of the whole chunk. */
static void compare_stacks(const prof_trace *trace, size_t index, const struct prof_chunk *whole) {
  struct prof_chunk chunk = {0};
  assert_int_equal(prof_chunk_load_frames(trace, index, NULL, &chunk), PROF_OK);
  assert_int_equal(chunk.event_count, 0);
  assert_int_equal(chunk.edge_count, whole->edge_count);
  assert_int_equal(chunk.frame_count, whole->frame_count);
  assert_int_equal(chunk.frames_omitted, whole->frames_omitted);
  assert_int_equal(chunk.base_time, whole->base_time);
  assert_int_equal(chunk.stalled_before, whole->stalled_before);
  assert_memory_equal(chunk.edges, whole->edges, whole->edge_count * sizeof *whole->edges);
  for (uint32_t i = 0; i < whole->frame_count; i++) {
    assert_int_equal(chunk.frames[i].edge, whole->frames[i].edge);
    assert_int_equal(chunk.frames[i].entry, whole->frames[i].entry);
    assert_int_equal(chunk.frames[i].stalled, whole->frames[i].stalled);
  }
  prof_chunk_free(&chunk);
}

static void compare_file(const struct trace_folder *folder, const struct model *model, uint64_t encoded) {
  prof_trace *trace;
  assert_int_equal(prof_trace_open(folder->path, NULL, &trace), PROF_OK);
  size_t count;
  prof_trace_chunks(trace, &count);
  struct check check = {.model = model, .stack = calloc(model->out_count + 1, sizeof *check.stack)};
  assert_non_null(check.stack);
  struct prof_chunk chunk = {0};
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(prof_chunk_load(trace, prof_trace_thread_chunks(trace)[i], NULL, &chunk), PROF_OK);
    compare_stacks(trace, prof_trace_thread_chunks(trace)[i], &chunk);
    compare_chunk(&check, &chunk);
  }
  assert_int_equal(check.at, model->out_count);
  assert_int_equal(check.at + check.nothing, encoded);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  assert_int_equal(damage.bytes_skipped + damage.chunks_damaged, 0);
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
  free(check.stack);
}

/* However badly a chunk packs, it takes no more of the file than was said before. */
static void flush_within(prof_matcher *matcher, prof_writer *writer, bool last) {
  uint64_t before = prof_writer_bytes(writer), most = prof_encoder_waiting_bytes(prof_matcher_encoder(matcher));
  assert_int_equal(prof_encoder_flush(prof_matcher_encoder(matcher), last), PROF_OK);
  assert_true(prof_writer_bytes(writer) - before <= most);
  assert_int_equal(prof_encoder_waiting_bytes(prof_matcher_encoder(matcher)), 0);
}

#define RING 700

static void run(const struct mixture *mixture) {
  struct trace_folder folder;
  trace_folder_make(&folder);
  prof_writer *writer;
  assert_int_equal(prof_writer_open(folder.path, NULL, NULL, &writer), PROF_OK);
  write_figures(writer);
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 7);
  uint32_t site_count = 1 + 3 * mixture->functions;
  uint32_t *functions = calloc(site_count, sizeof *functions);
  for (uint32_t site = 1; site < site_count; site++)
    functions[site] = (site - 1) / 3;
  struct prof_site_map map = {functions, site_count};
  struct model model = {.stack = calloc(mixture->events + 1, sizeof *model.stack),
                        .out = calloc(mixture->events + 1, sizeof *model.out)};
  assert_true(packer && matcher && functions && model.stack && model.out);
  struct prof_event ring[RING];
  uint64_t time = 1000000;
  random_state = mixture->seed * 0x9e3779b97f4a7c15ull + 1;
  for (size_t made = 0; made < mixture->events;) {
    size_t count = 0, most = 1 + below(RING);
    for (; count < most && made < mixture->events; count++, made++) {
      time = next_time(time);
      ring[count] = make(mixture, &model, time);
      model_take(&model, &ring[count]);
    }
    bool begins = prof_encoder_waiting(prof_matcher_encoder(matcher)) == 0;
    uint64_t limit = prof_encoder_waiting_bytes(prof_matcher_encoder(matcher)) + count * PROF_ENCODER_SLOT_BYTES +
                     (begins ? prof_matcher_begin_bytes(matcher) : 0);
    uint64_t written = prof_writer_bytes(writer);
    assert_int_equal(prof_matcher_drain(matcher, ring, count, &map, false), count);
    assert_true(prof_writer_bytes(writer) > written ||
                prof_encoder_waiting_bytes(prof_matcher_encoder(matcher)) <= limit);
    for (size_t i = 0; i < count; i++)
      assert_int_equal(ring[i].time | ring[i].what | ring[i].aux, 0);
    if (mixture->flush_every && !below((uint32_t)mixture->flush_every))
      flush_within(matcher, writer, false);
  }
  flush_within(matcher, writer, true);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  assert_int_equal(figures.inversions, model.figures.inversions);
  assert_int_equal(figures.unmatched, model.figures.unmatched);
  assert_int_equal(figures.skipped, model.figures.skipped);
  assert_int_equal(figures.gap_lost, model.figures.gap_lost);
  assert_int_equal(figures.stalled_ticks, model.stalled);
  assert_int_equal(figures.depth, model.depth);
  assert_int_equal(figures.dropped, 0);
  assert_int_equal(figures.last_ticks, model.last);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  assert_int_equal(prof_writer_close(writer, NULL), PROF_OK);
  compare_file(&folder, &model, figures.events);
  trace_folder_remove(&folder);
  free(functions);
  free(model.stack);
  free(model.out);
}

static void ordinary_calls(void **state) {
  (void)state;
  run(&(struct mixture){.functions = 40, .callers = 3, .odd = 1000, .enter_odds = 50, .seed = 1, .events = 400000});
}
static void everything_odd(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++)
    run(&(struct mixture){6, 2, 3, 52, seed, 5000, 7});
}
static void chunks_on_demand(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++)
    run(&(struct mixture){30, 2, 20, 51, seed, 20000, 3});
}
static void more_edges_than_near_ops(void **state) {
  (void)state;
  run(&(struct mixture){.functions = 3000, .callers = 50, .odd = 500, .enter_odds = 50, .seed = 3, .events = 300000});
}
static void a_stack_that_grows(void **state) {
  (void)state;
  run(&(struct mixture){.functions = 20,
                        .callers = 2,
                        .odd = 100000000,
                        .enter_odds = 60,
                        .seed = 4,
                        .events = 200000,
                        .flush_every = 40});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ordinary_calls),     cmocka_unit_test(everything_odd),
      cmocka_unit_test(chunks_on_demand),   cmocka_unit_test(more_edges_than_near_ops),
      cmocka_unit_test(a_stack_that_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
