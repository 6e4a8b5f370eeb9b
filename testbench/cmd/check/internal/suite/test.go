package suite

import (
	"context"
	"errors"
	"fmt"
)

// test runs the tests of all modules, and reports them as they end.
func (s *session) test(ctx context.Context) (string, error) {
	s.tally.out, s.tally.verbose = s.out, s.opts.Verbose
	var err error

	// A module that fails does not stop the others.
	for _, dir := range s.modules() {
		err = errors.Join(err, s.testModule(ctx, dir))
	}
	s.tally.printReasons()
	t := &s.tally

	// A pattern that fits no test would look like success.
	if err == nil && t.failed == 0 && t.passed+t.skipped == 0 {
		return "no test ran", errFindings
	}

	remark := t.closing()
	if t.untested > 0 {
		remark += fmt.Sprintf("; %d packages have no test", t.untested)
	}
	if err == nil && t.failed > 0 {
		err = errFindings
	}
	return remark, err
}

// testModule runs the tests of one module. Their failures are counted by the tally.
func (s *session) testModule(ctx context.Context, dir string) error {
	// The largest package takes two minutes on a quiet machine, and more where it must first build
	// simulators. Nothing here may depend on the speed of the machine by less than a factor of ten,
	// so the bound only ends a test that hangs.
	// The step vet has seen all packages, and no test reads symbols for debuggers (-w), whose
	// linking takes a third of the time of a test program.
	args := []string{"test", "-json", "-count=1", "-timeout=3h", "-vet=off", "-ldflags=-w"}
	if s.opts.Short {
		args = append(args, "-short")
	}
	cmd := s.command(ctx, dir, append(args, "./...")...)
	cmd.Stderr = s.out

	// Events are read from the output; errors of the go command itself are passed on.
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := readEvents(pipe, s.tally.event, func(line string) { fmt.Fprintln(s.out, line) })
	return errors.Join(cmd.Wait(), readErr)
}
