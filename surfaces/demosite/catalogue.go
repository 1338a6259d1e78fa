package demosite

// catalogue is what the shop sells. Some accessories are found by a search for
// cargo bikes and cost less than any: the cheapest card of the results is not
// the cheapest cargo bike.
func catalogue() []product {
	return []product{
		{
			Slug: "mule-long", Name: "Mule Long", Kind: "Cargo bike", Price: 289000, Rating: "4.6", Frame: "#1f6f5c", Box: "#c98b4b", Stock: 4,
			About: "A long rear carrier for two children and the week's groceries.",
			Facts: []string{"Carries 200 kg", "Hub gear with 8 speeds", "Hydraulic disc brakes"},
		},
		{
			Slug: "ferry-family", Name: "Ferry Family", Kind: "Cargo bike", Price: 369000, Rating: "4.8", Frame: "#254a7c", Box: "#d9b26f", Stock: 3,
			About: "A wide front box with two benches and five-point belts.",
			Facts: []string{"Carries 230 kg", "Stepless gear", "Box of birch plywood"},
		},
		{
			Slug: "rain-canopy", Name: "Rain Canopy", Kind: "Accessory", Price: 8900, Rating: "4.1", Frame: "#4d6a8a", Box: "#9db7d1", Stock: 25,
			About: "Keeps passengers dry. Fits Mule and Ferry.", keywords: "cargo bike rain cover",
			Facts: []string{"Waterproof to 10,000 mm", "Folds into its own bag"},
		},
		{
			Slug: "mule-compact", Name: "Mule Compact", Kind: "Cargo bike", Price: 243100, Rating: "4.7", Frame: "#b5452f", Box: "#e0a96d", Stock: 6,
			About: "No longer than a city bicycle, and it still carries a crate of drinks.",
			Facts: []string{"Carries 180 kg", "Belt drive", "Fits in a lift"},
		},
		{
			Slug: "drayman-electric", Name: "Drayman Electric", Kind: "Cargo bike", Price: 499000, Rating: "4.9", Frame: "#30343b", Box: "#8a9a5b", Stock: 2,
			About: "A quiet motor for steep streets and heavy days.",
			Facts: []string{"Carries 250 kg", "75 Nm motor, 630 Wh battery", "Lights with brake signal"},
		},
		{
			Slug: "double-kickstand", Name: "Double Kickstand", Kind: "Accessory", Price: 7400, Rating: "4.4", Frame: "#555b66", Box: "#b8bec8", Stock: 40,
			About: "Stands firm while you load.", keywords: "cargo bike stand",
			Facts: []string{"Aluminium", "Fits Mule Long and Mule Compact"},
		},
		{
			Slug: "ferry-two", Name: "Ferry Two", Kind: "Cargo bike", Price: 315000, Rating: "4.5", Frame: "#7a3b69", Box: "#d7a86e", Stock: 5,
			About: "A low front box that steers like an ordinary bicycle.",
			Facts: []string{"Carries 190 kg", "Hub gear with 5 speeds", "Box with a lock"},
		},
		{
			Slug: "canal-7", Name: "Canal 7", Kind: "City bike", Price: 89000, Rating: "4.3", Frame: "#2f7f9e", Box: "#2f7f9e", Stock: 12,
			About: "An upright ride with a full chain guard.",
			Facts: []string{"Hub gear with 7 speeds", "Coaster brake"},
		},
		{
			Slug: "canal-8", Name: "Canal 8 Step-through", Kind: "City bike", Price: 94000, Rating: "4.5", Frame: "#6a8f4e", Box: "#6a8f4e", Stock: 9,
			About: "Easy to get on, easy to keep clean.",
			Facts: []string{"Hub gear with 8 speeds", "Rim lock included"},
		},
		{
			Slug: "fell", Name: "Fell", Kind: "Touring bike", Price: 179000, Rating: "4.8", Frame: "#8c5a2b", Box: "#8c5a2b", Stock: 3,
			About: "Steel, wide tyres and room for four bags.",
			Facts: []string{"Chain gear with 30 speeds", "Hub dynamo"},
		},
		{
			Slug: "rack-bag", Name: "Rack Bag", Kind: "Accessory", Price: 6450, Rating: "4.2", Frame: "#3f4a3c", Box: "#7d8f6d", Stock: 30,
			About: "Twenty litres with a shoulder strap.",
			Facts: []string{"Holds 20 litres", "Recycled canvas"},
		},
	}
}
