package demosite

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// payee is who the shop's orders are paid to.
const payee = "Halden Cycles GmbH"

// cents is an amount of euros.
type cents int

// Shown is the amount as the shop's pages write it: €2,431.00.
func (c cents) Shown() string {
	whole := strconv.Itoa(int(c / 100))
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("€%s.%02d", whole, c%100)
}

// Exact is the amount as the till writes it: 2480.00 EUR.
func (c cents) Exact() string { return fmt.Sprintf("%d.%02d EUR", c/100, c%100) }

type product struct {
	Slug, Name, Kind string
	Price            cents
	About            string
	Facts            []string
	Rating           string
	Frame, Box       string // colours of the drawing
	Stock            int
	keywords         string
}

// Bike tells a bicycle from an accessory, for its picture.
func (p product) Bike() bool { return p.Kind != "Accessory" }

type cartLine struct {
	Product  product
	Quantity int
}

// Sum is the price of the line.
func (l cartLine) Sum() cents { return l.Product.Price * cents(l.Quantity) }

type delivery struct {
	Value, Label string
	Price        cents
}

func deliveries() []delivery {
	return []delivery{
		{"standard", "Standard delivery, 5 to 7 days", 4900},
		{"express", "Express delivery, next working day", 12900},
	}
}

type shopState struct {
	cart     []cartLine
	address  form
	delivery string
	order    string // number of the last order that was paid
	total    cents  // of that order
}

func (s *shopState) subtotal() cents {
	var sum cents
	for _, l := range s.cart {
		sum += l.Sum()
	}
	return sum
}

func (s *shopState) shipping() delivery {
	for _, d := range deliveries() {
		if d.Value == s.delivery {
			return d
		}
	}
	return deliveries()[0]
}

type shop struct {
	*site
	visitors *sessions[shopState]
}

func shopRoutes(s *site, mux *http.ServeMux) {
	h := &shop{site: s, visitors: newSessions[shopState](s.name)}
	mux.HandleFunc("GET /", exactly(s, h.home))
	mux.HandleFunc("GET /search", h.search)
	mux.HandleFunc("GET /product/{slug}", h.product)
	mux.HandleFunc("GET /cart", h.showCart)
	mux.HandleFunc("POST /cart/add", h.add)
	mux.HandleFunc("POST /cart/remove", h.remove)
	mux.HandleFunc("GET /checkout/address", h.askAddress)
	mux.HandleFunc("POST /checkout/address", h.takeAddress)
	mux.HandleFunc("GET /checkout/payment", h.askPayment)
	mux.HandleFunc("POST /checkout/payment", h.takePayment)
	mux.HandleFunc("GET /checkout/confirmation", h.confirmation)
}

// shopPage is what every page of the shop sees.
type shopPage struct {
	InCart     int
	Query      string
	Newsletter bool // the sign-up dialog is due
	Products   []product
	Product    product
	Filter     shopFilter
	Lines      []cartLine
	Subtotal   cents
	Shipping   delivery
	Deliveries []delivery
	Total      cents
	Form       form
	Payee      string
	Order      string
	Address    []string
	Error      string
}

func (h *shop) show(w http.ResponseWriter, r *http.Request, status int, name, title string, p shopPage) {
	h.visitors.use(w, r, func(s *shopState) {
		for _, l := range s.cart {
			p.InCart += l.Quantity
		}
	})
	h.page(w, r, status, name, title, p)
}

func (h *shop) home(w http.ResponseWriter, r *http.Request) {
	var featured []product
	for _, p := range catalogue() {
		if p.Bike() && len(featured) < 4 {
			featured = append(featured, p)
		}
	}
	h.show(w, r, http.StatusOK, "home", "Bicycles that carry", shopPage{Products: featured})
}

// shopFilter is what the column beside the results narrows them by.
type shopFilter struct {
	Kinds   []string
	Kind    string
	Sorts   []string
	Sort    string
	InStock bool
}

