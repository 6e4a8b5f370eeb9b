package view

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"etch/sim"
	"etch/sim/fst"
)

// gtkwave writes the waves of a range of cycles to NAME.fst in the folder of the command, and the
// rows of the page to NAME.gtkw beside it, which GTKWave opens. Signals of one instance are a group.
func (v *View) gtkwave(q query) (any, error) {
	from, to, err := v.cycles(q)
	if err != nil {
		return nil, err
	}

	// All names are checked before a file is written.
	var sigs []sim.Signal
	for name := range strings.SplitSeq(q.Get("signals"), ",") {
		if name == "" {
			continue
		}
		sig, err := v.signal(name)
		if err != nil {
			return nil, err
		}
		sigs = append(sigs, sig)
	}

	// Waves first: if they fail, no list of rows is left behind.
	name := v.run.Sim().Design().Top.Name
	waves, save := filepath.Join(v.dir, name+".fst"), filepath.Join(v.dir, name+".gtkw")
	if err := v.dump(waves, from, to); err != nil {
		return nil, err
	}
	if err := os.WriteFile(save, saveFile(name, filepath.Base(waves), sigs), 0o666); err != nil {
		return nil, err
	}
	return map[string]string{"waves": waves, "save": save}, nil
}

// dump makes the run again and writes its waves from a cycle to another.
func (v *View) dump(path string, from, to uint64) error {
	// A run of its own: the page's run stays at its cycle.
	p, err := v.run.Again(v.run.Sim().Design())
	if err != nil {
		return err
	}
	defer p.Sim().Close()
	if err := p.Forward(from); err != nil {
		return err
	}
	w, err := fst.Create(path)
	if err != nil {
		return err
	}

	// The file is closed in any case, and the first error counts: a failing Close means that waves
	// are missing.
	err = p.Sim().Trace(w)
	if err == nil {
		err = p.Forward(to)
	}
	if e := w.Close(); err == nil {
		err = e
	}
	return err
}

// saveFile is GTKWave's list of rows: names from the top's scope on, with their bits.
func saveFile(top, waves string, sigs []sim.Signal) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[*] of etch view\n[dumpfile] %q\n[timestart] 0\n", waves)

	// A signal's instance is a comment row, written where it changes.
	group := ""
	for _, sig := range sigs {
		path := strings.TrimSuffix(strings.TrimSuffix(sig.Name(), sig.Base()), ".")
		if path != group {
			fmt.Fprintf(&b, "@200\n-%s\n", path)
			group = path
		}
		name := top + "." + sig.Name()

		// Flags of a row are bits in hexadecimal: 0x20 right-justified, 0x08 binary, 0x02 hexadecimal,
		// and 0x400 signed.
		switch format := "22"; {
		case sig.Width() == 1:
			fmt.Fprintf(&b, "@28\n%s\n", name)
		case sig.Type().Kind.Signed():
			format = "420"
			fallthrough
		default:
			fmt.Fprintf(&b, "@%s\n%s[%d:0]\n", format, name, sig.Width()-1)
		}
	}
	return b.Bytes()
}
