"""The short slice of a test for `make check`, and the whole for `make check-all`, which sets PROF_TEST_WHOLE=1."""
import os

WHOLE = os.environ.get("PROF_TEST_WHOLE") == "1"


def turn(rows, compiler, of):
    """Every `of`th row, chosen by the version of the compiler ("clang-19", "g++-12"); the five of CI cover all rows."""
    rows = list(rows)
    return rows if WHOLE else rows[int(compiler.rsplit("-", 1)[1]) % of::of]


def of_code_and_readers(code, readers, compiler, compilers):
    """Checks of what plugins write, for each compiler, and those of what readers make of it, for the newest two; the whole: all."""
    return (*code, *(readers if compiler in newest(compilers) else ()))


def newest(compilers):
    """The newest GCC and the newest Clang; the whole: all."""
    if WHOLE:
        return list(compilers)
    families = [[name for name in compilers if name.startswith("clang") == clang] for clang in (False, True)]
    return [max(family, key=lambda name: int(name.rsplit("-", 1)[1])) for family in families if family]
