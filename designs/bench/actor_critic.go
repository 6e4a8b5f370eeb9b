package bench

import "etch/hw"

// ActorCritic is a weightless policy beside an array of multipliers that judges it:
// logic of single bits and arithmetic on words, about half each.
type ActorCritic struct {
	Actor  DWC
	Critic Systolic
}

func (a ActorCritic) Validate() error {
	if err := a.Actor.Validate(); err != nil {
		return err
	}
	return a.Critic.Validate()
}

func (a ActorCritic) Ports() Ports { return ports() }

func (a ActorCritic) Build(m *hw.Module, p Ports) {
	actor := hw.Inst(m, "actor", a.Actor)
	critic := hw.Inst(m, "critic", a.Critic)
	p.Sum.Set(actor.Sum.Xor(critic.Sum))
}
