/*
 * test/support/debug_by_hand.c - functions with debug information written by hand, for test_debug, which explains it.
 * Compiled without debug information: an assembler writes one line table.
 */
#define LINES(text) text "\n"

__asm__(LINES(".globl hand, bare, old, hand.cold") LINES(".hidden hand, bare, old, hand.cold") LINES(".text")
            LINES(".type hand, @function") LINES("hand: .nops 16") LINES(".Lhand_end: .size hand, . - hand")
                LINES(".type bare, @function") LINES("bare: .nops 8") LINES(".size bare, . - bare")
                    LINES(".type old, @function") LINES("old: .nops 12") LINES(".Lold_end: .size old, . - old")
                        LINES(".type hand.cold, @function") LINES("hand.cold: .nops 4")
                            LINES(".Lcold_end: .size hand.cold, . - hand.cold"));

/* Version 5: codes 1 unit, 2 function with ranges, 3 inlined, 4 abstract, 5 function with low and high. */
__asm__(LINES(".pushsection .debug_abbrev,\"\",@progbits") LINES(".Labbrev:") LINES(".uleb128 1, 0x11; .byte 1")
            LINES(".uleb128 0x10, 0x17, 0x1b, 0x08, 0x11, 0x01, 0x55, 0x17, 0, 0") LINES(".uleb128 2, 0x2e; .byte 1")
                LINES(".uleb128 0x6e, 0x08, 0x55, 0x17, 0, 0") LINES(".uleb128 3, 0x1d; .byte 1")
                    LINES(".uleb128 0x31, 0x13, 0x11, 0x01, 0x12, 0x0b, 0x58, 0x21; .sleb128 1; .uleb128 0x59, 0x0b, "
                          "0x57, 0x0b, 0, 0") LINES(".uleb128 4, 0x2e; .byte 0") LINES(".uleb128 0x03, 0x08, 0, 0")
                        LINES(".uleb128 5, 0x2e; .byte 0") LINES(".uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0")
                            LINES(".byte 0") LINES(".popsection"));

__asm__(LINES(".pushsection .debug_info,\"\",@progbits") LINES(".long .Linfo_end - .Linfo")
            LINES(".Linfo: .short 5; .byte 1, 8; .long .Labbrev")
                LINES(".uleb128 1; .long .Lline; .asciz \"./here\"; .quad 0; .long .Lunit_ranges")
                    LINES(".Lleaf: .uleb128 4; .asciz \"leaf\"") LINES(".Lbranch: .uleb128 4; .asciz \"branch\"")
                        LINES(".uleb128 2; .asciz \"hand\"; .long .Lhand_ranges")
                            LINES(".uleb128 3; .long .Lbranch - .Linfo + 4; .quad hand + 4; .byte 4, 12, 7")
                                LINES(".uleb128 3; .long .Lleaf - .Linfo + 4; .quad hand + 4; .byte 4, 11, 3")
                                    LINES(".byte 0, 0, 0") LINES(".uleb128 5; .asciz \"thrown_away\"; .quad 0, 16")
                                        LINES(".byte 0") LINES(".Linfo_end:") LINES(".popsection"));

__asm__(LINES(".pushsection .debug_rnglists,\"\",@progbits") LINES(".long .Lranges_end - .Lranges_begin")
            LINES(".Lranges_begin: .short 5; .byte 8, 0; .long 0")
                LINES(".Lunit_ranges: .byte 6; .quad hand, .Lhand_end")      /* start_end */
        LINES(".byte 7; .quad hand.cold; .uleb128 4")                        /* start_length */
        LINES(".byte 7; .quad 0; .uleb128 16")                               /* discarded by the linker */
        LINES(".byte 6; .quad -1, -1; .byte 0")                              /* discarded by lld */
        LINES(".Lhand_ranges: .byte 5; .quad hand; .byte 4; .uleb128 0, 16") /* base_address, offset_pair */
        LINES(".byte 7; .quad hand.cold; .uleb128 4; .byte 0") LINES(".Lranges_end:") LINES(".popsection"));

/* Opcodes: 0 5 9 2 set_address; 0 1 1 end; 1 copy; 2 advance_pc; 3 advance_line; 4 file; 5 column. */
#define ADDRESS(label) LINES(".byte 0, 9, 2; .quad " label)
#define LINE(lines) LINES(".byte 3; .sleb128 " lines "; .byte 1")
#define FORWARD(bytes, lines) LINES(".byte 2, " bytes) LINE(lines)
#define END(bytes) LINES(".byte 2, " bytes ", 0, 1, 1")
__asm__(LINES(".pushsection .debug_line,\"\",@progbits") LINES(".Lline: .long .Lline_end - .Lline_begin")
            LINES(".Lline_begin: .short 5; .byte 8, 0; .long .Lprogram - .Lhead")
                LINES(".Lhead: .byte 1, 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1")
                    LINES(".byte 1; .uleb128 1, 8; .uleb128 2; .asciz \"./here\", \"below/../include\"")
                        LINES(".byte 2; .uleb128 1, 8, 2, 11; .uleb128 3")
                            LINES(".asciz \"hand.c\"; .byte 0; .asciz \"hand.c\"; .byte 0; .asciz \"leaf.h\"; .byte 1")
                                LINES(".Lprogram:") ADDRESS("hand.cold") LINE("19") END("4") ADDRESS("hand") LINE("9")
                                    LINES(".byte 4, 2, 5, 9") FORWARD("4", "40") LINES(".byte 4, 1, 5, 0")
                                        FORWARD("4", "-50") FORWARD("4", "13") END("4") ADDRESS("0") LINE("70")
                                            END("16") LINES(".Lline_end:") LINES(".popsection"));

/* Version 2: addresses, no offsets; the line table goes back from old + 8 to old + 4. */
__asm__(LINES(".pushsection .debug_abbrev,\"\",@progbits") LINES(".Lold_abbrev:") LINES(".uleb128 7, 0x11; .byte 1")
            LINES(".uleb128 0x10, 0x06, 0x1b, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0") LINES(".uleb128 9, 0x2e; .byte 0")
                LINES(".uleb128 0x03, 0x08, 0x11, 0x01, 0x12, 0x01, 0, 0") LINES(".byte 0") LINES(".popsection")
                    LINES(".pushsection .debug_info,\"\",@progbits") LINES(".long .Lold_info_end - .Lold_info")
                        LINES(".Lold_info: .short 2; .long .Lold_abbrev; .byte 8")
                            LINES(".uleb128 7; .long .Lold_line; .asciz \"/old\"; .quad old, .Lold_end") LINES(
                                ".uleb128 9; .asciz \"old\"; .quad old, .Lold_end; .byte 0") LINES(".Lold_info_end:")
                                LINES(".popsection") LINES(".pushsection .debug_line,\"\",@progbits")
                                    LINES(".Lold_line: .long .Lold_line_end - .Lold_line_begin")
                                        LINES(".Lold_line_begin: .short 2; .long .Lold_program - .Lold_head")
                                            LINES(".Lold_head: .byte 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1")
                                                LINES(".asciz \"deep\"; .byte 0")
                                                    LINES(".asciz \"old.c\"; .byte 1, 0, 0; .byte 0")
                                                        LINES(".Lold_program:") ADDRESS("old") LINES(".byte 5, 2")
                                                            LINE("4") FORWARD("8", "1") ADDRESS("old + 4") LINE("1")
                                                                END("8") LINES(".Lold_line_end:") LINES(".popsection"));
