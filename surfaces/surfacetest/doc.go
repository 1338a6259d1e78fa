// Package surfacetest is for tests: a simulated application that is a whole
// surface (Fake), and the suite every surface passes (Conformance), the Fake
// among them.
//
// A Fake is told its pages as functions, so that each visit gets a fresh one:
//
//	f := surfacetest.New(surfaces.Browser)
//	f.Serve("https://mail.test/", func() *surfacetest.Page {
//		return &surfacetest.Page{Title: "Mail", Elements: []*surfacetest.Element{
//			surfacetest.Text("Inbox"),
//			surfacetest.Field("To"),
//			surfacetest.Button("Send", func(a *surfacetest.App) { a.Go("https://mail.test/sent") }),
//		}}
//	})
//
// Handlers get the App and may change it; they run inside the verb that caused
// them and must not call the Fake.
package surfacetest
