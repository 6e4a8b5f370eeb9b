package rival

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"etch/ir"
)

// Core is a FIRRTL file that runs by itself, for GSIM and firtool, which read the file as it stands.
type Core struct {
	File     string
	Circuit  string            // the name of its main module
	Top      *ir.Module        // as etch reads it: the outputs that enter the sum
	Inputs   map[string]uint64 // constant inputs; others are 0
	High     []string          // resets that are active high
	Low      []string          // and low
	Hold     int               // cycles for which resets stay active behind the first
	Memories []CoreMemory
	Args     []string // of GSIM, such as --supernode-max-size=90
}

// CoreMemory is a memory with contents at power-up. Its words are compared after a run.
type CoreMemory struct {
	Path string // of instances from the top and the memory, with dots between
	Mem  *ir.Memory
}

// driverVersion is a part of a model's name in the cache: raise it with any change of the driver's
// generated part.
const driverVersion = 1

// gsimFlags compile a model. Large sums nest deep.
var gsimFlags = append(strings.Fields(optimize), "-std=c++17", "-w", "-fbracket-depth=4096", "-I.")

// MostCompared bounds the words of a memory that are compared after a run.
const MostCompared = 1 << 22

// Build makes the model of a core, or finds it in the cache. Errors are those of
// [Verilator.Build], and an output or memory that GSIM names otherwise.
func (g *GSIM) Build(ctx context.Context, c *Core) (*Model, error) {
	place, err := g.place(c)
	if err != nil {
		return nil, err
	}
	m := &Model{Simulator: "GSIM", Version: g.Version, Compiler: g.Compiler}
	return m.obtain(ctx, place, func(dir string) error { return g.model(ctx, dir, c) })
}

// Has reports whether the model of a core is in the cache.
func (g *GSIM) Has(c *Core) bool {
	place, err := g.place(c)
	return err == nil && (&Model{}).find(place)
}

// place is the folder of a core's model.
func (g *GSIM) place(c *Core) (string, error) {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return "", err
	}

	// All that the model depends on, the ports included, since the driver calls them.
	parts := []string{string(text), gsimDriver + gsimMain, fmt.Sprint(driverVersion, MostCompared, gsimFlags),
		fmt.Sprintf("%q %v %q %q %d %q", c.Top.Name, c.Inputs, c.High, c.Low, c.Hold, c.Args)}
	for _, p := range c.Top.Ports {
		parts = append(parts, fmt.Sprintf("%d %q %d %d", p.Dir, p.Name, p.Width, p.Type))
	}
	for _, m := range c.Memories {
		parts = append(parts, fmt.Sprintf("%q %d %d", m.Path, m.Mem.Width, m.Mem.Depth), string(m.contents()))
	}
	return placeOf("gsim-", append(parts, string(g.hash), g.Compiler.String(), g.Compiler.tool.Path, processor())...)
}

func (g *GSIM) model(ctx context.Context, dir string, c *Core) error {
	file, err := filepath.Abs(c.File)
	if err != nil {
		return err
	}

	// GSIM writes C++ into the folder.
	gsim := exec.CommandContext(ctx, g.path, append(slices.Clone(c.Args), "--dir=.", file)...)
	if err := run(gsim, dir); err != nil {
		return err
	}

	// The header names the class, its ports and its memories.
	headers, err := fs.Glob(os.DirFS(dir), "*.h")
	if err != nil || len(headers) != 1 {
		return fmt.Errorf("gsim %s: %d headers were written in place of one", strings.Join(c.Args, " "), len(headers))
	}
	text, err := os.ReadFile(filepath.Join(dir, headers[0]))
	if err != nil {
		return err
	}
	driver, err := c.driver(headers[0], string(text))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, driverFile), driver, 0o666); err != nil {
		return err
	}

	// The driver includes these.
	for i, m := range c.Memories {
		if err := os.WriteFile(filepath.Join(dir, contentsFile(i)), m.contents(), 0o666); err != nil {
			return err
		}
	}

	// The compiler runs in the folder.
	files, err := fs.Glob(os.DirFS(dir), "*.cpp")
	if err != nil {
		return err
	}
	return g.compile(ctx, dir, files, gsimFlags)
}

// contents is the words of a memory at power-up, each in whole bytes, the lowest first.
func (m CoreMemory) contents() []byte {
	var b bytes.Buffer
	for _, v := range m.Mem.Init {
		for lo := 0; lo < m.Mem.Width; lo += 8 {
			b.WriteByte(byte(v.Words()[lo/64] >> (lo % 64)))
		}
	}
	return b.Bytes()
}

func contentsFile(i int) string { return fmt.Sprintf("contents%d.bin", i) }

var (
	getter = regexp.MustCompile(`\bget_([\w$]+)\(\);`)
	setter = regexp.MustCompile(`\bset_([\w$]+)\(`)
)

// member finds a memory in a header: its dimensions and the width of an element.
func member(header, name string) (dims []int, width int, ok bool) {
	re := regexp.MustCompile(`(?m)\s` + regexp.QuoteMeta(name) + `((?:\[\d+\])+);\s*// width = (\d+)`)
	found := re.FindStringSubmatch(header)
	if found == nil {
		return nil, 0, false
	}

	// [4][2] is 4 words of 2 lanes.
	for _, d := range strings.FieldsFunc(found[1], func(r rune) bool { return r == '[' || r == ']' }) {
		n, err := strconv.Atoi(d)
		if err != nil {
			return nil, 0, false
		}
		dims = append(dims, n)
	}
	width, err := strconv.Atoi(found[2])
	return dims, width, err == nil
}
