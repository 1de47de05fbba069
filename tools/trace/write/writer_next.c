/*
 * tools/trace/write/writer_next.c - a recording in several files: keeps facts, and begins the next file with them.  See
 * write.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/chunk_kinds.h"
#include "write.h"
#include "write_bursts.h"
#include "write_samples.h"
#include "writer_state.h"

prof_status prof_writer_keep_fact(prof_writer *writer, const struct prof_format_chunk *head, const uint8_t *payload,
                                  const void *packed) {
  if (!writer->keeps)
    return PROF_OK;
  pthread_mutex_lock(&writer->lock);
  prof_status status =
      prof_facts_take(&writer->facts, head, payload, packed) ? PROF_OK : prof_writer_fail(writer, PROF_NO_MEMORY, 0);
  pthread_mutex_unlock(&writer->lock);
  return status;
}

prof_status prof_writer_give_up(prof_writer *writer, const struct prof_diag *diag) {
  pthread_mutex_lock(&writer->lock);
  if (writer->status == PROF_OK) {
    writer->diag = *diag;
    __atomic_store_n(&writer->status, diag->status, __ATOMIC_RELEASE);
  }
  prof_status status = writer->status;
  pthread_mutex_unlock(&writer->lock);
  return status;
}

void prof_writer_process_over(prof_writer *writer, uint32_t process) {
  pthread_mutex_lock(&writer->lock);
  prof_facts_process_over(&writer->facts, process, writer->serial + 1);
  pthread_mutex_unlock(&writer->lock);
}

/* Ends the file; the first error stays the writer's. */
static void close_file(struct prof_writer *writer) {
  prof_writer_give_promise_back(writer);
  if (close(writer->fd) && errno != EINTR)
    (void)prof_writer_fail(writer, PROF_IO, errno);
  writer->fd = -1;
  free(writer->path);
  writer->path = NULL;
}

static void begin_anew(struct prof_writer *writer) {
  __atomic_store_n(&writer->bytes, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&writer->events, 0, __ATOMIC_RELAXED);
  writer->promised_end = 0;
  writer->last_records = writer->last_failed = false;
  memset(writer->kinds, 0, sizeof writer->kinds);
}

/* Writes the facts; unlocked, as every chunk takes the lock. */
static prof_status put_facts(struct prof_writer *writer) {
  prof_status status = prof_writer_error(writer, NULL);
  for (size_t i = 0; i < writer->facts.items.count && status == PROF_OK; i++) {
    struct prof_format_chunk head = writer->facts.items.items[i].head;
    status = prof_writer_append(writer, &head, writer->facts.items.items[i].packed);
  }
  if (status == PROF_OK && writer->facts.states.count > 0)
    status = prof_writer_states(writer, writer->facts.states.items, writer->facts.states.count);
  if (status == PROF_OK && writer->facts.has_rate)
    status = prof_writer_rates(writer, &writer->facts.rate, 1);
  return status;
}

prof_status prof_writer_next(prof_writer *writer, const char *directory, uint64_t start_realtime_ns,
                             struct prof_diag *diag) {
  pthread_mutex_lock(&writer->lock);
  prof_status status = writer->status;
  if (status == PROF_OK) {
    close_file(writer);
    begin_anew(writer);
    writer->serial++;
    (void)prof_facts_forget(&writer->facts, writer->serial + 1); /* without memory they stay */
    status = prof_writer_create(writer, directory, NULL, &writer->diag);
    if (status != PROF_OK)
      __atomic_store_n(&writer->status, status, __ATOMIC_RELEASE);
    else if ((status = prof_writer_put_header(writer, start_realtime_ns)) != PROF_OK)
      unlink(writer->path); /* a file without a header is useless */
  }
  pthread_mutex_unlock(&writer->lock);
  if (status == PROF_OK)
    status = put_facts(writer);
  if (status != PROF_OK)
    (void)prof_writer_error(writer, diag);
  return status;
}
