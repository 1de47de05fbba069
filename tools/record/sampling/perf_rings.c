/*
 * tools/record/sampling/perf_rings.c - see perf_rings.h.
 */
#include "record/sampling/perf_rings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
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
#define LEAST_PAGES 2u
#define RECORD_BYTES 8192 /* a record's length has 16 bits, our kinds are far smaller */
#define SPARE_DESCRIPTORS 64
#define EXTRA_TIMES 8 /* factor of the other samples' rate */
#define EXTRA_MOST_HZ 8000u

/* The program's address when it entered the kernel; a mask of one register. */
#if defined(__x86_64__)
#include <asm/perf_regs.h>
#define USER_PLACE_TYPE PERF_SAMPLE_REGS_USER
#define USER_PLACE_REGISTER (1ull << PERF_REG_X86_IP)
#else
#define USER_PLACE_TYPE 0
#define USER_PLACE_REGISTER 0
#endif

static void fill_attributes(struct perf_event_attr *attributes, uint32_t hz, bool on_exec, bool kernel) {
  *attributes = (struct perf_event_attr){
      .type = PERF_TYPE_SOFTWARE,
      .size = sizeof *attributes,
      .config = PERF_COUNT_SW_CPU_CLOCK, /* a timer that runs only with the thread: its period is exact */
      .freq = 1,
      .sample_freq = hz,
      .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | USER_PLACE_TYPE,
      .sample_regs_user = USER_PLACE_REGISTER,
      .sample_id_all = 1,
      .use_clockid = 1,
      .clockid = CLOCK_MONOTONIC_RAW,
      .exclude_kernel = !kernel,
      .exclude_hv = 1,
      .inherit = 1,
      .disabled = on_exec,
      .enable_on_exec = on_exec,
      .mmap = 1,
      .mmap2 = 1,
      .comm = 1,
      .comm_exec = 1,
      .task = 1,
      .context_switch = 1,
      .watermark = 1,
      .wakeup_watermark = ROOT_PAGES * 4096, /* no thread waits for it */
  };
}

