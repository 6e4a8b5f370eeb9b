package explore

import (
	"fmt"
	"sync"
	"time"
)

// Meter is the progress of an exploration. Its zero value is ready.
type Meter struct {
	mu     sync.Mutex
	what   string
	all    int
	done   int
	reused int
	began  time.Time
	top    string
	value  float64
	some   bool
}

// begin starts a step of n jobs.
func (m *Meter) begin(what string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.what, m.all, m.done, m.reused, m.began = what, n, 0, 0, time.Now()
}

func (m *Meter) step() { m.mu.Lock(); m.done++; m.mu.Unlock() }

func (m *Meter) reuse(n int) { m.mu.Lock(); m.reused = n; m.mu.Unlock() }

// best notes a result if it is the best on the first axis.
func (m *Meter) best(axes []Axis, values map[string]string, results map[string]float64) {
	if len(axes) == 0 {
		return
	}
	a := axes[0]
	x, ok := results[a.Name]
	if !ok {
		return
	}

	// Workers report at the same time.
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.some || a.order(x, m.value) < 0 {
		m.some, m.value, m.top = true, x, fmt.Sprintf("best %s %s", a.Name, Number(x))
	}
}

// Line is one line: the step, how much of it is done, the rate, the time left for this
// step and the best result on the first axis.
func (m *Meter) Line() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.what == "" {
		return ""
	}
	line := fmt.Sprintf("%s %d/%d", m.what, m.done, m.all)
	if m.reused > 0 {
		line += fmt.Sprintf(" (and %d known)", m.reused)
	}

	// Results of other runs count neither for the rate nor for the time left.
	if spent := time.Since(m.began); m.done > 0 && m.done < m.all && spent > 0 {
		left := time.Duration(float64(spent) / float64(m.done) * float64(m.all-m.done))
		line += fmt.Sprintf(", %.3g/s, %v left", float64(m.done)/spent.Seconds(), max(left, time.Second).Round(time.Second))
	}
	if m.top != "" {
		line += ", " + m.top
	}
	return line
}
