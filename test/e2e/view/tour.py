"""Recordings in which it is known what there is to find, as text for trace_make (test/support/tracetext.md)."""

from recordings import TRACES

SERVED = 20
SLOW = 13 # of these, the one that reloads
CHILDREN = 1000
LONGEST = 777 # of these


def busy():
    """A thread that serves requests, one of them slowly, and a thread that waits."""
    lines = ["sampler method=1 hz=1000 period=1000000 switches=1 error=10", 'setting command ./server\\x00--port=1\\x00',
             "module /bin/server"]
    lines += [f"function {name} file={name}.c line=3" for name in ("main", "serve", "parse", "digest", "reload", "queue", "wait_for_work")]
    lines += ["thread main tid=100", "thread waiter tid=101 title=waiter"]
    lines += ["main @1000 enter main"]
    for i in range(SERVED):
        lines += ["main +0 point frame serving", f"main +0 point counter served value={i} unit=requests"]
        lines += ['main +0 point mark "halfway"'] if i == SERVED // 2 else []
        lines += ["main +500 enter serve caller=main", "main +100 enter parse caller=serve", "main +300 enter digest caller=parse",
                  "main +4000 exit digest", "main +20 exit parse"]
        if i == SLOW:
            lines += ["main +10 enter reload caller=serve", "main +100 enter digest caller=reload", "main +50000 exit digest",
                      "main +200 exit reload"]
        lines += ["main +50 exit serve"]
    lines += ["main +0 point frame serving", "main +1000 exit main"]
    lines += ["waiter @2000 enter wait_for_work", "waiter +100 enter queue", "waiter +10 waits", "waiter +120000 on", "waiter +50 exit queue",
              "waiter +10 exit wait_for_work", "end wall=160000"]
    return "\n".join(lines) + "\n"


def locked():
    """The recording `locks` of the golden tests, with the option that it was made with."""
    return "setting options --locks=\\x00\n" + (TRACES / "locks.txt").read_text()


def counters():
    """More counters than the timeline has room for; the first ones have the most items."""
    lines = ["module /bin/app", "function main file=main.c line=3", "thread main tid=100", "main @10 enter main"]
    lines += [f"main +1 point counter level{i} value={j}" for i in range(60) for j in range(70 - i)]
    return "\n".join(lines + ["main +10 exit main"]) + "\n"


def many():
    """1,000 processes under one; one of them takes 100 times as long as the others."""
    lines = ["process 1 pid=100 exe=/usr/bin/make", "module /bin/tool", "function main file=main.c line=3"]
    lines += [f"process {i + 2} pid={1000 + i} ppid=100 parent=1 exe=/usr/lib/cc{i % 7} at={1000 * i}" for i in range(CHILDREN)]
    lines += ["thread make tid=100 process=1"]
    lines += [f'thread t{i} tid={1000 + i} process={i + 2} title=""' for i in range(CHILDREN)]
    lines += ["make +10 enter main", "make +100000 exit main"]
    for i in range(CHILDREN):
        lines += [f"t{i} @{1000 * i} enter main", f"t{i} +{900000 if i == LONGEST else 9000 + i} exit main"]
    return "\n".join(lines) + "\n"


def paths(processes=200):
    """Processes with 1,111 call paths each: each function of three levels calls ten others."""
    names = [f"f{i}" for i in range(31)]

    def calls(level):
        for name in names[10 * level - 9:10 * level + 1]:
            yield f"+{level} enter {name}"
            if level < 3:
                yield from calls(level + 1)
            yield f"+2 exit {name}"
    one = ["+1 enter f0", *calls(1), "+1 exit f0"]
    lines = ["module /bin/tool"] + [f"function {name} file=a.c line=1" for name in names]
    for i in range(1, processes + 1):
        lines += [f"process {i} pid={1000 + i} at={i}", f"thread t{i} tid={1000 + i} process={i}"]
    lines += [f"t{i} {call}" for i in range(1, processes + 1) for call in one]
    return "\n".join(lines) + "\n"


def given():
    """Calls with arguments, returned values and values of their own: markup, controls, cut characters, a name of 64 KiB, more than are shown."""
    text = 'type=text text='
    lines = ["module /bin/app"] + [f"function {name} file=app.c line=3" for name in ("main", "serve", "store", "lookup")] + ["thread main tid=100", "thread other tid=200"]
    lines += ["main @1000 enter main", "main +0 point argument argc value=2"]
    lines += ["main +100 enter serve caller=main", f'main +0 point argument "<script>name" {text}"</code><script>alert(1)</script>"',
              f'main +0 point argument path {text}"\\x1b[31m\\xe2\\x80\\xaered\\xc3"', "main +0 point value \"<b>queue</b>\" value=5 unit=items",
              "main +50 enter lookup caller=serve", "main +0 point argument key value=7", "main +20 point returned returned value=0 type=address", "main +0 exit lookup",
              "main +10 point value load value=nan", "main +10 point returned returned value=-3", "main +0 exit serve"]
    lines += ["main +100 enter store caller=main", f"main +0 point argument {'n' * 65536} value=1"] + [f"main +1 point value level value={i}" for i in range(50)] + ["main +10 exit store"]
    lines += ["main +10 enter store caller=main", "main +10 exit store", "main +10 point returned returned value=0", "main +0 exit main"]
    lines += ["other @1100 enter serve", "other +0 point argument who value=88 type=character", "other +5000 exit serve"]
    return "\n".join(lines) + "\n"


def asked(calls=30000):
    """More calls with arguments than a file has room for; later ones are longer."""
    lines = ["module /bin/app", "function main file=app.c line=3", "function f file=app.c line=9", "thread main tid=100", "main @1000 enter main"]
    for i in range(calls):
        lines += ["main +5 enter f caller=main", f"main +0 point argument i value={i}", f"main +{10 + i} exit f"]
    return "\n".join(lines + ["main +10 exit main"]) + "\n"
