// Package env holds the environments of reinforcement learning: tasks that come with
// etch, and a process of the user's own that speaks lines of JSON.
//
//	e, err := env.Open("cartpole", env.Limits{}) // or "pendulum", or "python3 my_env.py"
//	observation, err := e.Reset(7)
//	outcome, err := e.Step(env.Action{Number: 1})
//
// An environment is deterministic by the seed of Reset: a run that is resumed plays the
// interrupted episode again from its start.
//
// # Lines of JSON
//
// A process reads requests from standard input and writes one line for each to standard
// output:
//
//	{"hello":1}  {"observation":4,"actions":2} or {"observation":3,"low":[-2],"high":[2]}
//	{"reset":7}  {"obs":[0.01,0,-0.02,0]}
//	{"act":1}    {"obs":[…],"reward":1,"terminated":false,"truncated":false}
//
// gymnasium_env.py in this folder wraps an environment of Gymnasium so.
//
// act is the number of an action, or the list of amounts. Standard error is free; its last
// line is part of the message when the process dies.
//
// The package imports the physics of designs/cartpole and designs/pendulum, ir/input, and
// testbench/tools.
package env
