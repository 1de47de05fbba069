"""Real programs for tests and benchmarks: built once per variant, with inputs that are the same everywhere.

In: PROF (the prof binary) and CC from the environment or the command line of who imports this.  Out: paths.
"""
import argparse
import hashlib
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "/tmp"), ".cache")
    folder = pathlib.Path(os.environ.get("PROF_CACHE") or os.path.join(home, "prof"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def default_compiler():
    """The GCC to test with, as `make demo` picks it."""
    result = subprocess.run([ROOT / "scripts" / "compiler.sh"], capture_output=True, text=True, check=False)
    if result.returncode:
        skip(result.stderr.strip())
    return result.stdout.strip()


def compilers(prof):
    """The C compilers here that this build has a backend for, by the names with a version that Debian gives them."""
    names = sorted({path.name for folder in os.environ["PATH"].split(":") for path in pathlib.Path(folder).glob("*-*")
                    if re.fullmatch(r"(gcc|clang)-[0-9]+", path.name)}, key=lambda name: (name[0] == "c", name))
    found = [name for name in names if subprocess.run([prof, "config", "--cflags", f"--compiler={name}"], capture_output=True,
                                                      check=False).returncode == 0]
    return found or skip("no compiler here has a backend")


def compiler_or_skip(command=None, prof=None):
    """`command`, or the default compiler; skips where it is missing, or, given `prof`, where that build has no backend for it."""
    if command and not shutil.which(command):
        skip(f"no {command} here (make setup-all)")
    if command and prof and command not in compilers(prof):
        skip(f"no backend for {command}")
    return command or default_compiler()


def compiler_options():
    """--prof and --compiler of a test that is run once for each compiler; skips where that can't be."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    compiler_or_skip(options.compiler, options.prof)
    return options


def plugin_flags(prof, compiler):
    """What makes this compiler load the plugin of a build folder, as a list."""
    result = subprocess.run([prof, "config", "--cflags", f"--compiler={compiler}"], capture_output=True, text=True,
                            check=False)
    if result.returncode:
        raise RuntimeError(f"prof config --cflags --compiler={compiler}: {result.stderr.strip()}")
    return shlex.split(result.stdout)


def stamp_of(command):
    """Changes when the command or a plugin file that it names does."""
    digest = hashlib.sha256("\0".join(command).encode())
    digest.update((ROOT / "scripts" / "build-program.sh").read_bytes())
    for match in re.finditer(r"-fplugin=(/[^ ]+)", " ".join(command)):
        for file in sorted(pathlib.Path(match[1]).resolve().parent.glob("*.so*")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def build(name, variant, compiler, flags, folder):
    """Builds lua, zstd or sqlite as folder/name-variant unless that is up to date; skips where no source is reachable.
    Tests that run at once in one folder need a variant of their own for other flags."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{name}-{variant}"
    command = [compiler, *flags]
    stamp, stamp_file = stamp_of(command), folder / f"{name}-{variant}.stamp"
    if output.exists() and stamp_file.exists() and stamp_file.read_text() == stamp:
        return output
    result = subprocess.run([ROOT / "scripts" / "build-program.sh", name, output, *command], capture_output=True,
                            text=True, check=False, stdin=subprocess.DEVNULL)
    if result.returncode == SKIP:
        skip(result.stderr.strip().splitlines()[-1])
    if result.returncode:
        raise RuntimeError(f"{name} with {shlex.join(command)}:\n{result.stderr[-4000:]}")
    stamp_file.write_text(stamp)
    return output


def text_file(megabytes):
    """A text of made-up words, some frequent and most seldom, with phrases that come back: for zstd to compress."""
    path = cache_folder() / f"text-{megabytes}"
    size = megabytes * 1000 * 1000
    if path.exists() and path.stat().st_size == size:
        return path
    rng = random.Random(20)
    vocabulary = ["".join(rng.choices("etaoinshrdlucmfwypvbgkqjxz", weights=range(26, 0, -1), k=rng.randint(1, 11)))
                  for _ in range(20000)]
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    partial = path.with_suffix(f".{os.getpid()}")
    recent, written = [], 0
    with open(partial, "w", encoding="ascii") as out:
        while written < size:
            words = rng.choices(vocabulary, weights, k=2000)
            for start in range(0, 2000, 50):
                if recent and rng.random() < 0.25:
                    words[start:start + 12] = rng.choice(recent)
                recent.append(words[start:start + 12])
            del recent[:-3000]
            text = (" ".join(words) + ".\n")[:size - written]
            out.write(text)
            written += len(text)
    partial.rename(path)
    return path


def lua_arguments(size):
    return [str(HERE / "work.lua"), str(size)]
