package sat

// heap is a binary heap of variables by activity, the most active on top; equal ones in order of
// number.
type heap struct {
	weight []float64 // by variable
	list   []int32
	place  []int32 // by variable: index in list, -1 if it is out
}

// add adds a new variable.
func (h *heap) add(v int32) {
	h.weight = append(h.weight, 0)
	h.place = append(h.place, -1)
	h.put(v)
}

// put adds a variable again, if it is out.
func (h *heap) put(v int32) {
	if h.place[v] < 0 {
		h.append(v)
		h.up(v)
	}
}

// before reports whether a comes before b.
func (h *heap) before(a, b int32) bool {
	return h.weight[a] > h.weight[b] || h.weight[a] == h.weight[b] && a < b
}

// up restores the order after the weight of v has grown.
func (h *heap) up(v int32) {
	i := h.place[v]
	if i < 0 {
		// It gets its place when it is put back.
		return
	}

	// Parents move down, and v is stored once.
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(v, h.list[parent]) {
			break
		}
		h.set(i, h.list[parent])
		i = parent
	}
	h.set(i, v)
}

// set puts v at place i.
func (h *heap) set(i, v int32) { h.list[i], h.place[v] = v, i }

// clear removes all variables.
func (h *heap) clear() {
	for _, v := range h.list {
		h.place[v] = -1
	}
	h.list = h.list[:0]
}

// append adds a variable, if it is out, without order; [heap.build] restores the order.
func (h *heap) append(v int32) {
	if h.place[v] < 0 {
		h.place[v] = int32(len(h.list))
		h.list = append(h.list, v)
	}
}

// build orders the whole list, from the lowest parents up (Floyd's method): it takes time in
// proportion to the list, where putting the variables one by one takes that times a logarithm.
func (h *heap) build() {
	for i := len(h.list)/2 - 1; i >= 0; i-- {
		h.sink(h.list[i], int32(i))
	}
}

// pop removes the top variable and returns it.
func (h *heap) pop() (int32, bool) {
	if len(h.list) == 0 {
		return 0, false
	}
	first, last := h.list[0], h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	h.place[first] = -1
	if first != last {
		h.sink(last, 0)
	}
	return first, true
}

// sink puts v at its place at i or below; i is free.
func (h *heap) sink(v, i int32) {
	n := int32(len(h.list))
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && h.before(h.list[child+1], h.list[child]) {
			child++
		}
		if !h.before(h.list[child], v) {
			break
		}
		h.set(i, h.list[child])
		i = child
	}
	h.set(i, v)
}
