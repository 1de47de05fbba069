/*
 * tools/record/out_folder.c - see out_folder.h.
 *
 * All changes happen under a lock of the parent folder.  Where locks don't work (some network file systems), mkdir
 * still lets only one of two processes succeed.
 */
#include "record/out_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "hint_file.h"
#include "trace/part_names.h"

#define TRACE_FILE "trace"
#define JOB_FILE "job"
#define RANK_PREFIX "rank-"

static bool is_rank_name(const char *name) {
  size_t prefix = strlen(RANK_PREFIX);
  return strncmp(name, RANK_PREFIX, prefix) == 0 && name[prefix] != 0 &&
         strspn(name + prefix, "0123456789") == strlen(name + prefix);
}

enum level { IN_PART, IN_RANK, AT_TOP }; /* where a name stands */

/* Names that a recording may contain; *inside: of a folder, where what is in it stands. */
static bool is_known_name(const char *name, enum level level, enum level *inside, bool *is_folder) {
  *is_folder = false;
  if (strcmp(name, TRACE_FILE) == 0 || strcmp(name, PROF_NEXT_FILE) == 0 || strcmp(name, PROF_HINTS_FILE) == 0 ||
      (level == AT_TOP && strcmp(name, JOB_FILE) == 0))
    return true;
  *is_folder = true;
  *inside = is_rank_name(name) ? IN_RANK : IN_PART;
  return (level == AT_TOP && is_rank_name(name)) || (level != IN_PART && prof_part_number(name) > 0);
}

/* Calls visit for each name in a folder except "." and ".."; false: it can't be read, or visit returned false. */
static bool each(int parent, const char *name, bool (*visit)(int folder, const char *name, enum level),
                 enum level level) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  if (folder == NULL) {
    if (fd >= 0)
      close(fd);
    return false;
  }
  bool good = true;
  for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      good = visit(dirfd(folder), entry->d_name, level);
  closedir(folder);
  return good;
}

static bool may_be_deleted(int folder, const char *name, enum level level) {
  enum level inside;
  bool is_folder;
  return is_known_name(name, level, &inside, &is_folder) && (!is_folder || each(folder, name, may_be_deleted, inside));
}

static bool delete_one(int folder, const char *name, enum level level) {
  enum level inside;
  bool is_folder;
  if (is_known_name(name, level, &inside, &is_folder) && is_folder)
    return each(folder, name, delete_one, inside) && unlinkat(folder, name, AT_REMOVEDIR) == 0;
  return unlinkat(folder, name, 0) == 0;
}

static prof_status not_ours(const char *name, struct prof_diag *diag) {
  return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "choose another folder with -o, or move that one away",
                        "is there and holds something else than a recording");
}

static prof_status delete_recording(const char *name, struct prof_diag *diag) {
  struct stat status;
  if (lstat(name, &status) != 0)
    return PROF_OK;
  if (!S_ISDIR(status.st_mode) || !each(AT_FDCWD, name, may_be_deleted, AT_TOP))
    return not_ours(name, diag);
  if (!each(AT_FDCWD, name, delete_one, AT_TOP) || rmdir(name) != 0)
    return prof_diag_system(diag, errno, name, "cannot delete the older recording", "delete it, or choose another -o");
  return PROF_OK;
}

/* Renames name to name.old, if it exists; an empty folder is reused. */
static prof_status move_aside(const char *name, struct prof_diag *diag) {
  struct stat status;
  char old[PATH_MAX];
  if (lstat(name, &status) != 0 || rmdir(name) == 0)
    return PROF_OK;
  if (!S_ISDIR(status.st_mode) || !each(AT_FDCWD, name, may_be_deleted, AT_TOP))
    return not_ours(name, diag);
  if (snprintf(old, sizeof old, "%s.old", name) >= (int)sizeof old)
    return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "choose a shorter -o", "too long a name");
  prof_status result = delete_recording(old, diag);
  if (result == PROF_OK && rename(name, old) != 0)
    result = prof_diag_system(diag, errno, name, "cannot move the older recording aside", "choose another -o");
  return result;
}

static prof_status make(const char *name, struct prof_diag *diag) {
  if (mkdir(name, 0700) == 0)
    return PROF_OK;
  return prof_diag_system(diag, errno, name, "cannot make the folder for the recording",
                          "choose a folder that you may write to with -o");
}

static bool belongs_to(const char *name, const char *job) {
  char path[PATH_MAX + sizeof JOB_FILE], found[PROF_RANK_JOB_BYTES];
  snprintf(path, sizeof path, "%s/" JOB_FILE, name);
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  ssize_t bytes = fd >= 0 ? read(fd, found, sizeof found) : -1;
  if (fd >= 0)
    close(fd);
  return bytes >= 0 && (size_t)bytes == strlen(job) && memcmp(found, job, (size_t)bytes) == 0;
}

static prof_status write_job(const char *name, const char *job, struct prof_diag *diag) {
  char path[PATH_MAX + sizeof JOB_FILE];
  snprintf(path, sizeof path, "%s/" JOB_FILE, name);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  bool good = fd >= 0 && write(fd, job, strlen(job)) == (ssize_t)strlen(job);
  int error = errno;
  if (fd >= 0)
    close(fd);
  return good ? PROF_OK : prof_diag_system(diag, error, path, "cannot write", "choose another -o");
}

