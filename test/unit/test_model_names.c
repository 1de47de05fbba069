/*
 * test/unit/test_model_names.c - names for people: of real functions of each language, short and long, and of anything.
 *
 * The linkage names are of GCC 12's and clang's objects; what they mean in full was compared with c++filt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_case.h"
#include "names/names.h"
#include "names/short.h"
#include "row.h"

static const struct {
  const char *full, *without_parameters, *without_templates, *brief;
} forms[] = {
    {"main", "main", "main", "main"},
    {"f(int)", "f", "f", "f"},
    {"std::vector<int, std::allocator<int> >::push_back(int const&)",
     "std::vector<int, std::allocator<int> >::push_back", "std::vector::push_back", "vector<int>::push_back"},
    {"int const& std::max<int>(int const&, int const&)", "int const& std::max<int>", "std::max", "max<int>"},
    {"(anonymous namespace)::foo(char)", "(anonymous namespace)::foo", "(anonymous namespace)::foo",
     "(anonymous namespace)::foo"},
    {"(anonymous namespace)::A<(anonymous namespace)::B>::foo(char) const",
     "(anonymous namespace)::A<(anonymous namespace)::B>::foo", "(anonymous namespace)::A::foo",
     "(anonymous namespace)::A<(anonymous namespace)::B>::foo"},
    {"A::operator()(int) const", "A::operator()", "A::operator()", "A::operator()"},
    {"A::operator[](int) const", "A::operator[]", "A::operator[]", "A::operator[]"},
    {"A::operator<<(int)", "A::operator<<", "A::operator<<", "A::operator<<"},
    {"A::operator->()", "A::operator->", "A::operator->", "A::operator->"},
    {"A::operator< <int>(int)", "A::operator< <int>", "A::operator<", "A::operator< <int>"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "std::ostream& operator<< <char>", "operator<<",
     "operator<< <char>"},
    {"operator new(unsigned long)", "operator new", "operator new", "operator new"},
    {"A::operator bool() const", "A::operator bool", "A::operator bool", "A::operator bool"},
    {"Base::operator std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >() const",
     "Base::operator std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
     "Base::operator std::__cxx11::basic_string", "Base::operator string"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()",
     "main::{lambda(int)#1}::operator()", "main::{lambda#1}::operator()"},
    {"f(int)::{lambda(int)#1}::operator()(int) const", "f(int)::{lambda(int)#1}::operator()",
     "f(int)::{lambda(int)#1}::operator()", "f::{lambda#1}::operator()"},
    {"g(int) const::{lambda()#1}::operator()() const", "g(int) const::{lambda()#1}::operator()",
     "g(int) const::{lambda()#1}::operator()", "g::{lambda#1}::operator()"},
    {"auto apply<main::{lambda(auto:1)#4}>(main::{lambda(auto:1)#4})", "auto apply<main::{lambda(auto:1)#4}>", "apply",
     "apply<main::{lambda#4}>"},
    {"local()::L::in()", "local()::L::in", "local()::L::in", "local::L::in"},
    {"foo(int) [clone .part.0]", "foo", "foo", "foo"},
    {"X<&(f(int))>::g()", "X<&(f(int))>::g", "X::g", "X<&(f(int))>::g"},
    {"X<((a)>(b)), c>::g()", "X<((a)>(b)), c>::g", "X::g", "X<((a)>(b)), c>::g"},
    {"decltype(auto) foo<int>(int)", "decltype(auto) foo<int>", "foo", "foo<int>"},
    {"foo[abi:cxx11](int)", "foo[abi:cxx11]", "foo[abi:cxx11]", "foo"},
    {"std::function<void (int)>::operator()(int) const", "std::function<void (int)>::operator()",
     "std::function::operator()", "function<void (int)>::operator()"},
    {"void (*tgetter<double>(double))(char)", "void (*tgetter<double>(double))", "(*tgetter<double>(double))",
     "tgetter<double>"},
    {"std::map<int, std::vector<long, std::allocator<long> >, std::less<int>, std::allocator<std::pair<int const, "
     "std::vector<long, std::allocator<long> > > > >::clear()",
     "std::map<int, std::vector<long, std::allocator<long> >, std::less<int>, std::allocator<std::pair<int const, "
     "std::vector<long, std::allocator<long> > > > >::clear",
     "std::map::clear", "map<int, vector<long>>::clear"},
    {"std::set<int, std::greater<int>, std::allocator<int> >::size() const",
     "std::set<int, std::greater<int>, std::allocator<int> >::size", "std::set::size", "set<int, greater<int>>::size"},
    {"std::set<int, std::less<long>, std::allocator<int> >::size() const",
     "std::set<int, std::less<long>, std::allocator<int> >::size", "std::set::size", "set<int, less<long>>::size"},
    {"mine::vector<int, mine::allocator<int> >::size() const", "mine::vector<int, mine::allocator<int> >::size",
     "mine::vector::size", "mine::vector<int, mine::allocator<int>>::size"},
    {"std::unique_ptr<Base, std::default_delete<Base> >::get() const",
     "std::unique_ptr<Base, std::default_delete<Base> >::get", "std::unique_ptr::get", "unique_ptr<Base>::get"},
    {"std::basic_ostream<wchar_t, std::char_traits<wchar_t> >::flush()",
     "std::basic_ostream<wchar_t, std::char_traits<wchar_t> >::flush", "std::basic_ostream::flush", "wostream::flush"},
    {"std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >::size() const",
     "std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >::size",
     "std::__1::basic_string::size", "string::size"},
    {"std::chrono::_V2::system_clock::now()", "std::chrono::_V2::system_clock::now",
     "std::chrono::_V2::system_clock::now", "chrono::system_clock::now"},
    {"std::thread::thread<main::{lambda()#3}, , void>(main::{lambda()#3}&&)",
     "std::thread::thread<main::{lambda()#3}, , void>", "std::thread::thread",
     "thread::thread<main::{lambda#3}, void>"},
    {"TLS init function for tls[abi:cxx11]", "TLS init function for tls[abi:cxx11]", "tls[abi:cxx11]",
     "TLS init function for tls"},
    {"std::_Rb_tree<std::pair<int, int>, std::pair<int, int>, std::_Identity<std::pair<int, int> >, "
     "std::less<std::pair<int, int> > >::f()",
     "std::_Rb_tree<std::pair<int, int>, std::pair<int, int>, std::_Identity<std::pair<int, int> >, "
     "std::less<std::pair<int, int> > >::f",
     "std::_Rb_tree::f", "_Rb_tree<...>::f"},
    {"", "", "", ""},
};

static void cutting(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char name[512];
    strcpy(name, forms[i].full);
    prof_name_cut_parameters(name);
    assert_string_equal(name, forms[i].without_parameters);
    prof_name_cut_templates(name);
    assert_string_equal(name, forms[i].without_templates);
    strcpy(name, forms[i].full);
    prof_name_shorten(name);
    assert_string_equal(name, forms[i].brief);
  }
}

/* Anything may come as a name: whatever it is, cutting stays within it and never makes it longer. */
static void anything(void **state) {
  (void)state;
  static const char *const signs[] = {
      "<",      ">",       "(",      ")",          "{",         "}",     ":",
      "&",      " ",       ",",      "~",          "*",         "->",    "operator",
      "a",      "std::",   "basic_", "char",       "::",        "[abi:", "]",
      " const", "{lambda", "#",      "allocator<", "operator<", " <",    "(anonymous namespace)",
      "less<"};
  uint64_t seed = 99;
  for (int round = 0; round < 300000; round++) {
    char name[512];
    size_t length = 0, wanted = (size_t)round % 60;
    name[0] = 0;
    for (size_t i = 0; i < wanted && length < sizeof name - 32; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      length += strlen(strcpy(name + length, signs[(seed >> 33) % (sizeof signs / sizeof *signs)]));
    }
    for (int which = 0; which < 2; which++) {
      char *heap = strdup(name); /* so that a sanitizer or valgrind sees its bounds */
      if (which == 0)
        prof_name_shorten(heap);
      else
        prof_name_cut_parameters(heap);
      assert_true(strlen(heap) <= length);
      prof_name_cut_templates(heap);
      assert_true(strlen(heap) <= length);
      free(heap);
    }
  }
}

