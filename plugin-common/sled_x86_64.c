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

#include "late.h"
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

/*
 * Returns at once unless the environment asks for a recording, now or later (set, not empty, not "0"), or the runtime
 * is there already: then rbx isn't used.  .Lprof_late_begin: wire/late.h.
 */
#define CONSTRUCTOR_CODE \
  "\tendbr64\n" \
  PUSH("rbx", 16) \
  WEAK_ADDRESS(PROF_ATTACH_SYMBOL, "rbx") \
  "\tjne 2f\n" \
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
  "\tret\n" \
  ".Lprof_late_begin:\n" \
  "\tendbr64\n" \
  PUSH("rbx", 16) \
  "\tmovq %rdi,%rbx\n" \
  "\tjmp 2b\n" \
  "\t.cfi_def_cfa_offset 8\n" \
  "\t.cfi_restore %rbx\n"

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

/* Offsets of struct prof_late_block, checked below. */
#define STATE "(%rbx)"
#define DLOPEN "8(%rbx)"
#define DLSYM "16(%rbx)"
#define DLERROR "24(%rbx)"
#define ERRNO_LOCATION "32(%rbx)"
#define PATH "40(%rbx)"
#define SYMBOL "48(%rbx)"
#define HANDLE "56(%rbx)"
#define ERROR "64(%rbx)"
#define ANSWER "72(%rbx)"
#define MASK "80(%rbx)"
#define FRAME "88(%rbx)"
#define RECORDER "96(%rbx)"
#define TURNS "104(%rbx)"
#define HAS_XSAVE "112(%rbx)"

#define LATE_STACK_BYTES "0x48000"
#define LATE_CALLS_BYTES "0x40000" /* the rest is for vector registers: AMX's tiles are among them */

/*
 * `call` of wire/late.h.  r15 the thread's stack, r12 the stack of our own, rbp where vector registers are kept, r13 and
 * r14d errno.  The functions begin with the default MXCSR: the program may have unmasked exceptions.
 * Intel SDM volume 1, 13.7 (XSAVE): the area's header must be zero before.
 */
