#!/usr/bin/env python3
"""test_ccache.py --prefix PREFIX [--every] - an object with probes comes out of ccache, and not after the plugin has changed."""
import shutil

import building


def counted(installed, folder, command, **more):
    """(hits, misses) of one compilation."""
    installed.run(["ccache", "--zero-stats"], folder)
    installed.run(["ccache", *command], folder, **more)
    lines = (line.split("\t") for line in installed.run(["ccache", "--print-stats"], folder).splitlines())
    counts = {line[0]: int(line[1]) for line in lines if len(line) == 2}
    return counts["direct_cache_hit"] + counts["preprocessed_cache_hit"], counts["cache_miss"]


def test(installed, compiler, folder):
    library = folder / "lib"
    shutil.copytree(installed.library, library, symlinks=True)
    shutil.copytree(building.HERE / "sources", folder, dirs_exist_ok=True)
    installed.environment.update(CCACHE_DIR=str(folder / "cache"), LD_LIBRARY_PATH=str(library))
    plugin = library / "prof.so"
    ways = {  # the path is hashed by ccache itself; it doesn't know where a bare name leads
        "path": (f"-fplugin={plugin}", {}),
        "bare name": ("-fplugin=prof.so", {"CCACHE_EXTRAFILES": str(plugin)}),
    }
    for way, (flag, more) in ways.items():
        command = [compiler.c, "-g", "-O0", flag, "-c", "part.c", "-o", "part.o"]
        assert counted(installed, folder, command, **more) == (0, 1), f"{way}: the first time is no miss"
        (folder / "part.o").unlink()
        assert counted(installed, folder, command, **more) == (1, 0), f"{way}: the second time is no hit"
        with plugin.open("ab") as changed:
            changed.write(b"another build of it")
        assert counted(installed, folder, command, **more) == (0, 1), f"{way}: an object of another plugin is taken"
    installed.run([compiler.cxx, "-g", "-O0", f"-fplugin={plugin}", "-c", "piece.cc"], folder)
    installed.run([compiler.c, "-g", "-O0", f"-fplugin={plugin}", "-c", "main.c"], folder)
    installed.run([compiler.cxx, "main.o", "part.o", "piece.o", "-o", "app"], folder)
    building.calls_differ("app", installed.recorded("./app", folder), building.CALLS)


building.need("ccache")
building.main("ccache", test)