/* Brackets that are never closed, or too deep: neither time nor stack. */
static void deep(void **state) {
  (void)state;
  static const char *const openers[] = {"a<", "(", "{", "(*", "a<b,", "operator<", "a<(", "std::"};
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
    for (int closed = 0; closed < 2; closed++) {
      size_t count = 60000 / strlen(openers[i]);
      char *name = malloc(200000), *to = name;
      for (size_t j = 0; j < count; j++)
        to = stpcpy(to, openers[i]);
      for (size_t j = 0; closed && j < count; j++)
        *to++ = openers[i][0] == '(' ? ')' : openers[i][0] == '{' ? '}' : '>';
      *to = 0;
      prof_name_shorten(name);
      assert_true(strlen(name) <= (size_t)(to - name));
      free(name);
    }
}

static const struct {
  const char *linkage;
  uint16_t language;
  const char *full, *brief;
} names[] = {
    {"main", PROF_LANGUAGE_C, "main", "main"},
    {"_ZNK1A3getEi", PROF_LANGUAGE_CXX, "A::get(int) const", "A::get"},
    {"_ZNK1A3getEi.part.0", PROF_LANGUAGE_CXX, "A::get(int) const [clone .part.0]", "A::get"},
    {"_ZNSt6vectorIiSaIiEE9push_backERKi", PROF_LANGUAGE_CXX,
     "std::vector<int, std::allocator<int> >::push_back(int const&)", "vector<int>::push_back"},
    {"_Znot_a_name", PROF_LANGUAGE_CXX, "_Znot_a_name", "_Znot_a_name"},
    {"_Z", PROF_LANGUAGE_CXX, "_Z", "_Z"},
    {"", PROF_LANGUAGE_C, "", ""},
    {"__solver_MOD_step", PROF_LANGUAGE_FORTRAN, "solver::step", "solver::step"},
    {"__solver_MOD_step", PROF_LANGUAGE_UNKNOWN, "solver::step", "solver::step"},
    {"__solver_MOD_step", PROF_LANGUAGE_C, "__solver_MOD_step", "__solver_MOD_step"},
    {"__solver.details_MOD_helper", PROF_LANGUAGE_FORTRAN, "solver::details::helper", "solver::details::helper"},
    {"daxpy_", PROF_LANGUAGE_FORTRAN, "daxpy", "daxpy"},
    {"MAIN__ heat", PROF_LANGUAGE_FORTRAN, "heat", "heat"},
    {"MAIN__", PROF_LANGUAGE_FORTRAN, "MAIN", "MAIN"},
    {"inner.0 __solver_MOD_grid_scale::inner", PROF_LANGUAGE_FORTRAN, "solver::grid_scale::inner",
     "solver::grid_scale::inner"},
    {"local.1 heat::local", PROF_LANGUAGE_FORTRAN, "heat::local", "heat::local"},
    {"under_", PROF_LANGUAGE_C, "under_", "under_"},
    {"_ada_amain", PROF_LANGUAGE_ADA, "amain", "amain"},
    {"shapes__area__2", PROF_LANGUAGE_ADA, "shapes.area", "shapes.area"},
    {"shapes__Oadd", PROF_LANGUAGE_ADA, "shapes.\"+\"", "shapes.\"+\""},
    {"shapes__inner__deep__nested.0", PROF_LANGUAGE_ADA, "shapes.inner.deep.nested", "shapes.inner.deep.nested"},
    {"shapes___elabb", PROF_LANGUAGE_ADA, "shapes'Elab_Body", "shapes'Elab_Body"},
    {"amain__g__put.5", PROF_LANGUAGE_ADA, "amain.g.put", "amain.g.put"},
    {"amain__workerTB.1", PROF_LANGUAGE_ADA, "amain.worker", "amain.worker"},
    {"amain___finalizer.6", PROF_LANGUAGE_ADA, "amain._finalizer", "amain._finalizer"},
    {"shapes__area__2", PROF_LANGUAGE_C, "shapes__area__2", "shapes__area__2"},
    {"_Dmain", PROF_LANGUAGE_D, "D main", "D main"},
    {"_D2dm5outerFiZ5innerMFNaNbNiNfiZi", PROF_LANGUAGE_D, "dm.outer(int).inner(int)", "dm.outer(int).inner"},
    {"_D2dm6Animal6__ctorMFiZCQwQv", PROF_LANGUAGE_D, "dm.Animal.this(int)", "dm.Animal.this"},
    {"_Dnot", PROF_LANGUAGE_D, "_Dnot", "_Dnot"},
    {"_RNvNtCs1234_7mycrate3foo3bar", PROF_LANGUAGE_UNKNOWN, "mycrate::foo::bar", "mycrate::foo::bar"},
    {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", PROF_LANGUAGE_UNKNOWN, "core::fmt::Formatter::pad",
     "core::fmt::Formatter::pad"},
};

