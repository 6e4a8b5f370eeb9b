package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/program"
)

// Player does a recording again in a simulator of its own, forwards from its first cycle. It
// stands behind an edge and behind all that was done before the next one: there every signal has
// the value that it had when the test last looked.
type Player struct {
	s       *Sim
	run     *run
	segment int      // index of the segment in run
	at      int      // index in its entries
	left    uint64   // edges of the entry before that are not made yet
	until   uint64   // end of a Run under way
	runs    bool     // a Run is under way
	set     []byte   // the clocks that rise
	bits    []uint8  // by word of the inputs: its bits
	outs    []uint64 // present outputs of black boxes, word by word
	err     error    // of entries followed within a cycle
	moves   moves
}

// run is a recording as it was when a Player, or a file, was made of it.
type run struct {
	design   *ir.Design
	seed     uint64
	seeded   bool
	pack     int      // slots from which a memory is large
	models   []string // modules that Models ran
	segments []segment
	last     uint64 // its last cycle
}

// errNoRun is the error for a recording of nothing.
var errNoRun = errors.New("sim: there is no recording to replay")

// taken returns the recording up to now. Its entries are only appended to later.
func (r *Recording) taken() (*run, error) {
	if r == nil {
		return nil, errNoRun
	}

	// Write everything that is pending: inputs set since the last entry, and edges.
	r.flush()
	r.endEdges()
	if r.broken != "" {
		return nil, fmt.Errorf("sim: the recording cannot be replayed: %s", r.broken)
	}
	s := r.s
	t := &run{design: s.m.P.Source, seed: s.m.St.Seed, seeded: s.m.St.Seeded, pack: s.m.P.Pack, last: s.m.Cycles}
	named := map[string]bool{}
	for i := range s.m.P.Boxes {
		if name := s.m.P.Mod(s.m.P.Boxes[i].Inst).Name; !named[name] {
			named[name] = true
			t.models = append(t.models, name)
		}
	}

	// The older segment goes first, if the limit has cut the recording.
	if r.older.entries != nil {
		t.segments = r.older.chunks(t.segments)
	}
	t.segments = r.newer.chunks(t.segments)
	return t, nil
}

// Player returns a player of the recording up to now, at its first cycle. Later cycles are not
// part of it. Error: the recording cannot be replayed, for the reason that it names.
func (r *Recording) Player() (*Player, error) {
	t, err := r.taken()
	if err != nil {
		return nil, err
	}
	return t.player()
}

// PlayerOn is Player with another design in place of the recorded one: one with the same inputs and
// black boxes, as the design itself with further statements. Errors: those of Player; the
// recording does not begin at power-up, where state has no values of its own.
func (r *Recording) PlayerOn(d *ir.Design) (*Player, error) {
	t, err := r.taken()
	if err != nil {
		return nil, err
	}
	return t.on(d)
}

// PlayerOn is a second player of the same recording, at its first cycle, on the recorded design
// (Sim().Design()) or on another one as in [Recording.PlayerOn].
func (p *Player) PlayerOn(d *ir.Design) (*Player, error) {
	t := *p.run
	return t.on(d)
}

// on is the player with a design in place of the recorded one.
func (r *run) on(d *ir.Design) (*Player, error) {
	if d != r.design && r.segments[0].from != nil {
		return nil, errors.New("sim: the recording does not begin at power-up, or has lost its begin")
	}
	r.design = d
	return r.player()
}

// player makes a player at the first cycle.
func (r *run) player() (*Player, error) {
	p := &Player{run: r}

	// The replay has the state, seed and packing of the recorded run, but prints nothing; outputs
	// of black boxes come from the recording.
	opts := []Option{WithOutput(nil), WithPacking(r.pack)}
	if r.seeded {
		opts = append(opts, WithSeed(r.seed))
	}
	for _, name := range r.models {
		opts = append(opts, WithModel(name, func() program.Model { return &played{} }))
	}
	s, err := New(r.design, opts...)
	if err != nil {
		return nil, err
	}

	// Each black box shows its words of outs.
	p.s, p.bits = s, s.inputBits()
	p.moves = newMoves(p.bits)
	p.outs = make([]uint64, s.m.P.BoxWords())
	at := 0
	for i := range s.m.P.Boxes {
		m := &played{p: p, first: at}
		for _, out := range s.m.P.Boxes[i].Outs {
			m.widths = append(m.widths, out.Width)
			at += bits.WordCount(out.Width)
		}
		s.m.St.Models[i] = m
	}
	if len(p.outs) > 0 {
		s.m.BeforeFall = func() { p.err = cmp.Or(p.err, p.boxOutputs()) }
	}
	return p, p.begin()
}

// begin puts the simulator into the state of the first segment.
func (p *Player) begin() error {
	first := &p.run.segments[0]
	if len(first.outs) != len(p.outs) {
		return errBadRun("black boxes have %d words of outputs, not %d", len(p.outs), len(first.outs))
	}
	copy(p.outs, first.outs)

	// A recording that lost its begin, or began later than power-up, starts from a kept state,
	// which must fit the design.
	if from := first.from; from != nil {
		s := p.s
		fits := len(from.leaves) == int(s.m.P.Leaves) && len(from.mems) == len(s.m.St.Mems) && len(from.time.Edges) == len(s.m.Edges) && len(from.time.Clocks) == len(s.m.Clocks)
		for i := range from.mems {
			fits = fits && len(from.mems[i]) == len(s.m.St.Mems[i])
		}
		if !fits || from.time.Cycles != first.cycle {
			return errBadRun("its state is of another design")
		}
		p.s.restoreAlone(from)
	} else {
		p.s.m.Touch()
	}
	return p.follow()
}

