// What is wider than the screen scrolls in a box of its own, and such a box can be reached with the tab key.
const boxes = document.querySelectorAll(".table-wrapper, .math-wrapper, .highlight pre, .picture");
const watch = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    const box = target.closest(".table-wrapper, .math-wrapper, pre, .picture");
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
});
for (const box of boxes) {
  watch.observe(box);
  for (const inside of box.children) watch.observe(inside);
}
