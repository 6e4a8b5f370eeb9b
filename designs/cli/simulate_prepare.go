package cli

import (
	"bufio"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/hexfile"
	"etch/sim"
)

// prepare makes the simulator and applies the flags.
func (r *runner) prepare(d *ir.Design) error {
	e, err := engineOf(r.engine)
	if err != nil {
		return err
	}
	if r.prune {
		if d, err = r.pruned(d); err != nil {
			return err
		}
	}
	r.design = d

	// The design's own text must not mix with the document.
	text := r.out.Out
	if r.json {
		text = r.out.Err
	}
	r.text = bufio.NewWriterSize(r.progress.Through(text), 1<<16)
	opts := []sim.Option{sim.WithEngine(e), sim.WithOutput(r.text), sim.WithMemoryLimit(r.memory << 20)}
	if r.seed != "" {
		n, ok := new(big.Int).SetString(r.seed, 0)
		if !ok || !n.IsUint64() {
			return usagef("-seed: %q is not a number of 64 bits", r.seed)
		}
		opts = append(opts, sim.WithSeed(n.Uint64()))
	}
	if r.s, err = sim.New(d, opts...); err != nil {
		return err
	}

	// Memories, then inputs, since a file may be large and wrong.
	r.s.OnFailure(r.failure)
	r.s.OnStop(r.stop)
	for _, m := range r.mems {
		if err := r.load(m); err != nil {
			return err
		}
	}
	for _, set := range r.sets {
		if err := r.settable(set); err != nil {
			return err
		}
		if err := r.set(set); err != nil {
			return err
		}
	}

	// The signals to look at.
	for _, p := range r.prints {
		if err := r.addPrint(p); err != nil {
			return err
		}
	}
	if r.until != "" {
		r.when, r.value, err = r.pair("-until", r.until)
	}
	return err
}

func engineOf(name string) (sim.Engine, error) {
	for _, e := range engines {
		if e.String() == name {
			return e, nil
		}
	}
	return 0, usagef("no engine %s%s", name, suggestion(name, engineNames()))
}

// engines are those of -engine.
var engines = []sim.Engine{sim.Auto, sim.Native, sim.Interpreter, sim.Lockstep}

func engineNames() (names []string) {
	for _, e := range engines {
		names = append(names, e.String())
	}
	return names
}

// set gives an input its value for the whole run, name=value. A pad is driven.
func (r *runner) set(text string) error {
	sig, v, err := r.pair("-set", text)
	if err != nil {
		return err
	}
	drive := r.s.SetBits
	if sig.IsPad() {
		drive = r.s.Drive
	}
	if err := drive(sig, v); err != nil {
		return usagef("-set: %v", err)
	}
	return nil
}

// load fills a memory from a file.
func (r *runner) load(pair string) error {
	name, file, _ := strings.Cut(pair, "=")
	mem, err := r.s.Mem(name)
	if err != nil {
		return usagef("-mem: %v%s", err, memoryList(r.design))
	}
	return hexfile.ReadFile(file, maxText, hexfile.Memory{Name: mem.Name(), Width: mem.Width(), Depth: mem.Depth()}, mem.Write)
}

// settable reports a name that is no input or pad of the top, with the nearest ones.
func (r *runner) settable(set string) error {
	name, _, _ := strings.Cut(set, "=")
	var inputs []string

	for _, p := range r.s.Top() {
		if !p.IsInput() && !p.IsPad() {
			continue
		}
		if inputs = append(inputs, p.Base()); p.Base() == name {
			return nil
		}
	}
	return usagef("-set: there is no input %s%s", name, suggestion(name, inputs))
}

// pair takes NAME=VALUE apart.
func (r *runner) pair(what, text string) (sim.Signal, bits.Value, error) {
	name, digits, _ := strings.Cut(text, "=")
	sig, err := r.s.Signal(name)
	if err != nil {
		return sig, bits.Value{}, usagef("%s: %v", what, err)
	}
	v, err := valueOf(what, digits, name, sig.Type(), sig.Width())
	return sig, v, err
}

// valueOf is a text as a value of w bits of a type: a number or, of an enumeration, a name.
func valueOf(what, text, name string, t ir.Type, w int) (bits.Value, error) {
	e := t.Enum
	if e == nil {
		return number(what, text, name, w)
	}

	// A code may be given as a number too, as it is on a bus.
	if i := slices.Index(e.Names, text); i >= 0 {
		return bits.New(w, e.Codes[i]), nil
	}
	if _, ok := new(big.Int).SetString(text, 0); ok {
		return number(what, text, name, w)
	}
	return bits.Value{}, usagef("%s: %s = %q, want %s, or a number%s", what, name, text, list(e.Names), nearest(text, e.Names))
}

// list is the first names of many.
func list(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// number is digits as a value of w bits, signed or not; what and name are for the
// error.
func number(what, digits, name string, w int) (bits.Value, error) {
	n, ok := new(big.Int).SetString(digits, 0)
	if !ok {
		return bits.Value{}, usagef("%s: %q is not a number, as in 12, -3, 0xff or 0b101", what, digits)
	}

	// 255 and -1 are both values of 8 bits, 256 and -129 are none.
	v := bits.FromBig(w, n)
	if v.Big().Cmp(n) != 0 && (n.Sign() >= 0 || v.SignedBig().Cmp(n) != 0) {
		return v, usagef("%s: %s does not fit the %d bits of %s", what, digits, w, name)
	}
	return v, nil
}
