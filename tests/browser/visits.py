"""A window on the book that hears what the page complains about and where else it wants to go."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}

OUTLINES = """() => {
  const drawn = [...document.querySelectorAll("mjx-container > svg")];
  const heard = drawn.filter((one) => one.ariaHidden !== "true" || one.textContent.trim()).map((one) => one.outerHTML.slice(0, 150));
  for (const one of drawn) one.replaceChildren();
  return heard;
}"""


@dataclass
class Visit:
    """A page and what was heard of it."""

    page: Page
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, address: str) -> Page:
        self.page.goto(address)
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        return self.page

    def forget(self) -> None:
        """Begin to listen anew, on the screen of a desk."""
        self.look("desktop")
        self.page.goto("about:blank")
        self.outside.clear()
        self.complaints.clear()

    def look(self, width: str, scheme: str = "light") -> None:
        """See the same page on another screen."""
        across, down = WIDTHS[width]
        self.page.set_viewport_size({"width": across, "height": down})
        self.page.emulate_media(color_scheme=scheme, media="screen")

    def barriers(self, axe: str, rule: str | None = None) -> list[str]:
        """What the accessibility checker finds, by all of its rules or by one; a page in a folder may not read its styles as texts.

        The outlines of a formula's letters, half of what is in a page, are hidden from those who hear it: they are taken out before.
        """
        seen = self.page.evaluate(OUTLINES)
        assert seen == [], "a formula's outlines are read out"
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(axe)
        only = {"runOnly": {"type": "rule", "values": [rule]}} if rule else {}
        found = self.page.evaluate("how => axe.run(how)", {"preload": False, "resultTypes": ["violations"], **only})
        assert found["passes"], "nothing was checked"
        return [f"{v['id']}: {n['html'][:150]}" for v in found["violations"] for n in v["nodes"]]


def opened_by(browser: Browser, width: str = "desktop", scheme: str = "light", **more: object) -> Visit:
    """Opens a window; every address that is neither the book's folder nor its server is noted, and leads nowhere."""
    across, down = WIDTHS[width]
    page = browser.new_context(viewport={"width": across, "height": down}, color_scheme=scheme, **more).new_page()
    seen = Visit(page)
    inside = ("file:", "data:", "blob:", "http://127.0.0.1")
    page.on("request", lambda request: None if request.url.startswith(inside) else seen.outside.append(request.url))
    page.on("console", lambda said: seen.complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on("requestfailed", lambda request: seen.complaints.append(f"{request.url}: {request.failure}"))
    return seen
