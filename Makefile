# Every command of the project. CI runs `make ci`; there is no second copy of any command.

SHELL     := /bin/bash
TABIA     := target/release/tabia
# The target that makes $(TABIA).
BUILT     := build
VENV      := .venv
PYTHON    := $(VENV)/bin/python
BOUND_VENV := .venv-bindings
BOUND_PYTHON := crates/doors/python/python crates/doors/python/tests benches/python
# What the bindings are built from is that of the release binary, as far as it has it.
BOUND     := CARGO_BUILD_BUILD_DIR=$(CURDIR)/target CARGO_TARGET_DIR=$(CURDIR)/target/bindings
SPARK     := 4
SPARK_VENV = .venv-spark$(SPARK)
CORPUS    := $(or $(TABIA_CORPUS),../shared/corpus)
SKIPPED   := $(abspath target/skipped.txt)
# cargo for tests: with every check in our crates (tests/profile.toml), and with the dependencies of the release binary. What
# it makes is beside target/release, so that the binary there stays the one that users run.
TESTED    := CARGO_BUILD_BUILD_DIR=target CARGO_TARGET_DIR=target/tested cargo --config tests/profile.toml
# What the portable binary is built with, and the glibc that it needs: that of CentOS 7 and of everything newer. The wheel is built
# likewise. Each has a target folder of its own: the linkers differ, and cargo compiles everything again for another linker. No path
# of the machine and no time are left in them: the wheel's is the first one that a ZIP archive knows.
ZIG       := target/zig
GLIBC     := 2.17
PORTABLE_TARGET := $(CURDIR)/target/portable
PORTABLE  := target/portable/x86_64-unknown-linux-gnu/release/tabia
PORTABLY  := SOURCE_DATE_EPOCH=315532800 PATH="$(CURDIR)/$(ZIG)/bin:$$PATH" CARGO_PROFILE_RELEASE_STRIP=symbols \
  RUSTFLAGS="--remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo --remap-path-prefix=$(CURDIR)=tabia"
# Everything to publish.
RELEASED  := target/release-files
SECONDS_EACH := 60
# Which mutants are drawn, and how many.
SEED      := tabia
COUNT     := 300
# The crates whose lines are looked at.
CRATES    := output table
# Where `make install` installs; DESTDIR comes before it, for packages.
PREFIX    ?= /usr/local
DESTDIR   ?=
SHARE     := target/share
EXAMPLES  := target/release/examples
GAMES     := 5000000,20000000
# What an experiment writes.
OUT       := target/learning
# The explorer's page.
PAGE      := crates/doors/serve/page
SIZES     := 300000,1300000,5000000,20000000

# Where tests and judges find the real files.
export TABIA_CORPUS := $(abspath $(CORPUS))
# Where judges find what they share (tests/judge).
export PYTHONPATH := $(CURDIR)/tests

.PHONY: help compiler build share install deb page wheel release screenshots reference pictures book spark dist test lint fmt doc deny check-deb check-digests check-docs check-pipelines check-bindings check-cluster check-corpus check-engines check-examples check-exchange check-faults check-memory check-mutants check-page check-release check-resume check-players check-relations check-repertoire check-review check-serve check-store coverage fuzz soak bench bench-peers bench-instructions bench-flat bench-scale bench-bookcraft bench-evals bench-export bench-serve bench-cluster bench-plan experiment-learning demo ci judges

# Installs what is missing of Debian's packages, or prints what is skipped: $(call install,PROGRAM:PACKAGE …)
define install
	@missing=""; for pair in $(1); do \
	  command -v $${pair%%:*} >/dev/null 2>&1 || missing="$$missing $${pair##*:}"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -qq -y $$missing >/dev/null; \
	  else echo "SKIPPED: not root, so not installed:$$missing; what needs it fails or is skipped"; fi; fi
endef

# What tests appended to $(SKIPPED), each line once.
list_skipped = sort -u $(SKIPPED) | awk '{ list = list "\n  " $$0 } \
  END { print NR ? "Skipped tests and parts of tests: " NR list : "No test was skipped." }'

##@ Every day

help: ## what there is
	@awk '/^##@ /{ print "\n" substr($$0, 5) ":" } /^[a-z-]+:.* ## /{ split($$0, word, ":"); text = $$0; sub(/.* ## /, "", text); \
	  printf "  %-20s%s\n", word[1], text }' $(MAKEFILE_LIST)

