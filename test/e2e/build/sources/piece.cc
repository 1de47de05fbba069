/* piece.cc - piece_twice, called ten times by main; the template below it is a function of its own. */
template <typename number> __attribute__((noinline)) number twice(number n) {
  return n + n;
}

extern "C" int piece_twice(int n) {
  return twice(n);
}
