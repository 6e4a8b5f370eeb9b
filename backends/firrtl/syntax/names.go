package syntax

// names interns strings: an open-addressing hash table with linear probing.
type names struct {
	list  []string
	slots []int32 // index of list, 0 for a free slot; the length is a power of two
}

// newNames sizes the table for a text of size bytes. Files measured have one distinct name
// per 60 to 600 bytes.
func newNames(size int) names {
	n := 4096
	for n < size/64 {
		n *= 2
	}
	return names{list: make([]string, 1, 1024+size/128), slots: make([]int32, n)}
}

// The 32-bit FNV-1a hash.
const hashStart, hashStep = 2166136261, 16777619

func hash(s string) uint32 {
	h := uint32(hashStart)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * hashStep
	}
	return h
}

// add interns s, whose hash is h.
func (t *names) add(s string, h uint32) Name {
	if len(s) == 0 {
		return 0
	}

	// The low bits choose the slot: the high ones are mixed in.
	h ^= h >> 15
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		at := t.slots[i]
		if at == 0 {
			t.list = append(t.list, s)
			t.slots[i] = int32(len(t.list) - 1)
			// At most half of the slots are used.
			if len(t.list)*2 > len(t.slots) {
				t.grow()
			}
			return Name(len(t.list) - 1)
		}
		if t.list[at] == s {
			return Name(at)
		}
	}
}

func (t *names) grow() {
	t.slots = make([]int32, 4*len(t.slots))
	mask := uint32(len(t.slots) - 1)

	// All names differ, so no texts are compared.
	for at := 1; at < len(t.list); at++ {
		h := hash(t.list[at])
		i := (h ^ h>>15) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = int32(at)
	}
}