func (h *shop) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f := shopFilter{
		Kinds: []string{"All categories", "Cargo bike", "City bike", "Touring bike", "Accessory"},
		Sorts: []string{"Relevance", "Price, low to high", "Price, high to low", "Name"},
		Kind:  q.Get("category"), Sort: q.Get("sort"), InStock: q.Get("stock") != "",
	}
	found := find(strings.TrimSpace(q.Get("q")), f)
	h.show(w, r, http.StatusOK, "results", "Search results", shopPage{Query: q.Get("q"), Products: found, Filter: f})
}

func find(query string, f shopFilter) []product {
	var found []product
	for _, p := range catalogue() {
		text := strings.ToLower(p.Name + " " + p.Kind + " " + p.About + " " + p.keywords)
		fits := f.Kind == "" || f.Kind == "All categories" || f.Kind == p.Kind
		fits = fits && (!f.InStock || p.Stock > 0)
		for _, word := range strings.Fields(strings.ToLower(query)) {
			fits = fits && strings.Contains(text, strings.TrimSuffix(word, "s"))
		}
		if fits {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b product) int {
		switch f.Sort {
		case "Price, low to high":
			return cmp.Compare(a.Price, b.Price)
		case "Price, high to low":
			return cmp.Compare(b.Price, a.Price)
		case "Name":
			return cmp.Compare(a.Name, b.Name)
		}
		return 0
	})
	return found
}

func bySlug(slug string) (product, bool) {
	all := catalogue()
	i := slices.IndexFunc(all, func(p product) bool { return p.Slug == slug })
	if i < 0 {
		return product{}, false
	}
	return all[i], true
}

func (h *shop) product(w http.ResponseWriter, r *http.Request) {
	p, ok := bySlug(r.PathValue("slug"))
	if !ok {
		h.show(w, r, http.StatusNotFound, "missing", "Page not found", shopPage{})
		return
	}
	_, err := r.Cookie(h.name + "_newsletter")
	h.show(w, r, http.StatusOK, "product", p.Name, shopPage{Product: p, Newsletter: err != nil})
}

