#!/usr/bin/env python3
"""Words: few sentences of documents are long, and no message, help text or document has a word that the house doesn't use.

docs/glossary.md has the terms.  A sentence ends at a full stop; a bullet or a cell of a table ends the last one.  Code in
backticks counts as one word.  Histories and dated records of measurements are left as they were written.
"""
import re
import tree

LONGEST, SHARE, MESSAGE = 30, 0.02, 15
HISTORIES = ("docs/benchmarks/", "docs/reliability/")
PRODUCT = ("tools", "runtime", "gpu", "plugin-common", "plugin-gcc", "plugin-clang", "include")
WORDS = [  # what isn't said, what is said instead
    (r"patch points?", "sled"),
    (r"(?:(?<!without )a|the|light|probe's) bod(?:y|ies)", "trampoline"),
    (r"light slices?", "sparse-clock interval"),
    (r"what (?:the )?probes cost|the probes' part", "probe overhead"),
    (r"(?:told|said|says|say) of|counts? for", "attributed to"),
    (r"(?:so far|at most|how far) (?:\w+ )*?off", "uncertainty"),
    (r"libraries without|code without probes", "uninstrumented code"),
    (r"probed|with probes", "instrumented"),
    (r"without probes|unprobed", "uninstrumented"),
    (r"(?:is|are|was|were) taken out", "removed"),
    (r"processor time", "CPU time"),
    (r"left without (?:an )?exit", "unmatched exit, orphan call"),
    (r"told elsewhere", "blocked time"),
    (r"goes round|(?:\d|many|few) (?:goes|ways)", "iterations"),
    (r"given up|(?:missing|forgotten) events?|events? (?:is|are|were|was) (?:missing|forgotten)", "lost, dropped"),
    (r"(?:is|are) (?:told|said)|(?:have|has) had their say|hears? of", "report"),
    (r"whoever|that which", "name the actor"),
]
BANNED = [(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.I), say) for pattern, say in WORDS]
EXCEPTIONS = {  # a document that uses these words, and why
    "docs/glossary.md": "has the words that code and formats use, beside the terms",
}
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
END = re.compile(r"(?<=[.!?])[)\"'*_]*\s+(?=[\"'(\[]*(?:[*_]+\w|[A-Z0-9`&]|prof\b))")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs)\.")
BULLET = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*(?:PRI\w+\s*)?"(?:[^"\\\n]|\\.)*")*')
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.S)


def blocks(path):
    """(line number, text) of each paragraph, bullet and cell of a document; code and headings are left out."""
    fenced, block, start, indent = False, [], 0, ""
    manual = path.suffix == ".scd"
    for number, line in enumerate([*tree.lines(path), ""], 1):
        bare = line.strip()
        if bare.startswith("```"):
            fenced = not fenced
        code = fenced or bare.startswith("```") or (not manual and line.startswith("    ") and not block)
        alone = code or not bare or bare.startswith(("#", "|", "*-", "<")) or (manual and line.endswith("++"))
        if block and (alone or BULLET.match(line) or manual and line[:1] == "\t" != indent):
            yield start, " ".join(block)
            block = []
        if bare.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", bare.strip("|")):
                yield number, cell
        elif not alone:
            start, indent = start if block else number, line[:1]
            block.append(BULLET.sub("", line).strip())


def sentences(text):
    text = ABBREVIATION.sub(r"\1", LINK.sub(r"\1", CODE.sub("`code`", text)))
    return [s for s in END.split(text) if re.search(r"\w", s)]


def words(sentence):
    return [w for w in sentence.split() if re.search(r"\w", w)]


def is_record(path, text):
    return path.parts[:2] == ("docs", "decisions") and re.search(r"\b20\d\d-\d\d", text)


def documents():
    return (path for path in tree.files({".md", ".scd"}) if not str(path).startswith(HISTORIES))


def messages():
    """(place, text) of each string of the product that has a blank inside."""
    for path in tree.files(tree.CODE):
        if path.parts[0] in PRODUCT:
            text = COMMENT.sub(lambda m: m[0] if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0]),
                               "\n".join(tree.lines(path)))
            for match in LITERALS.finditer(text):
                string = re.sub(r'"\s*(?:PRI\w+\s*)?"', "", match[0])[1:-1].replace("\\n", "\n")
                if " " in string.strip():
                    yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}", string


def unwanted(place, text):
    text = " ".join(CODE.sub("`code`", text).split())
    return [f"{place}: say \"{say}\", not \"{found[0]}\"" for pattern, say in BANNED for found in pattern.finditer(text)]


def main():
    faults, all_count, long = [], 0, []
    for path in documents():
        for number, text in blocks(path):
            if is_record(path, text):
                continue
            if str(path) not in EXCEPTIONS:
                faults += unwanted(f"{path}:{number}", text)
            for sentence in sentences(text):
                all_count += 1
                if len(words(sentence)) > LONGEST:
                    long.append(f"{path}:{number}: {len(words(sentence))} words: {sentence[:60]}...")
    wordy = 0
    for place, text in messages():
        faults += unwanted(place, text)
        wordy += any(len(words(line)) > MESSAGE for line in text.split("\n"))
    print("\n".join(long))
    share = len(long) / max(all_count, 1)
    print(f"{len(long)} of {all_count} sentences have over {LONGEST} words ({100 * share:.1f}%); "
          f"{wordy} messages have over {MESSAGE} words")
    if share >= SHARE:
        faults.append(f"{100 * share:.1f}% of the sentences have over {LONGEST} words")
    tree.finish(faults, all_count)


main()
