/* links.h - what the two units of the link tests share: an inline function that both have a copy of, and a template. */
#pragma once
#include <cstdio>

[[gnu::noinline]] inline int shared_inline(int x) {
  if (x > 100)
    throw x;
  return x + 1;
}

template <class T> [[gnu::noinline]] T shared_template(T x) {
  return x * 2;
}

int other(int x);
