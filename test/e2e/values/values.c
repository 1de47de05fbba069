/* values.c WORD - functions of all types of arguments; WORD: plain, threads, handler, many. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif
enum color { RED, GREEN = 7, BLUE = -3 };
struct small {
  int a, b;
};
struct large {
  long values[8];
};
static volatile long sink;
static volatile int zero;

APART int numbers(signed char a, unsigned short b, int c, unsigned d, long long e, unsigned long f, short g, int h) {
  sink += a + b + c + (int)d + (long)e + (long)f + g + h;
  return c;
}

APART double floats(float a, double b, float c) {
  sink += (long)(a + b + c);
  return b / 2;
}

APART bool words(bool a, char b, enum color c, const char *text, char *address, void *none) {
  sink += a + b + c + (text != NULL) + (address != NULL) + (none != NULL);
  return !a;
}

APART const char *texts(const char *text, const char *again) {
  sink += again != NULL;
  return text;
}

APART long mixed(int first, struct small by_value, int middle, struct large large, long double wide, int last) {
  sink += first + by_value.a + middle + large.values[3] + (long)wide + last;
  return last;
}

APART struct large structure(int n) {
  struct large made = {{n}};
  return made;
}

APART long changed(long n, int times) {
  long *address = &n;
  for (int i = 0; i < times; i++)
    *address += i;
  sink += *address;
  return n;
}

APART int branches(int n) {
  if (n < 0)
    return -1;
  if (n > 100)
    return 100;
  for (int i = 0; i < n; i++)
    if (i * i >= n)
      return i;
  return n;
}

APART unsigned char octet(unsigned char n) {
  return (unsigned char)(n + 1);
}

APART void nothing(void) {
  sink++;
}

static APART int hidden(int n, const char *text) {
  sink += text[0];
  return n * 2;
}

static int inlined(int n) {
  return n + 1;
}

APART int unchosen(int n) {
  return n + (int)sink % 2;
}

static void plain(void) {
  char buffer[] = "buffer", longer[100],
       *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct small small = {1, 2};
  struct large large = {{0, 1, 2, 3}};
  memset(longer, 'l', sizeof longer);
  longer[63] = 0;
  munmap(page + 4096, 4096);
  memcpy(page + 4092, "edge", 4);
  numbers(-128, 65535, -5, 4000000000u, -(1ll << 62), ~0ul, -2, 8);
  floats(0.1f, -1e300, 3);
  floats(1.0f / 3, 0.1, -0.0f);
  words(true, 'x', GREEN, "text", buffer, NULL);
  words(false, '\'', BLUE, NULL, NULL, NULL);
  texts("", "12345678");
  texts("1234567", "a \"quoted\" \\ \x01 \xc3\xa4 text");
  texts(longer, (const char *)8);
  longer[63] = 'l';
  longer[70] = 0;
  texts(longer, page + 4092);                 /* ends where its memory does */
  memcpy(longer + 58, "\xc3\xa4\xc3\xa4", 4); /* isn't cut inside a character */
  texts(longer, "last");
  mixed(1, small, 2, large, 3, 4);
  sink += structure(5).values[0];
  changed(10, 3);
  sink += branches(-4) + branches(10) + branches(1000) + branches(1);
  sink += octet(255);
  nothing();
  sink += hidden(zero + 3, buffer) + inlined(zero + 6) + unchosen(9); /* zero: else a compiler knows them */
}

/* ---- texts that must not mix ---- */

APART void told(int thread, int call, const char *text) {
  sink += thread + call + text[0];
}

static void *worker(void *argument) {
  int thread = (int)(long)argument;
  char text[64];
  for (int i = 0; i < 2000; i++) {
    snprintf(text, sizeof text, "thread %d call %d of many", thread, i);
    told(thread, i, text);
  }
  return NULL;
}

static void threads(void) {
  pthread_t all[4];
  for (long i = 0; i < 4; i++)
    pthread_create(&all[i], NULL, worker, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(all[i], NULL);
}

static volatile int alarms;

static void on_alarm(int number) {
  char text[64];
  (void)number;
  snprintf(text, sizeof text, "thread %d call %d of many", 99, alarms);
  told(99, alarms, text);
  alarms++;
}

static void handler(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t self = pthread_self();
  for (int round = 0; round < 200; round++) {
    char text[64];
    pthread_kill(self, SIGUSR1);
    snprintf(text, sizeof text, "thread %d call %d of many", 0, round);
    told(0, round, text);
  }
}

static void many(void) {
  for (int i = 0; i < 50000; i++)
    sink += branches(i % 7) + numbers(1, 2, i % 3, 4, 5, 6, 7, 8);
}

int main(int argc, char **argv) {
  const char *word = argc > 1 ? argv[1] : "plain";
  if (strcmp(word, "threads") == 0)
    threads();
  else if (strcmp(word, "handler") == 0)
    handler();
  else if (strcmp(word, "many") == 0)
    many();
  else
    plain();
  printf("%s done\n", word);
  return 3;
}
