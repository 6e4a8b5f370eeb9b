// Package testbench is what the tests of hwvet use of testbench.
package testbench

import (
	"testing"

	"etch/hw"
)

type Option func()

type Bench struct{}

func New[P any](t testing.TB, c hw.Component[P], opts ...Option) (*Bench, P) { panic(0) }
