#!/usr/bin/env python3
"""Nothing that belongs to one machine: no paths of a developer's disk, no addresses, no hosts but those listed here."""
import re
import tree

HOSTS = {  # what a reader may be sent to; XML names look like addresses too
    "www.apache.org", "www.w3.org", "gcc.gnu.org", "www.gnu.org", "sourceware.org", "refspecs.linuxfoundation.org",
    "github.com", "www.speedscope.app", "www.brendangregg.com", "doi.org", "example.com", "uftrace.github.io",
    "man7.org", "datatracker.ietf.org", "www.rfc-editor.org", "perfetto.dev", "ui.perfetto.dev", "json-schema.org",
    "keepachangelog.com", "itanium-cxx-abi.github.io", "lz4.github.io", "facebook.github.io", "docs.google.com",
    "127.0.0.1",  # each machine itself
}
ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://([A-Za-z0-9.-]+)")
RULES = [
    (re.compile(r"(?<![\w.])/(work|home|root|Users|mnt)/[\w.]"), "a path of one machine"),
    (re.compile(r"\b(?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"), "a network address"),
]
BINARY = {".png", ".zst", ".gz", ".bin"}


def main():
    faults = []
    paths = [p for p in tree.files() if p.suffix not in BINARY and str(p) != "test/lint/private.py"]
    for path in paths:
        for number, line in enumerate(tree.lines(path), 1):
            for host in ADDRESS.findall(line):
                if host.lower() not in HOSTS:
                    faults.append(f"{path}:{number}: the host {host} is not in the list of test/lint/private.py")
            for rule, what in RULES:
                if rule.search(line):
                    faults.append(f"{path}:{number}: {what}")
    tree.finish(faults, len(paths))


main()
