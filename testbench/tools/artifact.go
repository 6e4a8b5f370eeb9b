package tools

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	downloadLimit = 10 * time.Minute
	lockLimit     = 15 * time.Minute
)

// mavenCopy is the pinned Maven goal that copies one artifact into a folder.
const mavenCopy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"

// client names the registry client that fetches the artifact.
func (a *artifact) client() string {
	if a.maven != "" {
		return "Maven"
	}
	return "pip"
}

// ensure brings the artifact into the cache unless it is there: it is downloaded, compared with
// its pinned sum, unpacked beside its place, tried, and renamed.
func (a *artifact) ensure(ctx context.Context, note func(string)) error {
	dir, err := a.dir()
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}

	// One install at a time; the other one may have finished it meanwhile.
	lctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	unlock, err := lock(lctx, dir+".lock", func() { note("waiting for another install of it") })
	if err != nil {
		return err
	}
	defer unlock()
	if a.complete(dir) {
		return nil
	}

	// What a process that was killed has left.
	sweep(dir)
	work, err := os.MkdirTemp(parent, filepath.Base(dir)+".tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	return a.build(ctx, work, dir, note)
}

// complete reports whether all the artifact's programs are in dir.
func (a *artifact) complete(dir string) bool {
	for _, rel := range a.programs {
		st, err := os.Stat(filepath.Join(dir, filepath.FromSlash(rel)))
		if err != nil || !st.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// sweep removes the remains of killed installs, and a damaged folder. The caller holds the lock.
func sweep(dir string) {
	left, _ := filepath.Glob(dir + ".tmp-*")
	for _, d := range append(left, dir) {
		os.RemoveAll(d)
	}
}

// build makes the artifact's folder inside work and renames it to dir.
func (a *artifact) build(ctx context.Context, work, dir string, note func(string)) error {
	// All of it happens in a folder beside, so a half of an artifact never counts.
	note("fetching")
	tree := filepath.Join(work, "tree")
	if err := a.gather(ctx, work, tree); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(a.scripts)) {
		file := filepath.Join(tree, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(a.scripts[path]), 0o755); err != nil {
			return err
		}
	}

	// Tried before it has its place.
	if err := a.try(ctx, tree); err != nil {
		return err
	}
	return os.Rename(tree, dir)
}

// anyPython is the Python version to ask pip for if a wheel serves any version.
const anyPython = "3.12"

// gather fetches the artifact's file and its parts, and unpacks them into tree.
func (a *artifact) gather(ctx context.Context, work, tree string) error {
	// The sum is compared before anything is unpacked.
	get := func(p part, prefix string) error {
		down, err := os.MkdirTemp(work, "download-")
		if err != nil {
			return err
		}
		file, err := a.download(ctx, p.wheel, cmp.Or(p.python, anyPython), down)
		if err != nil {
			return err
		}
		if err := checkSum(file, p.sha256); err != nil {
			return err
		}
		return unpack(file, tree, prefix, p.members)
	}

	if err := get(part{wheel: a.wheel, sha256: a.sha256, members: a.members}, a.prefix); err != nil {
		return err
	}
	parts, err := a.partsHere(ctx)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := get(p, ""); err != nil {
			return fmt.Errorf("%s: %w", p.wheel, err)
		}
	}
	return nil
}

// partsHere is the artifact's parts for this machine's Python: those for any version, and of
// those that are compiled the ones for its own, which must be among them.
func (a *artifact) partsHere(ctx context.Context) (list []part, err error) {
	// Compiled wheels exist for some versions of Python only.
	var pinned []string
	for _, p := range a.parts {
		if p.python != "" && !slices.Contains(pinned, p.python) {
			pinned = append(pinned, p.python)
		}
	}
	if pinned == nil {
		return a.parts, nil
	}
	out, err := exec.CommandContext(ctx, "python3", "-c", `import sys; print("%d.%d" % sys.version_info[:2])`).Output()
	if err != nil {
		return nil, fmt.Errorf("python3: %w", err)
	}

	// A wheel of another version would fail at its import.
	here := strings.TrimSpace(string(out))
	if !slices.Contains(pinned, here) {
		return nil, fmt.Errorf("python3 is %s, and there are wheels pinned for %s", here, strings.Join(pinned, ", "))
	}
	return slices.DeleteFunc(slices.Clone(a.parts), func(p part) bool { return p.python != "" && p.python != here }), nil
}

// download fetches a file of the artifact into dir with its registry's client: a wheel for a
// version of Python, or the file of its Maven coordinates.
func (a *artifact) download(ctx context.Context, wheel, python, dir string) (string, error) {
	// The registry's own client fetches; the sum is pinned, so a mirror serves as well.
	var err error
	if a.maven != "" {
		err = run(ctx, downloadLimit, dir, "mvn", "-B", "-ntp", "-q", "-Dstyle.color=never",
			mavenCopy, "-Dartifact="+a.maven, "-DoutputDirectory="+dir)
	} else {
		pip := pipCommand()
		args := append(pip[1:], "download", "-q", "--no-deps", "--only-binary", ":all:",
			"--platform", a.pyTag, "--python-version", python, "--timeout", "30", "--retries", "1",
			"--disable-pip-version-check", "-d", dir, wheel)
		err = run(ctx, downloadLimit, dir, pip[0], args...)
	}
	if err != nil {
		return "", err
	}

	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return "", err
	}

	// A client that brings more than one file has fetched something else too.
	if len(files) != 1 {
		return "", fmt.Errorf("%s brought %d files, not 1", a.client(), len(files))
	}
	return files[0], nil
}

// pipCommand returns the command line of pip on this machine.
func pipCommand() []string {
	for _, c := range [][]string{{"pip3"}, {"pip"}, {"python3", "-m", "pip"}} {
		if _, err := exec.LookPath(c[0]); err == nil {
			return c
		}
	}
	return []string{"pip"}
}

// try runs each of the artifact's programs once, so that a program that does not work here, for
// instance with another libc, is refused with a reason.
func (a *artifact) try(ctx context.Context, tree string) error {
	for _, s := range table {
		rel, ok := a.programs[s.name]
		if !ok {
			continue
		}
		t := Tool{Name: s.name, Path: filepath.Join(tree, filepath.FromSlash(rel)), Cached: true, root: tree,
			spec: spec{cached: a}}
		ctx, cancel := context.WithTimeout(ctx, 2*time.Minute) // a first run may compile
		out, err := t.Command(ctx, "--version").CombinedOutput()
		cancel()
		if err != nil {
			return fmt.Errorf("%s does not run here: %s", s.name,
				strings.TrimSpace(err.Error()+" "+gist(string(out))))
		}
	}
	return nil
}
