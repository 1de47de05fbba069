/*
 * tools/record/governor/text_users.c - see text_users.h.
 */
#include "record/governor/text_users.h"

#include "record/clock/ticks.h"

#define PATIENCE_NS 500000000u /* a child that was just made reports itself at its first call */
#define LATE_NS 5000000000u    /* records of a process may be read so late under load */
#define ASK_TIMES 50u          /* asking takes at most one in so many parts of the time */

void prof_text_users_add(struct prof_text_users *users, const struct prof_log_process *record, uint64_t now_ns) {
  struct prof_text_user user = {.number = record->process,
                                .parent = record->flags & PROF_PROCESS_FORKED ? record->parent : 0,
                                .used = true,
                                .begin_ns = now_ns};
  (void)prof_vec_push(&users->items, user);
}

void prof_text_users_fini(struct prof_text_users *users) {
  prof_vec_fini(&users->items);
  prof_vec_fini(&users->losses);
}

static void mark_parent(struct prof_text_users *users, uint32_t parent) {
  for (size_t i = 0; i < users->items.count; i++)
    users->items.items[i].used |= users->items.items[i].number == parent;
}

void prof_text_users_lose(struct prof_text_users *users, uint32_t process, uint32_t first_site, uint64_t now_ns) {
  struct prof_text_loss loss = {process, first_site, now_ns};
  (void)prof_vec_push(&users->losses, loss); /* without memory it goes on being switched */
}

bool prof_text_users_are_alone(const struct prof_text_users *users, struct prof_text_set *texts, uint32_t process,
                               uint32_t first_site) {
  if (prof_texts_process(texts, first_site) != process)
    return false;
  for (size_t i = 0; i < users->items.count; i++)
    if (users->items.items[i].parent == process)
      return false;
  return true;
}

/* Only of a process that lives: of others all texts end. */
static bool is_lost(const struct prof_text_users *users, struct prof_text_set *texts,
                    const struct prof_processes *processes, const struct prof_text_loss *loss) {
  return prof_processes_lives(processes, loss->process) &&
         prof_text_users_are_alone(users, texts, loss->process, loss->first_site);
}

static void find_used(struct prof_text_users *users, const struct prof_processes *processes) {
  for (size_t i = 0; i < users->items.count; i++)
    users->items.items[i].used = prof_processes_lives(processes, users->items.items[i].number);
  for (size_t i = users->items.count; i > 0; i--) /* parents stand before their children */
    if (users->items.items[i - 1].used && users->items.items[i - 1].parent != 0)
      mark_parent(users, users->items.items[i - 1].parent);
}

static bool is_due(uint64_t since_ns, uint64_t now_ns) {
  return since_ns != 0 && now_ns - since_ns >= PATIENCE_NS;
}

static bool any_due(const struct prof_text_users *users, uint64_t now_ns) {
  for (size_t i = 0; i < users->losses.count; i++)
    if (is_due(users->losses.items[i].ns, now_ns))
      return true;
  for (size_t i = 0; i < users->items.count; i++)
    if (is_due(users->items.items[i].gone_ns, now_ns))
      return true;
  return false;
}

void prof_text_users_ask(struct prof_text_users *users, uint64_t now_ns) {
  users->asked = false;
  if (users->others.there == NULL || now_ns < users->ask_ns || !any_due(users, now_ns))
    return;
  uint64_t begin_ns = prof_steady_ns();
  if (!users->others.there(users->others.context, &users->first_ns, &users->last_ns))
    users->last_ns = 0;
  users->ask_ns = now_ns + (prof_steady_ns() - begin_ns) * ASK_TIMES;
  users->asked = true;
}

static bool is_before(uint64_t a_ns, uint64_t b_ns) {
  return a_ns <= b_ns || a_ns - b_ns <= LATE_NS;
}

/* May one of the others have the text of what was there from begin_ns to end_ns? */
static bool may_be_needed(const struct prof_text_users *users, uint64_t begin_ns, uint64_t end_ns) {
  if (users->others.there == NULL)
    return false;
  bool overlap = is_before(begin_ns, users->last_ns) && is_before(users->first_ns, end_ns);
  return !users->asked || (users->last_ns != 0 && overlap);
}

void prof_text_users_look(struct prof_text_users *users, struct prof_text_set *texts,
                          const struct prof_processes *processes, uint64_t now_ns, const struct prof_text_news *news) {
  size_t kept = 0;
  for (size_t i = 0; i < users->losses.count; i++) {
    struct prof_text_loss *loss = &users->losses.items[i];
    if (!is_due(loss->ns, now_ns) || may_be_needed(users, 0, loss->ns))
      users->losses.items[kept++] = *loss;
    else if (is_lost(users, texts, processes, loss))
      news->lost(news->context, loss->first_site);
  }
  users->losses.count = kept;
  find_used(users, processes);
  kept = 0;
  for (size_t i = 0; i < users->items.count; i++) {
    struct prof_text_user *user = &users->items.items[i];
    user->gone_ns = user->used ? 0 : user->gone_ns != 0 ? user->gone_ns : now_ns;
    if (!is_due(user->gone_ns, now_ns) || may_be_needed(users, user->begin_ns, user->gone_ns))
      users->items.items[kept++] = *user;
    else
      news->ended(news->context, user->number);
  }
  users->items.count = kept;
}
