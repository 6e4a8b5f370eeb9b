// Package pretrained embeds controllers that etch trained itself, for
// demonstrations and tests. Each model's provenance holds the command that
// makes it again, byte for byte; the package's slow test does so.
//
//	m, err := pretrained.Pendulum()
//
// It imports package model only.
package pretrained
