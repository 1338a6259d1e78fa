"""GTK programs for tests: the first argument says which, and is its name."""
import os
import signal
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # noqa: E402


def column(window):
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    window.add(box)
    return box


def window(title, x=None):
    w = Gtk.Window(title=title, default_width=360, default_height=200)
    w.connect("destroy", lambda _: Gtk.main_quit() if not [t for t in Gtk.Window.list_toplevels() if t.get_visible()] else None)
    return w


def button(box, text, pressed=None):
    b = Gtk.Button(label=text)
    if pressed:
        b.connect("clicked", pressed)
    box.pack_start(b, False, False, 0)
    return b


def line(box, text):
    label = Gtk.Label(label=text)
    box.pack_start(label, False, False, 0)
    return label


def two():
    """Two windows; either can close the other."""
    first, second = window("First"), window("Second")
    for this, other in ((first, second), (second, first)):
        box = column(this)
        box.pack_start(Gtk.Entry(), False, False, 0)
        button(box, "In " + this.get_title())
        button(box, "Forward", lambda _, o=other: o.present())
        button(box, "Close the other", lambda _, o=other: o.destroy())
        this.show_all()


def modal():
    """A question in a modal dialog before something is deleted."""
    w = window("Files")
    box = column(w)
    said = line(box, "3 files")

    def ask(_):
        d = Gtk.MessageDialog(transient_for=w, modal=True, text="Really delete?", title="Question")
        d.add_buttons("Keep", 0, "Delete all", 1)

        def answered(dialog, answer):
            said.set_text("0 files" if answer == 1 else "kept")
            dialog.destroy()

        d.connect("response", answered)
        d.show_all()

    box.pack_start(Gtk.Entry(), False, False, 0)
    button(box, "Delete", ask)
    button(box, "Count", lambda _: said.set_text("counted"))
    w.show_all()


def waits():
    """A button, a choice and a menu item that show a dialog and wait inside it."""
    w = window("Waits")
    box = column(w)
    said = line(box, "nothing yet")

    def ask(*_):
        d = Gtk.Dialog(transient_for=w, modal=True, title="Really?")
        d.add_buttons("No", 0, "Yes", 1)
        said.set_text("answered %d" % d.run())
        d.destroy()

    bar = Gtk.MenuBar()
    top = Gtk.MenuItem(label="File")
    menu = Gtk.Menu()
    item = Gtk.MenuItem(label="Ask there")
    item.connect("activate", ask)
    menu.append(item)
    top.set_submenu(menu)
    bar.append(top)
    box.pack_start(bar, False, False, 0)
    box.pack_start(Gtk.Entry(), False, False, 0)
    button(box, "Ask", ask)
    combo = Gtk.ComboBoxText()
    combo.get_accessible().set_name("Mood")
    for name in ("calm", "curious"):
        combo.append_text(name)
    combo.connect("changed", ask)
    box.pack_start(combo, False, False, 0)
    w.show_all()


def beside():
    """Fields that only what stands beside them names, made from the bottom up."""
    w = window("Beside")
    grid = Gtk.Grid(column_spacing=8, row_spacing=24, margin=12)
    w.add(grid)
    rows = [("This form is looked at by a person, so take your time", Gtk.Entry()), ("Full name:", Gtk.Entry()), ("PIN", Gtk.Entry(visibility=False)), ("or", Gtk.Entry()), ("Town", Gtk.ComboBoxText())]
    rows[4][1].append_text("Graz")
    for i, (text, field) in enumerate(rows):
        grid.attach(Gtk.Label(label=text), 0, i, 1, 1)
        grid.attach(field, 1, i, 1, 1)
    below = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    below.pack_start(Gtk.Label(label="Remarks *"), False, False, 0)
    below.pack_start(Gtk.TextView(width_request=200, height_request=40), False, False, 0)
    grid.attach(below, 0, 5, 2, 1)
    tick = Gtk.Box()
    tick.pack_start(Gtk.CheckButton(), False, False, 0)
    tick.pack_start(Gtk.Label(label="I agree"), False, False, 0)
    grid.attach(tick, 0, 6, 2, 1)
    w.show_all()


