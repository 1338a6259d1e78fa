"""The form of the conformance suite as a GTK program."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

GROW_MS = 700


def labelled(box, text, entry):
    row = Gtk.Box(spacing=6)
    label = Gtk.Label(label=text)
    label.set_mnemonic_widget(entry)
    row.pack_start(label, False, False, 0)
    row.pack_start(entry, True, True, 0)
    box.pack_start(row, False, False, 0)
    return entry


def button(box, text, pressed):
    b = Gtk.Button(label=text)
    b.connect("clicked", pressed)
    box.pack_start(b, False, False, 0)
    return b


def main():
    GLib.set_prgname("form")
    window = Gtk.Window(title="Conformance form", default_width=400)
    window.connect("destroy", Gtk.main_quit)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
    window.add(box)

    labelled(box, "Name", Gtk.Entry())
    labelled(box, "Password", Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD))
    box.pack_start(Gtk.CheckButton(label="Terms"), False, False, 0)
    colour = labelled(box, "Colour", Gtk.ComboBoxText())
    for name in ("Red", "Green", "Blue"):
        colour.append_text(name)
    colour.set_active(0)

    presses = [0]
    line = Gtk.Label(label="pressed 0 times")

    def count(_):
        presses[0] += 1
        line.set_text("pressed %d times" % presses[0])

    def late():
        added = Gtk.Label(label="a late line", visible=True)
        box.pack_start(added, False, False, 0)
        return False

    button(box, "Count", count)
    extra = Gtk.Button(label="Extra")
    button(box, "Remove", lambda _: extra.destroy())
    extra.connect("clicked", count)
    box.pack_start(extra, False, False, 0)
    button(box, "Grow", lambda _: GLib.timeout_add(GROW_MS, late))

    overlay = Gtk.Overlay()
    beneath = Gtk.Button(label="Beneath")
    beneath.connect("clicked", count)
    overlay.add(beneath)
    overlay.add_overlay(Gtk.Label(label="Lying on top"))
    box.pack_start(overlay, False, False, 0)
    box.pack_start(line, False, False, 0)

    window.show_all()
    Gtk.main()


sys.exit(main())
