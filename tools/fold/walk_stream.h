/*
 * tools/fold/walk_stream.h - the shown calls of one thread, one event at a time.  For walk.c.
 *
 * Job: chunk after chunk through a stack and the filter.  The caller asks for the next event, so that it can merge many
 * threads.  Memory: one chunk and the open frames.
 */
#ifndef PROF_FOLD_WALK_STREAM_H
#define PROF_FOLD_WALK_STREAM_H

#include "base/vec.h"
#include "fold/caller_scan.h"
#include "fold/filter.h"
#include "fold/steps.h"
#include "fold/walk_event.h"

struct prof_walk_frame {
  uint32_t function;
  struct prof_filter_state state;
  bool told;                      /* its ENTER was given out */
  bool went_on;                   /* it is shown still where a frame around it was left, as it was before */
  bool leads;                     /* see prof_filter_frame */
  bool cut;                       /* entered before what is shown begins */
  uint32_t site, caller;          /* of its entry; caller: low 32 bits of the return address, 0: it has none */
  uint64_t entry_time, entry_net; /* since it has this place on the stack */
  uint64_t begin_net;             /* of the call */
};

struct prof_walk_left {            /* the frame that was left last; all zero: another one was entered since */
  uint32_t function, site, caller; /* as above */
  struct prof_filter_state state;
};

enum { PROF_WALK_TEXT_BYTES = 64 }; /* with the NUL */

struct prof_walk_held {       /* events lost, a wait for the recorder, or a point, not given out yet */
  uint64_t time, ticks, lost; /* lost 0: a wait of so many ticks */
  uint32_t site;              /* of a point; 0: it is none */
  uint64_t value;
  char text[PROF_WALK_TEXT_BYTES];
};

struct prof_walk_stream {
  const prof_trace *trace;
  const struct prof_filter *filter;
  uint32_t thread;
  uint32_t position, count; /* among the thread's chunks: the present one, if loaded, or the next */
  bool loaded, fresh;       /* fresh: the stack is to be taken from the next chunk's list */
  bool after_hole;
  bool within; /* the range has begun */
  bool failed; /* no memory */
  bool wants_points;
  struct prof_chunk chunk;
  struct prof_cursor cursor;
  struct prof_wait_clock clock;
  PROF_VEC(struct prof_walk_frame) stack;
  uint64_t beyond; /* frames too deep to be held */
  /* What is to be done before the next step is read. */
  uint64_t time, net; /* of the present step */
  size_t told;        /* frames of the stack before this one need no ENTER any more */
  uint64_t leaves;    /* frames yet to be left */
  bool leaves_cut;
  uint64_t stay;                            /* of the leaves, so many go on then, as these do */
  PROF_VEC(struct prof_walk_frame) staying; /* the innermost one first */
  uint64_t beyond_staying;                  /* inside of them */
  PROF_VEC(struct prof_walk_held) held;
  size_t held_told;
  struct prof_walk_held text;           /* one whose rest has not come yet; site 0: none */
  uint32_t text_bytes;                  /* of it so far */
  char text_told[PROF_WALK_TEXT_BYTES]; /* of the last event */
  bool waits;                           /* for the recorder, since wait_begin */
  uint64_t wait_begin;
  bool reads; /* the wait is for a text that is read, and no event */
  bool has_step;
  bool measures; /* set by the caller, of a filter without min_ns: gives out MEASURE steps, too, */
  bool measured; /* and this is one */
  struct prof_walk_left left;
  struct prof_step step;            /* the present one */
  struct prof_caller_ends *callers; /* by position less callers_from; NULL: no filter by callers */
  uint32_t callers_from;
  struct prof_caller_scan caller_scan; /* of the present chunk */
};

/* first_time: not before this does the thread have anything to show; UINT64_MAX: it has nothing. */
void prof_walk_stream_begin(struct prof_walk_stream *, const prof_trace *, const struct prof_filter *, uint32_t thread,
                            uint64_t *first_time);
/* false: there is no more (or no memory: `failed`). */
bool prof_walk_stream_next(struct prof_walk_stream *, struct prof_walk_event *);
void prof_walk_stream_end(struct prof_walk_stream *);

#endif
