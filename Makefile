.DEFAULT_GOAL := help
SHELL := bash

.PHONY: help
help: ## List every target
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

node_modules: package.json package-lock.json
	npm ci
	@touch node_modules

.PHONY: build
build: node_modules ## Compile the services, the command line and the tests into dist/
	npm run --silent build

.PHONY: lint
lint: node_modules ## Type-check, lint and check formatting, with no warning allowed
	npm run --silent lint

.PHONY: test
test: build ## Run every test against the real engines (TESTS="unit/compiler --grep daily" for some)
	npm run --silent test -- $(TESTS)
