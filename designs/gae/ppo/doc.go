// Package ppo trains controllers for the pendulum by proximal policy optimisation.
package ppo