// played is the Model of a black box in a replay: it shows what was recorded.
type played struct {
	p      *Player
	first  int   // index of its first word in Player.outs
	widths []int // of its outputs, in bits
}

// Eval sets the recorded outputs.
func (m *played) Eval(_, out []bits.Value) {
	if m.p == nil {
		return
	}
	at := m.first
	for i, w := range m.widths {
		n := bits.WordCount(w)
		out[i] = bits.FromWords(w, m.p.outs[at:at+n])
		at += n
	}
}

// Tick does nothing: the next outputs are recorded.
func (m *played) Tick(int, []bits.Value) {}

// Depends is false: the outputs come from the recording.
func (m *played) Depends(int, int) bool { return false }

// Sim returns the simulator, to read. Setting an input or making an edge spoils the replay.
func (p *Player) Sim() *Sim { return p.s }

// Cycles returns the first and the last cycle that can be replayed.
func (p *Player) Cycles() (first, last uint64) { return p.run.segments[0].cycle, p.run.last }

// errBadRun is the error of a recording that does not fit its design.
func errBadRun(format string, args ...any) error {
	return fmt.Errorf("sim: the recording is damaged: "+format, args...)
}

// Forward replays up to a cycle. Errors: the cycle is before the present one or behind the last;
// the recording is damaged.
func (p *Player) Forward(to uint64) error {
	s := p.s

	// A player only runs forwards; Back returns to a mark.
	if first, last := p.Cycles(); to < s.m.Cycles || to > last {
		return fmt.Errorf("sim: no way forwards from cycle %d to %d: the recording has cycles %d to %d", s.m.Cycles, to, first, last)
	}
	for s.m.Cycles < to {
		before := s.m.Cycles

		// A run of equal cycles is replayed as such; then the next entry is followed.
		switch {
		case p.left > 0:
			copy(s.m.On, p.set)
			n := min(p.left, to-s.m.Cycles, 1<<30)
			if p.moves.on {
				n = 1
			}
			s.m.CyclesByHand(int(n))
			p.left -= s.m.Cycles - before
			if p.left > 0 && p.moves.on {
				if err := p.move(); err != nil {
					return err
				}
			}
		case p.runs:
			p.runOn()
		}
		if err := cmp.Or(s.m.Err, p.err); err != nil {
			return err
		}

		// Every turn must make progress, or a damaged recording would never end.
		if s.m.Cycles == before && (p.left > 0 || p.runs) {
			return errBadRun("no edge comes behind cycle %d", before)
		}
		if err := p.follow(); err != nil {
			return err
		}
		if s.m.Cycles < to && p.left == 0 && !p.runs {
			return errBadRun("it ends at cycle %d", s.m.Cycles)
		}
	}
	return nil
}

// runOn makes the next event of a Run, or ends it.
func (p *Player) runOn() {
	if at, _, ok := p.s.NextEdge(); ok && at < p.until {
		// Up to the next edge and no further: entries may come between two edges.
		p.s.m.EventsUntil(at + 1)
		return
	}
	p.s.m.EventsUntil(p.until)
	p.runs = false
}

// follow does everything before the next edge.
func (p *Player) follow() error {
	for p.left == 0 {
		// A Run ends with the time after its last edge.
		if p.runs {
			if at, _, ok := p.s.NextEdge(); ok && at < p.until {
				return nil
			}
			p.runOn()
			continue
		}

		// The newer segment goes on where the older ends.
		if p.at == len(p.run.segments[p.segment].entries) {
			if !p.nextSegment() {
				return nil
			}
			continue
		}
		if err := p.entry(); err != nil {
			return err
		}
	}
	return nil
}

// nextSegment goes on to the next segment; false behind the last.
func (p *Player) nextSegment() bool {
	if p.segment+1 == len(p.run.segments) {
		return false
	}
	p.segment, p.at = p.segment+1, 0
	return true
}

// Mark is a moment of a replay to which Back returns.
type Mark struct {
	state  *Snapshot
	p      Player   // as it was, with slices that go on changing
	outs   []uint64 // Player.outs
	fields []field  // moves.fields
}

// Cycle returns the number of cycles that had run when the mark was set.
func (m *Mark) Cycle() uint64 { return m.state.time.Cycles }

// Mark keeps the present moment with the state of the simulator.
func (p *Player) Mark() *Mark {
	p.s.m.Settle()
	return &Mark{p.s.snapshotAlone(), *p, slices.Clone(p.outs), slices.Clone(p.moves.fields)}
}

// Back returns to a mark of this player, before or behind the present moment.
func (p *Player) Back(m *Mark) {
	p.segment, p.at, p.left, p.until, p.runs, p.set = m.p.segment, m.p.at, m.p.left, m.p.until, m.p.runs, m.p.set
	p.moves.on, p.moves.edges = m.p.moves.on, m.p.moves.edges
	copy(p.outs, m.outs)
	copy(p.moves.fields, m.fields)
	p.s.restoreAlone(m.state)
}
