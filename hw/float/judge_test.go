package float

import (
	"math"
	"sort"
)

// judge rounds by looking for the neighbours of a number in a list of all numbers of
// a small format, with more exponents at both ends. It shares nothing with the model
// but the meaning of a code. A number is given by how it compares with others, which
// for products and quotients of such formats float64 tells exactly.
type judge struct {
	f    Format
	all  []float64 // numbers that are not below 0, exponents unbounded; at even places even
	here []float64 // those of the format, from 0 to the greatest
	top  float64
}

func newJudge(f Format) *judge {
	j := &judge{f: f, all: []float64{0, 0}, here: []float64{0}}
	for e := f.MinExp() - 2*f.MaxExp() - 30; e <= 3*f.MaxExp()+30; e++ {
		for m := range 1 << f.Frac {
			j.all = append(j.all, math.Ldexp(1+float64(m)/float64(int(1)<<f.Frac), e))
		}
	}
	for x := uint64(1); x <= f.Greatest(false); x++ {
		e, m := int(x>>f.Frac), float64(x&(1<<f.Frac-1))/float64(int(1)<<f.Frac)
		v := math.Ldexp(1+m, e-f.Bias())
		if e == 0 {
			v = math.Ldexp(m, 1-f.Bias())
		}
		j.here = append(j.here, v)
	}
	j.top = j.here[len(j.here)-1]
	return j
}

// exactly is a positive number by the sign of itself minus any other.
type exactly func(v float64) int

func value(x float64) exactly {
	return func(v float64) int {
		switch {
		case x < v:
			return -1
		case x > v:
			return 1
		}
		return 0
	}
}

func ratio(x, y float64) exactly { return func(v float64) int { return value(x)(v * y) } }

// rootOfSum is √(x + y). Where the sum is not exact, what it leaves decides a tie: to
// the nearest is monotonic, and v · v is exact.
func rootOfSum(x, y float64) exactly {
	sum, rest := twoSum(x, y)
	return func(v float64) int {
		if side := value(sum)(v * v); side != 0 {
			return side
		}
		return value(rest)(0)
	}
}

func (j *judge) near(list []float64, x exactly) (below int, equal bool) {
	at := sort.Search(len(list), func(i int) bool { return x(list[i]) <= 0 })
	if at < len(list) && x(list[at]) == 0 {
		return at, true
	}
	return at - 1, false
}

// pick is the place in a list that a number is rounded to; past its end the list goes
// on with its last spacing.
func (j *judge) pick(list []float64, x exactly, neg bool, r Rounding) (at int, equal bool) {
	at, equal = j.near(list, x)
	if equal {
		return at, true
	}
	var next float64
	if at+1 < len(list) {
		next = list[at+1]
	} else {
		next = 2*list[at] - list[at-1]
	}
	side := x((list[at] + next) / 2)
	up := false
	switch r {
	case NearestEven:
		up = side > 0 || side == 0 && at&1 == 1
	case NearestAway:
		up = side >= 0
	case Up:
		up = !neg
	case Down:
		up = neg
	}
	if up {
		at++
	}
	return at, false
}

// round is a positive number with a sign in the format.
func (j *judge) round(neg bool, x exactly, r Rounding) (uint64, Flags) {
	at, exact := j.pick(j.here, x, neg, r)
	wide, _ := j.pick(j.all, x, neg, r)
	unbounded := j.all[wide]
	tiny := unbounded != 0 && unbounded < math.Ldexp(1, j.f.MinExp())
	var flags Flags
	if !exact {
		flags |= Inexact
		if tiny {
			flags |= Underflow
		}
	}
	switch {
	case unbounded > j.top:
		flags |= Overflow | Inexact
		if j.f.Saturate || r == TowardZero || r == Up && neg || r == Down && !neg {
			return j.f.sign(neg) | uint64(len(j.here)-1), flags
		}
		return j.f.Inf(neg), flags
	case tiny && j.f.Flush:
		return j.f.sign(neg), Inexact | Underflow
	}
	return j.f.sign(neg) | uint64(at), flags
}

// operand is the value of a code, by its own reading.
func (j *judge) operand(x uint64) (v float64, finite bool) {
	mag := x &^ j.f.signBit()
	if mag >= uint64(len(j.here)) {
		return 0, false
	}
	v = j.here[mag]
	if j.f.Flush && v < math.Ldexp(1, j.f.MinExp()) {
		v = 0
	}
	if x&j.f.signBit() != 0 {
		v = math.Copysign(v, -1)
	}
	return v, true
}
