package train

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"etch/ir/bits"
	"etch/sim"
)

// savedCircuit is the model with all state of the circuit by name. Numbers are in base 62,
// the greatest that math/big prints.
type savedCircuit struct {
	Model     json.RawMessage     `json:"model"`
	Registers map[string]string   `json:"registers"`
	Memories  map[string][]string `json:"memories"`
}

const base = 62

// saveCircuit keeps a model and a circuit, gzipped.
func saveCircuit(m agent, s *sim.Sim) (json.RawMessage, error) {
	text, err := m.save()
	if err != nil {
		return nil, err
	}

	// All registers and memories of the circuit, by name.
	x := savedCircuit{text, map[string]string{}, map[string][]string{}}
	for sig := range s.Signals() {
		if sig.IsState() {
			x.Registers[sig.Name()] = s.GetBits(sig).Big().Text(base)
		}
	}
	visit(s.Root(), func(m sim.Mem) {
		words := make([]string, m.Depth())
		for i := range words {
			words[i] = m.Read(i).Big().Text(base)
		}
		x.Memories[m.Name()] = words
	})

	// Most words are zero, so the text shrinks well.
	plain, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(plain)
	if err := z.Close(); err != nil {
		return nil, err
	}
	return json.Marshal(packed.Bytes())
}

func visit(s sim.Scope, f func(sim.Mem)) {
	for _, m := range s.Mems() {
		f(m)
	}
	for _, c := range s.Children() {
		visit(c, f)
	}
}

// maxState bounds the state in a file, in bytes.
const maxState = 1 << 30

// restoreCircuit gives model and circuit the state in a text of saveCircuit.
func restoreCircuit(m agent, s *sim.Sim, text json.RawMessage) error {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil {
		return err
	}

	// The limit holds against a small file that unpacks to more than memory.
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	var x savedCircuit
	if err := json.NewDecoder(io.LimitReader(z, maxState)).Decode(&x); err != nil {
		return err
	}

	if err := m.restore(x.Model); err != nil {
		return err
	}

	// A name that the file lacks, or a width that differs, is of another circuit.
	for sig := range s.Signals() {
		if !sig.IsState() {
			continue
		}
		v, err := value(x.Registers[sig.Name()], sig.Width())
		if err == nil {
			err = s.Poke(sig, v)
		}
		if err != nil {
			return fmt.Errorf("the state is of another circuit: register %s: %w", sig.Name(), err)
		}
	}

	// visit goes through all memories; err holds the first failure and stops the work.
	visit(s.Root(), func(m sim.Mem) {
		words := x.Memories[m.Name()]
		if len(words) != m.Depth() && err == nil {
			err = fmt.Errorf("the state is of another circuit: memory %s has %d words, not %d", m.Name(), len(words), m.Depth())
		}
		for i := 0; i < len(words) && err == nil; i++ {
			var v bits.Value
			if v, err = value(words[i], m.Width()); err == nil {
				err = m.Write(i, v)
			}
		}
	})
	return err
}

// value reads a number of so many bits.
func value(text string, width int) (bits.Value, error) {
	x, ok := new(big.Int).SetString(text, base)
	if !ok || x.Sign() < 0 || x.BitLen() > width {
		return bits.Value{}, fmt.Errorf("%.20q is no number of %d bits", text, width)
	}
	return bits.FromBig(width, x), nil
}
