/*
 * tools/record/governor/text_users.c - see text_users.h.
 */
#include "record/governor/text_users.h"

void prof_text_users_add(struct prof_text_users *users, const struct prof_log_process *record) {
  struct prof_text_user user = {
      .number = record->process, .parent = record->flags & PROF_PROCESS_FORKED ? record->parent : 0, .used = true};
  (void)prof_vec_push(&users->items, user);
}

void prof_text_users_fini(struct prof_text_users *users) {
  prof_vec_fini(&users->items);
}

static void mark_parent(struct prof_text_users *users, uint32_t parent) {
  for (size_t i = 0; i < users->items.count; i++)
    users->items.items[i].used |= users->items.items[i].number == parent;
}

void prof_text_users_end(struct prof_text_users *users, const struct prof_processes *processes,
                         void (*ended)(void *context, uint32_t process), void *context) {
  size_t kept = 0;
  for (size_t i = 0; i < users->items.count; i++)
    users->items.items[i].used = prof_processes_lives(processes, users->items.items[i].number);
  for (size_t i = users->items.count; i > 0; i--) /* parents stand before their children */
    if (users->items.items[i - 1].used && users->items.items[i - 1].parent != 0)
      mark_parent(users, users->items.items[i - 1].parent);
  for (size_t i = 0; i < users->items.count; i++)
    if (users->items.items[i].used)
      users->items.items[kept++] = users->items.items[i];
    else
      ended(context, users->items.items[i].number);
  users->items.count = kept;
}

bool prof_text_users_lost(const struct prof_text_users *users, struct prof_text_set *texts, uint32_t process,
                          uint32_t first_site) {
  if (prof_texts_process(texts, first_site) != process)
    return false;
  for (size_t i = 0; i < users->items.count; i++)
    if (users->items.items[i].parent == process)
      return false;
  return true;
}
