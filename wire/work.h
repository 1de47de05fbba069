/*
 * wire/work.h - floating-point operations and bytes of a function: counters of a module compiled with flops=count.
 *
 * Objects lie in PROF_COUNTS_SECTION among those of wire/counts.h, with the same head, and are counted and moved as
 * those are; only the magic and the bytes behind the counters differ.  The counters belong to pieces of the final code,
 * in which all instructions run equally often.  The bytes; numbers are unsigned LEB128:
 *
 *     key of the function (wire/row.h): 8 bytes
 *     PROF_WORK_ flags; number of loops, then their keys: 8 bytes each
 *     pieces, one for each counter: 0, or the position (from 1 on) of its loop; then what one execution of it does:
 *       operations: least, and how many more at most
 *       bytes loaded: least, and how many more at most; bytes stored: likewise
 *       how many statements do operations whose number is not known, how many access bytes whose number is not known
 *
 * An operation is an addition, subtraction, multiplication, division or square root of one lane; fused ones are two.
 * Comparisons, minima, conversions, roundings and changes of sign are none.  Bytes are those of the program's own
 * loads and stores, not of registers that the compiler puts on the stack, return addresses and constants.
 */
#ifndef PROF_WIRE_WORK_H
#define PROF_WIRE_WORK_H

#define PROF_WORK_MAGIC 0x314b524f57465250ull /* "PRFWORK1" */

#define PROF_WORK_CHANGES 0x1u /* the code was optimised again behind the plugin (Clang with -flto) */

#endif
