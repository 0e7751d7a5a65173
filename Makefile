.DEFAULT_GOAL := help
SHELL := bash

.PHONY: help
help: ## List every target
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

# Everything is built after this check, which make run, up and dev also make of their ports.
.PHONY: check-setup
check-setup:
	@node deploy/local/check-setup.cjs $(STACK)
run: STACK = run
up: STACK = up
dev: STACK = dev

# npm writes this file at the end of an install.
node_modules/.package-lock.json: package.json package-lock.json | check-setup
	npm ci
	@touch $@

sources := $(shell find services deploy openapi test bench -name '*.ts' -not -path '*/node_modules/*') tsconfig.json
# The explorer and its imports.
explorer_sources := $(shell find services/explorer services/catalog openapi/client -type f)

# tsc is incremental: it reads dist/.tsbuildinfo and writes only what changed.
dist/.compiled: node_modules/.package-lock.json $(sources)
	node_modules/.bin/tsc
# npx sets this only when it first meets the folder, so it would be missing after make clean.
	@chmod +x dist/services/cli/netpanel.js
	@touch $@

dist/openapi/query.json: dist/.compiled openapi/query.yaml openapi/metadata.yaml openapi/ingest.yaml
	node dist/openapi/write-json.js

dist/explorer/index.html: node_modules/.package-lock.json $(explorer_sources)
	node_modules/.bin/vite build services/explorer

.PHONY: build
build: dist/.compiled dist/openapi/query.json dist/explorer/index.html ## Compile changed files into dist/: services, explorer, command line, tests

.PHONY: lint
lint: node_modules/.package-lock.json ## Check types, unused code, import cycles, lint rules and formatting; fails on any warning
	@$(MAKE) --no-print-directory --jobs=2 lint-rules lint-types lint-unused lint-format

# The rules take as long as the other parts together. After the build, which tests need too, tsc checks only what changed.
.PHONY: lint-rules lint-types lint-unused lint-format
lint-types: build
lint-rules lint-types lint-unused lint-format: lint-%:
	npm run --silent lint:$*

.PHONY: test
test: build ## Run the tests against real engines, or some (TESTS="unit/compiler --grep daily")
	npm run --silent test -- $(TESTS)

.PHONY: test-long test-all
test-long: build ## Run the long tests: processes killed at every step, limits of memory, benchmarks (make test leaves them out)
	npm run --silent test -- --long

test-all: build ## Run the tests and the long tests, with the same stacks
	npm run --silent test -- --all

# The services run as child processes, which inherit NODE_V8_COVERAGE.
.PHONY: coverage
coverage: build ## Measure the coverage of services/ by tests; report in .local/coverage/index.html (TESTS="unit/")
	@rm -rf .local/coverage
	NODE_V8_COVERAGE=.local/coverage/raw npm run --silent test -- $(or $(TESTS),unit/ api/ integration/cli/ integration/exports/ integration/snapshot/)
	@node_modules/.bin/c8 report

.PHONY: test-engines
test-engines: build ## Run the version-dependent tests on every supported version of ClickHouse, Postgres and Node (ENGINES="25.8 postgres-14 node-20"; needs Python)
	@node --enable-source-maps dist/test/engines/run-engines.js $(ENGINES)

.PHONY: test-matrix
test-matrix: build ## Run the tests on the oldest and the newest Node and Postgres, and print a table (TESTS="unit/ api/metadata")
	@node --enable-source-maps dist/test/engines/run-matrix.js $(TESTS)

.PHONY: test-kubernetes
test-kubernetes: build ## Install the chart on a real Kubernetes API server with its controllers (KUBERNETES_BIN=dir; test/kubernetes/build-control-plane.sh builds it)
	@KUBERNETES_BIN="$(KUBERNETES_BIN)" node --enable-source-maps dist/test/kubernetes/run-kubernetes.js $(TESTS)

.PHONY: test-clients
test-clients: build ## Generate clients with openapi-generator and others, compile them, and call a stack with each (GENERATORS="go java"; needs Java, Maven, Go and Python)
	@node --enable-source-maps dist/test/clients/run-clients.js $(GENERATORS)

.PHONY: test-garage
test-garage: build ## Run the tests of object stores against a Garage server (GARAGE=program TESTS="exports/stores")
	@GARAGE="$(GARAGE)" node --enable-source-maps dist/test/garage/run-garage.js $(TESTS)

.PHONY: test-r
test-r: build ## Compare statistics of published panels with R and its package survey (CASES="2015"; needs r-base-core and r-cran-survey, its client r-cran-httr2 and r-cran-jsonlite)
	@node --enable-source-maps dist/test/r/run-r.js $(CASES)

