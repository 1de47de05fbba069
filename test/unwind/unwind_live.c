/*
 * unwind_live.c - stops a program at random moments and unwinds it twice: by source/unwind from registers and 64 KiB of
 * copied stack, and by libunwind from its memory.
 *
 *   unwind_live STOPS STEPS PROGRAM [ARGUMENT...]
 *
 * After each stop it goes on by single instructions, STEPS of them, and compares at each.  Prints differences, then
 * counts; a stack that is cut is equal as far as it goes.  With STEPS 0 it unwinds all samples once more at the end and
 * prints what a frame took.  UNWIND_TID=last: stops the process's latest thread.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libunwind-ptrace.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
#include "source/elf_file.h"
#include "source/unwind/unwind.h"

enum { STACK_BYTES = 64 << 10, SHOWN_MAX = 6 };

struct module { /* a mapping of code */
  uint64_t low, high, bias;
  char path[256];
  struct prof_elf *elf;
  struct prof_frame_table *table;
};

static PROF_VEC(struct module) modules;
static pid_t process, thread;

static void die(const char *what) {
  perror(what);
  if (process > 0)
    kill(process, SIGKILL);
  exit(2);
}

static uint64_t first_difference(struct prof_elf *elf,
                                 uint64_t offset) { /* link-time address less offset in the file */
  struct prof_elf_load load;
  for (size_t at = 0; prof_elf_load_next(elf, &at, &load);)
    if ((load.offset & ~UINT64_C(4095)) <= offset && offset < load.offset + load.bytes)
      return load.address - load.offset;
  return 0;
}

static void module_open(struct module *module, uint64_t offset) {
  char path[300];
  snprintf(path, sizeof path, "%s", module->path);
  if (strcmp(path, "[vdso]") == 0) {
    static uint8_t bytes[1 << 16];
    struct iovec here = {bytes, module->high - module->low}, there = {(void *)module->low, here.iov_len};
    int copy = memfd_create("vdso", 0);
    if (here.iov_len > sizeof bytes || process_vm_readv(process, &here, 1, &there, 1, 0) != (ssize_t)here.iov_len ||
        write(copy, bytes, here.iov_len) != (ssize_t)here.iov_len)
      return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  }
  struct prof_diag diag;
  if (prof_elf_open(path, &diag, &module->elf) != PROF_OK)
    return;
  module->bias = module->low - offset - first_difference(module->elf, offset);
  module->table = prof_frame_table_of(module->elf);
}

static void maps_read(void) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    struct module module = {0};
    uint64_t offset;
    char rights[8];
    bool known = false;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %255s", &module.low, &module.high, rights,
               &offset, module.path) < 5 ||
        rights[2] != 'x')
      continue;
    for (size_t i = 0; i < modules.count; i++)
      known |= modules.items[i].low == module.low;
    if (known)
      continue;
    module_open(&module, offset);
    if (!prof_vec_push(&modules, module))
      die("memory");
  }
  if (file != NULL)
    fclose(file);
}

static const struct module *module_of(uint64_t address) {
  for (size_t i = 0; i < modules.count; i++)
    if (address - modules.items[i].low < modules.items[i].high - modules.items[i].low)
      return &modules.items[i];
  return NULL;
}

static void find(void *context, uint64_t address, struct prof_unwind_place *out) {
  (void)context;
  const struct module *module = module_of(address);
  if (module != NULL)
    *out = (struct prof_unwind_place){.table = module->table, .bias = module->bias};
}

static uint8_t stack[STACK_BYTES];

static bool sample_take(struct prof_unwind_sample *sample) {
  struct user_regs_struct r;
  if (ptrace(PTRACE_GETREGS, thread, NULL, &r) != 0)
    return false;
  *sample = (struct prof_unwind_sample){.registers = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8,
                                                      r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rip},
                                        .stack = stack};
  for (size_t size = sizeof stack; size >= 4096 && sample->stack_bytes == 0; size -= 1024) {
    struct iovec here = {stack, size}, there = {(void *)r.rsp, size};
    ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
    sample->stack_bytes = got > 0 ? (size_t)got : 0;
  }
  return true;
}

