package hw

// doubts are the facts about a module that a mistake has left unknown. A check that depends on one
// says nothing: its message would follow from a mistake that is reported already.
type doubts struct {
	invalid bool           // the parameters are, so that ports have no known widths
	blind   bool           // statements were skipped: the targets that are set are not known
	unsure  bool           // a clock was replaced: which clock a value has is not known
	excused map[int32]bool // targets that a mistake has left without a value
}

// excuse notes a target that a mistake has left without a value.
func (d *doubts) excuse(target int32) {
	if d.excused == nil {
		d.excused = map[int32]bool{}
	}
	d.excused[target] = true
}

// mayBeSet reports whether it is unknown that a target has no value.
func (d *doubts) mayBeSet(target int32) bool { return d.blind || d.excused[target] }