.PHONY: run
run: build ## Start everything in the foreground with sample data; Ctrl-C stops it
	@exec node --enable-source-maps dist/deploy/local/run.js

.PHONY: dev
dev: build ## Start the same in watch mode: services restart and the explorer reloads when a file changes
	@exec node --enable-source-maps dist/deploy/local/dev.js

.PHONY: up
up: build ## Start the same in the background; returns when both services are ready
	@node --enable-source-maps dist/deploy/local/up.js

.PHONY: down
down: build ## Stop the stack of make up
	@node --enable-source-maps dist/deploy/local/down.js

.PHONY: sample-panel
sample-panel: build ## Load the sample panel into DATABASE_URL and CLICKHOUSE_URL (ENDS=2026-11-15 SEED=2026)
	@node --enable-source-maps dist/deploy/local/sample/main.js panel $(if $(ENDS),--ends $(ENDS)) $(if $(SEED),--seed $(SEED))

.PHONY: sample-mba
sample-mba: build ## Generate files in the FCC's format (OUT=dir UNITS=100 DAYS=30 PROFILE=file STYLE=2014 ZIP=1)
	@node --enable-source-maps dist/deploy/local/sample/main.js mba --out "$(or $(OUT),.local/sample-mba)" \
	  $(if $(UNITS),--units $(UNITS)) $(if $(DAYS),--days $(DAYS)) $(if $(PROFILE),--profile "$(PROFILE)") \
	  $(if $(STYLE),--style $(STYLE)) $(if $(ZIP),--zip)

.PHONY: sample-agent
sample-agent: build ## Measure download speed and latency against a local server, and send the results to make run (UNIT=100003 ROUNDS=1 MBPS=900)
	@node --enable-source-maps dist/deploy/local/sample/main.js agent $(if $(UNIT),--unit $(UNIT)) $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MBPS),--mbps $(MBPS))

.PHONY: generate
generate: build ## Generate the contracts, client types, tables in docs/ and golden files from the catalogue and the code
	@node --enable-source-maps dist/openapi/generate.js
	UPDATE_GOLDEN=1 npm run --silent test -- unit/compiler unit/schema unit/docs unit/request/error-bodies

.PHONY: pictures
pictures: build ## Take the pictures of docs/images again, in Chromium
	UPDATE_IMAGES=1 npm run --silent test -- browser/docs-images

.PHONY: client
client: build ## Generate the typed TypeScript client as a package (OUT=dir)
	@node --enable-source-maps dist/openapi/write-client.js $(if $(OUT),"$(OUT)")

.PHONY: compare-answers
compare-answers: build ## Record the responses to generated requests in FILE, or compare with FILE if it exists (PROPERTY_SEED=1 PROPERTY_RUNS=3500)
	@PROPERTY_SEED=$(or $(PROPERTY_SEED),1) PROPERTY_RUNS=$(or $(PROPERTY_RUNS),3500) \
	  node --enable-source-maps dist/test/property/compare-answers.js "$(or $(FILE),.local/answers.ndjson)"

.PHONY: bench
bench: build ## Run the benchmarks, or some (BENCH="overhead growth --rows 1000000"); a complete run writes bench/results.json
	@node --enable-source-maps dist/bench/run.js $(BENCH)

.PHONY: audit
audit: build ## Check the shipped packages for known advisories and licences
	@node --enable-source-maps dist/deploy/audit/audit.js

.PHONY: outdated
outdated: build ## List the dependencies with a newer version, and what holds each back (deploy/audit/held-back.ts)
	@node --enable-source-maps dist/deploy/audit/outdated.js

.PHONY: schemathesis
schemathesis: build ## Test the services with Schemathesis (SCHEMATHESIS=program EXAMPLES=50 SEED=1; needs Python)
	@SCHEMATHESIS="$(or $(SCHEMATHESIS),schemathesis)" EXAMPLES=$(or $(EXAMPLES),50) SEED=$(or $(SEED),1) \
	  node --enable-source-maps dist/test/security/schemathesis/run-schemathesis.js

.PHONY: proof
proof: proof-correctness proof-security proof-faults proof-soak ## Run the long form of every check (hours); docs/proof.md has the results

