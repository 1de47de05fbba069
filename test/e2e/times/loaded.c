/* loaded.c - a library with timed lines. */
static volatile unsigned sink;

unsigned work(unsigned n) {
  unsigned i = 0;
  while (i < n) { /* visits 404 */
    sink += i;    /* visits 400 */
    i++;          /* visits 400 */
  }
  return sink; /* visits 4 */
}
