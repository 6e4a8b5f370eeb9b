// Package policy is a trained network in a file: JSON, or .safetensors with the names that
// PyTorch gives a Sequential of Linear and ReLU (0.weight, 0.bias, 2.weight, …, [out, in]).
//
//	p, err := policy.ReadFile("policy.json") // or .safetensors, .pt, .pth
//	data, err := p.Encode("policy.safetensors")
//
// A [Policy] has real numbers; [Policy.Net] rounds them to a format, and names weights that do not
// fit. The scales of observations are part of the JSON and of the metadata of .safetensors;
// a file that says nothing of scales has scales of 1.
//
// The package imports ir/input, designs/dwc/checkpoint and designs/learner/model.
package policy
