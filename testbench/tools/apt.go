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

// aptClient runs apt-get, with the lists brought up to date once.
type aptClient struct {
	prefix []string // the command line in front of the arguments
	err    error    // why apt-get cannot be used
	ready  bool
}

// install installs a Debian package.
func (c *aptClient) install(ctx context.Context, pkg string) error {
	if !c.ready {
		c.ready = true
		c.err = c.prepare(ctx)
	}
	if c.err != nil {
		return c.err
	}
	return c.run(ctx, aptInstallLimit, "install", "-y", "--no-install-recommends", pkg)
}

// prepare finds out how to run apt-get, and updates its lists. An update that
// fails is not the end, since the old lists may do; one without answer is, so
// that a machine without network does not wait once for every package.
func (c *aptClient) prepare(ctx context.Context) error {
	apt, err := exec.LookPath("apt-get")
	if err != nil {
		return errors.New("no apt-get on this machine")
	}
	c.prefix = []string{"env", "DEBIAN_FRONTEND=noninteractive", apt}
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

func (c *aptClient) run(ctx context.Context, limit time.Duration, args ...string) error {
	line := append([]string{}, c.prefix[1:]...)
	line = append(line, "-q",
		"-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=1",
		"-o", "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30")
	return run(ctx, limit, "", c.prefix[0], append(line, args...)...)
}
