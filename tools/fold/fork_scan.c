/*
 * tools/fold/fork_scan.c - see fork_scan.h.
 *
 * Chunks without a region's call are not walked.  The rest is cut into runs of a fixed number of chunks, whatever the
 * number of workers; a run begins with the open frames that its first chunk lists.
 */
#include "fold/fork_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/hands.h"
#include "fold/steps.h"
#include "names/loop_frames.h"
#include "trace/read/cursor_inline.h"

#define RUN_CHUNKS 64u
#define BLOCK 512u
#define REGION 0x80000000u    /* with a frame's number */
#define NAMELESS (REGION - 1) /* in place of one: an unknown loop, which is part of its function */

struct frame {
  uint64_t since;      /* the last event in the frame itself that has to do with no region */
  uint32_t number;     /* function or loop */
  uint32_t first_open; /* forks that were open when it was entered */
};

struct open_fork {
  struct prof_fork fork;
  uint32_t depth; /* frames up to the one that forked it */
};

struct run {
  uint32_t thread, first, count; /* of the thread's chunks */
};

struct job { /* shared by all hands */
  const struct prof_fork_task *task;
  const struct prof_thread_info *threads;
  PROF_VEC(struct run) runs;
  size_t function_count;
  _Atomic size_t next;  /* run */
  _Atomic size_t forks; /* of all hands */
};

struct hand {
  struct job *job;
  struct prof_chunk chunk;
  PROF_VEC(uint32_t) numbers; /* by the chunk's edge: the frame's number */
  struct frame *stack;        /* PROF_FOLD_DEPTH */
  uint32_t depth;
  uint64_t beyond; /* frames deeper than those */
  uint64_t root_time;
  PROF_VEC(struct open_fork) open;
  struct prof_fold_core trie;
  prof_forks forks;
  uint32_t thread;
  bool failed;
};

/* ---- what an event does ---- */

static void close_forks(struct hand *hand, uint32_t first, uint64_t time) {
  for (size_t i = first; i < hand->open.count; i++) {
    hand->open.items[i].fork.end = time;
    if (hand->job->forks++ < PROF_FORK_MOST && !prof_vec_push(&hand->forks, hand->open.items[i].fork))
      hand->failed = true;
  }
  hand->open.count = first < hand->open.count ? first : hand->open.count;
}

static void open_fork(struct hand *hand, uint32_t function) {
  const struct frame *top = &hand->stack[hand->depth - 1];
  for (size_t i = top->first_open; i < hand->open.count; i++)
    if (hand->open.items[i].fork.function == function)
      return;
  if (hand->depth > PROF_FORK_DEPTH)
    return;
  struct open_fork open = {.fork = {.begin = top->since,
                                    .function = function,
                                    .process = hand->job->threads[hand->thread].process,
                                    .thread = hand->thread,
                                    .root = PROF_NONE},
                           .depth = hand->depth};
  for (uint32_t i = 0; i < hand->depth; i++) {
    uint32_t number = hand->stack[i].number;
    if (number == (function | REGION))
      return; /* a task that makes others like it: forked by none of them alone */
    if (number != NAMELESS)
      open.fork.path = prof_fold_child(&hand->trie, open.fork.path, number & ~REGION);
  }
  if (hand->stack[0].number & REGION) {
    open.fork.root = hand->stack[0].number & ~REGION;
    open.fork.root_time = hand->root_time;
  }
  hand->failed |= !prof_vec_push(&hand->open, open);
}

static void enter(struct hand *hand, uint32_t edge, uint64_t time) {
  uint32_t number = hand->numbers.items[edge];
  if (hand->beyond || hand->depth == PROF_FOLD_DEPTH) {
    hand->beyond++;
    return;
  }
  if (hand->depth && number & REGION)
    open_fork(hand, number & ~REGION);
  else if (hand->depth)
    close_forks(hand, hand->stack[hand->depth - 1].first_open, time);
  else
    hand->root_time = time;
  hand->stack[hand->depth++] = (struct frame){time, number, (uint32_t)hand->open.count};
}

static void leave(struct hand *hand, uint64_t count, uint64_t time) {
  bool region = false;
  for (count = prof_leave_beyond(&hand->beyond, count); count > 0 && hand->depth; count--) {
    const struct frame *frame = &hand->stack[--hand->depth];
    close_forks(hand, frame->first_open, time);
    region = frame->number & REGION;
  }
  if (hand->depth && !region) {
    struct frame *top = &hand->stack[hand->depth - 1];
    close_forks(hand, top->first_open, time);
    top->since = time;
  }
}

