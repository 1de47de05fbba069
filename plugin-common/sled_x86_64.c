/*
 * sled_x86_64.c - the x86-64 target; see sled.h.
 *
 * The sled is a 5-byte nop that the runtime replaces by a jump.  `.p2align 3,,4` pads only where the five bytes would
 * cross an 8-byte word (offsets 4 to 7 of it): 1.25 bytes on average.
 *
 * The start code is written by hand because a unit's flags must not change it (another code model, no SSE, a
 * coverage or sanitizer option).  Every outside symbol is weak and read through the GOT, so that it links into any
 * program: without libdl, without libc, static.  Source of the calling convention: System V ABI, AMD64 supplement.
 */
#include "sled.h"

#include <stddef.h>

#include "module.h"
#include "text.h"
#include "version.h"

// clang-format off

/* reg = address of a weak symbol, 0 when there is none; the flags say which. */
#define WEAK_ADDRESS(symbol, reg) \
  "\tmovq " symbol "@GOTPCREL(%rip),%" reg "\n" \
  "\ttestq %" reg ",%" reg "\n"

/* write(2)'s rsi and edx for a line of constructor.c. */
#define LINE(name) \
  "\tleaq .Lprof_say_" name "(%rip),%rsi\n" \
  "\tmovl $.Lprof_say_" name "_end-.Lprof_say_" name ",%edx\n"

#define PUSH(reg, offset) \
  "\tpushq %" reg "\n" \
  "\t.cfi_def_cfa_offset " #offset "\n" \
  "\t.cfi_offset %" reg ",-" #offset "\n"

#define POP(reg, offset) \
  "\tpopq %" reg "\n" \
  "\t.cfi_def_cfa_offset " #offset "\n"

/* Fills struct prof_module_start at rsp; clobbers rax. */
#define FILL_MODULE_START \
  "\tmovq $" PROF_TEXT(PROF_WIRE_VERSION) ",(%rsp)\n" \
  "\tmovq " PROF_ROWS_START "@GOTPCREL(%rip),%rax\n" \
  "\tmovq %rax,8(%rsp)\n" \
  "\tmovq " PROF_ROWS_STOP "@GOTPCREL(%rip),%rax\n" \
  "\tmovq %rax,16(%rsp)\n" \
  "\tleaq " PROF_HOOKS_SYMBOL "(%rip),%rax\n" \
  "\tmovq %rax,24(%rsp)\n"

/* Returns at once unless the environment asks for a recording, now or later: set, not empty, not "0". */
#define CONSTRUCTOR_CODE \
  "\tendbr64\n" \
  PUSH("rbx", 16) \
  WEAK_ADDRESS("secure_getenv", "rbx") \
  "\tjne 1f\n" \
  WEAK_ADDRESS("getenv", "rbx") \
  "\tje 3f\n" \
  "1:\tleaq .Lprof_record_name(%rip),%rdi\n" \
  "\tcall .Lprof_wants\n" \
  "\tjne 2f\n" \
  "\tleaq .Lprof_standby_name(%rip),%rdi\n" \
  "\tcall .Lprof_wants\n" \
  "\tje 3f\n" \
  "2:\tcall .Lprof_attach\n" \
  "3:\n" \
  POP("rbx", 8) \
  "\t.cfi_restore %rbx\n" \
  "\tret\n"

/* The flags say "equal" if the variable at rdi is absent, empty or "0"; rbx getenv. */
#define WANTS_CODE \
  ".Lprof_wants:\n" \
  "\tsubq $8,%rsp\n" \
  "\t.cfi_def_cfa_offset 16\n" \
  "\tcall *%rbx\n" \
  "\taddq $8,%rsp\n" \
  "\t.cfi_def_cfa_offset 8\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 1f\n" \
  "\tcmpb $0,(%rax)\n" \
  "\tje 1f\n" \
  "\tcmpb $'0',(%rax)\n" \
  "\tjne 1f\n" \
  "\tcmpb $0,1(%rax)\n" \
  "1:\tret\n"

/*
 * Finds the runtime and calls it; a local function within the constructor's symbol and frame description.  In: rbx
 * getenv.  Frame: 0-31 struct prof_module_start, 32 saved errno.  r12 address of errno or 0; rbp dlopen, then the entry
 * point; rbx, once the file was looked up, its handle.  dlsym finds dlopen: linkers warn of a plain reference to it in
 * static programs.
 */
