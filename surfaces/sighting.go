package surfaces

// Denoised counts what a reading of a page left out: advertisements, boxes that
// show nothing, and what only a machine reads. It is never part of a screen; it
// tells why something is not in one.
type Denoised struct {
	Ads    int `json:"ads"`
	Empty  int `json:"empty"`
	Hidden int `json:"hidden"`
}
