/*
 * tools/base/member.h - offset and size of a struct's member, for tables that fill or read structs.
 */
#ifndef PROF_BASE_MEMBER_H
#define PROF_BASE_MEMBER_H

#include <stddef.h>

struct prof_member {
  size_t offset, bytes;
};

#define PROF_MEMBER(type, member)                                                                                      \
  { offsetof(type, member), sizeof(((type *)0)->member) }

#endif
