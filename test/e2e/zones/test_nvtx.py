#!/usr/bin/env python3
"""test_nvtx.py --prof PROF --compiler COMPILER - hypre, solvers that are marked by NVTX, with prof_nvtx.h before NVTX's own headers.

Its ranges are begun by one function and ended by another, have names made at run time, and lie in each other.  A second build writes
them to standard error instead; the zones of the recording are compared with that.  In: Debian's source of hypre, NVTX's headers of CUDA."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

INCLUDE = programs.ROOT / "include"
FOLDERS = "utilities krylov seq_mv multivector parcsr_mv parcsr_ls IJ_mv parcsr_block_mv blas lapack distributed_matrix matrix_matrix distributed_ls/ParaSails".split()
# Not of the library: programs, older versions, and what needs other libraries.
OTHERS = {"nvtx.c", "driver.c", "par_sv_interp_lsfit.c", "IJMatrix_isis.c", "IJMatrix_petsc.c", "backup.c", "csr_matmultivec.c", "par_csr_matmultivec.c",
          "par_multivector.c", "seq_multivector.c", "csr_block_matop.c", "convert.c", "permute.c"}
# What its configure script writes for one processor without MPI, and NVTX.
CONFIG = """
#define HYPRE_RELEASE_NAME "hypre"
#define HYPRE_RELEASE_VERSION ""
#define HYPRE_RELEASE_NUMBER 0
#define HYPRE_RELEASE_DATE ""
#define HYPRE_RELEASE_TIME ""
#define HYPRE_RELEASE_BUGS ""
#define HYPRE_MAXDIM 3
#define HYPRE_SEQUENTIAL 1
#define HYPRE_TIMING 1
#define HYPRE_USING_HYPRE_BLAS 1
#define HYPRE_USING_HYPRE_LAPACK 1
#define HYPRE_USING_HOST_MEMORY 1
#define HYPRE_USING_NVTX 1
#define HYPRE_F77_FUNC(name, NAME) name##_
#define HYPRE_F77_FUNC_(name, NAME) name##__
"""
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got!r}, not\n  {wanted!r}"[:2000])


def run(folder, *command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False, cwd=folder, stdin=subprocess.DEVNULL)


def must(folder, *command):
    done = run(folder, *command)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return done


def build(options, folder, source, cuda):
    """./recorded and ./logged: the same but for what becomes of the marks."""
    cxx = options.compiler.replace("gcc", "g++").replace("clang", "clang++")
    (folder / "HYPRE_config.h").write_text(CONFIG)
    include = ["-I.", f"-I{source}", *(f"-I{source / name}" for name in (*FOLDERS, "distributed_ls/Euclid", "distributed_ls/pilut", "struct_mv"))]
    flags = ["-g", "-O1", "-w", *programs.plugin_flags(options.prof, options.compiler), *include]
    files = [path for name in FOLDERS for path in sorted((source / name).glob("*.c")) if not path.name.endswith("_device.c") and path.name not in OTHERS]
    objects = {path: "_".join(path.relative_to(source).with_suffix(".o").parts) for path in files}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda path: must(folder, options.compiler, *flags, "-c", path, "-o", objects[path]), files):
            pass
    (folder / "objects").write_text("\n".join(objects.values()))
    must(folder, "ar", "rcs", "libhypre.a", "@objects")
    headers = ["-isystem", cuda, f"-isystem{cuda / 'nvtx3'}", f"-I{INCLUDE}", f"-I{HERE}"]
    # Its library has MPI's functions; other solvers, which it could call, are left out.
    must(folder, options.compiler, *flags, f"-I{source / 'examples'}", "-include", "_hypre_utilities.h", "-c", source / "examples/ex5.c", "-o", "ex5.o")
    for program, header in (("recorded", "prof_nvtx.h"), ("logged", "ranges_log.h")):
        # There is no GPU to wait for.
        must(folder, cxx, "-x", "c++", *flags, *headers, "-include", header, "-DcudaStreamSynchronize(stream)=(void)0", "-c", source / "utilities/nvtx.c", "-o", f"{program}.o")
        must(folder, cxx, *programs.plugin_flags(options.prof, options.compiler), "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "ex5.o", f"{program}.o",
             "libhypre.a", "-lm", "-o", program)


def logged(text):
    """(names around it, outermost first; its name): how often, for each range."""
    found, stack = collections.Counter(), []
    for line in text.splitlines():
        if line.startswith("begin "):
            found[tuple(stack), line.removeprefix("begin ")] += 1
            stack.append(line.removeprefix("begin "))
        elif line == "end":
            stack.pop()
    equal("open ranges", stack, [])
    return found


def zones(options, folder, *more):
    done = run(folder, options.prof, "report", "-i", "data", "--by=zone", *more, "--format=json")
    return {row["name"]: row["calls"] for row in json.loads(done.stdout)["zones"] if row["calls"]} if done.returncode == 0 else {}


def check(options, folder, solver):
    plain = must(folder, "./logged", "-n", "33", "-solver", solver)
    truth = logged(plain.stderr)
    done = must(folder, options.prof, "record", "-o", "data", "./recorded", "-n", "33", "-solver", solver)
    equal(f"solver {solver}: output", done.stdout, plain.stdout)
    iterations = re.search(r"Iterations = (\d+)", plain.stdout)
    equal(f"solver {solver}: it solved something", bool(iterations) and int(iterations[1]) > 1 and len(truth) > 20, True)
    by_name = collections.Counter()
    for (_, name), count in truth.items():
        by_name[name] += count
    equal(f"solver {solver}: zones", zones(options, folder), dict(by_name))
    for outer in by_name:
        inside = collections.Counter()
        for (around, name), count in truth.items():
            inside[name] += count if outer in around and name != outer else 0
        found = zones(options, folder, f"--under={outer}")
        found.pop(outer, None)
        equal(f"solver {solver}: under {outer}", found, {name: count for name, count in inside.items() if count})
    cover = json.loads(must(folder, options.prof, "tree", "-i", "data", "--format=json").stdout)["cover"]
    equal(f"solver {solver}: unmatched, skipped", (cover.get("unmatched"), cover.get("skipped")), (0, 0))
    print(f"solver {solver}: {sum(by_name.values())} ranges of {len(by_name)} names, in {len(truth)} places")


def main():
    options = programs.compiler_options()
    cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include"
    if not (cuda / "nvtx3/nvToolsExt.h").exists():
        programs.skip("no headers of NVTX (CUDA_HOME)")
    with tempfile.TemporaryDirectory(prefix="prof-nvtx-") as name:
        folder = pathlib.Path(name)
        fetched = run(folder, programs.ROOT / "scripts/fetch-source.sh", "hypre")
        if fetched.returncode:
            programs.skip("hypre's source can't be fetched")
        build(options, folder, pathlib.Path(fetched.stdout.strip()) / "src", cuda)
        for solver in ("0", "1", "61"):  # multigrid alone, and in two Krylov methods
            check(options, folder, solver)
    print("\n".join(faults) or "as marked")
    sys.exit(bool(faults))


main()
