package model

import "fmt"

// Machine is the accelerator as its host sees it, on Go integers: the same calls
// as a driver's give the same results.
type Machine struct {
	system          System
	loading         Loading
	settings        Settings
	rewards, values Statistics
	schedule        *Schedule
	vectors         []loaded
	stored          map[Place][]Stored // by a vector's first step
	loadClips       LoadClips
	clips           Clips
}

// loaded is a vector on its stack.
type loaded struct {
	at    Place
	words []Word
	boots []int64
}

// NewMachine is an accelerator just reset.
func (s System) NewMachine() *Machine {
	m := &Machine{system: s, schedule: s.NewSchedule(), stored: map[Place][]Stored{}}
	m.loading, m.settings = s.Defaults()
	return m
}

// Load sets how samples are loaded.
func (m *Machine) Load(l Loading) error {
	m.loading, m.settings.Shift = l, l.Shift
	return nil
}

// Set sets how stored steps are restored and results stored.
func (m *Machine) Set(s Settings) error {
	m.settings, m.loading.Shift = s, s.Shift
	return nil
}

// Settings reads both.
func (m *Machine) Settings() (Loading, Settings, error) { return m.loading, m.settings, nil }

// Measure adds steps to the statistics.
func (m *Machine) Measure(steps []Sample) error {
	for _, x := range steps {
		m.rewards.Add(x.Reward)
		m.values.Add(x.Value)
	}
	return nil
}

// Settle sets means and scales by the statistics; those of a block begin anew.
func (m *Machine) Settle() error {
	m.loading, m.settings = m.system.Prepare(m.loading, m.settings, &m.rewards, &m.values)
	if m.system.Rewards == Block {
		m.rewards = Statistics{}
	}
	m.values = Statistics{}
	return nil
}

// Clear clears the parts that the bits name.
func (m *Machine) Clear(bits int64) error {
	if bits&ClearStatistics != 0 {
		m.rewards, m.values = Statistics{}, Statistics{}
	}
	if bits&ClearCounters != 0 {
		m.loadClips, m.clips = LoadClips{}, Clips{}
	}
	return nil
}

// Push loads a vector, its steps in time order; the last one becomes a cut. ok is
// false where no row has room.
func (m *Machine) Push(vector []Sample) (p Place, ok bool, err error) {
	p, ok = m.schedule.Place(len(vector))
	if !ok || len(vector) == 0 {
		return p, ok, nil
	}

	p.Base += p.Stack * m.system.Depth / m.system.Stacks()
	p.Stack = 0

	// Load each step as the circuit does; the last one of a vector becomes a cut.
	v := loaded{at: p}
	for i, x := range vector {
		x.Cut = x.Cut || x.Term || i == len(vector)-1
		w, boot, clipped := m.system.Load(m.loading, x)
		m.loadClips.Add(clipped)
		v.words = append(v.words, w)
		if w.Cut && !w.Term {
			v.boots = append(v.boots, boot)
		}
	}

	m.vectors = append(m.vectors, v)
	return p, true, nil
}

// Drain computes all that was loaded, and returns the steps of the fullest row.
func (m *Machine) Drain() (steps int, err error) {
	boots := map[Place]int{}

	// The makespan is that of the vectors loaded since the last drain; the schedule starts anew.
	steps = m.schedule.Makespan()
	vectors := m.vectors
	m.schedule, m.vectors = m.system.NewSchedule(), nil

	if len(vectors) > 0 {
		clear(m.stored)
	}

	// Stacks of bootstrap values overflow over all vectors of a drain, not per vector.
	for _, v := range vectors {
		each := m.system.Depth / m.system.Stacks()
		stack := Place{Row: v.at.Row, Stack: v.at.Base / each}
		if boots[stack] += len(v.boots); boots[stack] > m.system.Stack/m.system.Stacks() {
			return 0, fmt.Errorf("a row had more truncated vectors than the %d bootstrap values that its stack holds", m.system.Stack)
		}
		m.stored[v.at] = m.system.Drain(m.settings, v.words, v.boots)
		for _, o := range m.stored[v.at] {
			m.clips.Add(o.Clipped)
		}
	}
	return steps, nil
}

// Fetch reads the n results of the vector at a place, in units of the settings'
// steps.
func (m *Machine) Fetch(p Place, n int) ([]Stored, error) {
	out := m.stored[p]
	if len(out) < n {
		return nil, fmt.Errorf("no vector of %d steps was at %+v", n, p)
	}
	return out[:n], nil
}

// Counters are the saturated numbers since the last Clear.
func (m *Machine) Counters() (LoadClips, Clips, error) { return m.loadClips, m.clips, nil }
