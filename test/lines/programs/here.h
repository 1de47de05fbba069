/* HERE(x): an instruction whose address is the symbol at_x, and whose line is this one. */
#ifndef HERE_H
#define HERE_H
#define HERE(name) __asm__ volatile(".globl at_" #name "\n.hidden at_" #name "\nat_" #name ": nop")
#endif