#define ATTACH_CODE \
  ".Lprof_attach:\n" \
  PUSH("rbp", 16) \
  PUSH("rbx", 24) \
  PUSH("r12", 32) \
  "\tsubq $48,%rsp\n" \
  "\t.cfi_def_cfa_offset 80\n" \
  "\txorl %r12d,%r12d\n" \
  WEAK_ADDRESS("__errno_location", "rax") \
  "\tje 1f\n" \
  "\tcall *%rax\n" \
  "\tmovq %rax,%r12\n" \
  "\tmovl (%rax),%eax\n" \
  "\tmovl %eax,32(%rsp)\n" \
  "1:\tmovq " PROF_DETACH_SYMBOL "@GOTPCREL(%rip),%rax\n" \
  WEAK_ADDRESS(PROF_ATTACH_SYMBOL, "rbp") \
  "\tjne 4f\n" \
  WEAK_ADDRESS("dlsym", "rax") \
  "\tje 5f\n" \
  "\txorl %edi,%edi\n" \
  "\tleaq .Lprof_dlopen_name(%rip),%rsi\n" \
  "\tcall *%rax\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 5f\n" \
  "\tmovq %rax,%rbp\n" \
  "\tleaq .Lprof_runtime_name(%rip),%rdi\n" \
  "\tcall *%rbx\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 2f\n" \
  "\tcmpb $0,(%rax)\n" \
  "\tjne 3f\n" \
  "2:\tleaq .Lprof_runtime_file(%rip),%rax\n" \
  "3:\tmovq %rax,%rdi\n" \
  "\tmovl $2,%esi\n" /* RTLD_NOW */ \
  "\tcall *%rbp\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 6f\n" \
  "\tmovq %rax,%rbx\n" \
  "\tmovq %rax,%rdi\n" \
  "\tleaq .Lprof_attach_name(%rip),%rsi\n" \
  "\tcall *dlsym@GOTPCREL(%rip)\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 7f\n" \
  "\tmovq %rax,%rbp\n" \
  "\tmovq %rbx,%rdi\n" \
  "\tleaq .Lprof_detach_name(%rip),%rsi\n" \
  "\tcall *dlsym@GOTPCREL(%rip)\n" \
  "4:\tmovq %rax,.Lprof_detach(%rip)\n" \
  FILL_MODULE_START \
  "\tmovq %rsp,%rdi\n" \
  "\tcall *%rbp\n" \
  "\tjmp 9f\n" \
  "5:\n" LINE("static") \
  "\tjmp 8f\n" \
  "6:\n" LINE("missing") \
  "\tjmp 8f\n" \
  "7:\n" LINE("other") \
  "8:\n" WEAK_ADDRESS("write", "rax") \
  "\tje 9f\n" \
  "\tmovl $2,%edi\n" \
  "\tcall *%rax\n" \
  "9:\ttestq %r12,%r12\n" \
  "\tje 1f\n" \
  "\tmovl 32(%rsp),%eax\n" \
  "\tmovl %eax,(%r12)\n" \
  "1:\taddq $48,%rsp\n" \
  "\t.cfi_def_cfa_offset 32\n" \
  POP("r12", 24) \
  POP("rbx", 16) \
  POP("rbp", 8) \
  "\tret\n"

/* Detaches this module from the runtime, if it was attached. */
#define DESTRUCTOR_CODE \
  "\tendbr64\n" \
  "\tcmpq $0,.Lprof_detach(%rip)\n" \
  "\tje 1f\n" \
  "\tcmpq $0," PROF_HOOKS_SYMBOL "(%rip)\n" \
  "\tje 1f\n" \
  "\tsubq $40,%rsp\n" \
  "\t.cfi_def_cfa_offset 48\n" \
  FILL_MODULE_START \
  "\tmovq %rsp,%rdi\n" \
  "\tcall *.Lprof_detach(%rip)\n" \
  "\taddq $40,%rsp\n" \
  "\t.cfi_def_cfa_offset 8\n" \
  "1:\tret\n"

// clang-format on

static const struct prof_arch_register registers[] = {
    {"rax", 0}, {"rcx", 1},  {"rdx", 2},  {"rbx", 3},  {"rbp", 5},  {"rsi", 6},  {"rdi", 7},  {"r8", 8},
    {"r9", 9},  {"r10", 10}, {"r11", 11}, {"r12", 12}, {"r13", 13}, {"r14", 14}, {"r15", 15}, {NULL, 0},
};

const struct prof_arch prof_arch_x86_64 = {
    .name = "x86_64",
    .sled_alignment = "\t.p2align 3,,4\n",
    .sled = "\t.byte 0x0f,0x1f,0x44,0,0\n",
    .registers = registers,
    .count_step = "lock incq (%s)",
    .count_step_other = "lock inc QWORD PTR [%s]",
    .work_step = "leaq %s+%u(%%%%rip), %%0\n\taddq %s(%%%%rip), %%0\n\tlock incq (%%0)",
    .work_step_other = "lea %%0, %s[rip+%u]\n\tadd %%0, QWORD PTR %s[rip]\n\tlock inc QWORD PTR [%%0]",
    .start_code = CONSTRUCTOR_CODE WANTS_CODE ATTACH_CODE,
    .stop_code = DESTRUCTOR_CODE,
    .dialect_enter = "\t.att_syntax prefix\n",
    .dialect_leave = "\t.intel_syntax noprefix\n",
    .llvm_register = "${0:V}",
    .llvm_clobbers = "~{dirflag},~{fpsr},~{flags}",
};
