package arm64

import "fmt"

// Label is a place in the code, of one Asm, that jumps can name before it is bound.
type Label int32

// NewLabel makes a label that is not bound yet.
func (a *Asm) NewLabel() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Bind puts l here. A label is bound once.
func (a *Asm) Bind(l Label) {
	check(a.labels[l] < 0, "a label bound twice")
	a.labels[l] = int32(len(a.Code))
}

// Bound tells whether l has been bound.
func (a *Asm) Bound(l Label) bool { return a.labels[l] >= 0 }

// Offset is the place of a bound label in bytes, right after Resolve; or -1.
func (a *Asm) Offset(l Label) int {
	if at := a.labels[l]; at >= 0 {
		return 4 * int(at)
	}
	return -1
}

// form is how far an instruction that names a label reaches.
type form uint8

const (
	toB    form = iota // 128 MB
	toCond             // 1 MB; farther, the opposite skips a B
	toBit              // 32 KB; likewise
	toAdr              // 1 MB; farther, ADRP and ADD
)

// reach is how many words lie between an instruction and its label at most.
func (f form) reach() int {
	return [...]int{toB: 1 << 25, toCond: 1 << 18, toBit: 1 << 13, toAdr: 1 << 18}[f]
}

// jump is an instruction that names a label.
type jump struct {
	at    int32
	label Label
	form  form
	far   bool
}

func (a *Asm) jump(f form, op uint32, l Label) {
	a.jumps = append(a.jumps, jump{at: int32(len(a.Code)), label: l, form: f})
	a.Word(op)
}

// Resolve fills in all that names labels, once, when the code is complete. Where a
// label is out of reach another instruction is put behind, so that places move.
// Errors: a label is not bound; code is larger than 128 MB.
func (a *Asm) Resolve() error {
	// Labels that nothing binds are an error of the caller, so all are counted.
	missing, first := 0, Label(0)
	for i := range a.jumps {
		if j := &a.jumps[i]; a.labels[j.label] < 0 {
			if missing == 0 {
				first = j.label
			}
			missing++
		}
	}

	if missing > 0 {
		return fmt.Errorf("arm64: %d jumps go to labels that are not bound, label %d first", missing, first)
	}

	// If B reaches over the code with every jump lengthened, lengthening always succeeds.
	if len(a.Code)+len(a.jumps) >= toB.reach() {
		return fmt.Errorf("arm64: %d bytes of code are more than jumps reach", 4*len(a.Code))
	}

	// Distances are final once no place moves any more.
	a.lengthen()
	for i := range a.jumps {
		a.fill(&a.jumps[i])
	}

	a.jumps = a.jumps[:0]
	return nil
}

// fill writes the distance to its label into a jump.
func (a *Asm) fill(j *jump) {
	at, to := int(j.at), int(a.labels[j.label])
	w, d := &a.Code[at], uint32(to-at)
	switch {
	case j.form == toAdr && j.far: // pages of 4096 bytes, and the rest
		pages, reg := uint32(to>>10-at>>10), *w&31
		*w |= 1<<31 | pages&3<<29 | pages>>2&0x7ffff<<5
		a.Code[at+1] = 0x91000000 | uint32(4*to)&0xfff<<10 | reg<<5 | reg
	case j.form == toAdr: // in bytes: the low two bits are 0
		*w |= d & 0x7ffff << 5
	case j.far:
		*w ^= opposite(*w)
		*w |= 2 << 5 // behind the B
		a.Code[at+1] = 0x14000000 | (d-1)&0x3ffffff
	case j.form == toB:
		*w |= d & 0x3ffffff
	case j.form == toBit:
		*w |= d & 0x3fff << 5
	default:
		*w |= d & 0x7ffff << 5
	}
}

// opposite is the bit that negates a conditional jump.
func opposite(w uint32) uint32 {
	if w>>24 == 0x54 {
		return 1
	}
	return 1 << 24
}