static uint32_t theirs_take(unw_addr_space_t space, void *argument, uint64_t *pcs) {
  unw_cursor_t cursor;
  uint32_t count = 0;
  if (unw_init_remote(&cursor, space, argument) != 0)
    return 0;
  do {
    unw_word_t pc;
    if (unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0 || pc == 0)
      break;
    pcs[count++] = pc;
  } while (count < PROF_UNWIND_FRAMES_MAX && unw_step(&cursor) > 0);
  return count;
}

static struct {
  unsigned samples, equal, known, ours_longer, theirs_longer, other;
  uint64_t frames, ends[PROF_UNWIND_DAMAGED + 1];
} total;

static const char *const ends[] = {"bottom", "limit", "cut", "no rule", "full", "damaged"};

static void show_pc(const char *side, uint32_t index, uint64_t pc) {
  const struct module *module = module_of(pc);
  printf("    %s %u: %s+%#" PRIx64 "\n", side, index,
         module == NULL               ? "?"
         : strrchr(module->path, '/') ? strrchr(module->path, '/') + 1
                                      : module->path,
         pc - (module == NULL ? 0 : module->bias));
}

/*
 * Differences with a reason (README.md): both agree upon a return address that lies nowhere, or upon code without a
 * rule, and libunwind guesses on from there; or libunwind stops where ours goes on to the bottom.
 */
static bool is_known(const struct prof_unwind_frame *ours, uint32_t count, enum prof_unwind_end end, uint32_t same,
                     const uint64_t *theirs, uint32_t their_count) {
  if (same < count)
    return same == their_count && end == PROF_UNWIND_BOTTOM;
  return module_of(ours[count - 1].pc) == NULL || (end == PROF_UNWIND_NO_RULE && module_of(theirs[count]) == NULL);
}

static void compare(const struct prof_unwind_frame *ours, uint32_t count, enum prof_unwind_end end,
                    const uint64_t *theirs, uint32_t their_count) {
  uint32_t same = 0;
  while (same < count && same < their_count && ours[same].pc == theirs[same])
    same++;
  total.samples++;
  total.frames += count;
  total.ends[end]++;
  if (same == count && (same == their_count || end == PROF_UNWIND_CUT)) {
    total.equal++;
    return;
  }
  if (is_known(ours, count, end, same, theirs, their_count)) {
    total.known++;
    return;
  }
  const char *what = same == their_count ? "ours is longer" : same == count ? "theirs is longer" : "another way";
  ++*(same == their_count ? &total.ours_longer : same == count ? &total.theirs_longer : &total.other);
  if (total.samples - total.equal - total.known > SHOWN_MAX)
    return;
  printf("  %s after %u frames; ours has %u and ends: %s; theirs has %u\n", what, same, count, ends[end], their_count);
  for (uint32_t i = 0; i < same + 2; i++) {
    if (i < count)
      show_pc("ours", i, ours[i].pc);
    if (i < their_count)
      show_pc("theirs", i, theirs[i]);
  }
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static struct prof_unwind_frame frames[PROF_UNWIND_FRAMES_MAX];

static PROF_VEC(struct prof_unwind_sample) samples; /* with STEPS 0: all of them, with stacks of their own */

static void sample_keep(const struct prof_unwind_sample *sample) {
  uint8_t *copy = malloc(sample->stack_bytes + 1);
  struct prof_unwind_sample kept = *sample;
  kept.stack = memcpy(copy, sample->stack, sample->stack_bytes);
  if (!prof_vec_push(&samples, kept))
    die("memory");
}

/* Unwinds all samples, one after the other as a recorder would. */
static void pass(const char *what) {
  uint64_t frame_count = 0;
  double begin = now_ns();
  for (size_t i = 0; i < samples.count; i++) {
    uint32_t count;
    prof_unwind(&samples.items[i], find, NULL, frames, &count);
    frame_count += count;
  }
  printf("%s: %.0f ns a frame\n", what, (now_ns() - begin) / (double)frame_count);
}

static void tables_renew(void) {
  for (size_t i = 0; i < modules.count; i++) {
    prof_frame_table_free(modules.items[i].table);
    modules.items[i].table = modules.items[i].elf == NULL ? NULL : prof_frame_table_of(modules.items[i].elf);
  }
}

static void look(unw_addr_space_t space, void *argument, bool is_kept) {
  static uint64_t theirs[PROF_UNWIND_FRAMES_MAX];
  struct prof_unwind_sample sample;
  uint32_t count;
  if (!sample_take(&sample))
    return;
  enum prof_unwind_end end = prof_unwind(&sample, find, NULL, frames, &count);
  if (is_kept)
    sample_keep(&sample);
  compare(frames, count, end, theirs, theirs_take(space, argument, theirs));
}

/* The latest thread's id becomes `thread`.  Returns how many there are. */
static int threads_look(void) {
  char path[64];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL; count += atoi(entry->d_name) > 0)
    thread = atoi(entry->d_name) > thread ? atoi(entry->d_name) : thread;
  if (tasks != NULL)
    closedir(tasks);
  return count;
}

