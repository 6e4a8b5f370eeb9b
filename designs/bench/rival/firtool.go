package rival

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"etch/testbench/tools"
)

// firtoolFile is the Verilog that firtool writes.
const firtoolFile = "core.sv"

// firtoolFlags: registers start as 0 by Verilator's own flags. Annotations of generators are no business
// of firtool; etch has refused those that it would have to follow.
var firtoolFlags = []string{"--disable-all-randomization", "--strip-debug-info", "--disable-annotation-unknown"}

// FirtoolArgs are Verilator's arguments for the file of [Core.Verilog]: memories have their contents.
// Without statements for simulators nothing may use a core whose test bench watches it by prints, and
// Verilator would leave it out: so memories are public.
func FirtoolArgs(file string, statements bool) []string {
	args := []string{"-DENABLE_INITIAL_MEM_", filepath.Join(filepath.Dir(file), publicFile)}
	if !statements {
		args = append(args, "-DSYNTHESIS")
	}
	return args
}

// publicFile is Verilator's settings beside the Verilog. firtool calls the words of each memory Memory.
const publicFile = "public.vlt"

const public = "`verilator_config\npublic_flat_rd -module \"*\" -var \"Memory\"\n"

// Verilog has firtool compile a core and returns the file of Verilog, in the cache. Which Verilog
// suits Verilator better, etch's or firtool's, depends on the core. Errors: firtool is not there
// ([tools.ErrNotFound]) or refuses the core; a memory with contents that is not at its path.
func (c *Core) Verilog(ctx context.Context) (file string, err error) {
	tool, err := tools.Find("firtool")
	if err != nil {
		return "", err
	}
	version, err := tool.Version()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(c.File)
	if err != nil {
		return "", err
	}
	place, err := c.firtoolPlace(version, string(text))
	if err != nil {
		return "", err
	}
	if file = filepath.Join(place, firtoolFile); exists(file) {
		touch(place) // its model reads the contents of memories from here
		return file, nil
	}

	// The hex files stay beside the Verilog that reads them.
	files := []string{firtoolFile, publicFile}
	for i := range c.Memories {
		files = append(files, hexFile(i))
	}
	err = keep(place, files, func(dir string) error {
		annotations, err := c.annotations(dir, place, instancesOf(string(text)))
		if err != nil {
			return err
		}
		name := filepath.Join(dir, "memories.json")
		if err := os.WriteFile(name, annotations, 0o666); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, publicFile), []byte(public), 0o666); err != nil {
			return err
		}
		fir, err := filepath.Abs(c.File)
		if err != nil {
			return err
		}
		return run(tool.Command(ctx, append([]string{fir, "-o", firtoolFile, "--annotation-file=" + name}, firtoolFlags...)...), dir)
	})

	// The user's interruption is no fault of firtool's.
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("firtool %s: %w", version, err)
	}
	return file, nil
}

// firtoolPlace is the folder in the cache for a core's Verilog.
func (c *Core) firtoolPlace(version, text string) (string, error) {
	// The text and the contents; Verilator's arguments belong to the model.
	parts := []string{version, fmt.Sprintf("%q", firtoolFlags), public, text}
	for _, m := range c.Memories {
		parts = append(parts, fmt.Sprintf("%q %d %d", m.Path, m.Mem.Width, m.Mem.Depth), string(m.contents()))
	}
	return placeOf("firtool-", parts...)
}

// annotations writes the contents of memories as hex files and returns the annotations that name
// the files by where they will lie.
func (c *Core) annotations(dir, place string, all instances) ([]byte, error) {
	list := []map[string]string{}
	for i, m := range c.Memories {
		module, name, err := all.memory(c.Circuit, m.Path)
		if err != nil {
			return nil, err
		}

		// One word a line, as $readmemh reads it.
		var b bytes.Buffer
		for _, v := range m.Mem.Init {
			fmt.Fprintln(&b, v.Hex())
		}
		if err := os.WriteFile(filepath.Join(dir, hexFile(i)), b.Bytes(), 0o666); err != nil {
			return nil, err
		}

		// A target names the module, so all its instances have these contents, as in etch.
		list = append(list, map[string]string{
			"class": "firrtl.annotations.MemoryFileInlineAnnotation", "hexOrBinary": "h",
			"filename": filepath.Join(place, hexFile(i)), "target": "~" + c.Circuit + "|" + module + ">" + name,
		})
	}
	return json.Marshal(list)
}

func hexFile(i int) string { return fmt.Sprintf("contents%d.hex", i) }

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
