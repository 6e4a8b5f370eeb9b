package native

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
	"unsafe"

	"etch/sim/internal/notes"
)

// Report is a description of the machine code of a [Runner]: the means that are in use, and the
// decisions that led there.
type Report struct {
	Kind     string   `json:"kind"`     // plain, packed, gated, bodies, class, team
	Bytes    int      `json:"bytes"`    // of machine code
	Hash     uint64   `json:"hash"`     // of these bytes, without addresses (FNV-1a)
	Machines int      `json:"machines"` // members of a team, instances of a class, else 1
	Bodies   int      `json:"bodies"`   // specialised bodies
	Guards   int      `json:"guards"`   // registers with one value in all bodies
	Deciding int      `json:"deciding"` // registers whose values tell bodies apart
	Gates    int      `json:"gates"`    // regions behind gates
	Parts    int      `json:"parts"`    // parts that run when a value that they read has changed
	Active   float64  `json:"active"`   // of these, the mean number that ran in a cycle of the samples
	Work     float64  `json:"work"`     // the share of the net's cost that such a cycle ran; 0: unknown
	Banks    int      `json:"banks"`    // banks of look-ups
	Packs    int      `json:"packs"`    // runs of registers computed as vectors
	Faults   int      `json:"faults"`   // panics while compiling; the code before goes on
	Notes    []string `json:"notes"`    // decisions, oldest first, with the reason a candidate lost
}

// String is the report in one line, the notes on lines of their own.
func (r Report) String() string {
	// Zero counts are left out; of the machines, those beyond the first are counted.
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d bytes, hash %016x", r.Kind, r.Bytes, r.Hash)
	for _, x := range []struct {
		n    int
		what string
	}{{r.Machines - 1, "more machines"}, {r.Bodies, "bodies"}, {r.Guards, "guards"}, {r.Deciding, "deciding registers"},
		{r.Gates, "gates"}, {r.Parts, "parts"}, {r.Banks, "banks"}, {r.Packs, "packs"},
		{r.Faults, "faults of the compiler"}} {
		if x.n > 0 {
			fmt.Fprintf(&b, ", %d %s", x.n, x.what)
		}
	}
	if r.Parts > 0 {
		fmt.Fprintf(&b, ", %.0f active in a cycle with %.1f %% of the work", r.Active, 100*r.Work)
	}
	for _, n := range r.Notes {
		b.WriteString("\n  " + n)
	}
	return b.String()
}

// Reporter is a Runner that describes itself. All Runners of this package do.
type Reporter interface{ Report() Report }

// diary is the notes of a Report.
type diary struct {
	notes.List
	shield bool // Options.Recover
	faults int  // panics while compiling
}

// guard calls f, which compiles. If it panics and Options say so, the panic is noted and the
// present code stays for good: stop forbids further tries. Code is replaced only when it is
// complete, so the present code is whole.
func (d *diary) guard(f, stop func()) {
	if d.shield {
		defer func() {
			if why := recover(); why != nil {
				d.note("compiling ended with a panic, which is a fault of etch: %v", why)
				d.faults++
				stop()
			}
		}()
	}
	f()
}

// note records a decision.
func (d *diary) note(format string, args ...any) { d.Add("native", format, args...) }

// follow puts the notes and faults of an earlier diary before those of d.
func (d *diary) follow(before *diary) {
	d.Follow(&before.List)
	d.faults += before.faults
}

// Report implements [Reporter].
func (c *Code) Report() Report { return c.report(nil) }

// report is Report. The hash is of the code with addresses in the given memory replaced by
// offsets, so that equal code in two processes has one hash. (On arm64 such addresses are spread
// over several instructions and stay.)
func (c *Code) report(memory [][]uint64) Report {
	text := c.mem.Text()[:c.size]
	if len(memory) > 0 {
		text = bytes.Clone(text)
	}
	for _, words := range memory {
		// An immediate operand may stand at any byte, so each offset is tried. A number below the
		// length, counted from the memory's start, is taken as an address in it.
		first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(words))))
		for i := 0; i+8 <= len(text); i++ {
			if at := binary.LittleEndian.Uint64(text[i:]) - first; at < 8*uint64(len(words)) {
				binary.LittleEndian.PutUint64(text[i:], at)
			}
		}
	}

	// Equal hashes tell that two runs had equal code.
	h := fnv.New64a()
	h.Write(text)
	r := Report{Kind: "plain", Bytes: c.size, Hash: h.Sum64(), Machines: 1, Banks: c.banks, Packs: c.packs}
	if c.keeps {
		r.Kind = "packed"
	}
	return r
}

// Report is Reporter's. The hash is of the code that runs at present.
func (g *Gated) Report() Report {
	r := g.plain.Report()
	if g.gates != nil && g.on {
		with := g.gates.Report()
		r.Kind, r.Hash, r.Gates, r.Parts, r.Banks = "gated", with.Hash, g.gates.gates, g.gates.parts, with.Banks
		r.Active, r.Work = g.gates.active, g.gates.work
		r.Bytes += with.Bytes
	}
	r.Notes, r.Faults = g.All(), g.faults
	return r
}

// Report implements [Reporter].
func (e *Engine) Report() Report {
	// Plain code that has taken over reports itself; the notes tell why.
	if e.plain != nil {
		r := e.plain.(Reporter).Report()
		r.Notes, r.Faults = append(e.All(), r.Notes...), e.faults+r.Faults
		return r
	}

	// The counters that code addresses lie in these words: their addresses leave the hash.
	var memory [][]uint64
	for _, m := range e.machines {
		memory = append(memory, m.seenWords)
	}
	memory = append(memory, e.owed.counts)
	r := e.code.report(memory)
	r.Kind, r.Machines, r.Faults, r.Notes = "bodies", len(e.machines)*e.instances(), e.faults, e.All()
	switch {
	case e.class != nil:
		r.Kind = "class"
	case e.isTeam():
		r.Kind = "team"
	}
	for _, m := range e.machines {
		m.describe(&r)
	}
	return r
}

// describe adds the bodies of m to r.
func (m *machine) describe(r *Report) {
	r.Bodies += len(m.bodies)
	r.Banks += len(m.n.Banks)
	if m.plan == nil {
		return
	}
	r.Deciding += len(m.plan.Dec)
	for _, v := range m.plan.Guards {
		if v >= 0 {
			r.Guards++
		}
	}
}
