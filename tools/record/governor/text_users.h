/*
 * tools/record/governor/text_users.h - which processes may have the text that a process copied.
 *
 * In: PROCESS records of the log, which processes live.  Out: a copy of text is needed as long as the process that made
 * it lives, or one that was forked from it, or from that one: forked processes run in the text of their parents.  So
 * what one of them does with its own mapping (it ends, unloads the library, switches by itself) leaves the others'.
 *
 * A process that ends may have left a child that has reported nothing yet, as daemons do: so it is only forgotten, and
 * what it unloaded only lost, some time later, and not as long as there is such a process that began while it lived.
 */
#ifndef PROF_RECORD_TEXT_USERS_H
#define PROF_RECORD_TEXT_USERS_H

#include "record/governor/texts.h"
#include "record/tables/process_table.h"

struct prof_text_user {
  uint32_t number, parent; /* parent: the process that it was forked from; 0: none */
  bool used;               /* it lives, or a process forked from it */
  uint64_t begin_ns;       /* when it was added */
  uint64_t gone_ns;        /* when it was found not to be used; 0: it is */
};

struct prof_text_loss { /* a process said that it has the text of this site no longer */
  uint32_t process, first_site;
  uint64_t ns; /* when */
};

/* Processes that were forked from one of these, and have reported nothing. */
struct prof_text_others {
  /* false: there is none.  Else when the first and the last of them began, of prof_steady_ns; to some 10 ms.  It may
   * take milliseconds.  NULL: there is none, ever. */
  bool (*there)(void *context, uint64_t *first_ns, uint64_t *last_ns);
  void *context;
};

struct prof_text_users {
  struct prof_text_others others; /* zero, or set before anything is added */
  uint64_t first_ns, last_ns;     /* of them; last_ns 0: there are none */
  bool asked;                     /* these are known, as far as they matter now */
  uint64_t ask_ns;                /* not before */
  PROF_VEC(struct prof_text_user) items;
  PROF_VEC(struct prof_text_loss) losses;
};

/* Without memory its text stays. */
void prof_text_users_add(struct prof_text_users *, const struct prof_log_process *, uint64_t now_ns);
void prof_text_users_fini(struct prof_text_users *);

/* Did the process copy the text of that site, and was none that is known forked from it since? */
bool prof_text_users_are_alone(const struct prof_text_users *, struct prof_text_set *, uint32_t process,
                               uint32_t first_site);
/* A process tells that it has the text of that site no longer. */
void prof_text_users_lose(struct prof_text_users *, uint32_t process, uint32_t first_site, uint64_t now_ns);

struct prof_text_news {
  void (*ended)(void *context, uint32_t process);   /* nobody has its text any more; it is forgotten */
  void (*lost)(void *context, uint32_t first_site); /* nobody has this one any more */
  void *context;
};

/* Before prof_text_users_look, without a lock: what that would tell waits if one of the others may need it. */
void prof_text_users_ask(struct prof_text_users *, uint64_t now_ns);
/* Now and then: tells what has been so for some time. */
void prof_text_users_look(struct prof_text_users *, struct prof_text_set *, const struct prof_processes *,
                          uint64_t now_ns, const struct prof_text_news *);

#endif
