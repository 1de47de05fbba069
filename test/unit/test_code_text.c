/*
 * test/unit/test_code_text.c - what instructions do, by objdump's text; what functions of libraries are for, by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/advise/call_classes.h"
#include "analysis/advise/code_text.h"

enum { RAX, RCX, RDX, RBX, RSI = 6, RDI, R8, R12 = 12, R13 };

static struct prof_code_facts read_text(const char *text) {
  struct prof_code_facts facts;
  prof_code_read_text(text, &facts);
  return facts;
}

static void moves(void **state) {
  (void)state;
  struct prof_code_facts facts = read_text("mov    0x8(%rbx,%r12,4),%eax");
  assert_true(facts.reads_memory && !facts.writes_memory && facts.moves && !facts.is_wide);
  assert_int_equal(facts.base, RBX);
  assert_int_equal(facts.index, R12);
  assert_int_equal(facts.scale, 4);
  assert_int_equal(facts.written, RAX);
  facts = read_text("mov    %rdx,(%rdi)");
  assert_true(facts.writes_memory && !facts.reads_memory);
  assert_int_equal(facts.from, RDX);
  assert_int_equal(facts.written, PROF_NO_REGISTER);
  facts = read_text("mov    (%rbx),%rbx");
  assert_true(facts.is_wide);
  assert_int_equal(facts.base, facts.written);
  facts = read_text("movzbl 0xe(%rdx),%edx");
  assert_true(facts.moves && !facts.is_wide);
  facts = read_text("mov    0x2e52(%rip),%eax        # 40a0 <ready>");
  assert_int_equal(facts.base, PROF_REGISTER_RIP);
  assert_int_equal(facts.data, 0x40a0);
  assert_true(facts.symbol && facts.symbol_bytes == 5 && !strncmp(facts.symbol, "ready", 5));
}

static void sums(void **state) {
  (void)state;
  struct prof_code_facts facts = read_text("add    $0x4000,%rax");
  assert_true(facts.adds_constant && facts.constant == 0x4000 && facts.written == RAX);
  facts = read_text("sub    $0x10,%r13");
  assert_true(facts.adds_constant && facts.constant == -16 && facts.written == R13);
  facts = read_text("lea    -0x2000(%rdx),%rdx");
  assert_true(facts.adds_constant && facts.constant == -0x2000 && !facts.reads_memory);
  facts = read_text("lea    -0x2000(%rdx),%rax");
  assert_false(facts.adds_constant);
  facts = read_text("add    %rax,(%rdi)");
  assert_true(facts.reads_memory && facts.writes_memory && !facts.adds_constant);
  facts = read_text("addsd  (%rax),%xmm0");
  assert_true(facts.reads_memory && !facts.writes_memory && facts.written == PROF_NO_REGISTER);
  facts = read_text("lock xadd %eax,0x8(%rdi)");
  assert_true(facts.is_locked && facts.writes_memory);
}

static void flags(void **state) {
  (void)state;
  struct prof_code_facts facts = read_text("cmp    %eax,(%rdi)");
  assert_true(facts.compares && facts.reads_memory && !facts.writes_memory);
  facts = read_text("testb  $0x1,0x40(%r8)");
  assert_true(facts.compares && facts.base == R8 && facts.written == PROF_NO_REGISTER);
  facts = read_text("lock cmpxchg %edx,(%rdi)");
  assert_true(facts.writes_memory && !facts.compares);
}

static void jumps(void **state) {
  (void)state;
  struct prof_code_facts facts = read_text("jne    1248 <wait_for+0x8>");
  assert_true(facts.is_jump && facts.target == 0x1248 && facts.symbol_bytes == strlen("wait_for"));
  facts = read_text("call   1070 <pthread_mutex_lock@plt>");
  assert_true(facts.is_call && facts.target == 0x1070 && facts.symbol_bytes == strlen("pthread_mutex_lock"));
  facts = read_text("call   *%rax");
  assert_true(facts.is_call && facts.target == 0 && !facts.symbol);
  facts = read_text("bnd jmp 1030 <.plt>");
  assert_true(facts.is_jump && facts.target == 0x1030);
  assert_true(read_text("ret").is_return);
  assert_true(read_text("nopw   0x0(%rax,%rax,1)").is_idle && read_text("pause").is_idle);
  assert_false(read_text("nopw   0x0(%rax,%rax,1)").reads_memory);
}

static void writes(void **state) {
  (void)state;
  struct prof_code_facts call = read_text("call   1070 <f>"), move = read_text("mov    %sil,%dil");
  assert_true(prof_code_writes(&call, RDI) && prof_code_writes(&call, RCX) && !prof_code_writes(&call, RBX));
  assert_true(!prof_code_writes(&call, R12) && prof_code_writes(&move, RDI) && !prof_code_writes(&move, RSI));
}

/* Nothing breaks on what is no instruction. */
static void odd_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"",           " ",
                                      "(bad)",      "mov",
                                      "mov    ,",   "mov    $,%",
                                      "jmp",        "call  <",
                                      "lock",       "rep stos %al,%es:(%rdi)",
                                      "add    $0x", "xchg   %ax,%ax",
                                      "mov %eax,(", "vpaddd (%rax,),%ymm0,%ymm1",
                                      "lea ),(%rax"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    (void)read_text(texts[i]);
}

static enum prof_call_class class_of(const char *name) {
  return prof_call_class_of(name, strlen(name));
}

static void classes(void **state) {
  (void)state;
  assert_int_equal(class_of("__GI___libc_malloc"), PROF_CALL_ALLOCATION);
  assert_int_equal(class_of("_int_free"), PROF_CALL_ALLOCATION);
  assert_int_equal(class_of("operator new(unsigned long)"), PROF_CALL_ALLOCATION);
  assert_int_equal(class_of("_Znwm"), PROF_CALL_ALLOCATION);
  assert_int_equal(class_of("__strlen_avx2"), PROF_CALL_LENGTH);
  assert_int_equal(class_of("__GI___pthread_mutex_unlock_usercnt"), PROF_CALL_LOCK);
  assert_int_equal(class_of("pthread_cond_wait@GLIBC_2.3.2"), PROF_CALL_SLEEP);
  assert_int_equal(class_of("__write_nocancel"), PROF_CALL_WRITE);
  assert_int_equal(class_of("free"), PROF_CALL_ALLOCATION);
  assert_int_equal(class_of("freeze"), PROF_CALL_OTHER);
  assert_int_equal(class_of("writer"), PROF_CALL_OTHER);
  assert_int_equal(class_of(""), PROF_CALL_OTHER);
  assert_int_equal(class_of("____"), PROF_CALL_OTHER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves),  cmocka_unit_test(sums),      cmocka_unit_test(flags),   cmocka_unit_test(jumps),
      cmocka_unit_test(writes), cmocka_unit_test(odd_texts), cmocka_unit_test(classes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
