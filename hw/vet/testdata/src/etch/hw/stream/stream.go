// Package stream is what the tests of hwvet use of hw/stream.
package stream

import "etch/hw"

type Stream[T any] struct {
	Valid hw.Bit
	Ready hw.Bit
	Data  T
}

func Of[T any](elem T) Stream[T] { panic(0) }

func (s Stream[T]) Fire() hw.Bit              { panic(0) }
func (s Stream[T]) Send(valid hw.Bit, data T) { panic(0) }

func Buffer[T any](m *hw.Module, name string, s Stream[T], depth int) Stream[T] { panic(0) }
