package uitest

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
)

// ticketPicture is where the picture of the ticket's page is kept.
const ticketPicture = "3f2a"

// drawTicket is a page with a head, three fields and the button to pay.
func drawTicket() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 640, 400))
	fill := func(r image.Rectangle, grey uint8) {
		draw.Draw(img, r, image.NewUniform(color.Gray{Y: grey}), image.Point{}, draw.Src)
	}
	fill(img.Bounds(), 0xf4)
	fill(image.Rect(0, 0, 640, 50), 0x30)
	for y := 90; y < 300; y += 70 {
		fill(image.Rect(60, y, 580, y+40), 0xff)
		fill(image.Rect(70, y+14, 240, y+24), 0x90)
	}
	fill(image.Rect(420, 330, 580, 370), 0x50)
	var out bytes.Buffer
	_ = png.Encode(&out, img) // into memory: it never fails
	return out.Bytes()
}
