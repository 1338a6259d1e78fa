package controllertest

import (
	"testing"

	"countersign/controller"
)

func TestStoreConforms(t *testing.T) {
	StoreConformance(t, func(*testing.T) controller.Store { return NewStore() })
}