def deep():
    """Groups in groups, with a button at the bottom."""
    w = window("Deep")
    box = column(w)
    box.pack_start(Gtk.Entry(), False, False, 0)
    inner = box
    for i in range(16):
        frame = Gtk.Frame(label="Level %d" % i)
        inner.pack_start(frame, False, False, 0)
        inner = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        frame.add(inner)
    button(inner, "Bottom")
    w.show_all()


def many(n):
    """Very many controls in a part that scrolls."""
    w = window("Many")
    outer = column(w)
    outer.pack_start(Gtk.Entry(), False, False, 0)
    scrolled = Gtk.ScrolledWindow()
    outer.pack_start(scrolled, True, True, 0)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    scrolled.add(box)
    for i in range(n // 2):
        row = Gtk.Box()
        row.pack_start(Gtk.Button(label="Button %d" % i), False, False, 0)
        row.pack_start(Gtk.Label(label="Label %d" % i), False, False, 0)
        box.pack_start(row, False, False, 0)
    w.show_all()


def names():
    """Names that are double, empty, or no names at all."""
    w = window("Names \x1b[31mred\u202e")
    box = column(w)
    box.pack_start(Gtk.Entry(), False, False, 0)
    said = line(box, "nothing pressed")
    for i in (1, 2):
        button(box, "Twin", lambda _, i=i: said.set_text("twin %d" % i))
    button(box, "", lambda _: said.set_text("the nameless one"))
    button(box, "Evil\x1b]0;title\x07\r\nname\u202e", lambda _: said.set_text("evil"))
    button(box, "x" * 400)
    w.show_all()


def parts():
    """One of each kind of control."""
    w = window("Parts")
    box = column(w)
    bar = Gtk.MenuBar()
    top = Gtk.MenuItem(label="File")
    menu = Gtk.Menu()
    said = Gtk.Label(label="ready")
    for name in ("Open", "Save"):
        item = Gtk.MenuItem(label=name)
        item.connect("activate", lambda _, n=name: said.set_text(n + " chosen"))
        menu.append(item)
    top.set_submenu(menu)
    bar.append(top)
    box.pack_start(bar, False, False, 0)
    box.pack_start(Gtk.Entry(placeholder_text="Find"), False, False, 0)
    spin = Gtk.SpinButton(adjustment=Gtk.Adjustment(value=3, lower=0, upper=10, step_increment=1))
    label = Gtk.Label(label="Copies:")
    label.set_mnemonic_widget(spin)
    box.pack_start(label, False, False, 0)
    box.pack_start(spin, False, False, 0)
    scale = Gtk.Scale(adjustment=Gtk.Adjustment(value=20, lower=0, upper=100, step_increment=1))
    scale.get_accessible().set_name("Volume")
    box.pack_start(scale, False, False, 0)
    box.pack_start(Gtk.ToggleButton(label="Bold"), False, False, 0)
    one = Gtk.RadioButton.new_with_label(None, "One")
    box.pack_start(one, False, False, 0)
    box.pack_start(Gtk.RadioButton.new_with_label_from_widget(one, "Two"), False, False, 0)
    off = button(box, "Off")
    off.set_sensitive(False)
    link = Gtk.LinkButton(uri="https://example.org", label="Site")
    box.pack_start(link, False, False, 0)
    notebook = Gtk.Notebook()
    for name in ("General", "Details"):
        notebook.append_page(Gtk.Label(label="page " + name), Gtk.Label(label=name))
    box.pack_start(notebook, False, False, 0)
    expander = Gtk.Expander(label="More")
    expander.add(Gtk.Label(label="hidden words"))
    box.pack_start(expander, False, False, 0)
    store = Gtk.ListStore(str, str)
    for row in (("Ada", "London"), ("Bela", "Graz"), ("Cleo", "Turin")):
        store.append(row)
    table = Gtk.TreeView(model=store)
    for i, name in enumerate(("Name", "Town")):
        table.append_column(Gtk.TreeViewColumn(name, Gtk.CellRendererText(), text=i))
    box.pack_start(table, False, False, 0)
    text = Gtk.TextView()
    text.get_buffer().set_text("a letter\nof two lines")
    text.get_accessible().set_name("Letter")
    box.pack_start(text, False, False, 0)
    box.pack_start(said, False, False, 0)
    w.show_all()


def hang():
    """A button after which nothing is answered any more."""
    w = window("Hang")
    box = column(w)
    box.pack_start(Gtk.Entry(), False, False, 0)
    button(box, "Hang", lambda _: time.sleep(3600))
    w.show_all()


def grows():
    """A list and a combo box, one with a separator in it, that get another first item."""
    w = window("Grows")
    box = column(w)
    box.pack_start(Gtk.Entry(), False, False, 0)
    rows = Gtk.ListBox()
    said = line(box, "nothing")
    for name in ("Ada", "Bela", "Cleo"):
        rows.add(Gtk.Label(label=name))
    rows.connect("row-selected", lambda _, row: said.set_text("row %s" % (row.get_child().get_text() if row else "none")))
    store = Gtk.ListStore(str)
    for name in ("Keep", "Archive", "-", "Move", "Delete"):
        store.append((name,))
    combo = Gtk.ComboBox(model=store)
    cell = Gtk.CellRendererText()
    combo.pack_start(cell, True)
    combo.add_attribute(cell, "text", 0)
    combo.set_row_separator_func(lambda m, i: m[i][0] == "-")
    combo.set_active(0)
    combo.get_accessible().set_name("What")
    combo.connect("changed", lambda c: said.set_text("choice %s" % store[c.get_active()][0]))

    def new(_):
        rows.insert(Gtk.Label(label="Zoe"), 0)
        rows.show_all()
        store.insert(0, ("Print",))

    button(box, "New", new)
    box.pack_start(rows, False, False, 0)
    box.pack_start(combo, False, False, 0)
    w.show_all()


def keys():
    """Says which keys it got, and what was clicked."""
    w = window("Keys")
    box = column(w)
    entry = Gtk.Entry()
    entry.get_accessible().set_name("Line")
    box.pack_start(entry, False, False, 0)
    said = line(box, "no key")

    def pressed(_, event):
        mods = [m for m, bit in (("ctrl", 4), ("shift", 1), ("alt", 8)) if event.state & bit]
        name = event.get_keyval()[1]
        said.set_text("key " + "+".join(mods + [chr(name) if 32 <= name < 127 else "%x" % name]))
        return False

    w.connect("key-press-event", pressed)
    area = Gtk.EventBox()
    area.add(Gtk.Label(label="a place"))
    area.connect("button-press-event", lambda _, e: said.set_text("button %d" % e.button))
    box.pack_start(area, True, True, 0)
    w.show_all()


def holder():
    """Holds a picture on the clipboard, and says what text is on it."""
    w = window("Holder")
    box = column(w)
    entry = Gtk.Entry()
    entry.get_accessible().set_name("Line")
    box.pack_start(entry, False, False, 0)
    said = line(box, "not asked")
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    button(box, "Hold", lambda _: clipboard.set_image(GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 4, 4)))
    button(box, "Ask", lambda _: clipboard.request_text(lambda _c, text: said.set_text("text: %s" % text)))
    w.show_all()