# Ten runs, each with its own panel and stack, two at a time. A failed run prints its output.
.PHONY: proof-correctness
proof-correctness: build ## Compare the compiler with the reference for ten seeds and attack the privacy floor (PROPERTY_RUNS=2000 REPORT_RUNS=2000 COMPARISON_RUNS=2000 FLOOR_ATTACK_POINTS=20000, seeds from PROPERTY_SEED=1)
	@mkdir -p .local
	@seq 0 9 | xargs -P 2 -I PART bash -c 'seed=$$(($(or $(PROPERTY_SEED),1) + PART)); log=.local/proof-$$seed.log; \
	  PROPERTY_RUNS=$(or $(PROPERTY_RUNS),2000) REPORT_RUNS=$(or $(REPORT_RUNS),2000) COMPARISON_RUNS=$(or $(COMPARISON_RUNS),2000) \
	  PROPERTY_SEED=$$seed npm run --silent test -- property/metric property/report >$$log 2>&1 \
	    || { cat $$log; exit 255; }; \
	  echo "seed $$seed: $$(tail -n 1 $$log)"'
	FLOOR_ATTACK_POINTS=$(or $(FLOOR_ATTACK_POINTS),20000) npm run --silent test -- property/floor-attack

.PHONY: proof-security
proof-security: build ## Run the long form of test/security (FUZZ_RUNS=10000 INJECTION_RUNS=all HOSTILE_ROUNDS=10 EVENT_LOOP_ROUNDS=5 HOSTILE_AGENTS=300 AGENT_ID_RUNS=50000 SIMILAR_IDS=1000)
	FUZZ_RUNS=$(or $(FUZZ_RUNS),10000) $(if $(FUZZ_SEED),FUZZ_SEED=$(FUZZ_SEED)) npm run --silent test -- security/fuzz
	INJECTION_RUNS=$(or $(INJECTION_RUNS),all) npm run --silent test -- security/exact-values security/injection
	HOSTILE_ROUNDS=$(or $(HOSTILE_ROUNDS),10) npm run --silent test -- \
	  security/hostile security/matrix security/no-token security/signed
	EVENT_LOOP_ROUNDS=$(or $(EVENT_LOOP_ROUNDS),5) npm run --silent test -- security/event-loop
	HOSTILE_AGENTS=$(or $(HOSTILE_AGENTS),300) npm run --silent test -- security/metadata-volume
	AGENT_ID_RUNS=$(or $(AGENT_ID_RUNS),50000) SIMILAR_IDS=$(or $(SIMILAR_IDS),1000) npm run --silent test -- property/agent-ids

.PHONY: proof-faults
proof-faults: build ## Run fault injection for an hour (FAULT_ROUNDS=100 FAULT_SEED=7 QUEUED_CHANGES=200 INGEST_KILL_ROUNDS=200 STALLED_READERS=20 MIGRATE_KILL_ROUNDS=10)
	FAULT_ROUNDS=$(or $(FAULT_ROUNDS),100) $(if $(FAULT_SEED),FAULT_SEED=$(FAULT_SEED)) \
	  QUEUED_CHANGES=$(or $(QUEUED_CHANGES),200) INGEST_KILL_ROUNDS=$(or $(INGEST_KILL_ROUNDS),200) \
	  npm run --silent test -- faults/
	STALLED_READERS=$(or $(STALLED_READERS),20) npm run --silent test -- query/stalled-readers
	MIGRATE_KILL_ROUNDS=$(or $(MIGRATE_KILL_ROUNDS),10) npm run --silent test -- schema/migrate-interrupted
	ENGINE_REQUESTS=$(or $(ENGINE_REQUESTS),20000) npm run --silent test -- local-clickhouse/memory

.PHONY: proof-soak
proof-soak: build ## Run mixed load for an hour: no error, and no growth of memory (SOAK_MINUTES=60 SOAK_SEED=18 SOAK_RATE=5)
	@$(if $(SOAK_MINUTES),SOAK_MINUTES=$(SOAK_MINUTES)) $(if $(SOAK_SEED),SOAK_SEED=$(SOAK_SEED)) \
	  $(if $(SOAK_RATE),SOAK_RATE=$(SOAK_RATE)) node --enable-source-maps dist/test/soak/run-soak.js

.PHONY: chart
chart: build ## Check the Helm chart (UPDATE=1 generates its files)
	@$(if $(filter 1,$(UPDATE)),node dist/deploy/helm/update-chart.js)
	@KUBE_SCHEMAS=$(KUBE_SCHEMAS) deploy/helm/check-chart.sh
	UPDATE_GOLDEN=$(UPDATE) npm run --silent test -- unit/deploy

.PHONY: release
release: build ## Build chart package, client package, image tarballs, SBOM, provenance and checksums (OUT=dir BASE=image ISOLATION=chroot)
	@OUT="$(OUT)" BASE="$(BASE)" ISOLATION="$(ISOLATION)" ALLOW_CHANGES=$(ALLOW_CHANGES) deploy/release/release.sh

.PHONY: clean
clean: ## Remove the build and the local databases (stop the stack first)
	rm -rf dist .local