/* The first rank of a job moves the older recording aside.  An existing folder of this rank means: a rank that records
 * twice, if the job's name is certain; else another job. */
static prof_status open_rank(const char *name, const struct prof_rank *rank, struct prof_diag *diag,
                             char out[PATH_MAX]) {
  prof_status status = PROF_OK;
  struct stat there;
  snprintf(out, PATH_MAX, "%.*s/" RANK_PREFIX "%u", PATH_MAX - 32, name, rank->number);
  if (!belongs_to(name, rank->job) || (!rank->certain && lstat(out, &there) == 0)) {
    status = move_aside(name, diag);
    if (status == PROF_OK)
      status = make(name, diag);
    if (status == PROF_OK)
      status = write_job(name, rank->job, diag);
  }
  if (status == PROF_OK)
    status = delete_recording(out, diag);
  return status == PROF_OK ? make(out, diag) : status;
}

/* Locks the folder of `name`; the caller closes *lock. */
static prof_status lock_parent(const char *name, int *lock, struct prof_diag *diag) {
  char parent[PATH_MAX];
  const char *slash = strrchr(name, '/');
  snprintf(parent, sizeof parent, "%.*s",
           slash == NULL   ? 1
           : slash == name ? 1
                           : (int)(slash - name),
           slash == NULL ? "." : name);
  *lock = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*lock < 0)
    return prof_diag_system(diag, errno, parent, "cannot use the folder for the recording",
                            "choose a folder that is there with -o");
  while (flock(*lock, LOCK_EX) != 0 && errno == EINTR)
    ;
  return PROF_OK;
}

/* Can the older recording be moved aside, as far as can be checked now?  *there: there is one. */
static prof_status check_aside(const char *name, struct prof_diag *diag, bool *there) {
  struct stat status;
  char old[PATH_MAX];
  *there = lstat(name, &status) == 0 && rmdir(name) != 0;
  if (!*there)
    return PROF_OK;
  if (!S_ISDIR(status.st_mode) || !each(AT_FDCWD, name, may_be_deleted, AT_TOP))
    return not_ours(name, diag);
  if (snprintf(old, sizeof old, "%s.old", name) >= (int)sizeof old)
    return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "choose a shorter -o", "too long a name");
  if (lstat(old, &status) == 0 && (!S_ISDIR(status.st_mode) || !each(AT_FDCWD, old, may_be_deleted, AT_TOP)))
    return not_ours(old, diag);
  return PROF_OK;
}

static prof_status open_alone(const char *name, struct prof_diag *diag, struct prof_out_folder *out) {
  bool there;
  prof_status status = check_aside(name, diag, &there);
  if (status != PROF_OK)
    return status;
  snprintf(out->path, sizeof out->path, "%s", name);
  if (there) {
    snprintf(out->target, sizeof out->target, "%s", name);
    snprintf(out->path, sizeof out->path, "%.*s.new-%ld", PATH_MAX - 32, name, (long)getpid());
    status = delete_recording(out->path, diag); /* of an earlier process with that number */
  }
  return status == PROF_OK ? make(out->path, diag) : status;
}

prof_status prof_out_folder_open(const char *name, const struct prof_rank *rank, struct prof_diag *diag,
                                 struct prof_out_folder *out) {
  char folder[PATH_MAX];
  size_t length = strlen(name);
  *out = (struct prof_out_folder){.path = ""};
  while (length > 1 && name[length - 1] == '/')
    length--;
  if (length == 0 || length > PATH_MAX - 64)
    return prof_diag_fill(diag, PROF_USAGE, name, PROF_NO_OFFSET, "give -o the name of a folder",
                          "no name for a recording");
  snprintf(folder, sizeof folder, "%.*s", (int)length, name);
  int lock;
  prof_status status = lock_parent(folder, &lock, diag);
  if (status != PROF_OK)
    return status;
  status = rank->there ? open_rank(folder, rank, diag, out->path) : open_alone(folder, diag, out);
  close(lock);
  return status;
}

prof_status prof_out_folder_settle(struct prof_out_folder *folder, struct prof_diag *diag) {
  if (folder->target[0] == 0)
    return PROF_OK;
  char target[PATH_MAX];
  memcpy(target, folder->target, sizeof target);
  folder->target[0] = 0;
  int lock;
  prof_status status = lock_parent(target, &lock, diag);
  if (status != PROF_OK)
    return status;
  status = move_aside(target, diag);
  if (status == PROF_OK && rename(folder->path, target) != 0)
    status = prof_diag_system(diag, errno, target, "cannot give the recording its name", "choose another -o");
  close(lock);
  if (status == PROF_OK)
    memcpy(folder->path, target, sizeof target);
  return status;
}

void prof_out_folder_undo(const char *folder) {
  if (each(AT_FDCWD, folder, may_be_deleted, AT_TOP) && each(AT_FDCWD, folder, delete_one, AT_TOP))
    rmdir(folder);
}
