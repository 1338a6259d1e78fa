package ui

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/inspector"
)

// export writes records into the folder the desk was started in: as CSV a file
// each variable, as JSON one file. No file is ever written over.
func (c commands) export(id task.ID, tables map[string]task.Rows, asJSON bool) tea.Cmd {
	return guard(func() tea.Msg {
		m := exportedMsg{}
		m.files, m.err = exportTo(c.opts.ExportDir, id, tables, asJSON)
		m.at = c.clock.Now()
		return m
	})
}

func exportTo(dir string, id task.ID, tables map[string]task.Rows, asJSON bool) ([]string, error) {
	if asJSON {
		return written(nil, dir, id.String()+"-records", ".json", func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(tables)
		})
	}
	var files []string
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		var err error
		files, err = written(files, dir, id.String()+"-"+fileName(name), ".csv", func(w io.Writer) error { return writeCSV(w, tables[name]) })
		if err != nil {
			return files, err
		}
	}
	return files, nil
}

// written makes a new file of that name, or of the next one that is free.
func written(files []string, dir, name, ending string, write func(io.Writer) error) ([]string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+ending)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, ending))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		if err == nil {
			err = errors.Join(write(f), f.Close())
		}
		if err != nil {
			return files, fault.Wrap(fault.InvalidRequest, err, "the records cannot be saved here").
				WithHint("Start the desk in a folder that can be written, or use `countersign report ID --json`.")
		}
		return append(files, path), nil
	}
}

// fileName keeps of a variable's name what every file system takes.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		default:
			return '-'
		}
	}, name)
	return safe[:min(len(safe), 60)]
}

func writeCSV(w io.Writer, records task.Rows) error {
	columns := inspector.Columns(records)
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = inert(c)
	}
	err := out.Write(line)
	for _, r := range records {
		for i, c := range columns {
			line[i] = inert(r[c])
		}
		err = errors.Join(err, out.Write(line))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// inert keeps a page from having a spreadsheet compute what it wrote: a cell
// that would be read as a formula begins with an apostrophe. Numbers stay.
func inert(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}
