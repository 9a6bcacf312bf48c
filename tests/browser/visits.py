"""A window on the book that hears what the page complains about and where else it wants to go."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}


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
