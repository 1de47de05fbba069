/* Its constructor takes as long as LATE_MS says: the loader is locked meanwhile. */
#include <stdlib.h>
#include <time.h>

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("LATE_MS");
  long ms = text != NULL ? atol(text) : 0;
  struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&rest, &rest) != 0)
    ;
}
