// Package photo makes thumbnails of the photos of articles.
package photo

import (
	"bytes"
	"image"
	"image/jpeg"
	"log"
	"os"
	"path/filepath"
)

// An Upload is a photo as it was sent: 4 MB, or 48 MB once it is decoded.
type Upload struct {
	SKU  string
	JPEG []byte
}

// Resizer puts thumbnails into a folder.
type Resizer struct{ dir string }

// New returns a Resizer that writes to dir.
func New(dir string) *Resizer { return &Resizer{dir: dir} }

// Run resizes what arrives, until uploads is closed.
func (r *Resizer) Run(uploads <-chan Upload) {
	for u := range uploads {
		go r.resize(u)
	}
}

func (r *Resizer) resize(u Upload) {
	full, err := jpeg.Decode(bytes.NewReader(u.JPEG))
	if err != nil {
		log.Printf("photo of %s: %v", u.SKU, err)
		return
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shrink(full, 8), nil); err != nil {
		log.Printf("photo of %s: %v", u.SKU, err)
		return
	}
	if err := os.WriteFile(filepath.Join(r.dir, u.SKU+".jpg"), out.Bytes(), 0o644); err != nil {
		log.Printf("photo of %s: %v", u.SKU, err)
	}
}

// shrink takes every nth pixel.
func shrink(full image.Image, n int) image.Image {
	b := full.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, b.Dx()/n, b.Dy()/n))
	for y := range b.Dy() / n {
		for x := range b.Dx() / n {
			small.Set(x, y, full.At(b.Min.X+x*n, b.Min.Y+y*n))
		}
	}
	return small
}
