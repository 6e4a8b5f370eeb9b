package rival

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"

	"etch/testbench/tools"
)

// GSIM is an installed GSIM (Chen et al., DAC 2025; github.com/OpenXiangShan/gsim), a simulator of
// FIRRTL that skips logic whose inputs have not changed, with the compiler of its models.
type GSIM struct {
	Version  string // the first digits of its commit, or of a hash of the program
	Compiler Compiler
	path     string
	hash     []byte // of the program
}

// FindGSIM looks for the program that ETCH_GSIM names and for clang 19, which its models need.
// The error is one line and names the missing thing.
func FindGSIM() (*GSIM, error) {
	path := os.Getenv("ETCH_GSIM")
	if path == "" {
		return nil, errors.New("gsim not found: set ETCH_GSIM to its program (github.com/OpenXiangShan/gsim)")
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("gsim: ETCH_GSIM: %w", err)
	}

	// Models are built in folders of their own, so the name has to be absolute.
	g := &GSIM{}
	if g.path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if g.Compiler.tool, err = tools.Find("clang++-19"); err != nil {
		return nil, err
	}
	g.Compiler.Name = "clang++"
	if g.Compiler.Version, err = g.Compiler.tool.Version(); err != nil {
		return nil, err
	}
	if err := g.identify(); err != nil {
		return nil, fmt.Errorf("gsim: ETCH_GSIM: %w", err)
	}
	return g, nil
}

// commit finds the commit in the output of gsim --version.
var commit = regexp.MustCompile(`GSIM \S*?([0-9a-f]{7})[0-9a-f]*\s`)

// identify fills in the hash and the version.
func (g *GSIM) identify() error {
	data, err := os.ReadFile(g.path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	g.hash, g.Version = sum[:], hex.EncodeToString(sum[:])[:7]

	// An older program has no --version: then the hash stands for it.
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, g.path, "--version").Output()
	if m := commit.FindSubmatch(out); err == nil && m != nil {
		g.Version = string(m[1])
	}
	return nil
}

// compile compiles files of C++, as many at a time as there are processors, and links them.
func (g *GSIM) compile(ctx context.Context, dir string, files, flags []string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	objects, next := make([]string, len(files)), make(chan int)

	// The first error ends the other compilations, whose errors say nothing then.
	var workers sync.WaitGroup
	var once sync.Once
	var first error
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range next {
				objects[i] = fmt.Sprintf("%d.o", i)
				if err := run(g.clang(ctx, append(slices.Clone(flags), "-c", "-o", objects[i], files[i])), dir); err != nil {
					once.Do(func() { first = err })
					stop()
				}
			}
		})
	}
	for i := range files {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	workers.Wait()

	if first != nil {
		return first
	}
	return run(g.clang(ctx, append(objects, "-o", modelFile)), dir)
}

func (g *GSIM) clang(ctx context.Context, args []string) *exec.Cmd {
	return g.Compiler.tool.Command(ctx, args...)
}
