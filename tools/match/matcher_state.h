/*
 * tools/match/matcher_state.h - shared by drain.c (slots), matcher_rules.c (rules) and inherit.c (inherited frames).
 */
#ifndef PROF_MATCH_MATCHER_STATE_H
#define PROF_MATCH_MATCHER_STATE_H

#include "keep.h"
#include "matcher.h"
#include "measure.h"
#include "trace/write/encoder_inline.h"

struct prof_matcher {
  struct prof_encoder *encoder;
  const struct prof_site_map *map;                                  /* while slots are taken */
  bool (*was_off)(void *context, uint32_t site, uint32_t function); /* NULL: none was */
  void *off_context;
  void (*take_sample)(void *context, uint64_t time, uint32_t site, uint32_t aux); /* NULL: they are dropped */
  void *sample_context;
  prof_fork_stacks *forks;          /* NULL: none are kept */
  struct prof_matcher_watch *watch; /* NULL: nobody watches */
  uint64_t left_out;                /* by filters before the present one */
  struct prof_keep *keep;           /* between the rules and the encoder; NULL: every step is written */

  uint64_t last_time;
  uint64_t cut_time;    /* of the last prof_matcher_cut; an event from before it is no step back of the clock */
  uint64_t stall_begin; /* ticks; 0: not stalled */
  /* Frames [1, depth]; frame 0 matches nothing.  If `omitted`, frame depth + 1 is in place of those, and matches
   * nothing. */
  struct prof_open_frame *stack;
  /* Frames that were open when the program switched recording off.  The next events show which still are. */
  struct prof_open_frame *suspended;
  uint32_t suspended_depth;
  bool was_paused;             /* a STOP with PAUSE came */
  uint64_t resumed_time;       /* entry of the frames that went on after it; 0: none did */
  uint32_t depth, stack_limit; /* frames that fit, without growing */
  uint32_t omitted;            /* open frames beyond PROF_FORMAT_FRAME_LIMIT */
  uint32_t next_address;       /* of the next entry's frame, from its STACK event; 0: none */
  bool heals;                  /* prof_matcher_heal */
  uint32_t ignored_site;       /* of a loop's event just dropped, whose value is dropped too; 0: none */
  struct prof_loop_end {       /* the exit of a loop that waits for zones inside it */
    uint32_t at;               /* its frame; 0: none waits */
    uint32_t site;
    uint64_t value; /* its iterations */
    bool has_value;
  } loop_end;
  struct prof_zone_wait { /* a zone's begin or end that its function may have made for its caller: if it returns next */
    uint64_t time;        /* 0: none waits */
    uint64_t key;         /* of a begin, as `function` */
    uint32_t function, at; /* at: of an end: the zone's frame; 0: it is a begin */
  } zone;
  struct prof_event measure; /* a MEASURE that waits for its OPERAND; time 0: none does */
  struct prof_matcher_figures figures;
};

#define PROF_MATCHES_NOTHING 0xfffffffeu /* not an identity, nor a value that a recorder puts into its map */

/* Is a frame gone when there is a new one of the same stack at `address`, as STACK gives it? */
static inline bool prof_frame_is_gone(const struct prof_open_frame *frame, uint32_t address) {
  uint32_t above = (address & ~PROF_EVENT_STACK_INLINED) - frame->address;
  return frame->address && above <= PROF_EVENT_STACK_REACH && !(above == 0 && (address & PROF_EVENT_STACK_INLINED));
}

static inline bool prof_frame_is_loop(const struct prof_open_frame *frame) {
  return prof_event_kind((uint32_t)frame->key) == PROF_EVENT_LOOP_ENTRY;
}

/* As in struct prof_site_map. */
static inline uint32_t prof_site_zone(const struct prof_site_map *map, uint32_t site) {
  return map->zones && site < map->count ? map->zones[site] : 0;
}

/* Is it a part of a function's frame: a loop, or a zone?  Frame 0 is neither. */
static inline bool prof_frame_is_part(const struct prof_site_map *map, const struct prof_open_frame *frame) {
  return prof_frame_is_loop(frame) || prof_site_zone(map, prof_event_site((uint32_t)frame->key));
}

/* The frame of a loop among the parts on top; NULL: it isn't open in the innermost function. */
static inline const struct prof_open_frame *prof_frame_open_loop(const struct prof_site_map *map,
                                                                 const struct prof_open_frame *top, uint32_t loop) {
  while (prof_frame_is_part(map, top) && (!prof_frame_is_loop(top) || top->function != loop))
    top--;
  return prof_frame_is_loop(top) ? top : NULL;
}

/* Likewise of an iteration of a loop; NULL: none is open in the innermost function. */
static inline const struct prof_open_frame *
prof_frame_open_iteration(const struct prof_site_map *map, const struct prof_open_frame *top, uint32_t loop) {
  while (prof_frame_is_part(map, top) && top->function != loop)
    top--;
  return prof_frame_is_part(map, top) ? top : NULL;
}

