//go:build !amd64

package cpu

var host Features
