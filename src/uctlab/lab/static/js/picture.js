// Saves a drawn board as an SVG or PNG file. Styles are copied into the drawing, since files have no style sheet.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order"]; // prettier-ignore
const WIDTH = 1200; // px of a PNG
const PASSING = ".hits, .aim"; // layers that only react to the mouse

/** The drawing as the text of an SVG file. */
export function svgText(board) {
  const copy = board.cloneNode(true);
  const from = board.querySelectorAll("*");
  const to = copy.querySelectorAll("*");
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
  });
  // By their place, since the copies have lost their names.
  [...board.querySelectorAll(PASSING)].map((layer) => [...board.children].indexOf(layer)).sort((a, b) => b - a).forEach((i) => copy.children[i]?.remove());
  const [, , width, height] = board.getAttribute("viewBox").split(" ").map(Number);
  for (const name of ["class", "role", "tabindex", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const back = copy.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "rect");
  back.setAttribute("width", String(width));
  back.setAttribute("height", String(height));
  back.setAttribute("fill", getComputedStyle(board.closest(".card") ?? document.body).backgroundColor);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function saveSvg(board, name) {
  download(new Blob([svgText(board)], { type: "image/svg+xml" }), `${name}.svg`);
}

export async function savePng(board, name) {
  const [, , width, height] = board.getAttribute("viewBox").split(" ").map(Number);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(board))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * height) / width);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  download(/** @type {Blob} */ (blob), `${name}.png`);
}
