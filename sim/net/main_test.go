package net

// All tests of this package verify the nets that transformations make.
func init() { VerifyAll() }

// standard is the Costs of users.
var standard = StandardCosts()
