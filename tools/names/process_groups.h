/*
 * tools/names/process_groups.h - groups a trace's threads by process or by command.
 *
 * These are the groups of --by=process and --by=command in all views.  A process is one program in one pid; a command
 * is all processes that ran the same program.  In: an opened trace.  Out: a group per thread, and names.
 *
 * Trees show a group as a frame above its outermost calls.  Such frames have numbers above those of functions, loops
 * and lines (loop_frames.h, line_leaves.h).
 */
#ifndef PROF_NAMES_PROCESS_GROUPS_H
#define PROF_NAMES_PROCESS_GROUPS_H

#include <stdbool.h>

#include "base/arena.h"
#include "proftrace.h"

#define PROF_FRAME_GROUPS 0x80000000u /* number of the first group's frame */

struct prof_process_group {
  const char *name;  /* of a process "sh", of a command "sh", or its path if others have that name */
  const char *title; /* of a process "sh [1234]", of a command its name */
  uint32_t process;  /* the group's first process */
};

struct prof_process_groups { /* all zero: not split */
  bool by_command;
  struct prof_process_group *items;
  uint32_t count;
  uint32_t *of_thread; /* group of each thread */
  struct prof_arena texts;
};

/* PROF_NO_MEMORY: nothing to free. */
prof_status prof_process_groups_make(const prof_trace *, bool by_command,
                                     struct prof_process_groups *out) PROF_MUST_CHECK;
void prof_process_groups_free(struct prof_process_groups *);

static inline bool prof_frame_is_group(uint32_t frame) {
  return frame != PROF_NONE && frame >= PROF_FRAME_GROUPS;
}

/* The frame above a thread's outermost calls; PROF_NONE: no groups (groups may be NULL). */
static inline uint32_t prof_frame_of_group(const struct prof_process_groups *groups, uint32_t thread) {
  return groups && groups->count ? PROF_FRAME_GROUPS + groups->of_thread[thread] : PROF_NONE;
}

#endif
