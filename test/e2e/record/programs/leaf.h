/* What the programs of this folder and of test/fault call a known number of times: leaf, of which tests count the
 * calls. */
#ifndef PROGRAMS_LEAF_H
#define PROGRAMS_LEAF_H

static volatile long sum;

__attribute__((noipa)) static void leaf(long i) {
  sum += i;
}

__attribute__((noipa, unused)) static void calls(long count) {
  for (long i = 0; i < count; i++)
    leaf(i);
}

#endif