static void demangling(void **state) {
  (void)state;
  struct prof_name_buffer buffer = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *name = names[i].linkage;
    uint16_t language = names[i].language;
    assert_string_equal(prof_name_demangle(name, language, PROF_DEMANGLE_FULL, &buffer), names[i].full);
    assert_string_equal(prof_name_demangle(name, language, PROF_DEMANGLE_SHORT, &buffer), names[i].brief);
    const char *linkage = prof_name_demangle(name, language, PROF_DEMANGLE_NO, &buffer);
    assert_int_equal(strlen(linkage), strcspn(name, " "));
    assert_memory_equal(linkage, name, strlen(linkage));
  }
  free(buffer.text);
}

static void full_is_given_up(const char *name, uint16_t language) {
  struct prof_name_buffer buffer = {0};
  assert_ptr_equal(prof_name_demangle(name, language, PROF_DEMANGLE_FULL, &buffer), name);
  assert_true(buffer.bytes <= 2 * PROF_DEMANGLED_BYTES);
  free(buffer.text);
}

/* Names that stand for gigabytes: each part refers twice to the one before. */
static void exploding(void **state) {
  (void)state;
  char name[512];
  size_t length = (size_t)sprintf(name, "_Z1fSt4pairIiiE");
  for (int i = 0; i < 24; i++)
    length += (size_t)sprintf(name + length, "S_IS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
                              "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
  full_is_given_up(name, PROF_LANGUAGE_CXX);
  char *endless = malloc(100001);
  memset(endless, 'A', 100000);
  memcpy(endless, "_Z", 2);
  endless[100000] = 0;
  full_is_given_up(endless, PROF_LANGUAGE_CXX);
  free(endless);
}

/* Long, and honest. */
static void lengthy(void **state) {
  (void)state;
  char name[2200] = "_Z1fI";
  for (int i = 0; i < 200; i++)
    strcat(name, "3abcP1x");
  strcat(name, "EvT_");
  struct prof_name_buffer buffer = {0};
  const char *shown = prof_name_demangle(name, PROF_LANGUAGE_CXX, PROF_DEMANGLE_FULL, &buffer);
  assert_memory_equal(shown, "void f<abc, x*, abc, x*", 23);
  assert_string_equal(prof_name_demangle(name, PROF_LANGUAGE_CXX, PROF_DEMANGLE_SHORT, &buffer), "f<...>");
  free(buffer.text);
}

/* Pieces of real names in any order: no fault, and every result within its bound. */
static void mangled_anything(void **state) {
  (void)state;
  static const char *const pieces[] = {"_Z", "N",  "I", "E", "St",   "S_", "S0_", "T_", "T0_",  "J",
                                       "Dp", "P",  "R", "K", "3abc", "1a", "i",   "v",  "Li5E", "C1",
                                       "D2", "cv", "F", "X", "dt",   "sZ", "DT",  "Z",  "_",    "UlvE_"};
  static const char *const starts[] = {"_Z", "_R", "_D", "_ZN", "__m_MOD_", "a__"};
  uint64_t seed = 7;
  struct prof_name_buffer buffer = {0};
  for (int round = 0; round < 100000; round++) {
    char name[600];
    strcpy(name, starts[round % 6]);
    for (size_t i = 0, length = strlen(name); i < (size_t)round % 70; i++) {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      length += strlen(strcpy(name + length, pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)]));
    }
    const char *shown = prof_name_demangle(name, (uint16_t)(round % 7), PROF_DEMANGLE_SHORT, &buffer);
    assert_true(strlen(shown) < PROF_DEMANGLED_BYTES);
  }
  free(buffer.text);
}

