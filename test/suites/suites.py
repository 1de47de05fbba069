"""Test suites of real programs: where they come from, how they are built and run, and what their output says."""
import re
import shlex

SQLITE_SCRIPTS = """
aggerror alter alter2 altercol analyze analyze3 attach auth autoinc autoindex1 between bigrow bind blob boundary1 cast cffault
check coalesce collate1 collate2 collate3 collate4 collate5 conflict conflict2 count cse date default delete delete2 delete3
descidx1 distinct e_expr e_insert e_select e_update enc enc2 exists expr expr2 fkey1 fkey2 format4 fts3aa fts3ab fts3b func
func2 gencol1 hook in in2 in3 in4 incrblob index index2 index3 insert insert2 insert3 insert4 instr intpkey join join2 join3
join5 json101 json102 lastinsert like like2 limit main memdb minmax minmax2 misc1 misc2 misc3 nan notnull null null2
orderby1 pragma pragma2 printf quote randexpr1 reindex returning1 rollback rowid rtree1 savepoint schema select1 select2 select3
select4 select5 select6 select7 select8 select9 selectA selectB selectC selectD selectE selectF selectG sort sort2 subquery
subquery2 substr table tkt1435 tkt1473 trans trigger1 trigger2 trigger3 trigger4 triggerA types types2 union unique
update upsert1 upsert2 vacuum vacuum2 view vtab1 where where2 where3 where4 where5 where6 where7 window1 window2 with1 with2
without_rowid1 zeroblob
""".split()


def zlib_verdicts(text):
    return re.findall(r"^\s*\*\*\* (.*test) (OK|FAILED) \*\*\*", text, re.MULTILINE)


def zstd_verdicts(text):
    """playTests.sh names its parts, the fuzzer its tests; both stop at the first fault.  Progress is shown in between."""
    parts = [(re.sub(r"\d+\.\d+", "#", part.strip(" =-")), "run") for part in re.findall(r"^\s*===>\s*(.*)$", text, re.MULTILINE)]
    return parts + [(f"test {number}", "run") for number in dict.fromkeys(re.findall(r"^\s*test\s*(\d+)\s*:", text, re.MULTILINE))]


def sqlite_verdicts(text):
    """A script says how many tests it has; faults stand before that."""
    found = re.findall(r"^script (\S+)|^(\d+ errors out of \d+ tests)|^(! \S+ (?:expected|got).*)", text, re.MULTILINE)
    return [(name, "script") if name else ("tests", total) if total else ("fault", fault) for name, total, fault in found]


def sqlite_count(verdicts):
    return sum(int(verdict.split()[4]) for name, verdict in verdicts if name == "tests")


def taglib_verdicts(text):
    return re.findall(r"^(Test\w+::\w+) : (\w+)", text, re.MULTILINE)


def sqlite_test():
    """Each script in a program of its own, so that one that ends early is seen and costs no other."""
    return "\n".join(f"echo script {name}; timeout 600 ./testfixture test/{name}.test 2>&1 || echo status $?"
                     for name in SQLITE_SCRIPTS)


# name -> source package; shell commands that build in a copy of it and run the tests there; verdicts: text -> [(test, verdict)];
# count: verdicts -> number of tests.  Known to the commands: CC, CXX, FLAGS (all of them, for compiling and linking), JOBS.
SUITES = {
    "zlib": {
        "package": "zlib",
        "build": 'CFLAGS="$FLAGS" ./configure && make -j$JOBS',
        "test": "make test 2>&1",
        "verdicts": zlib_verdicts,
        "least": 3,
    },
    "zstd": {
        "package": "libzstd",
        "build": 'make -C tests -j$JOBS CFLAGS="$FLAGS" zstd datagen fuzzer zstreamtest poolTests',
        "test": 'cd tests && make CFLAGS="$FLAGS" ZSTDRTTEST= test-zstd 2>&1 && ./fuzzer -v -s1 -i150 --no-big-tests 2>&1'
                ' && ./zstreamtest -v -s1 -i100 2>&1 && ./poolTests 2>&1',
        "verdicts": zstd_verdicts,
        "least": 50,
    },
    "sqlite": {
        "package": "sqlite3",
        "build": './configure --disable-readline --enable-tempstore CFLAGS="$FLAGS" && make -j$JOBS testfixture',
        "test": sqlite_test(),
        "verdicts": sqlite_verdicts,
        "count": sqlite_count,
        "least": 10000,
    },
    "taglib": {
        "package": "taglib",
        "build": 'mkdir made && cd made && cmake -DCMAKE_CXX_FLAGS="$FLAGS" -DCMAKE_C_FLAGS="$FLAGS" -DBUILD_SHARED_LIBS=ON'
                 ' -DBUILD_TESTS=ON -DCMAKE_BUILD_TYPE=None .. && make -j$JOBS',
        "test": "cd made/tests && ./test_runner 2>&1",
        "verdicts": taglib_verdicts,
        "least": 300,
    },
}


def shell(command):
    return ["sh", "-c", command]


def quoted(words):
    return " ".join(shlex.quote(word) for word in words)
