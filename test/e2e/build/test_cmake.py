#!/usr/bin/env python3
"""test_cmake.py --prefix PREFIX [--every] - a CMake project that finds prof, per target, static, Fortran, -flto, and refusals."""
import shutil
import subprocess

import building


def configure(installed, folder, *settings):
    return ["cmake", "-S", building.HERE / "cmake", "-B", folder, f"-Dprof_ROOT={installed.prefix}", *settings]


def compilers(compiler):
    yield f"-DCMAKE_C_COMPILER={compiler.c}"
    yield f"-DCMAKE_CXX_COMPILER={compiler.cxx}"
    if compiler.fortran:
        yield f"-DCMAKE_Fortran_COMPILER={compiler.fortran}"


def refusal_names_remedy(installed, compiler, folder):
    """A prof without a backend for this compiler: find_package says so, and which there are."""
    other = folder / "other"
    library = other / installed.library.relative_to(installed.prefix)
    shutil.copytree(installed.library / "cmake", library / "cmake")
    (library / "prof").mkdir()
    (library / "prof" / "prof-gcc-9.so").touch()
    command = ["cmake", "-S", building.HERE / "cmake", "-B", folder / "refused", f"-Dprof_ROOT={other}", *compilers(compiler)]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                            env=installed.environment)
    text = " ".join(result.stderr.split())
    assert result.returncode and f"no backend for {compiler.name}" in text and "there are: gcc-9" in text, result.stderr


def test(installed, compiler, folder):
    installed.run(configure(installed, folder, *compilers(compiler)), folder)
    installed.run(["cmake", "--build", folder], folder)
    libraries = {name: calls for name, calls in building.CALLS.items() if name != "main"}
    building.calls_differ("app", installed.recorded("./app", folder), building.CALLS)
    building.calls_differ("unprobed", installed.recorded("./unprobed", folder), libraries)
    building.calls_differ("chosen", installed.recorded("./chosen", folder), {"part_add": 10})
    building.calls_differ("alone", installed.recorded("./alone", folder), building.CALLS)
    if compiler.fortran:
        calls = installed.recorded("./sums", folder)
        assert 5 in calls.values(), calls
    assert int(installed.run(["./reader", "prof.data"], folder)) > 0

    # Options of the optimiser go with those of the plugin; what is left of the program after it is recorded.
    optimised = folder / "optimised"
    installed.run(configure(installed, optimised, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON",
                            *compilers(compiler)), folder)
    installed.run(["cmake", "--build", optimised, "--target", "app"], folder)
    calls = installed.recorded("./app", optimised)
    assert calls.get("main") == 1 and calls.get("piece_twice") == 10, calls
    refusal_names_remedy(installed, compiler, folder)


building.need("cmake")
building.main("cmake", test)
