/*
 * tools/base/member.h - where a struct has a member: rows of tables that fill structs, or read them, hold one.
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
