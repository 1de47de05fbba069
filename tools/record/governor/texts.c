/*
 * tools/record/governor/texts.c - see texts.h.
 */
#define _GNU_SOURCE
#include "record/governor/texts.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u

void prof_texts_init(struct prof_text_set *texts, int fd, uint64_t begin, uint64_t end) {
  *texts = (struct prof_text_set){.fd = fd, .begin = begin, .end = end};
}

static void unmap(struct prof_text_copy *copy) {
  if (copy->base != NULL)
    munmap(copy->base, copy->all);
  copy->base = NULL;
}

void prof_texts_fini(struct prof_text_set *texts) {
  for (size_t i = 0; i < texts->copies.count; i++)
    unmap(&texts->copies.items[i]);
  prof_vec_fini(&texts->copies);
  prof_vec_fini(&texts->ended);
}

static bool is_sound(const struct prof_text_set *texts, const struct prof_log_module *module, uint64_t table) {
  uint64_t begin = module->text - module->text_bytes;
  return module->text != 0 && module->text_bytes <= module->text && module->text_bytes % PAGE == 0 &&
         begin % PAGE == 0 && begin >= texts->begin && module->text <= texts->end && table <= texts->end - module->text;
}

bool prof_texts_add(struct prof_text_set *texts, const struct prof_log_module *module) {
  uint64_t table = sizeof(struct prof_text_head) + (uint64_t)module->site_count * sizeof(struct prof_text_site);
  if (!is_sound(texts, module, table))
    return false;
  struct prof_text_copy copy = {
      .process = module->process,
      .first_site = module->first_site,
      .site_count = module->site_count,
      .offset = module->text - module->text_bytes,
      .bytes = module->text_bytes,
      .all = module->text_bytes + table,
  };
  void *base = mmap(NULL, copy.all, PROT_READ | PROT_WRITE, MAP_SHARED, texts->fd, (off_t)copy.offset);
  if (base == MAP_FAILED)
    return false;
  copy.base = base;
  copy.text = (struct prof_text_head *)(void *)(copy.base + copy.bytes);
  copy.sites = (struct prof_text_site *)(copy.text + 1);
  size_t at = texts->copies.count;
  if (!prof_vec_push(&texts->copies, copy)) {
    unmap(&copy);
    return false;
  }
  for (; at > 0 && texts->copies.items[at - 1].first_site > copy.first_site; at--)
    texts->copies.items[at] = texts->copies.items[at - 1];
  texts->copies.items[at] = copy;
  return true;
}

static struct prof_text_copy *copy_of(struct prof_text_set *texts, uint32_t site) {
  size_t low = 0, high = texts->copies.count;
  while (low < high) { /* the last one that begins at the site or before it */
    size_t middle = (low + high) / 2;
    if (texts->copies.items[middle].first_site <= site)
      low = middle + 1;
    else
      high = middle;
  }
  struct prof_text_copy *copy = low > 0 ? &texts->copies.items[low - 1] : NULL;
  return copy != NULL && copy->base != NULL && site - copy->first_site < copy->site_count ? copy : NULL;
}

uint32_t prof_texts_process(struct prof_text_set *texts, uint32_t site) {
  const struct prof_text_copy *copy = copy_of(texts, site);
  return copy != NULL ? copy->process : 0;
}

void prof_texts_lose(struct prof_text_set *texts, uint32_t first_site) {
  struct prof_text_copy *copy = copy_of(texts, first_site);
  if (copy != NULL)
    unmap(copy);
}

void prof_texts_end(struct prof_text_set *texts, uint32_t process) {
  size_t kept = 0;
  for (size_t i = 0; i < texts->copies.count; i++) {
    struct prof_text_copy *copy = &texts->copies.items[i];
    if (copy->process != process) {
      texts->copies.items[kept++] = *copy;
      continue;
    }
    unmap(copy);
    struct prof_text_ended ended = {copy->offset, (copy->all + PAGE - 1) / PAGE * PAGE};
    if (prof_vec_push(&texts->ended, ended))
      texts->ended_bytes += ended.bytes;
  }
  texts->copies.count = kept;
}

void prof_texts_free_ended(struct prof_text_set *texts) {
  for (size_t i = 0; i < texts->ended.count; i++)
    (void)!fallocate(texts->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)texts->ended.items[i].offset,
                     (off_t)texts->ended.items[i].bytes);
  texts->ended.count = 0;
  texts->ended_bytes = 0;
}

static bool hold(struct prof_text_copy *copy) {
  uint32_t seen = PROF_TEXT_FREE;
  if (!__atomic_compare_exchange_n(&copy->text->holder, &seen, PROF_TEXT_RECORDER, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  if (__atomic_load_n(&copy->text->off, __ATOMIC_ACQUIRE) == 0)
    return true;
  __atomic_store_n(&copy->text->holder, PROF_TEXT_FREE, __ATOMIC_RELEASE);
  return false;
}

static bool site_store(const struct prof_text_copy *copy, uint32_t row, enum prof_text_word wanted) {
  const struct prof_text_site *site = &copy->sites[row];
  uint32_t at = __atomic_load_n(&site->at, __ATOMIC_RELAXED);
  if (at % sizeof(uint64_t) != 0 || at > copy->bytes - sizeof(uint64_t))
    return false;
  const uint64_t words[] = {[PROF_TEXT_OFF] = site->off, [PROF_TEXT_ON] = site->on, [PROF_TEXT_COUNT] = site->count};
  if (wanted == PROF_TEXT_COUNT && words[wanted] == 0)
    return false;
  __atomic_store_n((uint64_t *)(void *)(copy->base + at), words[wanted], __ATOMIC_RELEASE);
  return true;
}

bool prof_texts_counter(struct prof_text_set *texts, uint32_t site, uint32_t *process, uint32_t *counter) {
  const struct prof_text_copy *copy = copy_of(texts, site);
  if (copy == NULL || copy->sites[site - copy->first_site].count == 0)
    return false;
  *process = copy->process;
  *counter = __atomic_load_n(&copy->sites[site - copy->first_site].counter, __ATOMIC_RELAXED);
  return true;
}

/* Sites mostly come copy by copy, so each is held once. */
size_t prof_texts_switch(struct prof_text_set *texts, const uint32_t *sites, size_t count, enum prof_text_word wanted) {
  struct prof_text_copy *held = NULL;
  bool may = false;
  size_t switched = 0;
  for (size_t i = 0; i < count; i++) {
    struct prof_text_copy *copy =
        held != NULL && sites[i] - held->first_site < held->site_count ? held : copy_of(texts, sites[i]);
    if (copy != held) {
      if (may)
        __atomic_store_n(&held->text->holder, PROF_TEXT_FREE, __ATOMIC_RELEASE);
      held = copy;
      may = copy != NULL && hold(copy);
    }
    switched += may && site_store(copy, sites[i] - copy->first_site, wanted);
  }
  if (may)
    __atomic_store_n(&held->text->holder, PROF_TEXT_FREE, __ATOMIC_RELEASE);
  return switched;
}

void prof_texts_state(struct prof_text_set *texts, uint32_t site, enum prof_site_state state) {
  struct prof_text_copy *copy = copy_of(texts, site);
  if (copy != NULL)
    __atomic_store_n(&copy->sites[site - copy->first_site].state, (uint32_t)state, __ATOMIC_RELAXED);
}
