package fuzz

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"etch/ir/output"
	"etch/ir/text"
	"etch/ir/text/printer"
)

// Save writes a case into a folder as NAME.etch, its netlist, and NAME.stim, its stimulus, each
// below the comment. It returns the netlist's path. Both files are replaced by a rename, so
// there is never a half of one.
func (c *Case) Save(dir, name, comment string) (string, error) {
	head := ""
	for line := range strings.Lines(strings.TrimSpace(comment)) {
		head += "// " + strings.TrimRight(line, "\n") + "\n"
	}

	// Make both texts before any file changes.
	var net, stim bytes.Buffer
	net.WriteString(head)
	stim.WriteString(head)
	if err := printer.Print(&net, c.Design); err != nil {
		return "", err
	}
	if err := c.Stim.Write(&stim); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+netlistExt)

	// The netlist comes last: Load starts from it.
	if err := replace(filepath.Join(dir, name+stimulusExt), &stim); err != nil {
		return "", err
	}
	return path, replace(path, &net)
}

// Extensions of the files of a case.
const (
	netlistExt  = ".etch"
	stimulusExt = ".stim"
)

func replace(path string, text *bytes.Buffer) error {
	return output.Replace(path, 0o644, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
}

// Load reads a case that Save wrote, by the path of its netlist.
func Load(path string) (*Case, error) {
	net, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer net.Close()
	c := &Case{Name: path}
	if c.Design, err = text.Parse(net, path); err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(path, netlistExt) + stimulusExt
	stim, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer stim.Close()
	if c.Stim, err = ReadStimulus(stim); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}

	// A value of another width would panic in the simulator.
	for i, port := range c.Stim.bind(c.Design.Top).inputs {
		for _, s := range c.Stim.Steps {
			if port >= 0 && s.In[i].Width() != c.Design.Top.Ports[port].Width {
				return nil, fmt.Errorf("%s: input %s has %d bits, want %d", name, c.Stim.Inputs[i], s.In[i].Width(), c.Design.Top.Ports[port].Width)
			}
		}
	}
	return c, nil
}
