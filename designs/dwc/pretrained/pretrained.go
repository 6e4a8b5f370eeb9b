package pretrained

import (
	"bytes"
	_ "embed"
	"fmt"

	"etch/designs/dwc/model"
)

//go:embed pendulum.json
var pendulumJSON []byte

// Pendulum returns the controller of the pendulum, a fresh copy each time.
func Pendulum() (*model.Model, error) {
	m, err := model.Read(bytes.NewReader(pendulumJSON))
	if err != nil {
		return nil, fmt.Errorf("pretrained pendulum.json: %w", err)
	}
	return m, nil
}
