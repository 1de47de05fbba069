#include "hash.h"

#ifdef BETTER_HASH

uint32_t hash_word(const char *word) { /* FNV-1a, 32 bits */
  uint32_t hash = 2166136261u;
  for (; *word; word++)
    hash = (hash ^ (unsigned char)*word) * 16777619u;
  return hash;
}

#else

uint32_t hash_word(const char *word) { /* the sum of the letters */
  uint32_t hash = 0;
  for (; *word; word++)
    hash += (unsigned char)*word;
  return hash;
}

#endif
