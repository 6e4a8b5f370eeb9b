package tools

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

const (
	aptUpdateLimit  = 3 * time.Minute
	aptInstallLimit = 10 * time.Minute
)

// aptClient runs apt-get, and updates its lists once.
type aptClient struct {
	prefix []string // the command line before the arguments
	err    error    // why apt-get cannot be used
	ready  bool
}

// install installs a Debian package.
func (c *aptClient) install(ctx context.Context, pkg string) error {
	// The lists are updated once, for the first package.
	if !c.ready {
		c.ready = true
		c.err = c.prepare(ctx)
	}
	if c.err != nil {
		return c.err
	}
	return c.run(ctx, aptInstallLimit, "install", "-y", "--no-install-recommends", pkg)
}

// prepare finds the command line for apt-get and updates its lists. A failed update is no error,
// since the old lists may do. An update without an answer is, so that a machine without network
// does not wait again for every package.
func (c *aptClient) prepare(ctx context.Context) error {
	apt, err := exec.LookPath("apt-get")
	if err != nil {
		return errors.New("no apt-get on this machine")
	}
	c.prefix = []string{"env", "DEBIAN_FRONTEND=noninteractive", apt}

	// sudo must work without a password, as nobody is there to give it.
	if os.Geteuid() != 0 {
		if err := run(ctx, 20*time.Second, "", "sudo", "-n", "true"); err != nil {
			return errors.New("apt-get needs root, or sudo without a password")
		}
		c.prefix = append([]string{"sudo", "-n"}, c.prefix...)
	}
	err = c.run(ctx, aptUpdateLimit, "update")
	if errors.Is(err, errNoAnswer) {
		return err
	}
	return nil
}

// run runs apt-get with limits of time for locks and downloads.
func (c *aptClient) run(ctx context.Context, limit time.Duration, args ...string) error {
	line := append([]string{}, c.prefix[1:]...)
	line = append(line, "-q",
		"-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=1",
		"-o", "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30")
	return run(ctx, limit, "", c.prefix[0], append(line, args...)...)
}
