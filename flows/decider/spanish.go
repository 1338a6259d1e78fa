package decider

var spanish = language{
	name: "Spanish",
	stem: func(w string) string {
		return trimmed(w, "ando", "iendo", "adas", "ados", "idas", "idos", "ada", "ado", "ida", "ido", "arse", "ar", "er", "ir", "as", "os", "es", "a", "o", "e", "s")
	},
	stop: `el la los las un una unos unas del y e al por para con en mi mis tu tus su sus lo le les que es`,
	relations: `
		next to: junto a
		below: debajo de
	`,
	roles: `
		button: botón
		link: enlace
	`,
	parts: `sección, fila, diálogo`,
	words: `
		cart: carrito, cesta, bolsa de la compra, carro de la compra
		add: añadir, agregar
		search: buscar, búsqueda, encontrar
		sign in: iniciar sesión, inicia sesión, entrar, acceder, ingresar, identifícate
		sign out: cerrar sesión, cierra sesión, salir
		sign up: registrarse, regístrate, crear cuenta, crear una cuenta, registro
		account: cuenta
		continue: siguiente, continuar, seguir, próximo, próxima
		back: volver, atrás, anterior, regresar
		cancel: cancelar
		accept: aceptar, permitir, de acuerdo
		accept all: aceptar todo, aceptar todas, aceptar todos
		reject: rechazar, denegar, no gracias
		reject all: rechazar todo, rechazar todas, rechazar todos
		only necessary cookies: solo necesarias, sólo las necesarias, solo las necesarias, solo esenciales, continuar sin aceptar
		all: todas, todos
		close: cerrar, cierra
		open: abrir, abre
		show: mostrar, muestra
		view: ver
		send: enviar, envía
		delete: eliminar, borrar
		remove: quitar
		save: guardar
		edit: editar
		change: cambiar, modificar
		settings: ajustes, configuración, preferencias
		privacy: privacidad
		imprint: aviso legal
		terms and conditions: términos, condiciones, términos y condiciones
		help: ayuda
		home: inicio
		first name: nombre
		last name: apellido, apellidos
		street: calle
		city: ciudad
		postcode: código postal
		country: país
		phone: teléfono, móvil
		email: correo, correo electrónico
		address: dirección
		delivery address: dirección de envío, dirección de entrega
		billing address: dirección de facturación
		delivery: envío, entrega
		payment: pago
		pay: pagar
		checkout: tramitar pedido, finalizar compra
		buy: comprar, comprar ahora
		order: pedido, pedir
		book: reservar, reserva, reservas
		password: contraseña
		username: usuario, nombre de usuario
		forgot: olvidé, olvidaste, has olvidado
		confirm: confirmar
		download: descargar
		upload: subir
		print: imprimir
		reply: responder
		forward: reenviar
		share: compartir
		subscribe: suscribirse, suscribir
		message: mensaje
		language: idioma
		quantity: cantidad
		price: precio
		date: fecha
		day: día
		departure: salida
		return: regreso
		one way: solo ida, sólo ida
		round trip: ida y vuelta
		origin: origen
		destination: destino
		passenger: pasajero, viajero
		adult: adulto
		child: niño, niños
		flight: vuelo
		train: tren
		room: habitación
		result: resultado
		page: página
		more: más
		less: menos
		filter: filtrar, filtros, filtro
		sort: ordenar
		clear: vaciar, limpiar
		refresh: actualizar, recargar
		select: seleccionar
		choose: elegir, escoger
		press: pulsar, pulsa, clic
		start: empezar, comenzar
		create: crear
		new: nuevo, nueva
		file: archivo, fichero
		folder: carpeta
		trash: papelera
		inbox: bandeja de entrada
		expand: expandir, desplegar
		skip: omitir, saltar
		today: hoy
		tomorrow: mañana
		first: primero, primera, primer
		second: segundo, segunda
		third: tercero, tercera, tercer
		last: último, última
		january: enero
		february: febrero
		march: marzo
		april: abril
		may: mayo
		june: junio
		july: julio
		august: agosto
		september: septiembre
		october: octubre
		november: noviembre
		december: diciembre
		monday: lunes
		tuesday: martes
		wednesday: miércoles
		thursday: jueves
		friday: viernes
		saturday: sábado
		sunday: domingo
		read: leer
		write: escribir, redactar
		form: formulario
		cheapest: más barato, más barata, más económico
	`,
	complaints: `es obligatorio, campo obligatorio, no es válido, no es válida, incorrecto, incorrecta, ha fallado, error:, un error,
		no se pudo, no coincide, no coinciden, rechazada, inténtalo de nuevo`,
	requests:  `por favor introduce, por favor rellena, por favor elige, introduzca`,
	refusals:  `fue rechazado, fue rechazada, no aceptado, pago rechazado, no se pudo, no se ha enviado`,
	outcomes:  `gracias por, muchas gracias, con éxito, confirmado, confirmada, enviado, eliminado, guardado, número de pedido, bienvenido, bienvenida, completado`,
	waiting:   `cargando, espere, espera un momento, un momento`,
	emptiness: `sin resultados, no hay resultados, 0 resultados, no se encontraron`,
}
