/*
 * tools/record/governor/count_reader.c - see count_reader.h.
 */
#include "record/governor/count_reader.h"

#include <sys/mman.h>

#define MOST_READS 65536u /* some 2 ms, if none is in a cache */
#define MOST_ANCESTORS 64

bool prof_count_reader_open(struct prof_count_reader *reader, const struct prof_region *region) {
  *reader = (struct prof_count_reader){0};
  if (region == NULL || region->counters_offset == 0)
    return false;
  size_t bytes = (region->thread_count + 1) * (size_t)PROF_REGION_COUNTERS_BYTES;
  void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, region->fd, (off_t)region->counters_offset);
  if (map == MAP_FAILED)
    return false;
  reader->region = region;
  reader->map = map;
  reader->map_bytes = bytes;
  reader->block_bytes = PROF_REGION_COUNTERS_BYTES;
  reader->counters = (const uint8_t *)map + reader->block_bytes;
  return true;
}

void prof_count_reader_fini(struct prof_count_reader *reader) {
  if (reader->map != NULL)
    munmap(reader->map, reader->map_bytes);
  prof_vec_fini(&reader->parents);
  prof_vec_fini(&reader->sources);
  prof_vec_fini(&reader->threads);
  prof_vec_fini(&reader->begins);
  *reader = (struct prof_count_reader){0};
}

void prof_count_reader_parent(struct prof_count_reader *reader, uint32_t process, uint32_t parent) {
  if (reader->region != NULL)
    (void)prof_vec_push(&reader->parents, (struct prof_count_parent){process, parent});
}

/* Processes are added after their parents, by their number. */
static uint32_t parent_of(const struct prof_count_reader *reader, uint32_t process) {
  for (size_t i = reader->parents.count; i > 0; i--)
    if (reader->parents.items[i - 1].process == process)
      return reader->parents.items[i - 1].parent;
  return 0;
}

/* Does a thread of the process run in text that `source` copied? */
static bool has_text_of(const struct prof_count_reader *reader, uint32_t process, uint32_t source) {
  for (int i = 0; process != 0 && i < MOST_ANCESTORS; i++) {
    if (process == source)
      return true;
    process = parent_of(reader, process);
  }
  return false;
}

static uint64_t count_at(const struct prof_count_reader *reader, uint32_t record, uint32_t counter) {
  const uint8_t *block = reader->counters + record * reader->block_bytes;
  return __atomic_load_n((const uint64_t *)(const void *)block + counter, __ATOMIC_RELAXED);
}

struct same { /* as sources of one process follow each other */
  uint32_t process, source;
  bool is;
};

/* Does the source's counter count calls of the thread? */
static bool applies(const struct prof_count_reader *reader, const struct prof_count_thread *thread,
                    const struct prof_count_source *source, struct same *same) {
  if (same->process != thread->process || same->source != source->process)
    *same = (struct same){thread->process, source->process, has_text_of(reader, thread->process, source->process)};
  return same->is && source->counter < reader->block_bytes / sizeof(uint64_t);
}

static bool take_thread(struct prof_count_reader *reader, uint32_t record, struct same *same) {
  const struct prof_thread *from = &reader->region->threads[record];
  if (__atomic_load_n(&from->state, __ATOMIC_ACQUIRE) != PROF_THREAD_LIVE || from->content != PROF_THREAD_EVENTS)
    return true;
  struct prof_count_thread thread = {.record = record,
                                     .generation = __atomic_load_n(&from->generation, __ATOMIC_RELAXED),
                                     .process = from->process,
                                     .tid = from->tid};
  size_t count = reader->sources.count;
  if (!prof_vec_push(&reader->threads, thread) || !prof_vec_reserve(&reader->begins, count))
    return false;
  for (size_t i = 0; i < count; i++) {
    const struct prof_count_source *source = &reader->sources.items[i];
    reader->begins.items[reader->begins.count++] =
        applies(reader, &thread, source, same) ? count_at(reader, record, source->counter) : 0;
  }
  return reader->begins.count <= MOST_READS;
}

bool prof_count_reader_begin(struct prof_count_reader *reader) {
  struct same same = {0, 0, false};
  uint32_t used = prof_region_records_used(reader->region);
  bool good = true;
  reader->threads.count = reader->begins.count = 0;
  for (uint32_t i = 0; i < used && good; i++)
    good = take_thread(reader, i, &same);
  return good;
}

static bool is_still(const struct prof_count_reader *reader, const struct prof_count_thread *thread) {
  const struct prof_thread *now = &reader->region->threads[thread->record];
  return __atomic_load_n(&now->state, __ATOMIC_ACQUIRE) == PROF_THREAD_LIVE &&
         __atomic_load_n(&now->generation, __ATOMIC_RELAXED) == thread->generation;
}

void prof_count_reader_end(struct prof_count_reader *reader, uint64_t window, struct prof_count_rows *rows) {
  struct same same = {0, 0, false};
  const uint64_t *begin = reader->begins.items;
  for (size_t i = 0; i < reader->threads.count; i++, begin += reader->sources.count) {
    const struct prof_count_thread *thread = &reader->threads.items[i];
    for (size_t k = 0; is_still(reader, thread) && k < reader->sources.count; k++) {
      const struct prof_count_source *source = &reader->sources.items[k];
      uint64_t calls =
          applies(reader, thread, source, &same) ? count_at(reader, thread->record, source->counter) - begin[k] : 0;
      if (calls > 0)
        (void)prof_vec_push(&rows->items,
                            (struct prof_count_row){window, thread->record, thread->tid, source->site, calls});
    }
  }
}
