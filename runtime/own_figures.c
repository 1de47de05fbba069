/*
 * own_figures.c - a program asks the recorder for figures of its own (prof_read of prof.h), by a slot of wire/reads.h.
 *
 * In: a name.  Out: figures, or 0 when there are none, or no answer comes: the recorder has ended, stands still for
 * SILENCE_NS, or takes longer than PROF_READ_LIMIT_NS.  The thread looks, then sleeps with the program's signals
 * unblocked.  A look is short and runs behind the gate with signals blocked (image.h), so a process leaves its
 * recording without waiting for those who sleep.  A handler that leaves by longjmp leaves a slot behind, which the
 * recorder frees. No lock, no memory, no descriptor but that of prof_recorder_is_gone.
 */
#include "own_figures.h"
#include "control_map.h"
#include "image.h"
#include "module.h"
#include "reads.h"
#include "state.h"
#include "system.h"
#include "wait.h"

#define TURN_NS 20000000ll /* to the first look without being woken; doubled before each further one, */
#define TURN_MOST_NS 400000000ll
#define FULL_NAP_NS 50000000ll   /* between two looks for a free slot, at most */
#define LOOK_NS 1000000000ll     /* without a heartbeat, before its pid is checked */
#define SILENCE_NS 10000000000ll /* without a heartbeat, at most */

enum outcome { WAITS, ANSWERED, REFUSED };

struct asking { /* one call of prof_read; on its stack */
  const struct prof_read_question *question;
  struct prof_read_slot *slot; /* NULL: none yet */
  uint64_t state;              /* of the slot, as this thread left it */
  uint32_t recording;          /* prof_runtime.recording at the first look */
  uint32_t heartbeat;
  int64_t before_ns, sleep_ns, silent_ns, all_ns;
};

static bool change(struct prof_read_slot *slot, uint64_t *from, uint64_t to) {
  return __atomic_compare_exchange_n(&slot->state, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void copy(void *to, const void *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

/* With its NUL; 0: none, or longer than a slot holds. */
static uint32_t name_bytes(const char *name) {
  uint32_t bytes = 0;
  while (bytes < PROF_READ_NAME_BYTES && name[bytes])
    bytes++;
  return bytes > 0 && bytes < PROF_READ_NAME_BYTES ? bytes + 1 : 0;
}

static void call_recorder(void) {
  __atomic_fetch_add(&prof_runtime.control->reads, 1, __ATOMIC_SEQ_CST);
  prof_bell_ring();
}

/* The slot is this thread's until it stores ASKED. */
static void fill(struct asking *asking, struct prof_read_slot *slot, uint64_t filling) {
  copy(slot->name, asking->question->name, name_bytes(asking->question->name));
  asking->state = prof_read_at(filling, PROF_READ_ASKED);
  asking->slot = slot;
  (void)change(slot, &filling, asking->state); /* if it was taken back, the next look finds that out */
}

static void take_slot(struct asking *asking, uint32_t process) {
  for (uint32_t i = 0; i < PROF_READ_SLOTS && !asking->slot; i++) {
    struct prof_read_slot *slot = &prof_runtime.reads[i];
    uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_RELAXED);
    uint64_t filling = prof_read_filling(state, process);
    if (prof_read_step(state) == PROF_READ_FREE && change(slot, &state, filling))
      fill(asking, slot, filling);
  }
  call_recorder(); /* if all are taken, it looks whether their owners live */
}

static enum outcome take_answer(struct asking *asking, uint64_t state) {
  const struct prof_read_question *question = asking->question;
  const struct prof_read_answer *answer = &asking->slot->answer;
  struct prof_read_figures figures;
  bool found = answer->found != 0;
  copy(&figures, &answer->figures, sizeof figures);
  if (!change(asking->slot, &state, prof_read_freed(state)) || !found)
    return REFUSED;
  copy(question->figures, &figures, question->bytes < sizeof figures ? question->bytes : sizeof figures);
  return ANSWERED;
}

/* Is this a recording that answers, and still the one that was asked? */
static bool may_answer(struct asking *asking) {
  const struct prof_control *control = prof_runtime.control;
  bool runs = prof_runtime.state == PROF_RUNTIME_ON || prof_runtime.state == PROF_RUNTIME_OFF;
  if (!runs || !prof_runtime.reads || !(control->flags & (PROF_CONTROL_ONE_FILE | PROF_CONTROL_SUMMARY)))
    return false;
  if (asking->all_ns == 0)
    asking->recording = prof_runtime.recording;
  return asking->recording == prof_runtime.recording &&
         __atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) == PROF_RECORDER_RUNNING;
}

static uint64_t given_up_now(const struct prof_control *control) {
  return (uint64_t)__atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED) << 1 | 1;
}