/* Does the exit event leave a frame of this function or zone? */
static inline bool prof_exit_is_of(const struct prof_site_map *map, const struct prof_event *event, uint32_t function,
                                   const struct prof_open_frame *frame) {
  if (prof_site_zone(map, prof_event_site(event->what)) == PROF_MATCHER_ZONE) {
    uint32_t zone = prof_site_zone(map, prof_event_site((uint32_t)frame->key));
    return (zone & PROF_MATCHER_NAMED ? zone : zone & ~(PROF_MATCHER_APART | PROF_MATCHER_BY_NAME)) ==
           (PROF_MATCHER_ZONE | event->aux);
  }
  return frame->function == function;
}

/* The value of a VALUE event; 0 for a negative one. */
static inline uint64_t prof_event_value(uint64_t time) {
  uint64_t value = time & ~PROF_EVENT_VALUE_BIT;
  return value >> 62 ? 0 : value;
}

/* ---- zones.c ---- */

/* Its key, one that no event has: so the fast loop leaves all such begins to the rules. */
static inline uint64_t prof_zone_key(uint32_t site) {
  return prof_event_what(site, PROF_EVENT_EXIT);
}

/* A begin that comes from the innermost function waits for the next event, as does an end while functions are open
 * inside of the zone, frame `at`.  False: it doesn't. */
bool prof_zone_begin_waits(struct prof_matcher *, const struct prof_event *);
bool prof_zone_end_waits(struct prof_matcher *, const struct prof_event *, uint32_t at);
/* While one waits, before the rules: true: the event is the exit of the innermost function, which is left by this. */
bool prof_zone_takes(struct prof_matcher *, const struct prof_event *);

/* ---- leave.c ---- */

#define PROF_MATCHER_ROOM 1032u /* steps that the rest of a batch may need */

/* Is it a zone that may end in another function than it began in? */
bool prof_frame_is_apart(const struct prof_site_map *, const struct prof_open_frame *);
/* How many frames above `at` count as orphan calls if they are left with it. */
uint32_t prof_matcher_orphans(const struct prof_matcher *, uint32_t at);
/* Leaves the frame `at`, and those inside of it but for zones that go on. */
void prof_matcher_leave_at(struct prof_matcher *, uint64_t time, uint32_t at);

/* ---- matcher_rules.c ---- */

/* Enters a frame. */
void prof_matcher_push(struct prof_matcher *, uint64_t time, uint64_t key, uint32_t function, uint32_t address);
/* The frame that a function's exit leaves; 0: none. */
uint32_t prof_matcher_left_by(const struct prof_matcher *, const struct prof_event *);

/* Applies the rules to any event; the fast loop passes it what is not plain.  The encoder has room. */
void prof_matcher_take(prof_matcher *, const struct prof_event *);

/* ---- emit.c ---- */

/* Call it before a step: the first one begins a chunk with the open frames.  False: no memory, the step is lost. */
bool prof_matcher_is_begun(struct prof_matcher *, uint64_t time);
/* A step of a begun chunk, its time clamped. */
void prof_matcher_put_step(struct prof_matcher *, struct prof_step *);
/* Call it before the stack changes.  False: the step is lost. */
bool prof_matcher_emit(struct prof_matcher *, uint64_t time, enum prof_op, uint32_t value, uint64_t count);
/* The VALUE of a loop. */
void prof_matcher_emit_iterations(struct prof_matcher *, uint32_t site, uint64_t value);
/* False: no memory. */
bool prof_matcher_put_entry(struct prof_matcher *, uint64_t time, uint64_t key, uint32_t function, bool is_loop);

/* A step without effect: a chunk's frames are those open at its first step.  False: no memory. */
bool prof_matcher_emit_nothing(prof_matcher *, uint64_t time);
/* The same, and a value, of what the program reports.  False: no memory. */
bool prof_matcher_emit_moment(struct prof_matcher *, uint64_t time);
bool prof_matcher_emit_value(prof_matcher *, uint64_t time, uint32_t site, uint64_t value);

/* Begins a chunk at `time` with the open frames.  False: no memory. */
bool prof_matcher_begin(prof_matcher *, uint64_t time);

/* The identity of a site's function or loop. */
uint32_t prof_matcher_function(const prof_matcher *, uint32_t site);

/* Ticks that the thread had been stalled by then. */
uint64_t prof_matcher_stalled(const prof_matcher *, uint64_t time);

/* ---- kept.c: the fast loop of a filter ---- */

/* As take_batch of drain.c. */
size_t prof_matcher_take_kept(struct prof_matcher *, struct prof_event *slots, size_t count);

/* ---- drain.c ---- */

/* Makes room for more frames.  False: no memory. */
bool prof_matcher_grow_stack(prof_matcher *);

/* ---- points.c: rules of points ---- */

void prof_matcher_point(prof_matcher *, const struct prof_event *);
void prof_matcher_point_time(prof_matcher *, const struct prof_event *);
void prof_matcher_point_value(prof_matcher *, const struct prof_event *);

/* ---- inherit.c ---- */

/* Keeps the frames; call it before all are left. */
void prof_matcher_suspend(prof_matcher *);

/* While frames are suspended: resumes those still open, if this event shows which.  False: it doesn't. */
bool prof_matcher_resume(prof_matcher *, const struct prof_event *slot);

#endif
