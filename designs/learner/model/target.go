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

// soft moves the target towards the online network: t += τ·(w − t), rounded half up,
// never cut, which would pull everything down.
func (t *Target) soft(online *Net, tau int64) {
	exact, view := t.Exact.Words(), t.View.Words()
	for k, words := range online.Words() {
		for i, w := range words {
			exact[k][i] += round(tau*(w<<t.more-exact[k][i]), Unit)
			view[k][i] = round(exact[k][i], t.more)
		}
	}
}