def table():
    """A table of two columns of words and one of boxes to tick."""
    w = window("Parcels")
    box = column(w)
    store = Gtk.ListStore(str, str, bool)
    for row in (("Smith", "4 kg", False), ("Jones", "7 kg", False), ("Smith", "9 kg", True)):
        store.append(row)
    view = Gtk.TreeView(model=store)
    for i, title in enumerate(("Name", "Weight")):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=i))
    tick = Gtk.CellRendererToggle()
    view.append_column(Gtk.TreeViewColumn("Sent", tick, active=2))
    said = line(box, "nothing")

    def toggled(_, path):
        store[path][2] = not store[path][2]
        said.set_text("row %s is %s" % (path, store[path][2]))

    tick.connect("toggled", toggled)
    box.pack_start(view, True, True, 0)
    w.show_all()


def instance(n):
    """One of several programs of one name; it says the key that came to it."""
    w = window("Instance %d" % n)
    box = column(w)
    box.pack_start(Gtk.Entry(), False, False, 0)
    said = line(box, "no key")
    w.connect("key-press-event", lambda _, e: said.set_text("key %d" % e.keyval))
    w.show_all()


def shifts():
    """A field for one thing and then for another, a page that is not open, rows
    that may be chosen together, and a branch that unfolds."""
    w = window("Shifts")
    box = column(w)
    label = Gtk.Label(label="Amount")
    entry = Gtk.Entry()
    label.set_mnemonic_widget(entry)
    box.pack_start(label, False, False, 0)
    box.pack_start(entry, False, False, 0)
    button(box, "Reuse", lambda _: label.set_text("Account"))
    said = line(box, "nothing")
    stays = Gtk.CheckButton(label="Stays")
    stays.connect("toggled", lambda b: b.set_active(False))
    box.pack_start(stays, False, False, 0)
    asks = Gtk.CheckButton(label="Asks")

    def ask(_):
        asks.handler_block(handler)
        asks.set_active(False)
        asks.handler_unblock(handler)
        d = Gtk.MessageDialog(transient_for=w, modal=True, buttons=Gtk.ButtonsType.OK, text="Are you sure?")
        d.connect("response", lambda d, _: d.destroy())
        d.show_all()

    handler = asks.connect("toggled", ask)
    box.pack_start(asks, False, False, 0)
    book = Gtk.Notebook()
    for title in ("One", "Two"):
        page = Gtk.Box()
        button(page, "Erase " + title, lambda _, title=title: said.set_text("erased " + title))
        book.append_page(page, Gtk.Label(label=title))
    box.pack_start(book, False, False, 0)
    store = Gtk.TreeStore(str)
    for name in ("Ada", "Bela", "Cleo"):
        store.append(store.append(None, (name,)), ("Letter of " + name,))
    view = Gtk.TreeView(model=store)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    picked = view.get_selection()
    picked.set_mode(Gtk.SelectionMode.MULTIPLE)
    chosen = line(box, "chosen none")

    def changed(_):
        model, paths = picked.get_selected_rows()
        chosen.set_text("chosen " + " ".join(model[p][0] for p in paths))

    picked.connect("changed", changed)
    box.pack_start(view, True, True, 0)
    w.show_all()


