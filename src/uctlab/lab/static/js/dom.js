// Makes elements. Data reaches the page only as text and attributes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element; `onclick` and the like are listeners, `text` is its text. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button that never submits a form. */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", text, onclick, ...attributes });
}

/** A select with [value, text] options. */
export function select(options, value, onchange, attributes = {}) {
  const node = el("select", { ...attributes, onchange: () => onchange(node.value) });
  for (const [key, text] of options) node.append(el("option", { value: key, text }));
  node.value = value;
  return node;
}

/** A row of buttons of which one is pressed, with [value, text] options. */
export function segmented(label, options, value, onchange) {
  const group = el("div", { class: "segmented", role: "group", "aria-label": label });
  const press = (chosen) => {
    for (const node of group.children) {
      node.setAttribute("aria-pressed", String(node.dataset.value === chosen));
    }
  };
  for (const [key, text] of options) {
    const node = button(text, () => {
      press(key);
      onchange(key);
    });
    node.dataset.value = key;
    group.append(node);
  }
  press(value);
  group.press = press;
  return group;
}

let fields = 0;

/** A label above a control, with a help text that screen readers announce too. */
export function field(label, control, help = "") {
  fields += 1;
  control.id ||= `field-${fields}`;
  const node = el("div", { class: "field" }, el("label", { for: control.id, text: label }), control);
  if (help) {
    const note = el("p", { class: "help", id: `${control.id}-help`, text: help });
    control.setAttribute("aria-describedby", note.id);
    node.append(note);
  }
  return node;
}
