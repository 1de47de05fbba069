#!/usr/bin/env python3
"""test_meson.py --prefix PREFIX [--every] - a Meson project with prof as a dependency that can be switched off."""
import shutil
import subprocess

import building


def set_up(installed, compiler, source, folder, *settings):
    installed.run(["meson", "setup", folder, source, *settings], source, CC=compiler.c, CXX=compiler.cxx)
    installed.run(["ninja", "-C", folder], source)


def test(installed, compiler, folder):
    source = folder / "source"
    shutil.copytree(building.HERE / "meson", source)
    shutil.copytree(building.HERE / "sources", source / "sources")
    set_up(installed, compiler, source, folder / "on", "-Dprofile=enabled")
    building.calls_differ("app", installed.recorded("./app", folder / "on"), building.CALLS)

    # Flags for every target, without a word in the project.
    set_up(installed, compiler, source, folder / "flags", "-Dc_args=-fplugin=prof.so", "-Dcpp_args=-fplugin=prof.so")
    building.calls_differ("app", installed.recorded("./app", folder / "flags"), building.CALLS)

    set_up(installed, compiler, source, folder / "off")
    result = subprocess.run(["prof", "record", "./app"], cwd=folder / "off", env=installed.environment, capture_output=True,
                            text=True, check=False)
    assert "no probes" in result.stderr, result.stderr


building.need("meson", "ninja", "pkg-config")
building.main("meson", test)
