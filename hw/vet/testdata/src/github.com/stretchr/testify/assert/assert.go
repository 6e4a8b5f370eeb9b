// Package assert stands for testify in the tests of hwvet.
package assert

type TestingT interface {
	Errorf(format string, args ...any)
}

type Assertions struct{}

func New(t TestingT) *Assertions { panic(0) }

func Equal(t TestingT, expected, actual any, msgAndArgs ...any) bool { panic(0) }
func Len(t TestingT, object any, length int, msgAndArgs ...any) bool { panic(0) }

func (a *Assertions) Equal(expected, actual any, msgAndArgs ...any) bool { panic(0) }