def twins():
    """Two windows of one title; each says the key that came to it."""
    for x in (0, 380):
        w = window("Twin")
        box = column(w)
        box.pack_start(Gtk.Entry(), False, False, 0)
        said = line(box, "no key")
        w.connect("key-press-event", lambda _, e, said=said: said.set_text("key %d" % e.keyval))
        w.move(x, 0)
        w.show_all()


def background(folder):
    """Runs without a window; a second one has the first show it, and ends."""
    mark = os.path.join(folder, "background.pid")
    if os.path.exists(mark):
        with open(mark) as f:
            os.kill(int(f.read()), signal.SIGUSR1)
        sys.exit()

    def show():
        w = window("Background")
        column(w).pack_start(Gtk.Entry(), False, False, 0)
        w.show_all()
        return False

    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, show)
    Gtk.Window().get_accessible()  # it is on the bus from here on
    with open(mark + ".new", "w") as f:
        f.write(str(os.getpid()))
    os.rename(mark + ".new", mark)


def main():
    which = sys.argv[1]
    GLib.set_prgname(which)
    args = [int(a) if a.isdigit() else a for a in sys.argv[2:]]
    {f.__name__: f for f in (two, modal, waits, beside, deep, many, names, parts, hang, grows, keys, holder, table, instance, shifts, twins, background)}[which](*args)
    Gtk.main()


main()
