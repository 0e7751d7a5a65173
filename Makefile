.DEFAULT_GOAL := help
SHELL := bash

.PHONY: help
help: ## List every target
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

node_modules: package.json package-lock.json
	npm ci
	@touch node_modules

sources := $(shell find services deploy openapi test bench \( -name '*.ts' -o -path 'services/explorer/*' \) -type f -not -path '*/node_modules/*') tsconfig.json

dist/.built: node_modules $(sources)
	npm run --silent build
	@touch dist/.built

.PHONY: build
build: dist/.built ## Compile the services, the explorer, the command line and the tests into dist/

.PHONY: lint
lint: node_modules ## Types, unused code, import cycles, linter and formatter, with no warning allowed
	npm run --silent lint

.PHONY: test
test: build ## Run every test against the real engines (TESTS="unit/compiler --grep daily" for some)
	npm run --silent test -- $(TESTS)

.PHONY: test-engines
test-engines: build ## Run what depends on ClickHouse's version on every supported one (ENGINES="25.8 26.9"; needs Python)
	@node --enable-source-maps dist/test/engines/run-engines.js $(ENGINES)

.PHONY: run
run: build ## Start everything in the foreground with sample data; Ctrl-C stops it
	@exec node --enable-source-maps dist/deploy/local/run.js

.PHONY: up
up: build ## The same in the background; returns when both services are ready
	@node --enable-source-maps dist/deploy/local/up.js

.PHONY: down
down: build ## Stop what make up started
	@node --enable-source-maps dist/deploy/local/down.js

.PHONY: sample-panel
sample-panel: build ## Load the sample panel into DATABASE_URL and CLICKHOUSE_URL (ENDS=2026-11-15 SEED=2026)
	@node --enable-source-maps dist/deploy/local/sample/main.js panel $(if $(ENDS),--ends $(ENDS)) $(if $(SEED),--seed $(SEED))

.PHONY: sample-mba
sample-mba: build ## Write files like the FCC's (OUT=dir UNITS=100 DAYS=30 PROFILE=file)
	@node --enable-source-maps dist/deploy/local/sample/main.js mba --out "$(or $(OUT),.local/sample-mba)" \
	  $(if $(UNITS),--units $(UNITS)) $(if $(DAYS),--days $(DAYS)) $(if $(PROFILE),--profile "$(PROFILE)")

.PHONY: client
client: build ## Generate the typed TypeScript client anew (OUT=dir writes it as a package, too)
	@node --enable-source-maps dist/openapi/write-client.js $(if $(OUT),"$(OUT)")

.PHONY: bench
bench: build ## Measure speed and write bench/results.json (BENCH="overhead growth" for some, --rows 1000000)
	@node --enable-source-maps dist/bench/run.js $(BENCH)

.PHONY: audit
audit: build ## What is known against the packages that are shipped, and their licences
	@node --enable-source-maps dist/deploy/audit/audit.js

.PHONY: proof
proof: proof-correctness proof-security proof-faults ## The long form of every check (hours); docs/proof.md has what came out

# In ten parts, each with a panel and a stack of its own, two at a time. A part that fails shows its output.
.PHONY: proof-correctness
proof-correctness: build ## The compiler against the reference, ten times (PROPERTY_RUNS=2000, seeds from PROPERTY_SEED=1 on)
	@mkdir -p .local
	@seq 0 9 | xargs -P 2 -I PART bash -c 'seed=$$(($(or $(PROPERTY_SEED),1) + PART)); log=.local/proof-$$seed.log; \
	  PROPERTY_RUNS=$(or $(PROPERTY_RUNS),2000) PROPERTY_SEED=$$seed npm run --silent test -- property/metric >$$log 2>&1 \
	    || { cat $$log; exit 255; }; \
	  echo "seed $$seed: $$(tail -n 1 $$log)"'

.PHONY: proof-security
proof-security: build ## The long form of test/security (FUZZ_RUNS=10000 FUZZ_SEED= INJECTION_RUNS=all HOSTILE_ROUNDS=10)
	FUZZ_RUNS=$(or $(FUZZ_RUNS),10000) $(if $(FUZZ_SEED),FUZZ_SEED=$(FUZZ_SEED)) npm run --silent test -- security/fuzz
	INJECTION_RUNS=$(or $(INJECTION_RUNS),all) npm run --silent test -- security/exact-values security/injection
	HOSTILE_ROUNDS=$(or $(HOSTILE_ROUNDS),10) npm run --silent test -- \
	  security/hostile security/matrix security/no-token security/signed

.PHONY: proof-faults
proof-faults: build ## Kill, cut and starve everything for half an hour (FAULT_ROUNDS=100 FAULT_SEED=7)
	FAULT_ROUNDS=$(or $(FAULT_ROUNDS),100) $(if $(FAULT_SEED),FAULT_SEED=$(FAULT_SEED)) npm run --silent test -- faults/
	ENGINE_REQUESTS=$(or $(ENGINE_REQUESTS),20000) npm run --silent test -- local-clickhouse/memory

.PHONY: chart
chart: build ## Check the Helm chart (UPDATE=1 writes its generated files anew)
	@$(if $(filter 1,$(UPDATE)),node dist/deploy/helm/update-chart.js)
	@UPDATE=$(UPDATE) KUBE_SCHEMAS=$(KUBE_SCHEMAS) deploy/helm/check-chart.sh
	npm run --silent test -- unit/deploy

.PHONY: clean
clean: ## Remove what was built and the local databases (stop the stack first)
	rm -rf dist .local
