// Command check runs every check of this module and of those inside it: it installs the third-party
// tools that the tests can use, as far as the machine allows, runs gofmt, go vet, hwvet and the
// tests, and prints the checks that passed, failed and were skipped.
//
//	go run ./testbench/cmd/check [-short] [-require iverilog,yosys] [-install=false] [-v]
//
// It exits 1 if a check failed, 2 if it was called wrongly.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"etch/testbench/cmd/check/internal/suite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := suite.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
