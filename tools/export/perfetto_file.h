/*
 * tools/export/perfetto_file.h - writes a trace of Perfetto: tracks, and slices on them.
 *
 * A track's events stand on a packet sequence of its own, in time order.  There, timestamps are differences to the
 * packet before, a name is written once, and the track is a default.  Packets are compressed together
 * (compressed_packets). Source: trace_packet.proto, track_event.proto, clock_snapshot.proto of Perfetto
 * (https://perfetto.dev).
 */
#ifndef PROF_EXPORT_PERFETTO_FILE_H
#define PROF_EXPORT_PERFETTO_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/proto.h"

struct prof_perfetto_file { /* all zero but `file` at first */
  FILE *file;
  struct prof_proto batch, packet, event, part, inner; /* batch: packets to be compressed */
  uint32_t sequence;                                   /* the current one */
  uint64_t last_ns;                                    /* of its last packet */
  bool failed;                                         /* no memory */
};

struct prof_perfetto_event {
  uint64_t time_ns;     /* since the start of the recording; not before the one before it on its sequence */
  uint64_t name_number; /* of a name on this sequence, from 1; 0: `name` is written as it is */
  const char *name;     /* in UTF-8; NULL: the number was written before */
  uint64_t flow;        /* number of an arrow, from 1; 0: none */
  bool ends_flow;       /* the arrow ends here; else it begins */
};

/* Tracks; `uuid` is any number but 0, and `parent` another track's, 0: none. */
void prof_perfetto_process(struct prof_perfetto_file *, uint64_t uuid, uint32_t pid, const char *name);
void prof_perfetto_thread(struct prof_perfetto_file *, uint64_t uuid, uint32_t pid, uint32_t tid, const char *name);
void prof_perfetto_track(struct prof_perfetto_file *, uint64_t uuid, uint64_t parent, const char *name);

/* Begins the sequence of a track; a track has one. */
void prof_perfetto_sequence(struct prof_perfetto_file *, uint64_t track);
void prof_perfetto_begin(struct prof_perfetto_file *, const struct prof_perfetto_event *);
void prof_perfetto_end(struct prof_perfetto_file *, uint64_t time_ns);
/* A moment with a number, which gets this name; NULL: without one. */
void prof_perfetto_instant(struct prof_perfetto_file *, const struct prof_perfetto_event *, const char *key,
                           uint64_t number);
/* The same with a value. */
void prof_perfetto_value(struct prof_perfetto_file *, const struct prof_perfetto_event *, const char *key,
                         double value);

/* The same with a text. */
void prof_perfetto_text(struct prof_perfetto_file *, const struct prof_perfetto_event *, const char *key,
                        const char *text);

/* A track of a counter; unit: "" none; parent: 0 none.  Its sequence has only its values. */
void prof_perfetto_counter_track(struct prof_perfetto_file *, uint64_t uuid, uint64_t parent, const char *name,
                                 const char *unit);
void prof_perfetto_count(struct prof_perfetto_file *, uint64_t time_ns, double value);

/* Writes what is left and frees all but `file`; false: no memory. */
bool prof_perfetto_finish(struct prof_perfetto_file *);

#endif
