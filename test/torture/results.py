"""What is known already, so that a run can be broken off and resumed: one file of JSON lines per compiler and level.

A verdict counts for the plugin, runtime and compiler that it was found with (their digest); that a program fails plain
depends on the compiler alone.  Appended to line by line; the last line of a name holds.
"""
import json
import threading


class Results:
    def __init__(self, folder, compiler, level, keep=True):
        """`keep` false: takes nothing from an earlier run, leaves nothing for a later one."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{compiler.name}{level}.jsonl" if keep else None
        self.digest, self.plain_digest = compiler.digest, compiler.plain_digest
        self.rows, self.lock = {}, threading.Lock()
        if self.path and self.path.exists():
            self.read()

    def read(self):
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # the line that a broken-off run was writing
            if row["digest"] in (self.digest, self.plain_digest):
                self.rows[row["name"]] = row

    def add(self, name, verdict, text):
        digest = self.plain_digest if verdict.startswith("skipped") else self.digest
        row = {"name": name, "digest": digest, "verdict": verdict, "text": text[-4000:]}
        with self.lock:
            self.rows[name] = row
            if self.path:
                with open(self.path, "a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")

    def known(self, name):
        return name in self.rows
