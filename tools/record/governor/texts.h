/*
 * tools/record/governor/texts.h - the recorder's side of text that it switches (wire/control.h).
 *
 * In: MODULE records of the log.  Out: switches, one store of 8 bytes for a site, in all processes that share the copy.
 * What a program wrote into the region is checked before each use: a wrong table switches nothing.
 */
#ifndef PROF_RECORD_TEXTS_H
#define PROF_RECORD_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "control.h"

struct prof_text_copy {
  uint32_t process, first_site, site_count;
  uint64_t offset; /* in the region's file */
  size_t bytes;    /* of text; `text` stands behind it */
  size_t all;      /* mapped */
  uint8_t *base;
  struct prof_text_head *text;
  struct prof_text_site *sites;
};

struct prof_text_ended { /* no recorded process has it any more */
  uint64_t offset, bytes;
};

struct prof_text_set {
  int fd; /* the region's; not owned */
  uint64_t begin, end;
  PROF_VEC(struct prof_text_copy) copies; /* by first_site, rising */
  PROF_VEC(struct prof_text_ended) ended; /* their memory is still there */
  uint64_t ended_bytes;
};

/* The region has `begin` to `end` of its file for texts. */
void prof_texts_init(struct prof_text_set *, int fd, uint64_t begin, uint64_t end);
void prof_texts_fini(struct prof_text_set *);

/* false: the module's text is private, or its record is damaged. */
bool prof_texts_add(struct prof_text_set *, const struct prof_log_module *);
/* Which process copied the text of this site; 0: there is no such copy. */
uint32_t prof_texts_process(struct prof_text_set *, uint32_t site);
/* It isn't switched any more. */
void prof_texts_lose(struct prof_text_set *, uint32_t first_site);
/* The process and its forked children have ended. */
void prof_texts_end(struct prof_text_set *, uint32_t process);
/* Gives the memory of ended texts to the system.  No process may have them, not even one that has reported nothing. */
void prof_texts_free_ended(struct prof_text_set *);

enum prof_text_word { PROF_TEXT_OFF = 0, PROF_TEXT_ON = 1, PROF_TEXT_COUNT = 2 };

/*
 * Site numbers -> on, off, or counting (those that can't count are left as they are).  Sites of private text, and of a
 * process that is stopped or switches at this moment, are left as they are.  Returns how many were switched.
 */
size_t prof_texts_switch(struct prof_text_set *, const uint32_t *sites, size_t count, enum prof_text_word);
/* Where the site counts: *process: that copied its text.  false: it can't. */
bool prof_texts_counter(struct prof_text_set *, uint32_t site, uint32_t *process, uint32_t *counter);
/* Notes the state for the program's own switches. */
void prof_texts_state(struct prof_text_set *, uint32_t site, enum prof_site_state);

#endif
