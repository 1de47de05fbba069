/* units.h - what the units of the program call in each other; C and C++. */
#pragma once
#include "counted.h"

C_NAME PUBLIC long factorial(long n);
C_NAME PUBLIC int is_even(int n);
C_NAME PUBLIC int is_odd(int n);
C_NAME PUBLIC int apply(int (*function)(int), int x);
C_NAME PUBLIC int same_one(int x);
C_NAME PUBLIC int same_two(int x);
C_NAME PUBLIC int weak_and_strong(int x);
C_NAME PUBLIC int aliased(int x);
C_NAME PUBLIC int alias(int x);
C_NAME PUBLIC int more(int x);
C_NAME PUBLIC int jumps(int x);
C_NAME PUBLIC int unprobed(int (*function)(int), int x); /* compiled without the plugin */

#ifdef __cplusplus
PUBLIC int areas(int count);
PUBLIC int throws(int x);

APART PUBLIC inline int inlined_in_two(int x) {
  COUNT(INLINED);
  if (x > 1000)
    throw x;
  return x + 2;
}

template <class T> struct counted_as;
template <> struct counted_as<int> { static const int id = COUNTED_TEMPLATE_INT; };
template <> struct counted_as<long> { static const int id = COUNTED_TEMPLATE_LONG; };
template <class T> APART PUBLIC T largest(T a, T b) {
  counted_calls[counted_as<T>::id]++;
  return a > b ? a : b;
}
#endif
