"""What is run to see whether a program still does the same: one row per run."""
import re
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

SECONDS = re.compile(rb"\d+\.\d+s\b")


def lua_cases(_folder):
    yield "work", programs.lua_arguments(2), None
    yield "an uncaught error", ["-e", "local function f(n) if n == 0 then error('out of luck') end return f(n - 1) + 1 end "
                                      "f(20)"], None
    yield "a status", ["-e", "io.stderr:write('to stderr\\n') os.exit(7)"], None
    yield "from standard input", ["-"], b"print(#arg, ('x'):rep(3)) coroutine.wrap(function() error('in coroutine') end)()"
    yield "deep recursion", ["-e", "local function f() return f() + 1 end print(pcall(f))"], None


def zstd_cases(folder):
    text = str(programs.text_file(2))
    packed = folder / "text.zst"
    yield "compress", ["-3", "-c", text], None
    yield "compress hard", ["-15", "-c", text], None
    yield "write a file", ["-5", "-f", "-q", text, "-o", str(packed)], None
    yield "unpack it", ["-d", "-c", str(packed)], None
    yield "train", ["--train", "-B4096", text, "-o", str(folder / "dictionary"), "-f", "-q"], None
    yield "no such file", ["-c", str(folder / "absent")], None
    yield "not zstd", ["-d", "-c", text], None
    yield "from standard input", ["-c"], b"standard input " * 5000


def sqlite_cases(folder):
    database = folder / "speed.db"
    database.unlink(missing_ok=True)
    yield "speedtest1", ["--size", "3", "--verify", str(database)], None
    yield "a wrong option", ["--no-such-option"], None


def leveldb_cases(_folder):
    yield "a new database", ["database"], None
    yield "the same again", ["database"], None
    yield "no folder", ["/dev/null/database"], None


# name of the program -> (its runs, files that they leave)
PROGRAMS = {
    "lua": (lua_cases, []),
    "zstd": (zstd_cases, ["text.zst", "dictionary"]),
    "sqlite": (sqlite_cases, ["speed.db"]),
    "leveldb": (leveldb_cases, []),
}
OF_CXX = {"leveldb"}


def masked(text):
    """Durations that a program prints about itself differ from run to run."""
    return SECONDS.sub(b"#s", text)
