/*
 * tools/record/control/control_client.c - see control_client.h.
 */
#include "record/control/control_client.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/diag.h"
#include "record/process_text.h"

#define SOCKETS "/proc/net/unix"
#define LOOKS 2
static const struct timeval patience = {.tv_sec = 5};
#define ROUNDS 12 /* of patience, if the recorder is not stopped: a busy machine lets it answer so soon */
#define TRIES 3
#define GONE "it ended meanwhile; prof report shows what was recorded"

static void find_name(struct prof_control_found *found) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%ld/comm", (long)found->program);
  FILE *file = fopen(path, "re");
  if (file != NULL && fgets(found->name, sizeof found->name, file) != NULL)
    found->name[strcspn(found->name, "\n")] = 0;
  if (file != NULL)
    fclose(file);
}

/* A socket that listens has a line of its own; those of its clients have the same name. */
static bool is_known(const struct prof_control_list *list, pid_t recorder) {
  bool known = false;
  for (size_t i = 0; i < list->items.count; i++)
    known |= list->items.items[i].recorder == recorder;
  return known;
}

static prof_status find_once(struct prof_control_list *list, struct prof_diag *diag) {
  FILE *file = fopen(SOCKETS, "re");
  char *line = NULL;
  size_t size = 0;
  prof_status status = PROF_OK;
  if (file == NULL)
    return prof_diag_system(diag, errno, SOCKETS, "cannot look for recordings", NULL);
  while (status == PROF_OK && getline(&line, &size, file) > 0) {
    const char *name = strstr(line, "@prof-control-");
    long program, recorder;
    if (name == NULL || sscanf(name, "@" PROF_CONTROL_NAME, &program, &recorder) != 2)
      continue;
    struct prof_control_found found = {.program = (pid_t)program, .recorder = (pid_t)recorder};
    if (is_known(list, found.recorder) || (kill(found.recorder, 0) != 0 && errno == ESRCH))
      continue;
    find_name(&found);
    if (!prof_vec_push(&list->items, found))
      status = prof_diag_memory(diag);
  }
  free(line);
  fclose(file);
  return status;
}

/* While sockets come and go, the kernel may leave out one that is there: not twice. */
prof_status prof_control_find(struct prof_control_list *list, struct prof_diag *diag) {
  prof_status status = PROF_OK;
  for (int i = 0; i < LOOKS && status == PROF_OK; i++)
    status = find_once(list, diag);
  return status;
}

/* 'X': it is gone. */
static char state_of(pid_t recorder) {
  char text[4096];
  size_t bytes = prof_process_text(recorder, "status", text, sizeof text);
  return bytes > 0 ? *prof_process_line(text, "\nState:") : 'X';
}

/* It lives, and nobody has stopped it. */
static bool may_answer(pid_t recorder) {
  char state = state_of(recorder);
  return state == 'R' || state == 'S' || state == 'D';
}

bool prof_control_is_stopped(const struct prof_control_found *found) {
  char state = state_of(found->recorder);
  return state == 'T' || state == 't';
}

/* Reads up to the end of the line; false: it ended before, or is stopped.  `rounds` of patience; 0: while it may
 * answer. */
static bool read_line(int fd, pid_t recorder, int rounds, char *text, size_t text_bytes) {
  size_t used = 0;
  for (int round = 1; used + 1 < text_bytes; round++) {
    ssize_t got = recv(fd, text + used, text_bytes - used - 1, 0);
    if (got < 0 && errno == EAGAIN && (rounds == 0 || round < rounds) && may_answer(recorder))
      continue;
    if (got <= 0)
      break;
    used += (size_t)got;
    text[used] = 0;
    if (strchr(text, '\n') != NULL)
      break;
  }
  text[used] = 0;
  char *end = strchr(text, '\n');
  if (end != NULL)
    *end = 0;
  return end != NULL && strlen(text) > 3;
}

static prof_status is_stopped(const struct prof_control_found *found, struct prof_diag *diag) {
  char remedy[80];
  snprintf(remedy, sizeof remedy, "it answers when it goes on: kill -CONT %ld", (long)found->recorder);
  return prof_diag_fill(diag, PROF_IO, NULL, PROF_NO_OFFSET, remedy, "prof record of process %ld is stopped",
                        (long)found->program);
}

/* What it answers at once isn't waited for long. */
static bool is_quick(const char *word) {
  return strcmp(word, "where") == 0 || strcmp(word, "flush") == 0 || strcmp(word, "status") == 0;
}

static prof_status talk(int fd, const struct prof_control_found *found, const char *word, struct prof_diag *diag,
                        char answer[PROF_CONTROL_LINE_BYTES]) {
  struct sockaddr_un address;
  char line[PROF_CONTROL_LINE_BYTES], request[PROF_CONTROL_LINE_BYTES];
  socklen_t bytes = prof_control_address(found->program, found->recorder, &address);
  if (prof_control_is_stopped(found)) /* it would carry out later what nobody waits for any more */
    return is_stopped(found, diag);
  if (connect(fd, (struct sockaddr *)&address, bytes) != 0)
    return errno == ECONNREFUSED ? prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, GONE,
                                                  "process %ld is not being recorded any more", (long)found->program)
                                 : prof_diag_system(diag, errno, NULL, "cannot reach the recorder", NULL);
  if (prof_control_peer(fd) != geteuid())
    return prof_diag_fill(diag, PROF_IO, NULL, PROF_NO_OFFSET, "ask as the user who started prof record",
                          "the recording of process %ld is another user's", (long)found->program);
  int length = snprintf(request, sizeof request, "%s\n", word);
  if (send(fd, request, (size_t)length, MSG_NOSIGNAL) != length ||
      !read_line(fd, found->recorder, is_quick(word) ? ROUNDS : 0, line, sizeof line))
    return prof_control_is_stopped(found)
               ? is_stopped(found, diag)
               : prof_diag_fill(diag, PROF_NOT_FOUND, NULL, PROF_NO_OFFSET, GONE,
                                "the recorder of process %ld gave no answer", (long)found->program);
  snprintf(answer, PROF_CONTROL_LINE_BYTES, "%s", line + 3);
  return strncmp(line, "ok ", 3) == 0 ? PROF_OK : PROF_USAGE;
}

static prof_status ask_once(const struct prof_control_found *found, const char *word, struct prof_diag *diag,
                            char answer[PROF_CONTROL_LINE_BYTES]) {
  answer[0] = 0;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return prof_diag_system(diag, errno, NULL, "cannot reach the recorder", NULL);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  prof_status status = talk(fd, found, word, diag, answer);
  close(fd);
  return status;
}

/* The recorder does not wait for long for a word that a busy machine keeps us from sending: it closes the connection.
 */
prof_status prof_control_ask(const struct prof_control_found *found, const char *word, struct prof_diag *diag,
                             char answer[PROF_CONTROL_LINE_BYTES]) {
  prof_status status = ask_once(found, word, diag, answer);
  for (int i = 1; i < TRIES && status == PROF_NOT_FOUND && may_answer(found->recorder); i++)
    status = ask_once(found, word, diag, answer);
  return status;
}