#define LATE_CODE \
  ".Lprof_late_call:\n" \
  "\t.cfi_undefined %rip\n" \
  "\tmovq %rsp,%r15\n" \
  "\tmovl $9,%eax\n" /* mmap */ \
  "\txorl %edi,%edi\n" \
  "\tmovl $" LATE_STACK_BYTES ",%esi\n" \
  "\tmovl $3,%edx\n" \
  "\tmovl $0x20022,%r10d\n" /* MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK */ \
  "\tmovq $-1,%r8\n" \
  "\txorl %r9d,%r9d\n" \
  "\tsyscall\n" \
  "\tcmpq $-4095,%rax\n" \
  "\tjae 6f\n" \
  "\tmovq %rax,%r12\n" \
  "\tleaq " LATE_CALLS_BYTES "(%rax),%rbp\n" \
  "\tmovq %rbp,%rsp\n" \
  "\tcmpq $0," HAS_XSAVE "\n" \
  "\tje 1f\n" \
  "\tmovl $-1,%eax\n" \
  "\tmovl $-1,%edx\n" \
  "\txsave64 (%rbp)\n" \
  "\tjmp 2f\n" \
  "1:\tfxsave64 (%rbp)\n" \
  "2:\tpushq $0x1f80\n" \
  "\tldmxcsr (%rsp)\n" \
  "\tpopq %rax\n" \
  "\tcall *" ERRNO_LOCATION "\n" \
  "\tmovq %rax,%r13\n" \
  "\tmovl (%rax),%r14d\n" \
  "\tmovq " PATH ",%rdi\n" \
  "\tmovl $0x102,%esi\n" /* RTLD_NOW | RTLD_GLOBAL */ \
  "\tcall *" DLOPEN "\n" \
  "\tmovq %rax," HANDLE "\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 3f\n" \
  "\tmovq %rax,%rdi\n" \
  "\tmovq " SYMBOL ",%rsi\n" \
  "\tcall *" DLSYM "\n" \
  "\ttestq %rax,%rax\n" \
  "\tje 3f\n" \
  "\tcall *%rax\n" \
  "\tmovl %eax," ANSWER "\n" \
  "\tjmp 4f\n" \
  "3:\tcall *" DLERROR "\n" \
  "\tmovq %rax," ERROR "\n" \
  "4:\tmovl %r14d,(%r13)\n" \
  "\tcmpq $0," HAS_XSAVE "\n" \
  "\tje 5f\n" \
  "\tmovl $-1,%eax\n" \
  "\tmovl $-1,%edx\n" \
  "\txrstor64 (%rbp)\n" \
  "\tjmp 7f\n" \
  "5:\tfxrstor64 (%rbp)\n" \
  "7:\tmovq %r15,%rsp\n" \
  "\tmovl $11,%eax\n" /* munmap */ \
  "\tmovq %r12,%rdi\n" \
  "\tmovl $" LATE_STACK_BYTES ",%esi\n" \
  "\tsyscall\n" \
  "6:\tmovq $1," STATE "\n" \
  ".Lprof_late_gate:\n" \
  "\tcmpq $0," TURNS "\n" \
  "\tje .Lprof_late_leave\n" \
  "\tdecq " TURNS "\n" \
  "\tmovl $24,%eax\n" /* sched_yield: sets nothing that a system call's continuation needs */ \
  "\tsyscall\n" \
  "\tmovq " RECORDER ",%rdi\n" \
  "\txorl %esi,%esi\n" \
  "\tmovl $62,%eax\n" /* kill */ \
  "\tsyscall\n" \
  "\tcmpl $-3,%eax\n" /* ESRCH */ \
  "\tjne .Lprof_late_gate\n" \
  ".Lprof_late_leave:\n" \
  "\tmovl $14,%eax\n" /* rt_sigprocmask(SIG_SETMASK) */ \
  "\tmovl $2,%edi\n" \
  "\tleaq " MASK ",%rsi\n" \
  "\txorl %edx,%edx\n" \
  "\tmovl $8,%r10d\n" \
  "\tsyscall\n" \
  "\tmovq " FRAME ",%rsp\n" \
  "\tpopq %r15\n" \
  "\tpopq %r14\n" \
  "\tpopq %r13\n" \
  "\tpopq %r12\n" \
  "\tpopq %r11\n" \
  "\tpopq %r10\n" \
  "\tpopq %r9\n" \
  "\tpopq %r8\n" \
  "\tpopq %rdi\n" \
  "\tpopq %rsi\n" \
  "\tpopq %rbp\n" \
  "\tpopq %rbx\n" \
  "\tpopq %rdx\n" \
  "\tpopq %rcx\n" \
  "\tpopq %rax\n" \
  "\tpopfq\n" \
  "\tret $128\n" /* over the red zone */

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

#define AT(field, offset) offsetof(struct prof_late_block, field) == offset
_Static_assert(AT(state, 0) && AT(dlopen, 8) && AT(dlsym, 16) && AT(dlerror, 24) && AT(errno_location, 32) &&
                   AT(path, 40) && AT(symbol, 48) && AT(handle, 56) && AT(error, 64) && AT(answer, 72) &&
                   AT(mask, 80) && AT(frame, 88) && AT(recorder, 96) && AT(turns, 104) && AT(has_xsave, 112) &&
                   PROF_LATE_DONE == 1 && PROF_LATE_RED_ZONE == 128,
               "LATE_CODE uses the layout of wire/late.h");

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
    .start_code = CONSTRUCTOR_CODE WANTS_CODE ATTACH_CODE LATE_CODE,
    .stop_code = DESTRUCTOR_CODE,
    .dialect_enter = "\t.att_syntax prefix\n",
    .dialect_leave = "\t.intel_syntax noprefix\n",
    .llvm_register = "${0:V}",
    .llvm_clobbers = "~{dirflag},~{fpsr},~{flags}",
};
