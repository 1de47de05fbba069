#!/usr/bin/env python3
"""Runs cells of the matrix and says how many were run, skipped and differing; 1: some differ, 77: none could be run."""
import argparse
import collections
import concurrent.futures
import pathlib
import resource
import shutil
import sys
import tempfile
import time

import axes
import cells

SKIP_STATUS = 77


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--plugin", required=True, help="prof.so")
    parser.add_argument("--runtime-folder", required=True, help="where libprof-runtime.a lies")
    parser.add_argument("--whole", action="store_true", help="every cell instead of half of a pairwise cover")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--part", default="1/1", help="2/5: the second fifth of the cells")
    parser.add_argument("--keep", action="store_true", help="keep the folders of cells that differ")
    for axis in axes.Cell._fields:
        parser.add_argument(f"--{axis}", help=f"only this {axis}; several with commas between them")
    return parser.parse_args()


def chosen_cells(options, compilers):
    every = axes.whole(axes.programs(), compilers)
    # Half of the cover has each program two or three times, and each compiler with each level.
    chosen = every if options.whole else axes.pairwise(every)[::2]
    narrowed = False
    for axis in axes.Cell._fields:
        wanted = getattr(options, axis)
        if wanted:
            if not narrowed:  # of a few chosen cells an axis would leave hardly any
                chosen, narrowed = every, True
            chosen = [cell for cell in chosen if getattr(cell, axis) in wanted.split(",")
                      or axis == "compiler" and cell.compiler.name in wanted.split(",")]
    part, parts = map(int, options.part.split("/"))
    return chosen[part - 1::parts]


def name_of(cell):
    return f"{cell.program} {cell.compiler.name} {cell.level} {cell.lto} {cell.shape}"


def main():
    options = arguments()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # programs that are meant to crash leave no core
    setting = cells.Setting(options.prof, options.plugin, options.runtime_folder)
    compilers, missing = axes.compilers(setting.plugin.parent)
    chosen = chosen_cells(options, compilers)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-matrix-"))
    kinds, skips, begin = collections.Counter(), collections.Counter(), time.monotonic()

    def work(numbered):
        number, cell = numbered
        place = folder / str(number)
        place.mkdir()
        result = cells.Cell(setting, cell, place).outcome()
        if not options.keep or result.kind != cells.FAILED:
            shutil.rmtree(place, ignore_errors=True)
        return cell, place, result

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for cell, place, result in pool.map(work, enumerate(chosen)):
            kinds[result.kind] += 1
            if result.kind == cells.SKIPPED:
                skips[result.texts[0]] += 1
            elif result.kind == cells.FAILED:
                print(f"DIFFERS {name_of(cell)}" + (f" in {place}" if options.keep else ""))
                for text in result.texts:
                    print("    " + text.replace("\n", "\n    "), flush=True)
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    seconds = time.monotonic() - begin
    for why, count in sorted(skips.items()):
        print(f"skipped {count}: {why}")
    for why in missing:
        print(f"compiler left out: {why}")
    print(f"compilers: {' '.join(each.name for each in compilers) or 'none'}")
    each = options.jobs * seconds / max(1, len(chosen))
    print(f"{len(chosen)} cells in {seconds:.0f} s, {each:.2f} s each: {kinds[cells.PASSED]} run, {kinds[cells.SKIPPED]} skipped, "
          f"{kinds[cells.FAILED]} differing")
    sys.exit(1 if kinds[cells.FAILED] else 0 if kinds[cells.PASSED] else SKIP_STATUS)


if __name__ == "__main__":
    main()
