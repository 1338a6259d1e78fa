package decider

var german = language{
	name: "German",
	stem: func(w string) string { return trimmed(w, "en", "em", "er", "es", "et", "st", "e", "n", "s", "t") },
	stop: `der die das den dem des ein eine einen einem einer und oder zu zum zur mit von vom im ins auf für am ist sind wird
		mein meine meinen ihr ihre ihren dein deine deinen bitte ich sie es mich dich sich uns`,
	relations: `
		next to: neben
		below: unter
	`,
	roles: `
		button: schaltfläche, knopf
		checkbox: kästchen
		tab: reiter
	`,
	parts: `bereich, abschnitt, zeile`,
	words: `
		cart: warenkorb, einkaufswagen, einkaufskorb
		add: hinzufügen, legen, lege
		add to cart: in den warenkorb
		search: suchen, suche, finden, suchbegriff, stichwort
		sign in: anmelden, einloggen, anmeldung, melde dich an, melde mich an, logge dich ein
		sign out: abmelden, ausloggen, melde dich ab
		sign up: registrieren, registrierung, konto erstellen, konto anlegen, neu hier
		account: konto, kundenkonto, benutzerkonto
		continue: weiter, fortfahren, fortsetzen, nächste, nächster, nächstes
		back: zurück, vorherige, vorheriger
		previous: vorige
		cancel: abbrechen, stornieren, abbruch
		accept: akzeptieren, annehmen, zustimmen, stimme zu, einverstanden, erlauben, zulassen
		i agree: ich stimme
		reject: ablehnen, verweigern, nein danke, ohne einwilligung fortfahren
		only necessary cookies: nur notwendige, nur erforderliche, nur essenzielle, nur notwendige cookies, nur erforderliche cookies
		all: alle, alles, sämtliche
		close: schließen, schliessen, ausblenden
		open: öffnen
		show: anzeigen, zeigen, ansehen
		send: senden, abschicken
		submit: absenden, einreichen
		delete: löschen, gelöscht
		remove: entfernen
		save: speichern, sichern
		edit: bearbeiten
		change: ändern
		settings: einstellungen
		privacy: datenschutz, datenschutzerklärung, privatsphäre
		imprint: impressum
		terms and conditions: agb, geschäftsbedingungen, nutzungsbedingungen, bedingungen
		help: hilfe
		home: startseite
		first name: vorname
		last name: nachname, familienname
		street: straße, strasse
		house number: hausnummer
		city: stadt, ort, wohnort
		postcode: postleitzahl, plz
		country: land
		phone: telefon, telefonnummer, handynummer, rufnummer
		email: mailadresse, emailadresse, e mail adresse, mail adresse
		address: adresse, anschrift
		delivery address: lieferadresse, lieferanschrift
		billing address: rechnungsadresse, rechnungsanschrift
		delivery: lieferung, versand
		payment: zahlung, bezahlung, zahlungsart
		pay: bezahlen, zahlen
		checkout: zur kasse, kasse
		buy: kaufen, jetzt kaufen
		order: bestellen, bestellung
		order with costs: zahlungspflichtig bestellen, kostenpflichtig bestellen
		book: buchen, buchung
		reserve: reservieren
		password: passwort, kennwort
		username: benutzername, nutzername
		forgot: vergessen
		confirm: bestätigen
		download: herunterladen
		upload: hochladen
		print: drucken
		reply: antworten
		forward: weiterleiten
		share: teilen
		subscribe: abonnieren
		unsubscribe: abbestellen, abmelden vom newsletter
		message: nachricht, nachrichten
		language: sprache
		quantity: menge, anzahl
		price: preis
		date: datum
		day: tag
		departure: abfahrt, hinfahrt, hinreise, abflug
		return: rückfahrt, rückreise, rückflug
		one way: einfache fahrt, nur hinflug, nur hinfahrt
		round trip: hin und rückfahrt, hin und rückflug
		origin: abfahrtsort, startort
		destination: zielort, reiseziel
		passenger: reisende, reisender, passagiere, fahrgäste
		adult: erwachsene, erwachsener
		child: kinder
		flight: flüge, flug
		train: züge, zug
		hotel: unterkunft, unterkünfte
		room: zimmer
		result: ergebnis, ergebnisse, treffer
		page: seite
		more: mehr, weitere
		less: weniger
		filter: filtern
		sort: sortieren, sortierung
		clear: leeren
		reset: zurücksetzen
		refresh: aktualisieren, neu laden
		select: auswählen, wählen
		choose: aussuchen
		press: drücken, klicken, klicke, anklicken
		start: starten
		create: erstellen, anlegen, verfassen
		new: neu, neue, neuer, neues
		none: keine
		file: datei
		folder: ordner
		trash: papierkorb
		inbox: posteingang
		expand: aufklappen, ausklappen
		collapse: zuklappen, einklappen
		skip: überspringen
		later: später
		today: heute
		tomorrow: morgen
		first: erste, erster, erstes, ersten
		second: zweite, zweiter, zweites, zweiten
		third: dritte, dritter, drittes, dritten
		last: letzte, letzter, letztes, letzten
		january: januar
		february: februar
		march: märz
		may: mai
		june: juni
		july: juli
		october: oktober
		december: dezember
		monday: montag
		tuesday: dienstag
		wednesday: mittwoch
		thursday: donnerstag
		friday: freitag
		saturday: samstag, sonnabend
		sunday: sonntag
		total: gesamtsumme, summe, gesamt
		voucher: gutschein
		read: lesen
		write: schreiben
		form: formular
		cheapest: billigste, günstigste, billigsten, günstigsten
	`,
	complaints: `ist erforderlich, pflichtfeld, ist ungültig, ungültige, nicht korrekt, ist falsch, fehlgeschlagen, ein fehler, fehler:,
		konnte nicht, stimmt nicht überein, stimmen nicht überein, nicht gefunden werden, darf nicht leer sein, abgelehnt`,
	requests:  `bitte geben sie, bitte füllen, bitte wählen, bitte gib`,
	refusals:  `wurde abgelehnt, nicht akzeptiert, zahlung fehlgeschlagen, fehlgeschlagen, nicht gesendet, konnte nicht`,
	outcomes:  `vielen dank, danke für, erfolgreich, bestätigt, wurde gesendet, wurde gelöscht, wurde gespeichert, bestellnummer, willkommen, abgeschlossen, erledigt`,
	waiting:   `bitte warten, wird geladen, einen moment, lädt`,
	emptiness: `keine ergebnisse, keine treffer, 0 ergebnisse, 0 treffer, nichts gefunden`,
}
