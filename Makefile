# Entry points for people; CMake does the work.  `make help` lists them.
BUILD ?= build
PREFIX ?= /usr/local
# PROF_SETUP=no: install no packages, take what is there.
PROF_SETUP ?= yes
CMAKE_FLAGS ?=
N ?= 2000

ifeq ($(PROF_SETUP),no)
SETUP = @:
else
SETUP = @scripts/setup.sh
endif
# A folder where the tests were built once keeps them.
WITHOUT_TESTS = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DPROF_TESTS=OFF)
BUILD_IN = @scripts/build.sh $(BUILD) $(CMAKE_FLAGS)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | awk -F@ '{ printf "%-18s %s\n", $$1, $$2 }'

demo: ## set up, build, record an example, show where its time goes
	$(SETUP) demo
	$(BUILD_IN) $(WITHOUT_TESTS)
	@scripts/demo.sh $(BUILD)

build: ## build everything, without installing packages
	$(BUILD_IN) -DPROF_TESTS=ON

check: ## set up, build, run the tests; ends with "N passed, N failed, N skipped"
	$(SETUP) demo check
	@$(MAKE) --no-print-directory build
	@scripts/check.sh $(BUILD) -LE slow

check-all: ## the same with the long tests
	$(SETUP) demo check
	@$(MAKE) --no-print-directory build
	@PROF_TEST_WHOLE=1 scripts/check.sh $(BUILD)

csmith: ## run N (2000) random programs with every compiler, plain, off and on; resumes where it was broken off
	$(SETUP) demo compilers all
	@$(MAKE) --no-print-directory build
	@python3 test/torture/random_programs.py --prof $(BUILD)/tools/prof --plugin $(BUILD)/plugin/prof.so \
	  --count $(N) --jobs $$(nproc)

bench: ## measure cost, size and speed as ratios; BENCH_QUICK=1 for a short run
	$(SETUP) demo check compilers all
	@$(MAKE) --no-print-directory build
	@python3 test/bench/bench.py --build $(BUILD)

bench-peers: ## compare prof with perf, gprof, uftrace and callgrind on lua and SQLite; BENCH_QUICK=1 for small inputs
	$(SETUP) demo check compilers all
	@$(MAKE) --no-print-directory build
	@python3 test/bench/bench.py --build $(BUILD) --only peers

bench-truth: ## compare prof's shares of self time with perf's; BENCH_QUICK=1 for small inputs
	$(SETUP) demo check compilers all
	@$(MAKE) --no-print-directory build
	@python3 test/bench/truth.py --build $(BUILD)

bench-decisions: ## how often are `prof diff`, `gate` and `compare` right? BENCH_QUICK=1 for few trials
	$(SETUP) demo check compilers all
	@$(MAKE) --no-print-directory build
	@python3 test/bench/decisions.py --build $(BUILD)

gpu-bundle: ## put all that `check-gpu` needs on a machine with a GPU into BUILD/gpu-bundle (at most 64 MiB); needs nvcc
	$(SETUP) demo
	$(BUILD_IN) $(WITHOUT_TESTS)
	@scripts/gpu_bundle.sh $(BUILD) $(BUILD)/gpu-bundle

check-gpu: ## run the checks that need a real GPU; without one, list what is unproven
	@$(MAKE) --no-print-directory gpu-bundle >$(BUILD)/gpu-bundle.log || { cat $(BUILD)/gpu-bundle.log; exit 1; }
	@$(BUILD)/gpu-bundle/check.sh || [ $$? = 77 ]

install: ## install into PREFIX (default /usr/local), so that -fplugin=prof.so works by name
	$(SETUP) demo install
	$(BUILD_IN) $(WITHOUT_TESTS) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@scripts/install.sh $(BUILD) $(PREFIX)

deb: ## make Debian packages of tools, runtime and every backend: BUILD-deb/packages/*.deb
	$(SETUP) demo check compilers
	@scripts/build.sh $(BUILD)-deb -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_BUILD_TYPE=Release -DPROF_TESTS=OFF $(CMAKE_FLAGS)
	@cd $(BUILD)-deb && rm -rf packages && cpack -G DEB >packages.log || { cat packages.log; exit 1; }
	@ls $(BUILD)-deb/packages/*.deb

uninstall: ## remove what `make install` put into PREFIX
	@scripts/uninstall.sh $(PREFIX)

setup: ## install the packages that `make check` needs
	$(SETUP) demo check

setup-all: ## install every compiler that prof supports, and the tools of all tests
	$(SETUP) demo check compilers all

clean: ## remove the build folder
	rm -rf $(BUILD)

.PHONY: help demo build check check-all bench bench-peers bench-truth bench-decisions csmith gpu-bundle check-gpu install deb uninstall setup setup-all clean
.DEFAULT_GOAL := help
