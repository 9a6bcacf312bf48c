// Elements, made. Every text becomes a text: nothing that comes from Python or from a reader is ever read as HTML.
export function make(tag, { text, ...has } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(has)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

export const at = (id) => document.getElementById(id);

// One input for one answer: a row of choices where there are few, a line to type in where there are not.
export function field({ id, label, how, options, example }) {
  if (options.length) {
    const choices = options.map((option) =>
      make("label", { class: "p-choice" }, make("input", { type: "radio", name: id, value: option }), make("span", { text: option })),
    );
    const group = make("fieldset", { class: "p-field" }, make("legend", { text: label ? `(${label}) ${how}` : how }), make("div", { class: "p-choices" }, ...choices));
    return { element: group, value: () => group.querySelector("input:checked")?.value ?? "", focus: () => group.querySelector("input").focus() };
  }
  const input = make("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "400", placeholder: example });
  const element = make("div", { class: "p-field" }, make("label", { for: id, text: label ? `(${label}) ${how}` : how }), input);
  return { element, value: () => input.value, focus: () => input.focus() };
}

// The lines of a worked example or of choices: each hangs below its number or letter.
export const lines = (all) => make("div", { class: "p-lines" }, ...all.map((text) => make("p", { text })));

// What Python says, as a card: a headline, what stands below it, and the cards of the parts.
export function card(data, level = "h3") {
  const blocks = data.blocks.map(({ style, text }) =>
    style === "lines" ? lines(text.split("\n")) : make("p", { class: `p-${style}`, text }),
  );
  return make("div", { class: "p-card", "data-verdict": data.verdict || "none" },
    make(level, { text: data.head }), ...blocks, ...data.parts.map((part) => card(part, "h4")));
}