/* Does the process execute the program yet? */
static bool has_begun(void) {
  char path[64], own[PATH_MAX] = "", its[PATH_MAX] = "";
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  return readlink("/proc/self/exe", own, sizeof own - 1) > 0 && readlink(path, its, sizeof its - 1) > 0 &&
         strcmp(own, its) != 0;
}

/* On a busy machine the program's second thread may come late; its first one would sleep for ever in a single step. */
static void start(char **arguments) {
  if ((process = thread = fork()) == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* an interrupted test leaves no child behind */
    if (!freopen("/dev/null", "w", stdout))
      _exit(126);
    execvp(arguments[0], arguments);
    _exit(127);
  }
  const bool last = getenv("UNWIND_TID") != NULL;
  while (!has_begun() || (last && threads_look() < 2)) {
    if (waitpid(process, NULL, WNOHANG) == process) {
      process = 0;
      die("the program has ended");
    }
    usleep(1000);
  }
  usleep(200000);
  if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
    die("PTRACE_SEIZE");
}

/* The signal to deliver when it goes on; -1: it is gone. */
static int wait_stop(void) {
  int status;
  if (waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status))
    return -1;
  return status >> 16 == PTRACE_EVENT_STOP || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
}

/* Lets it run for a random time, with its signals.  False: it is gone. */
static bool run_on(int signal_number) {
  int status, rounds = 1 + rand() % 20;
  if (ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal_number) != 0)
    return false;
  for (; rounds > 0; rounds--) {
    usleep((unsigned)rand() % 400);
    pid_t stopped = waitpid(thread, &status, __WALL | WNOHANG);
    if (stopped == thread &&
        (!WIFSTOPPED(status) || ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)WSTOPSIG(status)) != 0))
      return false;
  }
  return true;
}

int main(int argument_count, char **arguments) {
  if (argument_count < 4)
    return 2;
  int stops = atoi(arguments[1]), steps = atoi(arguments[2]), pending = 0;
  start(arguments + 3);
  unw_addr_space_t space = unw_create_addr_space(&_UPT_accessors, 0);
  unw_set_caching_policy(space, UNW_CACHE_NONE); /* 1.6.2 mixes up what it keeps */
  void *argument = _UPT_create(thread);
  if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || (pending = wait_stop()) < 0)
    die("PTRACE_INTERRUPT");
  for (int i = 0; i < stops; i++) {
    if (!run_on(pending) || ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 || (pending = wait_stop()) < 0)
      break;
    maps_read();
    look(space, argument, steps == 0);
    for (int s = 0; s < steps && pending >= 0; s++) {
      if (ptrace(PTRACE_SINGLESTEP, thread, NULL, (void *)(intptr_t)pending) != 0 || (pending = wait_stop()) < 0)
        break;
      if (pending == 0)
        look(space, argument, false);
    }
    if (pending < 0)
      break;
  }
  kill(process, SIGKILL);
  printf("%u samples, %u equal, known %u, ours longer %u, theirs longer %u, other %u; %.1f frames each; ends:",
         total.samples, total.equal, total.known, total.ours_longer, total.theirs_longer, total.other,
         (double)total.frames / total.samples);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    printf(" %s %" PRIu64, ends[i], total.ends[i]);
  printf("\n");
  if (samples.count > 0) {
    tables_renew();
    pass("all, tables empty at first");
    pass("all again");
  }
  return total.samples > 0 && (total.equal + total.known) * 200 >= total.samples * 199 ? 0 : 1;
}
