package suite

import (
	"context"
	"errors"
	"fmt"
)

// test runs the module's tests, and reports them as they end.
func (s *session) test(ctx context.Context) (string, error) {
	// Packages that co-simulate build many simulators when their cache is empty; a slow
	// machine may take longer than go test's ten minutes for one of them.
	args := []string{"test", "-json", "-count=1", "-timeout=20m"}
	if s.opts.Short {
		args = append(args, "-short")
	}
	cmd := s.command(ctx, append(args, "./...")...)
	cmd.Stderr = s.out
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s.tally.out, s.tally.verbose = s.out, s.opts.Verbose
	readErr := readEvents(pipe, s.tally.event, func(line string) { fmt.Fprintln(s.out, line) })
	err = errors.Join(cmd.Wait(), readErr)
	s.tally.printReasons()
	t := &s.tally
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