/* Its forks end, too. */
static void leave_around(struct hand *hand, const struct prof_step *step, uint64_t time) {
  const uint64_t inside = prof_step_around(step, hand->depth, &hand->beyond);
  if (inside == UINT64_MAX)
    return;
  const uint32_t at = hand->depth - 1 - (uint32_t)inside;
  close_forks(hand, hand->stack[at].first_open, time);
  for (uint32_t i = at; i + 1 < hand->depth; i++) {
    hand->stack[i] = hand->stack[i + 1];
    hand->stack[i].first_open = (uint32_t)hand->open.count;
  }
  hand->depth--;
}

/* Events that touch no region: they are most.  Returns how many there were before one of another kind. */
static uint32_t take_plain(struct hand *hand, struct prof_side *side, const uint8_t *ops, const uint64_t *times,
                           uint32_t count, uint64_t added) {
  const uint32_t *numbers = hand->numbers.items, edge_count = (uint32_t)hand->numbers.count;
  const uint32_t opens = (uint32_t)hand->open.count;
  const uint32_t forker = opens ? hand->open.items[opens - 1].depth : 0;
  struct frame *stack = hand->stack;
  uint32_t depth = hand->depth, i = 0;
  for (; i < count && !hand->beyond; i++) {
    uint32_t edge = ops[i] - 1u;
    if (ops[i] == 0) {
      if (depth < forker + 2 || stack[depth - 1].number & REGION)
        break;
      stack[--depth - 1].since = times[i] + added;
    } else if (ops[i] != PROF_CHUNK_OP_SPECIAL || !prof_side_pass_value(side, &hand->chunk)) {
      if (depth <= forker || depth == PROF_FOLD_DEPTH || ops[i] >= PROF_CHUNK_OP_FAR || edge >= edge_count ||
          numbers[edge] & REGION)
        break;
      stack[depth++] = (struct frame){times[i] + added, numbers[edge], opens};
    }
  }
  hand->depth = depth;
  return i;
}

/* ---- chunks of a thread ---- */

/* false: no call of a region in the chunk, or no memory. */
static bool find_numbers(struct hand *hand) {
  const struct prof_fork_task *task = hand->job->task;
  bool any = false;
  hand->numbers.count = 0;
  if (!prof_vec_reserve(&hand->numbers, hand->chunk.edge_count + 1)) {
    hand->failed = true;
    return false;
  }
  for (uint32_t i = 0; i < hand->chunk.edge_count; i++) {
    const struct prof_site_frame frame = prof_frame_of_site(task->trace, hand->chunk.edges[i].site, true);
    uint32_t count = (uint32_t)hand->job->function_count;
    uint32_t number = frame.is_quiet ? NAMELESS : frame.number != PROF_NONE ? frame.number : count;
    if (number < count && task->is_region[number])
      number |= REGION;
    any |= number >= REGION;
    hand->numbers.items[hand->numbers.count++] = number;
  }
  return any;
}

/* The open frames as the chunk lists them; `before`: the last event before. */
static void take_list(struct hand *hand, uint64_t before) {
  hand->depth = 0;
  hand->beyond = hand->chunk.frames_omitted;
  for (uint32_t i = 0; i < hand->chunk.frame_count; i++) {
    const struct prof_frame *listed = &hand->chunk.frames[i];
    if (hand->depth) /* then its caller did nothing else since */
      hand->stack[hand->depth - 1].since = listed->entry;
    enter(hand, listed->edge, listed->entry);
  }
  if (hand->depth)
    hand->stack[hand->depth - 1].since = before;
}

static void walk(struct hand *hand) {
  struct prof_times position;
  struct prof_side side = {hand->chunk.side};
  uint64_t times[BLOCK], added = 0;
  const uint8_t *ops = hand->chunk.ops;
  prof_times_begin(&position, &hand->chunk);
  for (uint32_t count; (count = prof_times_next(&position, times, BLOCK)) > 0; ops += count)
    for (uint32_t i = 0; i < count && !hand->failed; i++) {
      i += take_plain(hand, &side, ops + i, times + i, count - i, added);
      if (i == count)
        break;
      struct prof_step step = {.op = ops[i] ? PROF_OP_ENTRY : PROF_OP_EXIT, .value = ops[i] - 1u};
      uint64_t more = 0;
      if (ops[i] >= PROF_CHUNK_OP_FAR && !prof_side_take(&side, &hand->chunk, ops[i], &step, &more))
        return;
      added += more;
      if (prof_effects[step.op].enters)
        enter(hand, step.value, times[i] + added);
      else if (prof_effects[step.op].leaves)
        leave(hand, prof_step_frames(&step), times[i] + added);
      else if (prof_effects[step.op].around)
        leave_around(hand, &step, times[i] + added);
    }
}