/* A thread that waited for it found it gone, and it has not beaten since. */
static bool is_known_gone(const struct prof_image *image) {
  return __atomic_load_n(&image->given_up, __ATOMIC_RELAXED) == given_up_now(prof_runtime.control);
}

/* Behind the gate. */
static enum outcome look(struct asking *asking) {
  struct prof_image *image = prof_image_current(); /* a forked child becomes a process of its own here */
  if (!image || !may_answer(asking) || is_known_gone(image))
    return REFUSED;
  if (!asking->slot) {
    take_slot(asking, image->process);
    return WAITS;
  }
  uint64_t state = __atomic_load_n(&asking->slot->state, __ATOMIC_ACQUIRE);
  if (state == prof_read_at(asking->state, PROF_READ_ANSWERED))
    return take_answer(asking, state);
  bool ours = state == asking->state || state == prof_read_at(asking->state, PROF_READ_TAKEN);
  return ours ? WAITS : REFUSED;
}

/* Behind the gate: is it worth waiting for longer?  A turn that was far too long means that this process was stopped.
 */
static bool is_patient(struct asking *asking) {
  const struct prof_control *control = prof_runtime.control;
  uint32_t heartbeat = __atomic_load_n(&control->heartbeat, __ATOMIC_RELAXED);
  int64_t now_ns = prof_monotonic_ns(), turn_ns = now_ns - asking->before_ns;
  turn_ns = turn_ns < 4 * TURN_MOST_NS ? turn_ns : 4 * TURN_MOST_NS;
  asking->before_ns = now_ns;
  asking->all_ns += turn_ns + 1;
  asking->silent_ns = heartbeat == asking->heartbeat ? asking->silent_ns + turn_ns : 0;
  asking->heartbeat = heartbeat;
  int64_t silent_ns = asking->silent_ns;
  if (silent_ns >= LOOK_NS && prof_recorder_is_gone(control, &silent_ns)) {
    __atomic_store_n(&prof_runtime.image->given_up, given_up_now(control), __ATOMIC_RELAXED);
    return false;
  }
  return asking->all_ns < PROF_READ_LIMIT_NS && asking->silent_ns < SILENCE_NS;
}

static void withdraw(struct asking *asking) {
  uint64_t asked = asking->state, taken = prof_read_at(asked, PROF_READ_TAKEN);
  if (asking->slot && !change(asking->slot, &asked, prof_read_freed(asked)))
    (void)change(asking->slot, &taken, prof_read_freed(taken));
}

static enum outcome turn(struct asking *asking) {
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  enum outcome outcome = gate ? look(asking) : REFUSED;
  if (outcome == WAITS && !is_patient(asking)) {
    withdraw(asking);
    outcome = REFUSED;
  }
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  return outcome;
}

/* The slot's memory stays mapped, whatever lies there (ranges.c). */
static void sleep_until_answered(struct asking *asking) {
  uint32_t *word = asking->slot ? prof_read_futex(asking->slot) : NULL;
  uint32_t seen = word ? __atomic_load_n(word, __ATOMIC_ACQUIRE) : 0;
  if (!word)
    prof_nap(asking->sleep_ns < FULL_NAP_NS ? asking->sleep_ns : FULL_NAP_NS);
  else if (seen == (uint32_t)asking->state || seen == (uint32_t)prof_read_at(asking->state, PROF_READ_TAKEN))
    prof_futex_wait(word, seen, asking->sleep_ns);
  asking->sleep_ns = 2 * asking->sleep_ns < TURN_MOST_NS ? 2 * asking->sleep_ns : TURN_MOST_NS;
}

int prof_own_figures_control(const void *argument) {
  const struct prof_read_question *question = argument;
  if (!question || !question->name || !question->figures || !name_bytes(question->name))
    return 0;
  struct asking asking = {.question = question, .sleep_ns = TURN_NS, .before_ns = prof_monotonic_ns()};
  enum outcome outcome;
  while ((outcome = turn(&asking)) == WAITS)
    sleep_until_answered(&asking);
  return outcome == ANSWERED;
}
