/*
 * control_map.c - maps the shared region.
 *
 * In: its path ($PROF_RING).  Out: prof_runtime's pointers into it, checked against the size of the file, so that no
 * offset in the header leaves the mapping.  No descriptor stays open.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control_map.h"
#include "counters.h"
#include "say.h"
#include "system.h"
#include "windows.h"

static bool inside(uint64_t offset, uint64_t bytes, uint64_t total) {
  return offset % 8 == 0 && offset <= total && bytes <= total - offset;
}

static bool counters_are_sound(const struct prof_control *c, uint64_t file_bytes) {
  return c->counters_offset % PROF_PAGE_BYTES == 0 && c->counters_bytes != 0 &&
         c->counters_bytes % PROF_PAGE_BYTES == 0 && c->counters_bytes <= file_bytes &&
         inside(c->counters_offset, (c->thread_count + 1ull) * c->counters_bytes, file_bytes);
}

/* NULL: valid; else the fault. */
static const char *header_fault(const struct prof_control *c, uint64_t file_bytes) {
  if (file_bytes < sizeof *c || __atomic_load_n(&c->magic, __ATOMIC_ACQUIRE) != PROF_CONTROL_MAGIC)
    return "PROF_RING doesn't name a recording region; start the program with `prof record`";
  if (c->version != PROF_REGION_VERSION || c->header_bytes != sizeof *c)
    return "the runtime and `prof record` are of different versions; install both from one release";
  bool power = c->segment_bytes && !(c->segment_bytes & (c->segment_bytes - 1));
  if (c->region_bytes > file_bytes || !power || c->segment_bytes < 4096 || c->segment_bytes > 1u << 26 ||
      !inside(c->threads_offset, (uint64_t)c->thread_count * sizeof(struct prof_thread), c->region_bytes) ||
      !inside(c->log_offset, c->log_bytes, c->region_bytes) || c->segments_offset % 64 ||
      !inside(c->segments_offset, (uint64_t)c->segment_count * c->segment_bytes, c->region_bytes) ||
      (c->reads_offset &&
       !inside(c->reads_offset, PROF_READ_SLOTS * sizeof(struct prof_read_slot), c->segments_offset)) ||
      c->texts_offset % PROF_PAGE_BYTES || (c->texts_offset && !inside(c->texts_offset, c->texts_bytes, file_bytes)) ||
      (c->counters_offset && !counters_are_sound(c, file_bytes)))
    return "the recording region is damaged; start the program again with `prof record`";
  return NULL;
}

static bool recorder_is_visible(const struct prof_control *control) {
  struct stat own;
  return control->pid_namespace != 0 && stat("/proc/self/ns/pid", &own) == 0 && own.st_ino == control->pid_namespace;
}

/* The recorder isn't to be found in /proc.  Mostly it has ended, and what its program left behind doesn't care. */
static void say_absent(const char *path) {
  if (access("/proc/self", F_OK) != 0)
    prof_say("/proc isn't mounted here, so the recording region can't be opened; nothing is recorded", NULL);
  else if (getppid() == 0)
    prof_say("nothing is recorded: `prof record` runs in another pid namespace (a container?); start it here", path);
}

static const char *refusal(int error) {
  return error == EACCES || error == EPERM
             ? "nothing is recorded: no permission for the recording region; run `prof record` as this user"
             : "the recording region can't be opened, nothing is recorded; is `prof record` still running?";
}

bool prof_control_open(const char *path) {
  /* The number of the process or descriptor may be in use again: a device or FIFO there must not block. */
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (fd < 0 && errno == ENOENT && strncmp(path, "/proc/", 6) == 0) {
    say_absent(path);
    return false;
  }
  if (fd < 0 || fstat(fd, &status) != 0) {
    prof_say(refusal(errno), path);
    if (fd >= 0)
      close(fd);
    return false;
  }
  struct prof_control head = {.magic = 0};
  size_t bytes = S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  (void)!pread(fd, &head, sizeof head, 0); /* an unread header is no region's */
  const char *fault = header_fault(&head, bytes);
  char *map = fault ? NULL : prof_windows_open(fd, &head);
  prof_runtime.thread_count = head.thread_count;
  if (map)
    prof_counters_open(fd, &head);
  close(fd);
  if (!map) {
    prof_say(fault ? fault
                   : "nothing is recorded: the recording region can't be mapped; limited address space (ulimit -v)?",
             fault ? NULL : "out of memory");
    return false;
  }
  struct prof_control *control = (struct prof_control *)map;
  prof_runtime.threads = (struct prof_thread *)(map + head.threads_offset);
  prof_runtime.log = map + head.log_offset;
  prof_runtime.reads = head.reads_offset ? (struct prof_read_slot *)(map + head.reads_offset) : NULL;
  prof_runtime.slot_bytes = prof_segment_slots(head.segment_bytes) * (uint32_t)sizeof(struct prof_event);
  prof_runtime.recorder_visible = recorder_is_visible(control);
  if (head.texts_offset && strlen(path) < sizeof prof_runtime.region_path)
    strcpy(prof_runtime.region_path, path);
  prof_runtime.control = control;
  return true;
}

void prof_control_answer(const char *path, uint32_t answer) {
  long fd = prof_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0, 0, 0);
  struct prof_control head = {.magic = 0};
  struct stat status;
  if (fd < 0)
    return;
  if (fstat((int)fd, &status) == 0 && S_ISREG(status.st_mode) && pread((int)fd, &head, sizeof head, 0) >= 0 &&
      !header_fault(&head, (uint64_t)status.st_size)) {
    long got = prof_syscall(SYS_mmap, 0, PROF_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!prof_syscall_failed(got)) {
      __atomic_store_n(&((struct prof_control *)got)->answer, answer, __ATOMIC_RELEASE);
      prof_syscall(SYS_munmap, got, PROF_PAGE_BYTES, 0, 0, 0, 0);
    }
  }
  prof_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}