static void scan_run(struct hand *hand, const struct run *run) {
  const struct prof_fork_task *task = hand->job->task;
  const uint32_t *chunks = prof_trace_thread_chunks(task->trace) + hand->job->threads[run->thread].first_chunk;
  const struct prof_chunk_ref *refs = prof_trace_chunks(task->trace, NULL);
  uint64_t before = run->first ? refs[chunks[run->first - 1]].last_time : 0;
  bool follows = false; /* the stack is that of the next chunk's begin */
  hand->thread = run->thread;
  for (uint32_t i = run->first; i < run->first + run->count && !hand->failed; i++) {
    const struct prof_chunk_ref *ref = &refs[chunks[i]];
    follows = follows && !(ref->flags & (PROF_CHUNK_RUN_BEGIN | PROF_CHUNK_RESUMED));
    bool loaded = !task->damaged[chunks[i]] && prof_chunk_load(task->trace, chunks[i], NULL, &hand->chunk) == PROF_OK;
    bool walked = loaded && find_numbers(hand);
    if (!walked || !follows)
      close_forks(hand, 0, before > ref->first_time ? before : ref->first_time);
    if (walked && !follows)
      take_list(hand, before ? before : hand->chunk.base_time);
    if (walked)
      walk(hand);
    follows = walked;
    before = ref->last_time;
  }
  close_forks(hand, 0, before);
  hand->depth = 0;
}

/* ---- all of them ---- */

static bool cut_runs(struct job *job) {
  size_t thread_count;
  job->threads = prof_trace_threads(job->task->trace, &thread_count);
  for (uint32_t i = 0; i < thread_count; i++)
    for (uint32_t first = 0, left = job->threads[i].chunk_count; left > 0;) {
      struct run run = {i, first, left < RUN_CHUNKS ? left : RUN_CHUNKS};
      if (!prof_vec_push(&job->runs, run))
        return false;
      first += run.count;
      left -= run.count;
    }
  return true;
}

static void *work(void *argument) {
  struct hand *hand = argument;
  for (size_t next; !hand->failed && (next = hand->job->next++) < hand->job->runs.count;)
    scan_run(hand, &hand->job->runs.items[next]);
  return NULL;
}

static bool start(struct hand *hand, struct job *job) {
  hand->job = job;
  hand->stack = malloc(PROF_FOLD_DEPTH * sizeof *hand->stack);
  return hand->stack && prof_fold_init(&hand->trie, 1);
}

static bool merge(const struct hand *hand, struct prof_fold_core *trie, prof_forks *forks) {
  uint32_t *moved = malloc((hand->trie.node_count + 1) * sizeof *moved);
  bool fits =
      moved && prof_fold_merge_nodes(trie, &hand->trie, moved) && prof_vec_reserve(forks, hand->forks.count + 1);
  for (size_t i = 0; fits && i < hand->forks.count; i++) {
    struct prof_fork fork = hand->forks.items[i];
    fork.path = moved[fork.path];
    forks->items[forks->count++] = fork;
  }
  free(moved);
  return fits;
}

static void finish(struct hand *hand) {
  prof_chunk_free(&hand->chunk);
  prof_vec_fini(&hand->numbers);
  prof_vec_fini(&hand->open);
  prof_vec_fini(&hand->forks);
  prof_fold_fini(&hand->trie);
  free(hand->stack);
}

bool prof_fork_scan(const struct prof_fork_task *task, struct prof_fold_core *trie, prof_forks *forks) {
  struct job job = {.task = task};
  prof_trace_functions(task->trace, &job.function_count);
  bool fits = cut_runs(&job);
  unsigned count = task->workers < job.runs.count ? task->workers : (unsigned)job.runs.count;
  struct hand *hands = calloc(count + 1, sizeof *hands);
  for (unsigned i = 0; hands && fits && i < count; i++)
    fits = start(&hands[i], &job);
  if (hands && fits && count)
    prof_hands_run(hands, count, sizeof *hands, work);
  for (unsigned i = 0; hands && i < count; i++) {
    fits = fits && !hands[i].failed && !hands[i].trie.failed && merge(&hands[i], trie, forks);
    finish(&hands[i]);
  }
  prof_vec_fini(&job.runs);
  free(hands);
  return fits && hands;
}
