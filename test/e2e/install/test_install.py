#!/usr/bin/env python3
"""test_install.py --build BUILD - installs into BUILD/test/install and uses what is there.

Exit status: 0, 1, or 77 where no compiler has a backend.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

APP = "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nint main(void) { return f(10) != 55; }\n"


def output(command, **more):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                            stdin=subprocess.DEVNULL, **more)
    if result.returncode:
        raise RuntimeError(f"{shlex.join(map(str, command))} ended with {result.returncode}:\n"
                           f"{result.stdout[-1500:]}{result.stderr[-1500:]}")
    return result.stdout


def wrong_paths(prefix, build):
    """ELF files of the prefix that the dynamic linker would send to the build folder."""
    for path in sorted(prefix.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF":
            dynamic = output(["readelf", "-dW", path])
            if any(tag in line and str(build) in line for line in dynamic.splitlines() for tag in ("RPATH", "RUNPATH")):
                yield str(path)


def compilers(library):
    """The commands of every backend that was installed."""
    for backend in sorted(library.glob("prof/prof-*-*.so")):
        command = backend.stem.removeprefix("prof-")
        if shutil.which(command):
            yield command


def ended(work, environment):
    """What prof info shows of by-itself, once its recorder has ended: that is a moment after the program."""
    until, info = time.monotonic() + 400, {}
    while not info.get("complete") and time.monotonic() < until:
        time.sleep(0.05)
        done = subprocess.run(["prof", "info", "-i", "by-itself", "--format=json"], capture_output=True, check=False, cwd=work, env=environment)
        info = json.loads(done.stdout) if done.returncode == 0 else {}
    return info


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    build = parser.parse_args().build
    prefix, work = build / "test" / "install" / "prefix", build / "test" / "install" / "work"
    shutil.rmtree(prefix.parent, ignore_errors=True)
    work.mkdir(parents=True)
    said = output([programs.ROOT / "scripts" / "install.sh", build, prefix])
    assert "ldconfig" in said, said  # this prefix is not the system's, so the user is told

    library = next(prefix.rglob("libprof-plugin.so")).parent
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PROF_")}
    environment.update(PATH=f"{prefix}/bin:{os.environ['PATH']}", LD_LIBRARY_PATH=str(library),
                       PKG_CONFIG_PATH=f"{library}/pkgconfig")
    (work / "app.c").write_text(APP)
    tried = []
    for compiler in compilers(library):
        output([compiler, "-g", "-O0", "-fplugin=prof.so", "-fplugin-arg-prof-exclude=nothing", "app.c", "-o", "app"], cwd=work,
               env=environment)
        output(["prof", "record", "./app"], cwd=work, env=environment)
        functions = json.loads(output(["prof", "report", "--format", "json"], cwd=work, env=environment))["functions"]
        calls = {row["name"]: row["calls"] for row in functions}
        assert calls == {"f": 177, "main": 1}, (compiler, calls)
        shown = output(["prof", "config", "--cflags", f"--compiler={compiler}"], env=environment).split()
        output([compiler, "-O0", *shown, "-fplugin-arg-prof-exclude=f", "-c", "app.c"], cwd=work, env=environment)
        tried.append(compiler)
    if not tried:
        programs.skip("no compiler with a backend is here")

    # Without `prof record`: the runtime is found by its name, and it finds prof.
    output(["./app"], cwd=work, env={**environment, "PROF_RECORD": "1", "PROF_OPTIONS": "-o by-itself"})
    info = ended(work, environment)
    assert info["events"] == 356, info

    shutil.copy(pathlib.Path(__file__).with_name("reader.c"), work)
    flags = output(["pkg-config", "--cflags", "--libs", "proftrace"], env=environment).split()
    for language in ("c", "c++"):
        output([tried[0], "-x", language, "reader.c", "-x", "none", *flags, "-o", "reader"], cwd=work, env=environment)
        assert output(["./reader", "prof.data"], cwd=work, env=environment) == "356\n"
    flags = output(["pkg-config", "--cflags", "--libs", "profstudy"], env=environment).split()
    hottest = programs.ROOT / "docs" / "examples" / "hottest" / "hottest.c"
    for language in ("c", "c++"):
        output([tried[0], "-x", language, hottest, "-x", "none", *flags, f"-Wl,-rpath,{library}", "-o", "hottest"], cwd=work, env=environment)
        shown = [line.split()[-1] for line in output(["./hottest", "prof.data"], cwd=work, env=environment).splitlines()]
        assert shown[:2] in (["f", "main"], ["main", "f"]), shown
    blank = work / "a folder"
    blank.symlink_to(prefix)
    paths = {**environment, "PKG_CONFIG_PATH": str(blank / library.relative_to(prefix) / "pkgconfig")}
    flags = shlex.split(output(["pkg-config", "--cflags", "prof"], env=paths))
    libraries = shlex.split(output(["pkg-config", "--static", "--libs", "prof"], env=paths))
    output([tried[0], "-g", "-O0", *flags, "app.c", "-static", *libraries, "-o", "alone"], cwd=work, env=environment)
    output(["prof", "record", "-o", "static", "./alone"], cwd=work, env=environment)
    calls = {row["name"]: row["calls"] for row in json.loads(output(["prof", "report", "-i", "static", "--format", "json"], cwd=work, env=environment))["functions"]}
    assert calls["f"] == 177, calls
    wrong = list(wrong_paths(prefix, build))
    assert not wrong, f"these look for libraries in the build folder: {wrong}"
    count = sum(1 for path in prefix.rglob("*") if path.is_file())
    (library / "other").write_text("not ours")
    said = output([programs.ROOT / "scripts" / "uninstall.sh", prefix])
    left = [str(path) for path in prefix.rglob("*") if not path.is_dir() or path.name == "prof"]
    assert left == [str(library / "other")], f"{left} left behind: {said}"
    print(f"bare name in {', '.join(tried)}; installed and removed files: {count}")
    return 0


try:
    sys.exit(main())
except (RuntimeError, AssertionError) as error:
    print(error)
    sys.exit(1)
