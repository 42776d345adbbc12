# SPDX-License-Identifier: MIT
#
# make         builds; the command is then build/passtime
# make demo    runs the main job: ten million points, drawn and timed
# make test    runs every test and check
# make bench   measures Passtime's own cost      make fuzz    fuzzes the readers for a minute
# make bench-web  the same in the browser (half an hour; FLAGS=--quick: a rough one; FLAGS=--json)
# make bench-page  what the hooks of passtime page cost a page (minutes; FLAGS as above)
# make truth   holds the figures against known truths (minutes; a short form is part of make test)
# make pages   builds the browser package and serves its pages on loopback (PORT=8080)
# make bench-instructions  counts instructions a pass, with valgrind
# make format  formats the sources               make clean   removes what was built
#
# Each installs what it needs and is not there yet (tools/setup.sh). WGPU_DIR=DIR takes a webgpu.h and
# library of your own instead of wgpu-native.

BUILD := build
WGPU_DIR ?=
PORT ?= 8080
CMAKE_WGPU := $(if $(WGPU_DIR),-DPASSTIME_WGPU_DIR=$(abspath $(WGPU_DIR)),-UPASSTIME_WGPU_DIR)
CONFIGURE := cmake -G Ninja -S . --log-level=NOTICE $(CMAKE_WGPU)
export WGPU_DIR

FLAGS ?=
.PHONY: all setup setup-test demo pages test bench bench-web bench-page truth bench-instructions fuzz format clean

all: setup
	@$(CONFIGURE) -B $(BUILD) -DPASSTIME_TESTS=OFF >/dev/null
	@ninja -C $(BUILD) -n | grep -q 'no work to do' || ninja --quiet -C $(BUILD)

setup:
	@tools/setup.sh build

setup-test:
	@tools/setup.sh test

demo: all
	@$(BUILD)/passtime demo map --capture $(BUILD)/demo.perfetto-trace --png $(BUILD)/demo.png

pages: setup-test
	@cd web && node build.mjs && node serve.mjs --port $(PORT)

test: setup-test
	@tools/test.sh

bench: setup-test all
	@$(BUILD)/passtime_bench

# Both tables are printed, whatever the first one says.
bench-web: setup-test
	@cd web && node build.mjs && node bench/bench.mjs $(FLAGS)

truth: setup-test all
	@native=0; $(BUILD)/passtime_truth --csv $(BUILD)/truth.csv || native=$$?; \
	(cd web && node build.mjs --quiet && echo && node truth/main.mjs --csv ../$(BUILD)/truth-web.csv) && exit $$native

bench-instructions: all
	@bench/instructions.sh $(BUILD)/passtime_bench

fuzz: setup-test
	@tools/fuzz.sh

format: setup-test
	@find include src tests fuzz bench examples -name '*.[ch]' -exec clang-format -i {} +

clean:
	@rm -rf $(BUILD)