static void add_fortran(prof_writer *writer, void *context) {
  (void)context;
  static const char *const linkage[] = {"main program", "__ode_MOD_step", "dgemm_", "dgemm_x_"};
  struct prof_function_record functions[4];
  struct prof_site_record site = {0x90000, 1, 0, 0};
  for (uint32_t i = 0; i < 4; i++)
    functions[i] = (struct prof_function_record){
        .key = 1000 + i, .language = PROF_LANGUAGE_FORTRAN, .name = prof_span(linkage[i]), .file = prof_span("a.f")};
  struct prof_module_record module = {.module = 2,
                                      .path = prof_span("/fortran"),
                                      .compiler = prof_span(""),
                                      .functions = functions,
                                      .function_count = 4,
                                      .sites = &site,
                                      .site_count = 1};
  assert_int_equal(prof_writer_module(writer, &module), PROF_OK);
}

/* Names from debug information, as in `prof lines`, are shown as those of the trace's functions are. */
static void fortran_elsewhere(void **state) {
  (void)state;
  static struct case_events events;
  struct trace_folder folder;
  case_clear(&events);
  case_enter(&events, 10, 1);
  case_exit(&events, 10, 1);
  case_write_with(&folder, &events, 1, add_fortran, NULL);
  prof_trace *trace = case_open(&folder);
  struct prof_names *in_trace;
  assert_int_equal(prof_names_new(trace, PROF_DEMANGLE_FULL, &in_trace), PROF_OK);
  assert_string_equal(prof_names_other(in_trace, "dgemm_"), "dgemm");
  assert_string_equal(prof_names_other(in_trace, "__ode_MOD_step"), "ode::step");
  assert_string_equal(prof_names_other(in_trace, "main"), "program");
  assert_string_equal(prof_names_other(in_trace, "dgem_"), "dgem_"); /* somebody else's */
  assert_string_equal(prof_names_other(in_trace, "dgemm"), "dgemm");
  for (uint32_t i = CASE_FUNCTIONS; i < CASE_FUNCTIONS + 4; i++) {
    size_t count;
    char linkage[32];
    snprintf(linkage, sizeof linkage, "%s", prof_trace_functions(trace, &count)[i].name);
    linkage[strcspn(linkage, " ")] = 0;
    assert_string_equal(prof_names_other(in_trace, linkage), prof_names_function(in_trace, i));
  }
  prof_names_free(in_trace);
  prof_trace_close(trace);
  trace_folder_remove(&folder);
}

