// Package require stands for testify in the tests of hwvet.
package require

type TestingT interface {
	Errorf(format string, args ...any)
}

func Equalf(t TestingT, expected, actual any, msg string, args ...any) { panic(0) }
