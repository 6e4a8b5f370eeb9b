// Package ppo trains controllers for the pendulum of package pendulum, and for a cart,
// by proximal policy optimisation, with the advantage estimation as a part that can be exchanged:
// float64, the circuit's arithmetic, or a circuit in simulation.
//
//	t, err := ppo.New(ppo.Default(), nil) // nil: advantages in float64
//	err = t.Run(ctx, ppo.Line(os.Stderr, "float"))
//	fmt.Println(t.Curve().Last(), t.Times().Shares())
//	score := pendulum.Evaluate(pendulum.Starts(1000, 1), t.Policy())
//
// # An iteration
//
// All environments run for a horizon with the exploring policy, a normal distribution
// whose mean is a network of the observation and whose deviation is one number. A
// critic, a network of its own, values the observations, and also the final observations
// of truncated episodes. An [Estimator] turns rewards and values into advantages and
// returns. Then several passes in random minibatches: the policy by the clipped
// objective with an entropy bonus, the critic by the mean of ½(V − return)², each by
// Adam. Where public trainers agree, this package follows them: hidden layers of tanh,
// orthogonal weights at the start (gains √2, 0.01 and 1), advantages standardised in
// each minibatch, learning rates that fall linearly, Adam's ε of 1e-5. One thing differs:
// the gradient's length is limited for each network by itself, not for both together,
// so that the networks share nothing in an update and learn side by side.
//
// Actions and deviations are in units of the greatest torque; the environment clips
// them. Angular velocities are divided by the greatest speed. Rewards are scaled by
// a constant or by the running deviation of their discounted sum before they reach the
// estimator; returns in curves are of the raw rewards.
//
// # Results of the default configuration
//
// 81,920 steps with γ = 0.95 and λ = 0.95, about nine seconds of processor time on two
// processors together. Of a run: the mean return of the last 100 training episodes,
// which explore; the steps after which that mean was −250 or better; the final policy
// without exploration over 1000 starts, from which value iteration returns −138.5.
//
//	seed   last 100   −250 after   controller
//	   1     −162.9       40,960       −154.1
//	   2     −183.4       45,056       −161.6
//	   3     −173.3       36,864       −161.8
//	   4     −164.3       40,960       −152.6
//	   5     −151.7       45,056       −160.6
//	   6     −188.6       40,960       −164.6
//	   7     −138.2       38,912       −153.6
//	   8     −186.6       38,912       −155.7
//	   9     −213.0       53,248       −195.5
//	  10     −161.8       41,984       −151.5
//
// With γ = 0.99 seeds 1 to 5 end at −171 to −212, −250 reached after 47,000 to 77,000
// steps. ETCH_SLOW=1 go test -run Goal -v repeats the table.
//
// # Invariants
//
// A run depends on its Config and its estimator alone: the same bits come out on every
// repeat, for every number of processors, on every architecture. Hence work is always
// cut into the same two parts, sums have one order, every product is rounded before it
// is added, exponential and tangent are those of package mlp, and every environment has
// random numbers of its own. Only [Times] differ.
//
// Of etch the package imports mlp, pendulum, the circuit's model and package reference.
package ppo