static void parallel_regions(void **state) {
  static const struct {
    const char *name, *file;
    uint32_t line;
    uint16_t language;
    const char *shown;
  } rows[] = {
      {"kernel._omp_fn.0", "a/omp.c", 5, PROF_LANGUAGE_C, "kernel [parallel region, omp.c:5]"},
      {"_Z6kerneli._omp_fn.1", "omp.cc", 5, PROF_LANGUAGE_CXX, "kernel(int) [parallel region, omp.cc:5]"},
      {"__solver_MOD_dot._omp_fn.0", "solver.f90", 120, PROF_LANGUAGE_FORTRAN,
       "solver::dot [parallel region, solver.f90:120]"},
      {"skewed.omp_outlined", "s.c", 0, PROF_LANGUAGE_C, "skewed [parallel region]"},
      {".omp_outlined..1", "s.c", 9, PROF_LANGUAGE_C, "[parallel region, s.c:9]"},
      {"outlined", "s.c", 9, PROF_LANGUAGE_C, "outlined"},
  };
  struct prof_name_buffer buffer = {0};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct prof_function function = {
        .name = rows[i].name, .file = rows[i].file, .line = rows[i].line, .language = rows[i].language};
    assert_string_equal(prof_name_of(&function, PROF_DEMANGLE_FULL, &buffer), rows[i].shown);
    assert_string_equal(prof_name_of(&function, PROF_DEMANGLE_NO, &buffer), rows[i].name);
  }
  free(buffer.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fortran_elsewhere), cmocka_unit_test(cutting),
      cmocka_unit_test(anything),          cmocka_unit_test(deep),
      cmocka_unit_test(demangling),        cmocka_unit_test(exploding),
      cmocka_unit_test(lengthy),           cmocka_unit_test(mangled_anything),
      cmocka_unit_test(parallel_regions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
