# Every command of the project. CI runs `make ci`; there is no second copy of any command.

SHELL     := /bin/bash
TABIA     := target/release/tabia
VENV      := .venv
PYTHON    := $(VENV)/bin/python
CORPUS    := ../shared/corpus
# Packages that the outside judges need; installed where that is allowed.
DEBIAN    := polyglot
SECONDS_EACH := 60

.PHONY: help build test lint fmt doc check-pipelines check-corpus check-engines fuzz soak bench bench-peers demo ci judges

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

build: ## the release binary, target/release/tabia
	cargo build --release --locked

demo: build ## the main job on the sample, and a look at the book
	@mkdir -p target/demo
	$(TABIA) build data/sample.pgn -o target/demo/book.tabia --table target/demo/games.table \
	  --polyglot target/demo/book.bin --min-games 3 --force
	$(TABIA) info target/demo/book.tabia
	$(TABIA) probe target/demo/book.tabia
	$(TABIA) probe target/demo/book.tabia --line "e4 e5"

judges: $(VENV)/.made ## the Python environment and Debian packages of the outside judges
	@for package in $(DEBIAN); do \
	  dpkg -s $$package >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -qq -y $$missing >/dev/null; \
	  else echo "SKIPPED: not root, so$$missing not installed; tests that need it are passed over"; fi; fi

$(VENV)/.made: tests/peers/requirements.txt
	@if python3 -m venv $(VENV) && $(PYTHON) -m pip install -q --disable-pip-version-check -r $<; then touch $@; \
	else echo "SKIPPED: no Python environment; the outside judges are passed over"; fi

test: judges ## all tests
	cargo test --workspace --locked

lint: ## clippy, warnings denied, and the layout of the code
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings

fmt: ## lay out the code
	cargo fmt --all

doc: ## the crates' documentation, warnings denied
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

check-pipelines: build ## every recipe in pipelines/ plans
	@for recipe in pipelines/*.toml; do $(TABIA) plan $$recipe | diff - $${recipe%.toml}.txt || exit 1; done

check-corpus: build judges ## whole corpus files against the python-chess oracle (slow)
	$(PYTHON) tests/peers/check_counts.py $(TABIA) $(CORPUS)/*.pgn.zst

check-engines: build judges ## analysts' engines on tables of the corpus
	for pgn in data/sample.pgn $(CORPUS)/twic-a.pgn.zst; do \
	  $(PYTHON) tests/peers/check_engines.py --binary $(TABIA) $$pgn || exit 1; done

fuzz: ## fuzz each reader, and the board against shakmaty, for a minute each (SECONDS_EACH=60)
	@cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked
	for target in $$(cargo fuzz list --fuzz-dir crates/fuzz); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir crates/fuzz $$target -- -max_total_time=$(SECONDS_EACH) -rss_limit_mb=4096 || exit 1; done

soak: build ## all of the corpus at once in little memory
	rm -rf target/soak && mkdir -p target/soak
	/usr/bin/time -v $(TABIA) count $(CORPUS)/*.zst -o target/soak/all.table --memory 256MiB --max-ply 0 2>&1 | tee target/soak/time.txt
	$(TABIA) verify target/soak/all.table

bench: ## our own benchmarks
	cargo bench --workspace --locked

bench-peers: build judges ## peers and ours in the same run
	$(PYTHON) benches/peers/bench_peers.py --binary $(TABIA) --rounds 5

ci: lint doc test check-pipelines demo ## what CI runs
