"use strict";
// The cookie notice: the answer is kept in a cookie of the site's own, so that
// the server leaves the notice out of the next page.
for (const notice of document.querySelectorAll("[data-consent]")) {
  const site = document.body.className;
  for (const button of notice.querySelectorAll("[data-consent-answer]")) {
    button.addEventListener("click", () => {
      document.cookie = `${site}_consent=${button.dataset.consentAnswer}; path=/; max-age=31536000; samesite=lax`;
      notice.remove();
    });
  }
}
