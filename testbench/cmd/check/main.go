// Command check runs every check of this module: it installs the outside tools
// that the tests can use, as far as the machine allows, then runs gofmt, go vet,
// hwvet and the tests, and says at the end what passed, failed and was skipped.
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
