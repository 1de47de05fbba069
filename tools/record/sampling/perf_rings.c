/*
 * tools/record/sampling/perf_rings.c - see perf_rings.h.
 */
#include "record/sampling/perf_rings.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "proftrace_samples.h"

#define MOST_PAGES 128u  /* with the kernel's own page: an ordinary user's limit of locked memory per processor */
#define ROOT_PAGES 1024u /* without that limit: thousands of threads are switched often */
#define STACK_PAGES 512u /* an ordinary user's with stacks, if as much memory may be locked */
#define LEAST_PAGES 2u
#define SPARE_DESCRIPTORS 64
#define EXTRA_TIMES 8 /* factor of the other samples' rate */
#define EXTRA_MOST_HZ 8000u

enum part {
  WHOLE,    /* samples, and what follows the processes */
  FOLLOWS,  /* the latter only, but for switches: it costs a tenth of a sampler where threads are switched often */
  SAMPLES,  /* the former only, into the buffer of FOLLOWS */
  SWITCHES, /* switches only, likewise */
};

static struct perf_event_attr attributes_of(enum part part, uint32_t hz, bool on_exec, const struct prof_perf *perf) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof attributes,
      .config = PERF_COUNT_SW_CPU_CLOCK, /* a timer that runs only with the thread: its period is exact */
      .freq = 1,
      .sample_freq = hz,
      .sample_type = (perf->layout.identified ? PERF_SAMPLE_IDENTIFIER : 0) | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                     PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                     (perf->layout.register_mask != 0 ? PERF_SAMPLE_REGS_USER : 0) |
                     (perf->layout.stack_bytes > 0 ? PERF_SAMPLE_STACK_USER : 0),
      .sample_regs_user = perf->layout.register_mask,
      .sample_stack_user = perf->layout.stack_bytes,
      .sample_id_all = 1,
      .use_clockid = 1,
      .clockid = CLOCK_MONOTONIC_RAW,
      .exclude_kernel = !perf->kernel,
      .exclude_hv = 1,
      .inherit = 1,
      .disabled = on_exec,
      .enable_on_exec = on_exec,
      .watermark = 1,
      .wakeup_watermark = ROOT_PAGES * 4096, /* no thread waits for it */
  };
  attributes.mmap = attributes.mmap2 = attributes.comm = attributes.comm_exec = part == WHOLE || part == FOLLOWS;
  attributes.task = part == WHOLE || part == FOLLOWS;
  attributes.context_switch = part == WHOLE || part == SWITCHES;
  if (part == FOLLOWS || part == SWITCHES) {
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.freq = 0;
    attributes.sample_freq = 0; /* the same member as sample_period */
  }
  return attributes;
}