build: compiler ## the release binary, target/release/tabia
	cargo build --release --locked

demo: build ## the main job on the sample, and a look at the book
	@mkdir -p target/demo
	$(TABIA) build data/sample.pgn -o target/demo/book.tabia --table target/demo/games.table \
	  --polyglot target/demo/book.bin --min-games 3 --force
	$(TABIA) info target/demo/book.tabia
	$(TABIA) probe target/demo/book.tabia
	$(TABIA) probe target/demo/book.tabia --line "e4 e5"

# What ONLY names: a module of tests/, a crate, or both; after `::` a test of it. Without ONLY: everything.
ROOM       = $(firstword $(subst ::, ,$(ONLY)))
NAMED      = $(patsubst ::%,%,$(patsubst $(ROOM)%,%,$(ONLY)))
OF_MODULE  = $(if $(wildcard tests/$(ROOM).rs),"--workspace --test main $(ROOM)::$(NAMED)")
OF_CRATE   = $(if $(wildcard crates/$(ROOM)/src/lib.rs crates/*/$(ROOM)/src/lib.rs),"-p tabia-$(ROOM) $(NAMED)")
SUITES     = $(if $(ONLY),$(or $(strip $(OF_MODULE) $(OF_CRATE)),$(error ONLY=$(ONLY): no tests/$(ROOM).rs and no crate $(ROOM))),--workspace)

test: compiler judges ## all tests, and last which of them were skipped, and why; ONLY=copies: a module of tests/ or a crate, ONLY=copies::NAME: one test
	@mkdir -p target && : > $(SKIPPED)
	@export TABIA_SKIPPED=$(SKIPPED); code=0; for suite in $(SUITES); do $(TESTED) test --release --locked $$suite || code=$$?; done; \
	  $(list_skipped); exit $$code

fmt: ## lay out the code
	cargo fmt --all

lint: ## format and clippy, warnings denied; whether the fuzz targets compile
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets --locked -- -D warnings
	cargo check --manifest-path crates/fuzz/Cargo.toml --target-dir target/fuzz --locked # not of the workspace

##@ Before a landing

doc: ## the crates' documentation, warnings denied
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --locked

check-pipelines: build ## every recipe in pipelines/ plans
	@for recipe in pipelines/*.toml; do $(TABIA) plan $$recipe | diff - $${recipe%.toml}.txt || exit 1; done

check-docs: compiler judges ## the commands of the pages in docs/, on the sample; the links in them
	$(TESTED) test --release --locked --workspace --test main docs:: -- --include-ignored

check-digests: build ## what the binary writes and prints on the sample, against recorded digests (RECORD=1 records)
	$(call install,python3:python3)
	python3 tests/digests/check_digests.py $(TABIA) $(if $(RECORD),--record)

bench-instructions: compiler ## instructions of replay, sort, merge and table against those recorded (RECORD=1 records)
	-$(call install,valgrind:valgrind python3:python3)
	cargo build --release --locked -p tabia-pgn -p tabia-extsort -p tabia-table \
	  --example replay_instructions --example sort_instructions --example write_instructions
	python3 benches/instructions/count_instructions.py --programs $(EXAMPLES) $(if $(RECORD),--record)

ci: QUICK := 1
ci: compiler lint doc test check-docs check-pipelines check-faults demo ## what CI runs

##@ When it is touched

check-corpus: build judges ## reading, counting, copies: whole corpus files against the python-chess oracle (slow)
	$(PYTHON) tests/peers/check_counts.py $(TABIA) $(CORPUS)/*.pgn.zst
	$(call install,/usr/games/pgn-extract:pgn-extract zstd:zstd)
	$(PYTHON) tests/peers/check_copies.py $(TABIA) $(foreach name,twic-a pgnmentor-2023a kingbase2015-recon-a lichess-2013-01a,$(CORPUS)/$(name).pgn.zst)

check-relations: build ## reading, filters, tables: mutated games counted in many ways that must give the same bytes (RELATED="--seconds 3600 --seed 7")
	$(call install,python3:python3)
	python3 tests/relations/check_relations.py $(TABIA) data/sample.pgn $(wildcard $(CORPUS)/tricky) $(RELATED)

fuzz: ## readers, the board: each fuzzed for a minute (SECONDS_EACH=60)
	@cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked
	for target in $$(cargo fuzz list --fuzz-dir crates/fuzz); do \
	  corpus=crates/fuzz/corpus/$$target; mkdir -p $$corpus; \
	  seeds=crates/fuzz/seeds/$$target; [ -d $$seeds ] || seeds=; \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir crates/fuzz $$target $$corpus $$seeds -- -detect_leaks=0 -max_total_time=$(SECONDS_EACH) -rss_limit_mb=4096 || exit 1; done

check-engines: build judges ## exports, reports, policies, searches, values of books, cookbooks: analysts' and chess engines, Spark too, a browser on reports
	$(call install,chromium:chromium)
	$(PYTHON) tests/peers/check_report.py $(TABIA) data/sample.pgn
	$(PYTHON) tests/peers/check_policies.py $(TABIA) data/sample.pgn
	$(call install,/usr/games/stockfish:stockfish)
	$(PYTHON) tests/peers/check_engine_evals.py $(TABIA) data/sample.pgn
	for book in Perfect2021 fruit_book_small_polyglot; do \
	  $(PYTHON) tests/peers/check_minimax.py $(TABIA) $(CORPUS)/books/$$book.bin || exit 1; done
	for pgn in data/sample.pgn $(CORPUS)/twic-a.pgn.zst; do \
	  $(PYTHON) tests/peers/check_engines.py $(TABIA) $$pgn || exit 1; done
	$(call install,java:default-jre-headless)
	@command -v java >/dev/null && $(PYTHON) -m pip install -q --disable-pip-version-check -r tests/peers/requirements-spark.txt \
	  || echo "SKIPPED: no Java or no PySpark; Spark is skipped"
	$(PYTHON) tests/peers/check_parquet.py $(TABIA) --spark
	$(PYTHON) tests/peers/check_cookbook.py $(TABIA) --corpus $(CORPUS)
	$(MAKE) check-cluster QUICK=1

check-resume: build ## spills, --resume: a build killed at 20 random moments and gone on with (RESUMED="--games 20000000 --memory 256 --kills 1")
	cargo build --release --locked -p tabia-pgn --example synthetic_games
	python3 tests/peers/check_resume.py $(TABIA) --generator $(EXAMPLES)/synthetic_games $(RESUMED)

check-faults: build ## outputs, locks, journals: kills, errors, limits, races and damage everywhere (docs/reliability.md; QUICK=1: a part of it)
	$(call install,strace:strace python3:python3)
	python3 tests/faults/check_faults.py $(TABIA) $(if $(QUICK),--quick)

check-memory: build ## memory of every command: on a table and a book of ten million positions (MEASURED="--positions 1000000")
	$(call install,zstd:zstd python3:python3)
	cargo build --release --locked -p tabia-pgn --example synthetic_games
	python3 tests/memory/measure_memory.py $(TABIA) --generator $(EXAMPLES)/synthetic_games $(MEASURED)

check-repertoire: build judges ## repertoires, edits, text: two hundred pages to a book, checked, compared, edited, written as PGN, and back
	$(PYTHON) tests/peers/check_repertoire.py $(TABIA) --pages 200

check-review: build judges ## where 2,100 games of three players left a book, followed by python-chess too
	$(PYTHON) tests/peers/check_review.py $(TABIA) $(CORPUS)/pgnmentor-2023a.pgn.zst

check-examples: build judges ## games as examples: which are kept of each move, by python-chess
	$(PYTHON) tests/peers/check_examples.py $(TABIA) $(CORPUS)/twic-a.pgn.zst

check-players: build judges ## tabia uci: engines, match runners and a GUI of Debian play with it (PLAYED="--only latency broken"; FASTCHESS=PATH, CUTECHESS=PATH, LICHESS_BOT="PYTHON PATH")
	$(call install,/usr/games/stockfish:stockfish /usr/games/toga2:toga2 /usr/games/glaurung:glaurung \
	  /usr/games/ethereal-chess:ethereal-chess /usr/games/polyglot:polyglot /usr/games/xboard:xboard Xvfb:xvfb)
	$(PYTHON) tests/players/check_players.py $(TABIA) --corpus $(CORPUS) $(PLAYED)

check-exchange: build judges ## tabia exchange: lessons of eight clients while the server is killed: none is lost, none counts twice
	$(PYTHON) tests/players/check_exchange.py $(TABIA) data/sample.pgn

check-serve: build judges ## tabia serve: berserk, python-chess, schemas and hostile requests (SERVED="--only counts"; LILA_EXPLORER=PATH: Lichess's server)
	$(PYTHON) -m pip install -q --disable-pip-version-check -r tests/peers/requirements-serve.txt
	$(PYTHON) tests/peers/check_serve.py $(TABIA) --corpus $(CORPUS) $(if $(LILA_EXPLORER),--explorer $(LILA_EXPLORER)) $(SERVED)

check-page: page ## the explorer's page: in Debian's Chromium, before a server of its own
	$(call install,chromium:chromium python3:python3)
	$(MAKE) build
	cd $(PAGE) && npm run --silent check && node build.mjs tests \
	  && TABIA=$(abspath $(TABIA)) TABIA_ROOT=$(CURDIR) node --test tests/built/*.test.mjs

check-mutants: compiler ## changes of the code that a test must notice, COUNT of them drawn by SEED (MUTANTS="--only crates/output")
	$(call install,unshare:util-linux python3:python3)
	@cargo mutants --version >/dev/null 2>&1 || cargo install cargo-mutants --version 27.1.0 --locked
	python3 tests/mutants/check_mutants.py --seed $(SEED) --count $(COUNT) $(MUTANTS)

coverage: compiler ## lines that the unit tests of the crates CRATES run, by file, with cargo-tarpaulin
	@cargo tarpaulin --version >/dev/null 2>&1 || cargo install cargo-tarpaulin --version 0.37.5 --locked
	for crate in $(CRATES); do \
	  cargo tarpaulin --engine ptrace --skip-clean --target-dir target/coverage --locked -p tabia-$$crate --lib \
	    --include-files "crates/*/$$crate/src/*" --timeout 900 || exit 1; done

check-bindings: compiler ## Python, C: the package and the library built, tested, and what they cost (BENCHED=FILE.pgn.zst)
	$(call install,python3:python3)
	@if [ ! -e $(BOUND_VENV)/.made ] || [ crates/doors/python/requirements-test.txt -nt $(BOUND_VENV)/.made ]; then \
	  python3 -m venv $(BOUND_VENV) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y python3-venv >/dev/null; }; \
	  python3 -m venv $(BOUND_VENV) && $(BOUND_VENV)/bin/pip install -q --disable-pip-version-check -r crates/doors/python/requirements-test.txt \
	  && touch $(BOUND_VENV)/.made; fi
	@echo "--- the Python package, into $(BOUND_VENV)"
	$(BOUND) $(BOUND_VENV)/bin/pip install -q --disable-pip-version-check ./crates/doors/python
	@echo "--- its tests, against python-chess, pyarrow, DuckDB, Polars and pandas; its types; its style"
	$(BOUND_VENV)/bin/python -m pytest -q crates/doors/python/tests
	$(BOUND_VENV)/bin/python -m mypy --strict -p tabia && $(BOUND_VENV)/bin/python -m mypy.stubtest tabia._tabia
	$(BOUND_VENV)/bin/ruff check $(BOUND_PYTHON)
	$(BOUND_VENV)/bin/ruff format --check $(BOUND_PYTHON)
	cd crates/doors/python && cargo fmt --check && $(BOUND) cargo clippy --release --locked -- -D warnings
	@echo "--- the C library: its header, and programs of C"
	cd crates/doors/c && $(BOUND) cargo test --release --locked
	cd crates/doors/c && cargo fmt --check && $(BOUND) cargo clippy --release --locked --all-targets -- -D warnings
	@[ -z "$(BENCHED)" ] || $(BOUND_VENV)/bin/python benches/python/bench_probes.py $(BENCHED)

spark: build ## the cluster: its Python environment (SPARK=3.5 for that version), with tabia-spark
	$(call install,java:default-jre-headless pzstd:zstd python3:python3)
	@if [ ! -e $(SPARK_VENV)/.made ] || [ tests/cluster/requirements-$(SPARK).txt -nt $(SPARK_VENV)/.made ]; then \
	  python3 -m venv $(SPARK_VENV) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y python3-venv >/dev/null; }; \
	  if python3 -m venv $(SPARK_VENV) && $(SPARK_VENV)/bin/pip install -q --disable-pip-version-check \
	    -r tests/cluster/requirements-$(SPARK).txt; then touch $(SPARK_VENV)/.made; \
	  else echo "SKIPPED: no Python environment with PySpark $(SPARK); the cluster is not checked"; fi; fi
	@[ ! -e $(SPARK_VENV)/.made ] || [ -z "$$(find cluster/pyproject.toml cluster/src -newer $(SPARK_VENV)/.glue 2>&1)" ] \
	  || { $(SPARK_VENV)/bin/pip install -q --disable-pip-version-check --no-deps --force-reinstall ./cluster \
	  && touch $(SPARK_VENV)/.glue; }

check-cluster: spark ## the cluster: counts by Spark on loopback, while machines are killed; its deployment files (SPARK=3.5; QUICK=1: a part of it; KILLED="--minutes 30 --seed 7": more of them, at random)
	$(call install,shellcheck:shellcheck)
	@[ ! -e $(SPARK_VENV)/.made ] || $(SPARK_VENV)/bin/pip install -q --disable-pip-version-check -r tests/cluster/requirements-deploy.txt
	@[ ! -e $(SPARK_VENV)/.made ] || $(SPARK_VENV)/bin/python tests/cluster/check_cluster.py $(TABIA) $(if $(QUICK),--quick,--corpus $(CORPUS)) $(KILLED)

check-store: compiler judges ## object stores: inputs and tables in those of servers on loopback (STORED="--only Azure")
	$(call install,zstd:zstd)
	$(PYTHON) -m pip install -q --disable-pip-version-check -r tests/cluster/requirements-store.txt
	CARGO_BUILD_BUILD_DIR=target CARGO_TARGET_DIR=target/object-store cargo build --release --locked -p tabia -p tabia-store \
	  --features tabia/object-store,tabia-store/object-store --bin tabia --example objects
	$(PYTHON) tests/cluster/check_store.py target/object-store/release/tabia \
	  --objects target/object-store/release/examples/objects --corpus $(CORPUS) $(STORED)

check-deb: deb ## the package: installed in a new Debian by debootstrap, where the README's first book is built (as root)
	$(call install,debootstrap:debootstrap)
	sh tests/dist/check_deb.sh $$(ls -t target/debian/*.deb | head -n 1) README.md

check-release: ## what `make release` made: each file installed in new Debians without compilers, up to the first book (as root)
	$(call install,debootstrap:debootstrap zstd:zstd python3:python3)
	python3 tests/dist/check_release.py $(RELEASED) README.md

deny: ## dependencies: licences, versions and sources, with cargo-deny (deny.toml)
	@cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
	cargo deny --workspace --locked check licenses bans sources

soak: build ## memory: all of the corpus counted at once in little of it
	$(call install,/usr/bin/time:time)
	rm -rf target/soak && mkdir -p target/soak
	/usr/bin/time -v $(TABIA) count $(CORPUS)/*.zst -o target/soak/all.table --memory 256MiB --max-ply 0 2>&1 | tee target/soak/time.txt
	$(TABIA) verify target/soak/all.table

##@ Benches

bench: bench-bookcraft ## our own benchmarks
	cargo bench -p tabia --bench "*" --locked

bench-peers: build judges ## peers and ours in the same run (FASTPOPULAR=PROGRAM CHESS_DB=PROGRAM: built before)
	@$(PYTHON) -m pip install -q --disable-pip-version-check -r benches/peers/requirements.txt || echo "SKIPPED: no chdb"
	$(PYTHON) benches/peers/bench_peers.py $(TABIA) --rounds 5

bench-flat: build ## whether a game costs the same among 20 million (SIZES=20000,80000; half an hour and 6 GB)
	$(call install,zstd:zstd python3:python3)
	cargo build --release --locked -p tabia-pgn --example synthetic_games
	python3 benches/peers/flatness.py $(TABIA) --generator $(EXAMPLES)/synthetic_games --sizes $(SIZES)

bench-scale: build ## how edges grow with games, and what a large table costs afterwards (SCALED="--sizes 10000,20000"; 20 GB)
	$(call install,zstd:zstd python3:python3)
	cargo build --release --locked -p tabia-pgn --example synthetic_games
	python3 benches/peers/bench_scale.py $(TABIA) --corpus $(CORPUS) $(SCALED)

bench-export: build judges ## exports against the counts they are of, and grouped counts against plain ones
	$(PYTHON) benches/peers/bench_export.py $(TABIA) --rounds 3

bench-bookcraft: build judges ## suites, exports, edits, checks and comparisons of books and tables
	$(PYTHON) benches/peers/bench_bookcraft.py $(TABIA) --rounds 3

bench-evals: build ## lists of evaluated positions: MB of text a second and core, and the same bytes each time
	$(call install,python3:python3)
	cargo build --release --locked -p tabia-evals --example made_up_evals
	python3 benches/peers/bench_evals.py $(TABIA) --generator $(EXAMPLES)/made_up_evals

bench-serve: build judges ## requests a second and memory of tabia serve, with wrk on loopback
	$(call install,wrk:wrk)
	$(PYTHON) benches/peers/bench_serve.py $(TABIA) --corpus $(CORPUS)

bench-cluster: spark ## a count on a cluster of two workers, against one machine (GAMES=5000000,20000000)
	cargo build --release --locked -p tabia-pgn --example synthetic_games
	@[ ! -e $(SPARK_VENV)/.made ] || PYTHONPATH=$(PYTHONPATH):tests/cluster:benches/peers $(SPARK_VENV)/bin/python benches/cluster/bench_cluster.py $(TABIA) \
	  --generator $(EXAMPLES)/synthetic_games --corpus $(CORPUS) --games $(GAMES)

bench-plan: spark ## a made-up plan of a million chunks and 65,536 shards: memory and time of the driver and of a task
	@[ ! -e $(SPARK_VENV)/.made ] || $(SPARK_VENV)/bin/python benches/cluster/bench_plan.py $(TABIA) --spark

experiment-learning: build judges ## whether learning helps: games of learners and controls against unseen engines, into OUT (hours; QUICK=1: minutes; PLAYED="--seed 2 --jobs 4")
	$(call install,/usr/games/stockfish:stockfish /usr/games/toga2:toga2 /usr/games/glaurung:glaurung \
	  /usr/games/ethereal-chess:ethereal-chess /usr/games/gnuchess:gnuchess)
	PYTHONPATH=$(PYTHONPATH):tests/players $(PYTHON) tests/experiments/learning.py $(TABIA) $(OUT) $(if $(QUICK),--quick) $(PLAYED)

##@ Texts and pictures that are generated

reference: build ## docs/commands.md, from the binary
	$(TABIA) manual --format markdown -o docs/commands.md --force

pictures: build ## docs/pictures, from the sample
	sh docs/pictures/draw.sh $(abspath $(TABIA)) data/sample.pgn docs/pictures

screenshots: page ## docs/pictures/explorer.png, and pictures of the page to look at in target/screenshots
	$(call install,chromium:chromium python3:python3)
	$(MAKE) build
	cd $(PAGE) && node build.mjs tests && TABIA=$(abspath $(TABIA)) TABIA_ROOT=$(CURDIR) \
	  node tests/built/screenshots.mjs $(CURDIR)/docs/pictures/explorer.png $(CURDIR)/target/screenshots

book: ## docs/ as a book to read in a browser, its links checked: target/book/docs/index.html
	@mdbook --version >/dev/null 2>&1 || cargo install mdbook --version 0.5.4 --locked
	@mkdir -p target/book
	cp -r pipelines target/book/
	install -D -m644 -t target/book/benches/instructions benches/instructions/recorded.json
	mdbook build docs
	python3 tests/docs/check_book.py target/book/docs

##@ To install and to hand on

install: share ## the binary, completions and pages for man (PREFIX=/usr/local, DESTDIR=)
	install -Dm755 $(TABIA) $(DESTDIR)$(PREFIX)/bin/tabia
	install -Dm644 $(SHARE)/tabia.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tabia
	install -Dm644 $(SHARE)/_tabia $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tabia
	install -Dm644 $(SHARE)/tabia.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tabia.fish
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m644 $(SHARE)/man1/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/

share: $(BUILT) ## completions and pages for man, from the binary: target/share
	@mkdir -p $(SHARE)
	$(TABIA) completions bash > $(SHARE)/tabia.bash
	$(TABIA) completions zsh > $(SHARE)/_tabia
	$(TABIA) completions fish > $(SHARE)/tabia.fish
	$(TABIA) manual -o $(SHARE)/man1 --force

page: ## the explorer's page, built from its sources; the repository keeps what is built (Node.js 18 or later, and npm)
	$(call install,node:nodejs npm:npm)
	@cd $(PAGE) && if [ ! -e node_modules/.made ] || [ package-lock.json -nt node_modules/.made ]; then \
	  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch node_modules/.made; fi
	cd $(PAGE) && node build.mjs

deb: share ## a package for Debian, with completions, pages for man and the sample: target/debian (DEB="-o FOLDER")
	@cargo deb --version >/dev/null 2>&1 || cargo install cargo-deb --version 3.8.0 --locked
	cargo deb --no-build -p tabia $(DEB)

dist: compiler ## a portable binary for Linux with glibc 2.17 or later, with object stores: target/dist
	$(call install,python3:python3 objdump:binutils)
	@if [ ! -e $(ZIG)/.made ] || [ tests/dist/requirements.txt -nt $(ZIG)/.made ]; then python3 -m venv $(ZIG) \
	  && $(ZIG)/bin/pip install -q --disable-pip-version-check -r tests/dist/requirements.txt && touch $(ZIG)/.made; fi
	$(PORTABLY) CARGO_TARGET_DIR=$(PORTABLE_TARGET) cargo zigbuild --release --locked --features object-store \
	  --target x86_64-unknown-linux-gnu.$(GLIBC)
	@mkdir -p target/dist && version=$$(cargo pkgid -p tabia | sed 's/.*[#@]//') \
	  && cp $(PORTABLE) target/dist/tabia-$$version-x86_64-linux-glibc$(GLIBC) \
	  && sh tests/dist/check_needs.sh target/dist/tabia-$$version-x86_64-linux-glibc$(GLIBC) $(GLIBC)

wheel: dist ## a wheel for any Linux with glibc 2.17 and Python 3.11 or later, the portable binary in it: target/wheels
	install -Dm755 $(PORTABLE) crates/doors/python/tabia._tabia.data/scripts/tabia
	cd crates/doors/python && $(PORTABLY) maturin build --release --locked --zig --compatibility manylinux2014 \
	  --target x86_64-unknown-linux-gnu --target-dir $(CURDIR)/target/wheel --out $(CURDIR)/target/wheels
	rm -r crates/doors/python/tabia._tabia.data

release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: wheel ## everything to publish, with checksums: target/release-files
	$(call install,zstd:zstd)
	@cargo cyclonedx --version >/dev/null 2>&1 || cargo install cargo-cyclonedx --version 0.5.9 --locked
	rm -rf $(RELEASED) target/installed && mkdir -p $(RELEASED)
	$(MAKE) install TABIA=$(PORTABLE) BUILT= DESTDIR= PREFIX=target/installed
	CARGO_TARGET_DIR=$(PORTABLE_TARGET) $(MAKE) deb TABIA=$(PORTABLE) BUILT= DEB="--variant portable --target x86_64-unknown-linux-gnu -o $(RELEASED)/"
	sh release/collect.sh $$(cargo pkgid -p tabia | sed 's/.*[#@]//') $(RELEASED)

##@ What the others call

compiler: ## the C compiler that compression libraries are built with
	$(call install,cc:gcc)

judges: ## the Python environment and Debian packages of the outside judges
	$(call install,python3:python3 /usr/games/polyglot:polyglot nginx:nginx)
	@if [ ! -e $(VENV)/.made ] || [ tests/peers/requirements.txt -nt $(VENV)/.made ]; then \
	  python3 -m venv $(VENV) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y python3-venv >/dev/null; }; \
	  if python3 -m venv $(VENV) && $(PYTHON) -m pip install -q --disable-pip-version-check -r tests/peers/requirements.txt; \
	  then touch $(VENV)/.made; \
	  else echo "SKIPPED: no Python environment; the outside judges are skipped"; fi; fi
