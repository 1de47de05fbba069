/*
 * test/unit/test_model_names.c - names for people: cutting parameters and templates, demangling by language.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/names.h"
#include "row.h"

static const struct {
  const char *full, *without_parameters, *brief;
} forms[] = {
    {"main", "main", "main"},
    {"f(int)", "f", "f"},
    {"std::vector<int, std::allocator<int> >::push_back(int const&)",
     "std::vector<int, std::allocator<int> >::push_back", "std::vector::push_back"},
    {"int const& std::max<int>(int const&, int const&)", "int const& std::max<int>", "std::max"},
    {"(anonymous namespace)::foo(char)", "(anonymous namespace)::foo", "(anonymous namespace)::foo"},
    {"(anonymous namespace)::A<(anonymous namespace)::B>::foo(char) const",
     "(anonymous namespace)::A<(anonymous namespace)::B>::foo", "(anonymous namespace)::A::foo"},
    {"A::operator()(int) const", "A::operator()", "A::operator()"},
    {"A::operator<<(int)", "A::operator<<", "A::operator<<"},
    {"A::operator->()", "A::operator->", "A::operator->"},
    {"A::operator< <int>(int)", "A::operator< <int>", "A::operator<"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "std::ostream& operator<< <char>", "operator<<"},
    {"operator new(unsigned long)", "operator new", "operator new"},
    {"A::operator bool() const", "A::operator bool", "A::operator bool"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()",
     "main::{lambda(int)#1}::operator()"},
    {"f(int)::{lambda(int)#1}::operator()(int) const", "f(int)::{lambda(int)#1}::operator()",
     "f(int)::{lambda(int)#1}::operator()"},
    {"g(int) const::{lambda()#1}::operator()() const", "g(int) const::{lambda()#1}::operator()",
     "g(int) const::{lambda()#1}::operator()"},
    {"foo(int) [clone .part.0]", "foo", "foo"},
    {"X<&(f(int))>::g()", "X<&(f(int))>::g", "X::g"},
    {"decltype(auto) foo<int>(int)", "decltype(auto) foo<int>", "foo"},
    {"foo[abi:cxx11](int)", "foo[abi:cxx11]", "foo[abi:cxx11]"},
    {"std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()",
     "std::function::operator()"},
    {"", "", ""},
};

static void cutting(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char name[256];
    strcpy(name, forms[i].full);
    prof_name_cut_parameters(name);
    assert_string_equal(name, forms[i].without_parameters);
    prof_name_cut_templates(name);
    assert_string_equal(name, forms[i].brief);
  }
}

/* Anything may come as a name: whatever it is, cutting stays within it and never makes it longer. */
static void anything(void **state) {
  (void)state;
  static const char signs[] = "<>(){}:& ,~*->operatorconst[]a";
  uint64_t seed = 99;
  for (int round = 0; round < 200000; round++) {
    char name[48];
    size_t length = round % (sizeof name - 1);
    for (size_t i = 0; i < length; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      name[i] = signs[(seed >> 33) % (sizeof signs - 1)];
    }
    name[length] = 0;
    char *heap = strdup(name); /* so that a sanitizer or valgrind sees its bounds */
    prof_name_cut_parameters(heap);
    assert_true(strlen(heap) <= length);
    prof_name_cut_templates(heap);
    assert_true(strlen(heap) <= length);
    free(heap);
  }
}

static void demangling(void **state) {
  (void)state;
  static const struct {
    const char *linkage;
    uint16_t language;
    const char *full, *brief;
  } cases[] = {
      {"main", PROF_LANGUAGE_C, "main", "main"},
      {"_ZNK1A3getEi", PROF_LANGUAGE_CXX, "A::get(int) const", "A::get"},
      {"_ZNK1A3getEi.part.0", PROF_LANGUAGE_CXX, "A::get(int) const [clone .part.0]", "A::get"},
      {"_Znot_a_name", PROF_LANGUAGE_CXX, "_Znot_a_name", "_Znot_a_name"},
      {"_Z", PROF_LANGUAGE_CXX, "_Z", "_Z"},
      {"", PROF_LANGUAGE_C, "", ""},
      {"__solver_MOD_step", PROF_LANGUAGE_FORTRAN, "solver::step", "solver::step"},
      {"daxpy_", PROF_LANGUAGE_FORTRAN, "daxpy", "daxpy"},
      {"MAIN__", PROF_LANGUAGE_FORTRAN, "MAIN", "MAIN"},
      {"under_", PROF_LANGUAGE_C, "under_", "under_"},
  };
  char *buffer = NULL;
  size_t bytes = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *linkage = cases[i].linkage;
    uint16_t language = cases[i].language;
    assert_string_equal(prof_name_demangle(linkage, language, PROF_DEMANGLE_FULL, &buffer, &bytes), cases[i].full);
    assert_string_equal(prof_name_demangle(linkage, language, PROF_DEMANGLE_SHORT, &buffer, &bytes), cases[i].brief);
    assert_ptr_equal(prof_name_demangle(linkage, language, PROF_DEMANGLE_NO, &buffer, &bytes), linkage);
  }
  char *endless = malloc(100001);
  memset(endless, 'A', 100000);
  memcpy(endless, "_Z", 2);
  endless[100000] = 0;
  assert_ptr_equal(prof_name_demangle(endless, PROF_LANGUAGE_CXX, PROF_DEMANGLE_FULL, &buffer, &bytes), endless);
  free(endless);
  free(buffer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cutting),
      cmocka_unit_test(anything),
      cmocka_unit_test(demangling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