/* An event with the ring's buffer.  -1: there is none. */
static int open_beside(struct perf_event_attr *attributes, pid_t pid, const struct prof_perf_ring *ring) {
  int fd = (int)syscall(SYS_perf_event_open, attributes, pid, (int)ring->processor, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

/* hz: 0: SWITCHES.  on: from the start, else it is off at first. */
static int open_part(const struct prof_perf *perf, const struct prof_perf_wish *wish, uint32_t hz, bool on,
                     const struct prof_perf_ring *ring) {
  struct perf_event_attr attributes = attributes_of(hz > 0 ? SAMPLES : SWITCHES, hz, on && wish->on_exec, perf);
  attributes.disabled = !on || wish->on_exec;
  return open_beside(&attributes, wish->pid, ring);
}

/* Beside its limit for each processor an ordinary user has one for the process: it is shared among all processors. */
static uint64_t stack_pages(const struct prof_perf *perf) {
  struct rlimit locked;
  uint64_t pages = MOST_PAGES, processors = (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
  if (getrlimit(RLIMIT_MEMLOCK, &locked) != 0)
    return pages;
  uint64_t more = locked.rlim_cur / perf->page_bytes / processors;
  while (pages < STACK_PAGES && 2 * pages <= MOST_PAGES + more)
    pages *= 2;
  return pages;
}

/* Maps the largest buffer that the system allows. */
static bool map_ring(const struct prof_perf *perf, struct prof_perf_ring *ring) {
  uint64_t most = geteuid() == 0 ? ROOT_PAGES : perf->layout.stack_bytes > 0 ? stack_pages(perf) : MOST_PAGES;
  for (uint64_t pages = most; pages >= LEAST_PAGES; pages /= 2) {
    ring->data_bytes = pages * perf->page_bytes;
    ring->base = mmap(NULL, perf->page_bytes + ring->data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
    if (ring->base != MAP_FAILED)
      return true;
    if (errno != EPERM && errno != ENOMEM)
      return false;
  }
  return false;
}

static void close_ring(const struct prof_perf *perf, const struct prof_perf_ring *ring) {
  if (ring->base != MAP_FAILED)
    munmap(ring->base, perf->page_bytes + ring->data_bytes);
  if (ring->usual >= 0)
    close(ring->usual);
  if (ring->extra >= 0)
    close(ring->extra);
  if (ring->switches >= 0)
    close(ring->switches);
  close(ring->fd);
}

static void open_counters(struct prof_perf *perf, const struct prof_perf_wish *wish, const struct prof_perf_ring *ring,
                          pid_t pid, bool on_exec) {
  const struct prof_perf_place place = {pid, (int)ring->processor, ring->fd, wish->hz, on_exec, ring->processor == 0};
  prof_perf_counters_open(&perf->counters, &place);
}

/* Opens the events of one processor; true also without that processor. */
static bool open_ring(struct prof_perf *perf, const struct prof_perf_wish *wish, uint32_t processor) {
  struct perf_event_attr attributes = attributes_of(wish->apart ? FOLLOWS : WHOLE, wish->hz, wish->on_exec, perf);
  struct prof_perf_ring ring = {.processor = processor, .usual = -1, .extra = -1, .switches = -1, .base = MAP_FAILED};
  ring.fd = (int)syscall(SYS_perf_event_open, &attributes, wish->pid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
  if (ring.fd < 0)
    return errno == ENODEV && processor > 0;
  bool good = map_ring(perf, &ring);
  if (good && wish->apart)
    good = (ring.usual = open_part(perf, wish, wish->hz, true, &ring)) >= 0 &&
           (ring.switches = open_part(perf, wish, 0, true, &ring)) >= 0;
  if (good && perf->layout.extra_ns != 0)
    ring.extra = open_part(perf, wish, 1000000000u / perf->layout.extra_ns, false, &ring);
  if (good && ring.extra < 0)
    perf->layout.extra_ns = 0; /* all or none */
  if (good && prof_vec_push(&perf->rings, ring)) {
    open_counters(perf, wish, &ring, wish->pid, wish->on_exec);
    return true;
  }
  int error = errno;
  close_ring(perf, &ring);
  errno = error;
  return false;
}

/* Descriptors for each thread and processor may exceed the default limit. */
static void raise_limit(const struct prof_perf_wish *wish, size_t threads) {
  struct rlimit limit;
  rlim_t each = 4 + (wish->counters != NULL ? wish->counters->count : 0);
  rlim_t need = each * (rlim_t)threads * (rlim_t)sysconf(_SC_NPROCESSORS_CONF) + SPARE_DESCRIPTORS;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
    limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
  }
}

static void close_other(const struct prof_perf_other *other) {
  close(other->fd);
  if (other->usual >= 0)
    close(other->usual);
  if (other->extra >= 0)
    close(other->extra);
  if (other->switches >= 0)
    close(other->switches);
}

/* A thread that its process's first one didn't make from now on. */
static bool open_other(struct prof_perf *perf, const struct prof_perf_wish *wish, pid_t tid) {
  struct prof_perf_wish of_thread = *wish;
  struct perf_event_attr attributes = attributes_of(wish->apart ? FOLLOWS : WHOLE, wish->hz, false, perf);
  of_thread.pid = tid;
  for (size_t i = 0; i < perf->rings.count; i++) {
    const struct prof_perf_ring *ring = &perf->rings.items[i];
    struct prof_perf_other other = {
        .fd = open_beside(&attributes, tid, ring), .usual = -1, .extra = -1, .switches = -1};
    if (other.fd < 0)
      return errno == ESRCH; /* it has ended */
    if (wish->apart) {
      other.usual = open_part(perf, &of_thread, wish->hz, true, ring);
      other.switches = open_part(perf, &of_thread, 0, true, ring);
    }
    if (perf->layout.extra_ns != 0)
      other.extra = open_part(perf, &of_thread, 1000000000u / perf->layout.extra_ns, false, ring);
    if (!prof_vec_push(&perf->others, other)) {
      close_other(&other);
      return false;
    }
    open_counters(perf, wish, ring, tid, false);
  }
  return true;
}

/* All are listed first: those that they make meanwhile inherit their events. */
static bool open_others(struct prof_perf *perf, const struct prof_perf_wish *wish) {
  char path[64];
  PROF_VEC(pid_t) tids = {0};
  snprintf(path, sizeof path, "/proc/%ld/task", (long)wish->pid);
  DIR *folder = opendir(path);
  bool good = true;
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);
    if (tid > 0 && tid != wish->pid && !prof_vec_push(&tids, tid))
      good = false;
  }
  if (folder != NULL)
    closedir(folder);
  raise_limit(wish, tids.count + 1);
  for (size_t i = 0; i < tids.count && good; i++)
    good = open_other(perf, wish, tids.items[i]);
  prof_vec_fini(&tids);
  return good;
}

/* For EXTRA_TIMES the rate, at most EXTRA_MOST_HZ; rounded as in the kernel.  Stretches are short: so it is the most
 * there. */
static uint32_t extra_period_ns(const struct prof_perf_wish *wish) {
  uint32_t hz = wish->apart ? EXTRA_MOST_HZ : wish->hz * EXTRA_TIMES;
  hz = hz < EXTRA_MOST_HZ ? hz : EXTRA_MOST_HZ;
  return hz > wish->hz ? 1000000000u / hz : 0;
}

static bool open_all(struct prof_perf *perf, const struct prof_perf_wish *wish, bool kernel, uint32_t stack_bytes) {
  long processors = sysconf(_SC_NPROCESSORS_CONF);
  perf->kernel = kernel;
  perf->layout = (struct prof_perf_layout){
      .register_mask = stack_bytes > 0 ? PROF_PERF_STACK_REGISTERS : PROF_PERF_PLACE_REGISTER,
      .stack_bytes = stack_bytes,
      .extra_ns = wish->extra || wish->apart ? extra_period_ns(wish) : 0,
      .identified = wish->counters != NULL,
  };
  perf->counters.set = wish->counters;
  for (long i = 0; i < (processors > 0 ? processors : 1); i++)
    if (!open_ring(perf, wish, (uint32_t)i)) {
      int error = errno;
      prof_perf_close(perf);
      errno = error;
      return false;
    }
  return true;
}

static int paranoid(void) {
  int level = -1;
  FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
  if (file != NULL) {
    if (fscanf(file, "%d", &level) != 1)
      level = -1;
    fclose(file);
  }
  return level;
}

static bool open_with_stacks(struct prof_perf *perf, const struct prof_perf_wish *wish) {
  errno = ENOSYS;
  if (PROF_PERF_STACK_REGISTERS != 0 &&
      (open_all(perf, wish, true, wish->stack_bytes) || open_all(perf, wish, false, wish->stack_bytes)))
    return true;
  snprintf(perf->no_stacks, sizeof perf->no_stacks, "the kernel refuses samples with stacks: %s", strerror(errno));
  return false;
}

static bool open_threads(struct prof_perf *perf, const struct prof_perf_wish *wish) {
  if (!wish->threads || open_others(perf, wish)) {
    prof_perf_counters_sort(&perf->counters);
    perf->layout.counters = perf->counters.events.items;
    perf->layout.counter_count = perf->counters.events.count;
    return true;
  }
  int error = errno;
  prof_perf_close(perf);
  errno = error;
  return false;
}

bool prof_perf_open(struct prof_perf *perf, const struct prof_perf_wish *wish, char reason[128]) {
  *perf = (struct prof_perf){.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE)};
  reason[0] = 0;
  raise_limit(wish, 1);
  if (wish->stack_bytes > 0 && open_with_stacks(perf, wish) && open_threads(perf, wish))
    return true;
  if ((open_all(perf, wish, true, 0) || open_all(perf, wish, false, 0)) && open_threads(perf, wish))
    return true;
  int error = errno;
  perf->layout.extra_ns = 0;
  if ((error == EACCES || error == EPERM) && paranoid() > 2)
    snprintf(reason, 128, "perf_event_open is refused: kernel.perf_event_paranoid is %d, 2 or less allows it",
             paranoid());
  else
    snprintf(reason, 128, "perf_event_open is refused: %s", strerror(error));
  return false;
}

void prof_perf_close(struct prof_perf *perf) {
  for (size_t i = 0; i < perf->rings.count; i++)
    close_ring(perf, &perf->rings.items[i]);
  prof_vec_fini(&perf->rings);
  for (size_t i = 0; i < perf->others.count; i++)
    close_other(&perf->others.items[i]);
  prof_vec_fini(&perf->others);
  prof_perf_counters_close(&perf->counters);
  perf->layout.counter_count = 0;
}

static void turn(int fd, bool on) {
  if (fd >= 0)
    (void)ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void prof_perf_extra(struct prof_perf *perf, bool on) {
  for (size_t i = 0; i < perf->rings.count; i++)
    turn(perf->rings.items[i].extra, on);
  for (size_t i = 0; i < perf->others.count; i++)
    turn(perf->others.items[i].extra, on);
}

void prof_perf_usual(struct prof_perf *perf, bool on) {
  for (size_t i = 0; i < perf->rings.count; i++)
    turn(perf->rings.items[i].usual, on);
  for (size_t i = 0; i < perf->others.count; i++)
    turn(perf->others.items[i].usual, on);
}

void prof_perf_switches(struct prof_perf *perf, bool on) {
  for (size_t i = 0; i < perf->rings.count; i++)
    turn(perf->rings.items[i].switches, on);
  for (size_t i = 0; i < perf->others.count; i++)
    turn(perf->others.items[i].switches, on);
}

/* ---- records ---- */

/* Copies `bytes` at `at` of the ring, across its end if needed. */
static void copy_out(const uint8_t *data, uint64_t data_bytes, uint64_t at, void *to, uint64_t bytes) {
  uint64_t begin = at % data_bytes, first = data_bytes - begin < bytes ? data_bytes - begin : bytes;
  memcpy(to, data + begin, first);
  memcpy((uint8_t *)to + first, data, bytes - first);
}

static void drain_ring(struct prof_perf *perf, const struct prof_perf_ring *ring,
                       void (*take)(void *, const struct prof_perf_record *), void *context) {
  struct perf_event_mmap_page *page = ring->base;
  const uint8_t *data = (const uint8_t *)ring->base + perf->page_bytes;
  _Alignas(8) uint8_t bytes[PROF_PERF_RECORD_BYTES];
  struct prof_unwind_sample stack;
  uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
  while (head - tail >= sizeof(struct perf_event_header)) {
    struct perf_event_header header;
    copy_out(data, ring->data_bytes, tail, &header, sizeof header);
    if (header.size < sizeof header || header.size > head - tail)
      break; /* the kernel doesn't do that */
    struct prof_perf_record record = {.processor = ring->processor + 1, .path = ""};
    uint32_t body = header.size - (uint32_t)sizeof header;
    copy_out(data, ring->data_bytes, tail + sizeof header, bytes, body);
    if (prof_perf_decode(&perf->layout, &header, bytes, body, &stack, &record))
      take(context, &record);
    tail += header.size;
  }
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

uint64_t prof_perf_waiting(const struct prof_perf *perf) {
  uint64_t records = 0;
  for (size_t i = 0; i < perf->rings.count; i++) {
    const struct prof_perf_ring *ring = &perf->rings.items[i];
    const struct perf_event_mmap_page *page = ring->base;
    const uint8_t *data = (const uint8_t *)ring->base + perf->page_bytes;
    struct perf_event_header header;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    for (uint64_t at = page->data_tail; head - at >= sizeof header; at += header.size) {
      copy_out(data, ring->data_bytes, at, &header, sizeof header);
      if (header.size < sizeof header || header.size > head - at)
        break;
      records++;
    }
  }
  return records;
}

void prof_perf_drain(struct prof_perf *perf, void (*take)(void *, const struct prof_perf_record *), void *context) {
  for (size_t i = 0; i < perf->rings.count; i++)
    drain_ring(perf, &perf->rings.items[i], take, context);
}
