package model

// Target is a target network: a slow copy of an online one. It keeps more fraction bits
// than weights have, without which small steps would round to nothing and stall it.
// Forward passes read its values rounded to the weights' format.
type Target struct {
	Exact *Net // with Formats.Target more fraction bits
	View  *Net // rounded half up
	more  int
}

func newTarget(online *Net, more int) *Target {
	t := &Target{online.Clone(), online.Clone(), more}
	t.hard(online)
	return t
}

// hard copies the online network.
func (t *Target) hard(online *Net) {
	t.View.Copy(online)
	exact := t.Exact.Words()
	for k, words := range online.Words() {
		for i, w := range words {
			exact[k][i] = w << t.more
		}
	}
}

// soft moves a target towards the online network: t += τ·(w − t), rounded to the nearest,
// never cut, which would pull everything down.
func (e *engine) soft(t *Target, online *Net, tau int64) {
	exact, view := t.Exact.Words(), t.View.Words()
	f := e.Targets().Format
	var over uint64 // nothing is: both lie between weights
	for k, words := range online.Words() {
		for i, w := range words {
			// In floating point target and step are one exact sum, rounded once.
			apart := w<<t.more - exact[k][i]
			if e.grid != nil {
				sum := product(exact[k][i], 1<<Unit).add(product(tau, apart))
				exact[k][i] = e.targetGrid.nearest(f, sum, f.Frac+Unit, &over)
				view[k][i] = e.fit(e.Weight, exact[k][i], f.Frac, &over)
				continue
			}

			exact[k][i] += round(tau*apart, Unit)
			view[k][i] = round(exact[k][i], t.more)
		}
	}
}
