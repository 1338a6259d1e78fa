package demosite

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed templates
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// builder makes one site.
type builder struct {
	name   string
	routes func(*site, *http.ServeMux)
}

// siteBuilders lists the sites in the order in which they take their ports.
func siteBuilders(hostile bool) []builder {
	all := []builder{
		{"shop", shopRoutes},
		{"rail", railRoutes},
		{"mail", mailRoutes},
		{"library", libraryRoutes},
		{"bank", bankRoutes},
		{"seats", seatsRoutes},
	}
	if hostile {
		all = append(all, builder{"hostile", hostileRoutes})
	}
	return all
}

// site is what every handler of one site shares.
type site struct {
	name      string
	pages     map[string]*template.Template
	tally     *tally
	addresses map[string]string // of all sites; read only once started
}

// view is what a template sees.
type view struct {
	Title   string
	Path    string
	Consent bool // the cookie notice was answered
	Home    string
	Data    any
}

// page writes one page of the site.
func (s *site) page(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) {
	v := view{Title: title, Path: r.URL.Path, Home: s.addresses[s.name], Data: data}
	if _, err := r.Cookie(s.name + "_consent"); err == nil {
		v.Consent = true
	}
	s.write(w, status, name, "layout", v)
}

// fragment writes a part of a page, for a script to put in.
func (s *site) fragment(w http.ResponseWriter, name string, data any) {
	s.write(w, http.StatusOK, name, "fragment", view{Data: data})
}

func (s *site) write(w http.ResponseWriter, status int, name, part string, v view) {
	var out bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&out, part, v); err != nil {
		http.Error(w, "this page cannot be drawn: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w)
}

// parsePages reads a site's pages, each on its own copy of the site's layout.
func parsePages(name string) map[string]*template.Template {
	base := template.Must(template.ParseFS(templateFiles, "templates/shared.html", "templates/"+name+"/layout.html"))
	pages := map[string]*template.Template{}
	files, err := fs.Glob(templateFiles, "templates/"+name+"/*.html")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, file := range files {
		key := strings.TrimSuffix(path.Base(file), ".html")
		if key != "layout" {
			pages[key] = template.Must(template.Must(base.Clone()).ParseFS(templateFiles, file))
		}
	}
	return pages
}

func static() http.Handler {
	files, err := fs.Sub(assetFiles, "assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return http.StripPrefix("/static/", http.FileServerFS(files))
}

// exactly answers only the root path with h and everything below it with 404.
func exactly(s *site, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			h(w, r)
			return
		}
		s.page(w, r, http.StatusNotFound, "missing", "Page not found", nil)
	}
}
