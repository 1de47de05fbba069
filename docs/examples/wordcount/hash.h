#ifndef WORDCOUNT_HASH_H
#define WORDCOUNT_HASH_H

#include <stdint.h>

uint32_t hash_word(const char *word);

#endif
