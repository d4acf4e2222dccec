// Tells whether there is room for things side by side; on a small screen the board comes first.

const WIDE = matchMedia("(min-width: 901px)");

/** act(whether the screen is wide), now and whenever that changes. */
export function whenWide(act) {
  act(WIDE.matches);
  WIDE.addEventListener("change", () => act(WIDE.matches));
}
