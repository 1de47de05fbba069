"""DejaGnu's target selectors, as `{ target { c++11 && { ! ilp32 } } }`: do they hold for x86-64 Linux?

In: the words of one selector and the C++ standard in use.  Out: True, False, or Unknown (a name that no row here explains).
Source: "Directives" and "Selectors" in the GCC internals manual, chapter Testsuites.
"""
import fnmatch
import re

TRIPLET = "x86_64-pc-linux-gnu"
TOKEN = re.compile(r"\{|\}|&&|\|\||!|\"[^\"]*\"|[^\s{}\"]+")
# Properties of the target, not of a compiler: a test that a compiler can't do fails in its plain build and is left out there.
HOLD = set("""int32plus int32 ptr32plus size32plus size20plus lp64 alloca label_values trampolines indirect_jumps untyped_assembly
return_address fileio c99_runtime unwrapped stdint_types mmap int128 double64plus longlong64 dfp signal fpic pthread tls
tls_runtime tls_native cxa_atexit non_bionic nonpic pie_enabled large_double double64 exceptions exceptions_enabled
x86 natural_alignment_32 natural_alignment_64 wchar_t_char16_t_compatible float128 float32 float64 float128_runtime
automatic_stack_alignment run_expensive_tests const_volatile_readonly_section c99_stdlib large_long_double weak_undefined
init_priority freorder sync_char_short sync_int_long sync_long_long cas_int cas_char named_sections split_stack gld
static section_anchors_not hosted stdcxx_ok lto shared string_merging vma_equals_lma non_strict_align""".split())
HOLD_NOT = set("""ilp32 ia32 x32 llp64 short_enums default_packed arm32 arm_eabi arm_fp16_alternative_ok arm_thumb1_ok freestanding
newlib_nano_io int16 keeps_null_pointer_checks vxworks_kernel ti_c67x powerpc64 hard_float mips64 aarch64 aarch64_sve
pcc_bitfield_type_matters_not wchar_t_is_short unsigned_char_default concepts_missing""".split())
STANDARDS = {"98": 98, "11": 111, "14": 114, "17": 117, "20": 120, "2a": 120, "23": 123, "2b": 123}


class Unknown(Exception):
    """A name in a selector that is in no table."""


def standard_of(flag):
    """-std=gnu++17 -> 117: ordered by age."""
    return STANDARDS[flag.rsplit("+", 1)[1]] if "++" in flag else 0


def name_holds(name, standard):
    match = re.fullmatch(r"c\+\+(98|11|14|17|20|2a|23|2b)(_only|_down)?", name)
    if match and standard:
        wanted = STANDARDS[match[1]]
        return {None: standard >= wanted, "_only": standard == wanted, "_down": standard <= wanted}[match[2]]
    if "-" in name or "*" in name:
        return fnmatch.fnmatch(TRIPLET, name)
    if name in HOLD or name in HOLD_NOT:
        return name in HOLD
    raise Unknown(name)


class Reader:
    """Reads an expression: names side by side mean "one of them"."""

    def __init__(self, text, standard):
        self.tokens, self.at, self.standard = TOKEN.findall(text), 0, standard

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def factor(self):
        token = self.next()
        if token == "!":
            return not self.factor()
        if token == "{":
            value = self.expression()
            if self.peek() == "}":
                self.next()
            return value
        return name_holds(token.strip('"'), self.standard)

    def expression(self):
        value = self.factor()
        while self.peek() not in (None, "}"):
            operator = self.peek()
            if operator in ("&&", "||"):
                self.next()
            other = self.factor()
            value = (value and other) if operator == "&&" else (value or other)
        return value


def holds(text, standard=0):
    reader = Reader(text, standard)
    return bool(reader.expression()) if reader.tokens else True
