// The state of the page as a link: #lab?game=hex:5&start=browne2013&moves=e4,d5&agents=uct;mc&playouts=1000

const DIAGRAM = "diagram:"; // marks a start given as a diagram, not by name

const FORMER = { duel: "compare" }; // names of views in older links

export const VIEWS = ["gallery", "learn", "lab", "compare", "results"];

export function writeHash(view, { position, agents, budget, you, seed }) {
  const query = new URLSearchParams({ game: position.game });
  const start = position.start;
  if (start) query.set("start", start.name ?? DIAGRAM + start.diagram);
  if (position.moves.length) query.set("moves", position.moves.join(","));
  query.set("agents", (view === "compare" || you === "none" ? agents : agents.slice(0, 1)).join(";"));
  query.set(budget.kind, String(budget.amount));
  if (seed !== null) query.set("seed", String(seed));
  if (view === "lab") query.set("you", you);
  // These characters need no escaping in a fragment, and the link stays readable.
  return `#${view}?${query.toString().replace(/%(3A|2C|3B|28|29|3D)/g, decodeURIComponent)}`;
}

/** The view and the other settings in a link; what the link leaves out is not in the result. */
export function readHash(hash) {
  const [name, text = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const [first, page = ""] = name.split("/"); // learn/2 is a page of learn
  const known = FORMER[first] ?? first;
  const view = VIEWS.includes(known) ? known : "gallery";
  const query = new URLSearchParams(text);
  const told = { view, page, query };
  if (query.get("game")) {
    const start = query.get("start");
    told.position = {
      game: query.get("game"),
      start: !start
        ? null
        : start.startsWith(DIAGRAM)
          ? { diagram: start.slice(DIAGRAM.length) }
          : { name: start },
      moves: (query.get("moves") ?? "").split(",").filter(Boolean),
    };
  }
  if (query.get("agents")) told.agents = query.get("agents").split(";").filter(Boolean);
  for (const kind of ["playouts", "seconds"]) {
    const amount = Number(query.get(kind));
    if (amount > 0) told.budget = { kind, amount };
  }
  if (/^\d{1,15}$/.test(query.get("seed") ?? "")) told.seed = Number(query.get("seed"));
  if (query.get("you")) told.you = query.get("you");
  return told;
}
