package native

import (
	"etch/sim/native/arm64"
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// Registers of arm64 code. A call finds the state and the cycles to do where they
// stay; values have the rest but R18, R28, R29 and R30, which are others' own.
const (
	a64State   = arm64.R0
	a64Left    = arm64.R1  // cycles that are still to do
	a64Scratch = arm64.R2  // scratchReach bytes below the state
	a64Far     = arm64.R3  // and the next one: bases of what is far from both
	a64A       = arm64.R14 // temporaries
	a64B       = arm64.R15
	a64C       = arm64.R16
	a64D       = arm64.R17
)

var a64Pool = []uint8{5, 6, 7, 8, 9, 10, 11, 12, 13, 19, 20, 21, 22, 23, 24, 25, 26, 27}

// a64 writes the code of nets for arm64.
type a64 struct {
	arm64.Asm
	c    *code
	n    *net.Net
	at   int32 // the instruction that is written
	exit arm64.Label
	ctl  []a64If
	far  farBases
}

// a64If is an if whose arms are being written.
type a64If struct {
	els, end arm64.Label
	before   farBases // at the if
	then     farBases // at the end of the first arm
	jumps    bool     // the first arm jumps over the second
}

// arm64Target is the target of 64-bit Arm processors.
type arm64Target struct{}

// runs is about the vectors of another processor alone: code needs what all have.
func (arm64Target) runs(f cpu.Features) bool { return !f.AVX2 }
func (arm64Target) adapts() bool             { return false }
func (arm64Target) gates() bool              { return false }
func (arm64Target) banks() bool              { return false }
func (arm64Target) registers() []uint8       { return a64Pool }

func (arm64Target) plain(c *code, _ cpu.Features) ([]byte, error) {
	e := &a64{}
	e.exit = e.NewLabel()
	e.RRI(arm64.SUB, arm64.X, a64Scratch, a64State, scratchReach)
	top := e.NewLabel()
	e.Bind(top)
	e.body(c)
	e.RRI(arm64.SUBS, arm64.X, a64Left, a64Left, 1)
	e.BCond(arm64.NE, top)
	e.Bind(e.exit)
	e.Mov(arm64.X, arm64.R0, a64Left)
	e.Ret()
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// body writes the code of one cycle.
func (e *a64) body(c *code) {
	e.c, e.n, e.at, e.far = c, c.n, -1, farBases{}
	for r, o := range c.old {
		if o >= 0 {
			e.access(arm64.LDR, a64A, e.slot(r))
			e.access(arm64.STR, a64A, scratchOffset(o))
		}
	}
	for i, in := range c.out {
		e.at = int32(i)
		e.instruction(in)
	}
}

func (e *a64) instruction(in ins) {
	switch in.k {
	case kEval:
		if e.c.loc[in.a].k != nowhere {
			e.eval(net.ID(in.a))
		}
	case kIf:
		j := a64If{els: e.NewLabel(), end: e.NewLabel()}
		e.branch(net.ID(in.a), false, j.els)
		j.before = e.far
		e.ctl = append(e.ctl, j)
	case kElse:
		j := &e.ctl[len(e.ctl)-1]
		if j.jumps = e.c.out[e.at+1].k != kEnd; j.jumps {
			e.B(j.end)
		}
		e.Bind(j.els)
		j.then, e.far = e.far, j.before
	case kEnd:
		j := &e.ctl[len(e.ctl)-1]
		if j.jumps {
			e.Bind(j.end)
		}
		e.far = e.far.meet(j.then)
		e.ctl = e.ctl[:len(e.ctl)-1]
	case kPhi:
		e.phi(net.ID(in.a), net.ID(in.b))
	case kWrite:
		e.access(arm64.STR, e.register(net.ID(in.b), a64A), e.slot(int(in.a)))
	case kStore:
		e.memoryStore(&e.n.Writes[in.a])
	case kOut:
		o := &e.n.Outs[in.a]
		e.access(arm64.STR, e.register(o.Node, a64A), 8*int64(o.Slot))
	case kStop:
		e.branch(net.ID(in.a), true, e.exit)
	default:
		panic("native: no arm64 code for the branches of special bodies")
	}
}

// register returns a register that holds x: its own, that of zeros, or tmp after
// a load.
func (e *a64) register(x net.ID, tmp arm64.Reg) arm64.Reg {
	switch nd := &e.n.N[x]; {
	case nd.Op == net.Const && nd.Imm == 0:
		return arm64.ZR
	case !nd.Op.IsLeaf() && e.c.loc[x].k == inReg:
		return arm64.Reg(e.c.loc[x].reg)
	}
	e.load(x, tmp)
	return tmp
}

// load puts node x into a register.
func (e *a64) load(x net.ID, r arm64.Reg) {
	nd := &e.n.N[x]
	switch nd.Op {
	case net.Const:
		e.MovRI(r, nd.Imm)
		return
	case net.Leaf:
		e.access(arm64.LDR, r, e.leaf(int(nd.Imm)))
		return
	}
	switch l := e.c.loc[x]; l.k {
	case inReg:
		if from := arm64.Reg(l.reg); from != r {
			e.Mov(arm64.X, r, from)
		}
	case inScratch:
		e.access(arm64.LDR, r, scratchOffset(l.at))
	default:
		panic("native: a value without a place")
	}
}

// phi gives a mux's place the value of an arm.
func (e *a64) phi(m, x net.ID) {
	switch l := e.c.loc[m]; l.k {
	case inReg:
		e.load(x, arm64.Reg(l.reg))
	case inScratch:
		e.access(arm64.STR, e.register(x, a64A), scratchOffset(l.at))
	}
}

// memoryStore writes a word of a memory, or those of its bits that the mask has.
func (e *a64) memoryStore(w *net.Write) {
	data := e.register(w.Data, a64A)
	if w.Mask < 0 {
		e.accessWord(arm64.STR, data, e.word(&e.n.Mems[w.Mem], w.Addr, a64C))
		return
	}
	// word ^= (word ^ data) & mask
	mask := arm64.ZR
	v, ok := e.n.IsConst(w.Mask)
	if ok = ok && arm64.FitsLogic(arm64.X, v); !ok {
		mask = e.register(w.Mask, a64B)
	}
	at := e.word(&e.n.Mems[w.Mem], w.Addr, a64C)
	e.accessWord(arm64.LDR, a64D, at)
	e.RRR(arm64.EOR, arm64.X, a64A, data, a64D)
	if ok {
		e.RRI(arm64.AND, arm64.X, a64A, a64A, v)
	} else {
		e.RRR(arm64.AND, arm64.X, a64A, a64A, mask)
	}
	e.RRR(arm64.EOR, arm64.X, a64D, a64D, a64A)
	e.accessWord(arm64.STR, a64D, at)
}