/* Opens the extra sampler: off at first, with the same buffer.  On failure there is none. */
static void open_extra(struct prof_perf *perf, pid_t pid, uint32_t hz, struct prof_perf_ring *ring) {
  struct perf_event_attr attributes;
  fill_attributes(&attributes, hz, false, perf->kernel);
  attributes.disabled = 1;
  attributes.mmap = attributes.mmap2 = attributes.comm = attributes.comm_exec = 0;
  attributes.task = attributes.context_switch = 0;
  ring->extra = (int)syscall(SYS_perf_event_open, &attributes, pid, (int)ring->processor, -1, PERF_FLAG_FD_CLOEXEC);
  if (ring->extra >= 0 && ioctl(ring->extra, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0) {
    close(ring->extra);
    ring->extra = -1;
  }
}

/* Maps the largest buffer that the system allows. */
static bool map_ring(const struct prof_perf *perf, struct prof_perf_ring *ring) {
  for (uint64_t pages = geteuid() == 0 ? ROOT_PAGES : MOST_PAGES; pages >= LEAST_PAGES; pages /= 2) {
    ring->data_bytes = pages * perf->page_bytes;
    ring->base = mmap(NULL, perf->page_bytes + ring->data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
    if (ring->base != MAP_FAILED)
      return true;
    if (errno != EPERM && errno != ENOMEM)
      return false;
  }
  return false;
}

/* Opens an event of one processor; true also without that processor. */
static bool open_ring(struct prof_perf *perf, const struct prof_perf_wish *wish, uint32_t processor) {
  struct perf_event_attr attributes;
  fill_attributes(&attributes, wish->hz, wish->on_exec, perf->kernel);
  struct prof_perf_ring ring = {.processor = processor, .extra = -1};
  ring.fd = (int)syscall(SYS_perf_event_open, &attributes, wish->pid, (int)processor, -1, PERF_FLAG_FD_CLOEXEC);
  if (ring.fd < 0)
    return errno == ENODEV && processor > 0;
  bool mapped = map_ring(perf, &ring);
  if (mapped && perf->extra_ns != 0)
    open_extra(perf, wish->pid, 1000000000u / perf->extra_ns, &ring);
  if (mapped && ring.extra < 0)
    perf->extra_ns = 0; /* all or none */
  if (mapped && prof_vec_push(&perf->rings, ring))
    return true;
  int error = errno;
  if (ring.extra >= 0)
    close(ring.extra);
  close(ring.fd);
  errno = error;
  return false;
}

/* For EXTRA_TIMES the rate, at most EXTRA_MOST_HZ; rounded as in the kernel. */
static uint32_t extra_period_ns(uint32_t hz) {
  uint32_t extra_hz = hz * EXTRA_TIMES < EXTRA_MOST_HZ ? hz * EXTRA_TIMES : EXTRA_MOST_HZ;
  return extra_hz > hz ? 1000000000u / extra_hz : 0;
}

static bool open_all(struct prof_perf *perf, const struct prof_perf_wish *wish, bool kernel) {
  long processors = sysconf(_SC_NPROCESSORS_CONF);
  perf->kernel = kernel;
  perf->extra_ns = wish->extra ? extra_period_ns(wish->hz) : 0;
  for (long i = 0; i < (processors > 0 ? processors : 1); i++)
    if (!open_ring(perf, wish, (uint32_t)i)) {
      int error = errno;
      prof_perf_close(perf);
      errno = error;
      return false;
    }
  return true;
}

/* A descriptor per processor may exceed the default limit. */
static void raise_limit(void) {
  struct rlimit limit;
  rlim_t need = 2 * (rlim_t)sysconf(_SC_NPROCESSORS_CONF) + SPARE_DESCRIPTORS;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
    limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
  }
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

bool prof_perf_open(struct prof_perf *perf, const struct prof_perf_wish *wish, char reason[128]) {
  *perf = (struct prof_perf){.page_bytes = (uint64_t)sysconf(_SC_PAGESIZE)};
  reason[0] = 0;
  raise_limit();
  if (open_all(perf, wish, true) || open_all(perf, wish, false))
    return true;
  int error = errno;
  perf->extra_ns = 0;
  if ((error == EACCES || error == EPERM) && paranoid() > 2)
    snprintf(reason, 128, "perf_event_open is refused: kernel.perf_event_paranoid is %d, 2 or less allows it",
             paranoid());
  else
    snprintf(reason, 128, "perf_event_open is refused: %s", strerror(error));
  return false;
}

void prof_perf_close(struct prof_perf *perf) {
  for (size_t i = 0; i < perf->rings.count; i++) {
    munmap(perf->rings.items[i].base, perf->page_bytes + perf->rings.items[i].data_bytes);
    if (perf->rings.items[i].extra >= 0)
      close(perf->rings.items[i].extra);
    close(perf->rings.items[i].fd);
  }
  prof_vec_fini(&perf->rings);
}

void prof_perf_extra(struct prof_perf *perf, bool on) {
  for (size_t i = 0; i < perf->rings.count; i++)
    if (perf->rings.items[i].extra >= 0)
      (void)ioctl(perf->rings.items[i].extra, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* ---- records ---- */

struct sample_id { /* the end of each record except samples */
  uint32_t pid, tid;
  uint64_t time;
};
struct task { /* FORK, EXIT */
  uint32_t pid, ppid, tid, ptid;
};
struct map { /* MMAP2 */
  uint32_t pid, tid;
  uint64_t address, bytes, offset;
  uint32_t major, minor;
  uint64_t inode, generation;
  uint32_t protection, flags;
};
struct name { /* COMM: the name with its NUL, padded to a multiple of 8 */
  uint32_t pid, tid;
  char text[16];
};
struct sample {
  uint64_t address;
  uint32_t pid, tid;
  uint64_t time, period;
  uint64_t register_width, user_address; /* absent where no register is requested; width 0: none */
};
#define SAMPLE_LEAST offsetof(struct sample, register_width)

union body {
  struct sample sample;
  struct task task;
  struct map map;
  struct name name;
  struct {
    uint64_t id, count;
  } lost;
};

/* Converts the known kinds of records; false: not a record to hand on. */
static bool decode(struct prof_perf *perf, const struct perf_event_header *head, const uint8_t *body, uint32_t bytes,
                   struct prof_perf_record *out) {
  union body fields = {0};
  struct sample_id id = {0};
  memcpy(&fields, body, bytes < sizeof fields ? bytes : sizeof fields);
  if (bytes >= sizeof id)
    memcpy(&id, body + bytes - sizeof id, sizeof id);
  out->pid = id.pid;
  out->tid = id.tid;
  out->time_ns = id.time;
  switch (head->type) {
  case PERF_RECORD_SAMPLE:
    out->kind = PROF_PERF_SAMPLE;
    out->pid = fields.sample.pid;
    out->tid = fields.sample.tid;
    out->time_ns = fields.sample.time;
    out->address = fields.sample.address;
    out->flags = (head->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL ? PROF_SAMPLE_KERNEL : 0;
    if (perf->extra_ns != 0 && fields.sample.period == perf->extra_ns)
      out->flags |= PROF_SAMPLE_EXTRA;
    if (out->flags & PROF_SAMPLE_KERNEL)
      out->address =
          bytes >= sizeof fields.sample && fields.sample.register_width != 0 ? fields.sample.user_address : 0;
    return bytes >= SAMPLE_LEAST;
  case PERF_RECORD_SWITCH:
    out->kind = PROF_PERF_SWITCH;
    out->flags = !(head->misc & PERF_RECORD_MISC_SWITCH_OUT)        ? PROF_SWITCH_ON
                 : head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? PROF_SWITCH_PREEMPTED
                                                                    : PROF_SWITCH_WAITS;
    return bytes >= sizeof id;
  case PERF_RECORD_MMAP2:
    out->kind = PROF_PERF_MAP;
    out->address = fields.map.address;
    out->bytes = fields.map.bytes;
    out->offset = fields.map.offset;
    out->path = (const char *)body + sizeof fields.map; /* ends in NUL before the id */
    return bytes > sizeof fields.map + sizeof id && memchr(out->path, 0, bytes - sizeof fields.map) != NULL;
  case PERF_RECORD_COMM:
    out->kind = head->misc & PERF_RECORD_MISC_COMM_EXEC ? PROF_PERF_EXEC : PROF_PERF_NAME;
    out->pid = fields.name.pid; /* another thread may set this one's name */
    out->tid = fields.name.tid;
    memcpy(out->name, fields.name.text, sizeof out->name);
    out->name[sizeof out->name - 1] = 0;
    return bytes >= offsetof(struct name, text) + sizeof id;
  case PERF_RECORD_FORK:
  case PERF_RECORD_EXIT:
    out->kind = head->type == PERF_RECORD_FORK ? PROF_PERF_FORK : PROF_PERF_EXIT;
    out->pid = fields.task.pid;
    out->tid = fields.task.tid;
    return bytes >= sizeof fields.task + sizeof id;
  case PERF_RECORD_LOST:
    perf->lost += fields.lost.count;
    return false;
  case PERF_RECORD_THROTTLE:
    perf->throttled++;
    return false;
  default:
    return false;
  }
}

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
  _Alignas(8) uint8_t bytes[RECORD_BYTES];
  uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
  while (head - tail >= sizeof(struct perf_event_header)) {
    struct perf_event_header header;
    copy_out(data, ring->data_bytes, tail, &header, sizeof header);
    if (header.size < sizeof header || header.size > head - tail)
      break; /* the kernel doesn't do that */
    struct prof_perf_record record = {.processor = ring->processor + 1, .path = ""};
    uint32_t body = header.size - (uint32_t)sizeof header;
    if (body <= sizeof bytes) {
      copy_out(data, ring->data_bytes, tail + sizeof header, bytes, body);
      if (decode(perf, &header, bytes, body, &record))
        take(context, &record);
    }
    tail += header.size;
  }
  __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

uint64_t prof_perf_waiting_bytes(const struct prof_perf *perf) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < perf->rings.count; i++) {
    const struct perf_event_mmap_page *page = perf->rings.items[i].base;
    bytes += __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) - page->data_tail;
  }
  return bytes;
}

void prof_perf_drain(struct prof_perf *perf, void (*take)(void *, const struct prof_perf_record *), void *context) {
  for (size_t i = 0; i < perf->rings.count; i++)
    drain_ring(perf, &perf->rings.items[i], take, context);
}
