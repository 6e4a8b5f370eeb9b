package native

// resident is a state word that lives in a machine register while code runs: a call loads it
// first and stores it last. So cycles pass it on without store-to-load forwarding, whose latency
// limits short bodies. In long bodies registers are worth more for values.
type resident struct {
	slot uint32
	reg  uint8
}

// residents is a short list, searched linearly.
type residents []resident

// in returns the machine register of the word at slot, if there is one.
func (all residents) in(slot uint32) (reg uint8, ok bool) {
	for _, r := range all {
		if r.slot == slot {
			return r.reg, true
		}
	}
	return 0, false
}

// residentWriter writes code that keeps state words in machine registers.
type residentWriter interface {
	// reside announces the residents, which stay in registers from enter to leave.
	reside(all residents)
}
