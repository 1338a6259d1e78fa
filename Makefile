# countersign: `make demo` and `make test` each set up what they need.

GOLANGCI := 2.15.0
GOFUMPT := 0.12.0
LINT := .bin/golangci-lint-$(GOLANGCI)
FMT := .bin/gofumpt-$(GOFUMPT)

FUZZTIME ?= 60s
STORMTIME ?= 1m

# Without the headers of X the desktop side is left out; the rest works and says
# so. Under CI nothing is left out.
HEADERS := \#include <X11/Xlib.h>\n\#include <X11/XF86keysym.h>\n\#include <X11/extensions/XTest.h>\n
TAGS = $(if $(filter true,$(CI)),,$(shell printf '$(HEADERS)' | $${CC:-cc} -E - >/dev/null 2>&1 || echo nodesktop))

.PHONY: setup demo demo-desktop build test lint bench fuzz storm

setup: ## install what is missing, or say what to install
	@.ci/setup

build: setup
	@if [ -n "$(TAGS)" ]; then echo "build: no headers of X here, so the desktop side is left out (-tags $(TAGS))"; fi
	go build -tags "$(TAGS)" -o countersign .

demo: build ## five tasks against local sites, in a real browser
	./countersign demo

demo-desktop: build ## three tasks between pages and programs, on a display of their own
	./countersign demo --desktop

# The packages that take longest come first, so that none is waited for alone.
test: setup lint
	go vet -tags "$(TAGS)" ./...
	go vet -tags nodesktop ./...
	go build -tags "$(TAGS)" -o countersign .
	go build -tags nodesktop -o /dev/null .
	go test -race -tags "$(TAGS)" -timeout 45m ./ui/cli/... ./surfaces/... ./...

lint: $(LINT) $(FMT) ## how the code is written
	@unformatted=$$($(FMT) -l .) && test -z "$$unformatted" || { echo "gofumpt would change:"; echo "$$unformatted"; exit 1; }
	$(LINT) run ./...
	@for system in darwin windows; do echo "CGO_ENABLED=0 GOOS=$$system go build"; \
		CGO_ENABLED=0 GOOS=$$system go build -tags nodesktop ./... || exit 1; done

bench: setup
	go test -tags "$(TAGS)" -run '^$$' -bench . -benchmem -timeout 30m ./...

fuzz: ## a minute for each fuzzer
	@grep -rlE --include='*_test.go' '^func Fuzz' . | while read -r file; do \
		for name in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$$file"); do \
			echo "fuzz: $$name in $$(dirname "$$file")"; \
			go test -tags "$(TAGS)" -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" </dev/null || exit 1; \
		done; \
	done

storm: ## 32 tasks under four callers, held to the table of transitions
	STORM=$(STORMTIME) go test -race -run '^TestStorm$$' -v ./controller

# The tools are built from source, each under its version's name, so that
# another version is another file.
$(LINT):
	@echo "setup: building golangci-lint $(GOLANGCI) from source, a minute or two"
	@GOBIN=$(CURDIR)/.bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI)
	@mv .bin/golangci-lint $@

$(FMT):
	@echo "setup: building gofumpt $(GOFUMPT) from source"
	@GOBIN=$(CURDIR)/.bin go install mvdan.cc/gofumpt@v$(GOFUMPT)
	@mv .bin/gofumpt $@
