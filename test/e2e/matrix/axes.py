"""The axes of the matrix, and which of their cells are run: all, or a few that cover every pair of values."""
import collections
import itertools
import pathlib
import re
import shutil

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"

Cell = collections.namedtuple("Cell", "program compiler level lto shape")
Compiler = collections.namedtuple("Compiler", "name family c cxx lto")

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
LTO = ("no", "lto")
SHAPES = ("exe", "shared", "static")
FAMILIES = {"gcc": "g++", "clang": "clang++"}


def compilers(plugin_folder):
    """Those that have a backend beside the plugin, and why others are left out."""
    found, missing = [], []
    for backend in sorted(pathlib.Path(plugin_folder).glob("prof-*-*.so")):
        match = re.fullmatch(r"prof-(\w+)-(\d+)", backend.stem)
        family, major = match.groups() if match else (None, None)
        if family not in FAMILIES:
            continue
        c, cxx = f"{family}-{major}", f"{FAMILIES[family]}-{major}"
        if shutil.which(c) and shutil.which(cxx):
            # Intermediate code wants a linker of its own version; the driver would take the system's.
            lld = shutil.which(f"ld.lld-{major}")
            lto = ["-flto", f"--ld-path={lld}" if lld else "-fuse-ld=lld"] if family == "clang" else ["-flto"]
            found.append(Compiler(c, family, c, cxx, tuple(lto)))
        else:
            missing.append(f"{c} or {cxx} is not installed")
    return found, missing


def programs():
    """Names of all programs that have an expected tree."""
    return sorted(path.stem for path in PROGRAMS.glob("*.tree"))


def whole(program_names, compiler_list):
    return [Cell(*values) for values in itertools.product(program_names, compiler_list, LEVELS, LTO, SHAPES)]


def pairs_of(cell):
    return set(itertools.combinations(enumerate(cell), 2))


def pairwise(cells):
    """
    A few of the cells in which every pair of values of two axes occurs that occurs in all of them.  Greedy and without
    chance: the next cell is the one with most pairs that no earlier one has.
    """
    wanted = set().union(*(pairs_of(cell) for cell in cells)) if cells else set()
    by_program = collections.defaultdict(list)
    for cell in cells:
        by_program[cell.program].append((cell, pairs_of(cell)))
    chosen = []
    while wanted:
        # The programs take turns, so that looking for a cell stays cheap.
        for candidates in by_program.values():
            best, gain = None, 0
            for cell, pairs in candidates:
                fresh = len(pairs & wanted)
                if fresh > gain:
                    best, gain = cell, fresh
            if best:
                chosen.append(best)
                wanted -= pairs_of(best)
    return chosen
