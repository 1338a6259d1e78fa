"use strict";
// The newsletter dialog comes once per visitor, over the first product.
const newsletter = document.querySelector("[data-newsletter]");
if (newsletter) {
  const seen = () => { document.cookie = "shop_newsletter=seen; path=/; max-age=31536000; samesite=lax"; };
  newsletter.addEventListener("close", seen);
  for (const button of newsletter.querySelectorAll("[data-newsletter-close]")) {
    button.addEventListener("click", () => newsletter.close());
  }
  newsletter.showModal();
}

const quantity = document.getElementById("quantity");
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => {
    const next = (parseInt(quantity.value, 10) || 1) + Number(button.dataset.step);
    quantity.value = String(Math.max(1, next));
  });
}
