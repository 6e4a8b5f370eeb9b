// Package host is the software side of a learning system: it writes observations and
// transitions, asks for actions and gradient steps, and moves weights, through the registers
// of the host port.
//
//	d := host.NewDQN(bus, rl.CartPole(32))
//	err := d.Load(net, target)
//	action := d.Best(observation)
//	d.Insert(transition)
//	err = d.Step(false) // errors of earlier calls, too
//
// A bus is a real one or that of a simulation, see [SimulateDQN].
package host
