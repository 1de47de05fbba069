/*
 * tools/command/page/server.h - `prof view` without -o: the page from a server of this machine, until a signal.
 */
#ifndef PROF_COMMAND_PAGE_SERVER_H
#define PROF_COMMAND_PAGE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "command/page/old.h"

struct prof_page_serving {
  uint32_t port; /* 0: any */
  bool no_open, live;
  struct prof_page_against against;
};

/* Reads the recording, serves it, prints the address; returns the exit status after SIGINT or SIGTERM. */
int prof_page_serve(struct prof_common *, const struct prof_page_serving *);

#endif
