/*
 * tools/fold/marks.h - finds the frames that moments in the life of threads lie in.
 *
 * In: marks, by thread and time.  Out: each one's node, filled in while the chunk around it is folded: there is no
 * second stack.  A mark belongs to the frames that are open after the thread's last event at or before it.  Each piece
 * of the fold has marks of its own, so workers share the array without locks.
 *
 * In a sparse-clock interval several events share the time of one reading, and a mark after it may belong to what was
 * open after any of them: to one whose function is the mark's, if there is such a one; among several by a hash of its
 * time, which favours none.  A pause has no address: the frames that it may lie in are listed, for wait_places.h to
 * choose from.
 */
#ifndef PROF_FOLD_MARKS_H
#define PROF_FOLD_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "fold/light_slices.h"

enum prof_mark_state {
  PROF_MARK_UNSEEN = 0,  /* in no chunk that was folded: a hole, a thread that isn't shown */
  PROF_MARK_PLACED = 1,  /* `node` holds */
  PROF_MARK_STALLED = 2, /* likewise, while the thread waited for the recorder: time that no call has */
};

struct prof_mark_option { /* a frame that a pause in a sparse-clock interval may lie in */
  uint32_t node;
  uint16_t times;  /* how often it was open after one of the events that share the time */
  uint16_t behind; /* events behind the last such one, of those */
};
typedef PROF_VEC(struct prof_mark_option) prof_mark_options;
#define PROF_MARK_NO_CHOICE 0xffu
#define PROF_MARK_NO_HAND 0xffffu /* the node is of the tree of all workers */

struct prof_fold_mark {
  uint64_t time;
  uint64_t off_ticks; /* of a pause: so long; 0: it is a sample */
  float times;        /* of a pause: what each of its ticks stands for */
  uint32_t node;      /* of the worker's core; once the profile is built, of the profile */
  uint16_t hand;      /* the worker's number */
  uint8_t state;      /* enum prof_mark_state */
  bool near;          /* an event lies within clock_error_ticks; in a sparse-clock interval: several nodes fit */
  uint32_t gap_ticks; /* between the events before and after it, at most UINT32_MAX; 0: not known */
  uint32_t function;  /* that its address lies in; PROF_NONE: not known */
  bool counts, spins; /* of a sample: for spin_waits.h; it is one of those */
  /* Of a pause. */
  uint64_t counted_ticks; /* of off_ticks: up to the thread's next event; after its last event nothing is counted */
  uint32_t charged;       /* open after the last event before it: in whose time it is, as measured; as `node` */
  uint32_t options_begin; /* of those of the worker: frames that it may lie in, first of all the one that is open in */
  uint8_t options_count;  /* all of them; 0: `node` holds */
  uint8_t choice;         /* in and out: events behind the one that it follows; PROF_MARK_NO_CHOICE: not chosen yet */
  bool waits;             /* in: else it was preempted */
  bool unplaced;          /* in and out: any of several frames may have waited; `node` is the one around them */
};

struct prof_fold_marks {
  struct prof_fold_mark *items; /* by thread, then time */
  const size_t *first;          /* by thread index: its marks are at [first[i], first[i + 1]) */
  uint64_t clock_error_ticks;   /* between a mark and an event */
};

#define PROF_MARK_GROUP 32u

struct prof_mark_choice { /* what was open after an event */
  uint32_t node, function, depth;
};

/* The marks of one piece, from front to back; prof_mark_run_begin of piece.h makes it. */
struct prof_mark_run {
  struct prof_fold_mark *at, *end;
  uint64_t before; /* time of the event before; 0: none */
  uint64_t clock_error_ticks;
  uint16_t hand;                   /* the worker's number */
  prof_mark_options *options;      /* the worker's */
  bool *failed;                    /* set when there is no memory */
  struct prof_light_slices slices; /* of the thread */
  uint64_t group_time;             /* the last events had that one; of them, the last ones of a large group */
  uint32_t group_count;
  struct prof_mark_choice group[PROF_MARK_GROUP];
};

/* Marks before `time`, that of the next event, lie in `node`. */
void prof_mark_run_assign(struct prof_mark_run *, uint64_t time, uint32_t node, bool stalled);
/* After an event at that time this frame is open, at that depth.  Only for threads with sparse-clock intervals. */
void prof_mark_run_note(struct prof_mark_run *, uint64_t time, struct prof_mark_choice);
/* Marks before `time` are not wanted. */
void prof_mark_run_skip(struct prof_mark_run *, uint64_t time);

/* Adds the options of another worker, or of all, whose nodes moved.  false: no memory. */
bool prof_mark_options_add(prof_mark_options *into, const prof_mark_options *from, const uint32_t *moved);

/* The nodes of a mark have moved, and so many options stand before its own now.  Unseen ones stay as they are. */
static inline void prof_mark_move(struct prof_fold_mark *mark, const uint32_t *moved, size_t options_before) {
  if (mark->state == PROF_MARK_UNSEEN)
    return;
  mark->node = moved[mark->node];
  mark->charged = moved[mark->charged];
  mark->options_begin += (uint32_t)options_before;
}

#endif
