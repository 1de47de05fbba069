/*
 * tools/record/governor/text_users.h - which processes may have the text that a process copied.
 *
 * In: PROCESS records of the log, which processes live.  Out: a copy of text is needed as long as the process that made
 * it lives, or one that was forked from it, or from that one: forked processes run in the text of their parents.  So
 * what one of them does with its own mapping (it ends, unloads the library, switches by itself) leaves the others'.
 */
#ifndef PROF_RECORD_TEXT_USERS_H
#define PROF_RECORD_TEXT_USERS_H

#include "record/governor/texts.h"
#include "record/tables/process_table.h"

struct prof_text_user {
  uint32_t number, parent; /* parent: the process that it was forked from; 0: none */
  bool used;               /* it lives, or a process forked from it */
};

struct prof_text_users {
  PROF_VEC(struct prof_text_user) items;
};

/* Without memory its text stays. */
void prof_text_users_add(struct prof_text_users *, const struct prof_log_process *);
void prof_text_users_fini(struct prof_text_users *);

/* Forgets processes whose text nobody has any more, and calls `ended` with the number of each. */
void prof_text_users_end(struct prof_text_users *, const struct prof_processes *,
                         void (*ended)(void *context, uint32_t process), void *context);

/* A process tells that it has the text of that site no longer, or switches it by itself.  Does nobody else have it? */
bool prof_text_users_lost(const struct prof_text_users *, struct prof_text_set *, uint32_t process,
                          uint32_t first_site);

#endif
