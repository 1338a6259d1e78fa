package controller

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"slices"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
)

// Limits of tasks.md 10.7.
const (
	pictureTime     = 10 * time.Second
	maxPictures     = 16 // a task
	maxPictureBytes = 16 << 20
)

// hidden gives a function that says, of a run's end, what no picture of it may
// show; nil where there must be none at all, since a secret of the task is not
// known now and so cannot be found on the screen.
func (t *cell) hidden() func(flows.Result) *surfaces.Hidden {
	known, fields := t.facts, t.rec.SecretFields
	if len(t.unknownSecrets()) > 0 {
		return func(flows.Result) *surfaces.Hidden { return nil }
	}
	return func(res flows.Result) *surfaces.Hidden {
		set := known
		if res.Facts != nil {
			set = res.Facts
		}
		h := &surfaces.Hidden{Fields: joinFields(fields, res.SecretFields)}
		if len(set.SecretNames()) > 0 {
			h.Text = func(text string) bool { return set.Mask(text) != text }
		}
		return h
	}
}

// photograph tries one picture of what a run that stopped by itself shows, and
// keeps it. Nil when there is none; a run never fails over its picture. Called
// by the run's goroutine: it reads only what never changes.
func (t *cell) photograph(r *run, place surfaces.Place, hide *surfaces.Hidden) *task.Artifact {
	if hide == nil || !place.Holding() || r.ctx.Err() == context.Canceled {
		return nil
	}
	life := r.ctx
	if r.ctx.Err() != nil {
		life = t.c.life // the run's time is used up, not the picture's
	}
	ctx, cancel := context.WithTimeout(life, pictureTime)
	defer cancel()
	p, _ := place.Photograph(ctx, *hide)
	if p == nil {
		return nil
	}
	png, ok := stamp(p.PNG, fmt.Sprintf("%s, run %d", t.id, r.number))
	if !ok || len(png) > maxPictureBytes {
		return nil
	}
	sum, err := t.c.opts.Store.KeepPicture(png)
	if err != nil {
		slog.Warn("a picture could not be kept", "task", t.id, "error", err, "cause", errors.Unwrap(err))
		return nil
	}
	return &task.Artifact{
		ID: "p-" + sum[:16], SHA256: sum, TotalBytes: int64(len(png)), MediaType: "image/png", Width: p.Width, Height: p.Height,
	}
}

// A PNG begins with these bytes and a header of fixed length (PNG, third
// edition, 5.2, 11.2.1 and 11.3.3.2).
const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	pngHeaderEnd = len(pngSignature) + 4 + 4 + 13 + 4
)

// stamp writes into a PNG whose it is, so that no two pictures are the same
// bytes and a file's name belongs to one task.
func stamp(png []byte, title string) ([]byte, bool) {
	if len(png) < pngHeaderEnd || !bytes.HasPrefix(png, []byte(pngSignature)) {
		return nil, false
	}
	chunk := append([]byte("tEXtTitle\x00"), title...)
	out := make([]byte, 0, len(png)+len(chunk)+8)
	out = append(out, png[:pngHeaderEnd]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, png[pngHeaderEnd:]...), true
}

// addPicture names a run's picture in the record, and in the evidence it was
// taken for. Of too many the oldest goes that no decision names.
func (t *cell) addPicture(d *draft, r *run, res flows.Result) {
	d.rec.SecretFields = joinFields(d.rec.SecretFields, res.SecretFields)
	if r.picture == nil {
		return
	}
	if res.Pending != nil {
		res.Pending.Picture = r.picture.SHA256
	}
	d.rec.Pictures = append(slices.Clone(d.rec.Pictures), *r.picture)
	d.note(task.Entry{Event: task.EventPicture, Picture: r.picture})
	if len(d.rec.Pictures) <= maxPictures {
		return
	}
	decisions, err := t.c.opts.Store.Decisions(t.id)
	if err != nil {
		return // one more than allowed, until the next
	}
	oldest := slices.IndexFunc(d.rec.Pictures[:maxPictures], func(p task.Artifact) bool {
		return !slices.ContainsFunc(decisions, func(dec task.Decision) bool {
			return dec.Evidence != nil && dec.Evidence.Picture == p.SHA256
		})
	})
	if oldest < 0 {
		return
	}
	d.dropped = append(d.dropped, d.rec.Pictures[oldest])
	d.rec.Pictures = slices.Delete(d.rec.Pictures, oldest, oldest+1)
}

// dropPicture removes a picture no record names.
func (c *Controller) dropPicture(p *task.Artifact) {
	if p == nil {
		return
	}
	if err := c.opts.Store.DropPicture(p.SHA256); err != nil {
		slog.Warn("a picture could not be removed", "picture", p.ID, "error", err, "cause", errors.Unwrap(err))
	}
}

func joinFields(a, b []surfaces.Field) []surfaces.Field {
	out := slices.Clone(a)
	for _, f := range b {
		if i := slices.IndexFunc(out, f.Equal); i >= 0 {
			out[i].Shows = cmp.Or(f.Shows, out[i].Shows)
			continue
		}
		out = append(out, f)
	}
	return out
}