func (h *shop) add(w http.ResponseWriter, r *http.Request) {
	p, ok := bySlug(r.FormValue("product"))
	if !ok {
		h.show(w, r, http.StatusNotFound, "missing", "Page not found", shopPage{})
		return
	}
	n, err := strconv.Atoi(strings.TrimSpace(r.FormValue("quantity")))
	if err != nil || n < 1 || n > p.Stock {
		h.show(w, r, http.StatusUnprocessableEntity, "product", p.Name,
			shopPage{Product: p, Error: fmt.Sprintf("Please choose a quantity from 1 to %d.", p.Stock)})
		return
	}
	h.visitors.use(w, r, func(s *shopState) {
		i := slices.IndexFunc(s.cart, func(l cartLine) bool { return l.Product.Slug == p.Slug })
		if i < 0 {
			s.cart = append(s.cart, cartLine{p, n})
			return
		}
		s.cart[i].Quantity = min(s.cart[i].Quantity+n, p.Stock)
	})
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (h *shop) remove(w http.ResponseWriter, r *http.Request) {
	h.visitors.use(w, r, func(s *shopState) {
		s.cart = slices.DeleteFunc(s.cart, func(l cartLine) bool { return l.Product.Slug == r.FormValue("product") })
	})
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (h *shop) showCart(w http.ResponseWriter, r *http.Request) {
	h.show(w, r, http.StatusOK, "cart", "Your cart", h.till(w, r))
}

// till is what the pages from the cart to the payment know.
func (h *shop) till(w http.ResponseWriter, r *http.Request) shopPage {
	p := shopPage{Payee: payee, Deliveries: deliveries()}
	h.visitors.use(w, r, func(s *shopState) {
		p.Lines, p.Subtotal, p.Shipping = slices.Clone(s.cart), s.subtotal(), s.shipping()
		p.Total = p.Subtotal + p.Shipping.Price
		p.Form, p.Order = slices.Clone(s.address), s.order
		if p.Order != "" && len(p.Lines) == 0 {
			p.Total = s.total
		}
		for _, f := range s.address {
			p.Address = append(p.Address, f.Value)
		}
	})
	return p
}

func addressForm() form {
	return form{
		{Name: "name", Label: "Full name", Type: "text", Autocomplete: "name"},
		{Name: "email", Label: "E-mail", Type: "email", Autocomplete: "email", Check: checkEmail, Hint: "We send the order confirmation here."},
		{Name: "street", Label: "Street and number", Type: "text", Autocomplete: "street-address"},
		{Name: "postcode", Label: "Postal code", Type: "text", Autocomplete: "postal-code"},
		{Name: "city", Label: "City", Type: "text", Autocomplete: "address-level2"},
		{
			Name: "country", Label: "Country", Type: "select", Autocomplete: "country-name",
			Options: []string{"Choose a country", "Austria", "Belgium", "Denmark", "Germany", "Netherlands", "Portugal", "Sweden"},
		},
	}
}

func (h *shop) askAddress(w http.ResponseWriter, r *http.Request) {
	p := h.till(w, r)
	if len(p.Lines) == 0 {
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
		return
	}
	if p.Form == nil {
		p.Form = addressForm()
	}
	h.show(w, r, http.StatusOK, "address", "Delivery address", p)
}

func (h *shop) takeAddress(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	filled, right := addressForm().fill(r.PostForm)
	h.visitors.use(w, r, func(s *shopState) { s.delivery = r.PostForm.Get("delivery") })
	if !right {
		p := h.till(w, r)
		p.Form = filled
		h.show(w, r, http.StatusUnprocessableEntity, "address", "Delivery address", p)
		return
	}
	h.visitors.use(w, r, func(s *shopState) { s.address = filled })
	http.Redirect(w, r, "/checkout/payment", http.StatusSeeOther)
}

func cardForm() form {
	return form{
		{Name: "cardnumber", Label: "Card number", Type: "text", Autocomplete: "cc-number", Placeholder: "1234 5678 9012 3456", Check: checkCardNumber},
		{Name: "cardname", Label: "Name on card", Type: "text", Autocomplete: "cc-name"},
		{Name: "exp", Label: "Expiry date", Type: "text", Autocomplete: "cc-exp", Placeholder: "MM/YY", Check: checkExpiry(time.Now)},
		{Name: "csc", Label: "Security code", Type: "text", Autocomplete: "cc-csc", Placeholder: "CVC", Check: checkSecurityCode},
	}
}

func (h *shop) askPayment(w http.ResponseWriter, r *http.Request) {
	p := h.till(w, r)
	if len(p.Lines) == 0 || p.Form == nil {
		http.Redirect(w, r, "/checkout/address", http.StatusSeeOther)
		return
	}
	p.Form = cardForm()
	h.show(w, r, http.StatusOK, "payment", "Payment", p)
}

// takePayment counts every accepted card, also one sent again for an order that
// is paid already.
func (h *shop) takePayment(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "this form cannot be read", http.StatusBadRequest)
		return
	}
	p := h.till(w, r)
	if len(p.Lines) == 0 && p.Order == "" {
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
		return
	}
	filled, right := cardForm().fill(r.PostForm)
	if !right {
		p.Form = filled
		h.show(w, r, http.StatusUnprocessableEntity, "payment", "Payment", p)
		return
	}
	paid := h.tally.add(func(c *Counts) { c.OrdersPaid++ }).OrdersPaid
	number := fmt.Sprintf("HC-%05d", 20480+paid)
	h.visitors.use(w, r, func(s *shopState) {
		if len(s.cart) == 0 {
			return
		}
		s.order, s.total, s.cart = number, s.subtotal()+s.shipping().Price, nil
	})
	http.Redirect(w, r, "/checkout/confirmation", http.StatusSeeOther)
}

func (h *shop) confirmation(w http.ResponseWriter, r *http.Request) {
	p := h.till(w, r)
	if p.Order == "" {
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
		return
	}
	h.show(w, r, http.StatusOK, "confirmation", "Order confirmed", p)
}
