// What the page's modules compute: test_lab_game.py runs this function in the page.

async () => {
  const { GameTree, lanes, lineThrough, fromList, toList, remove, promote, isMain, sibling } =
    await import("/static/js/game_tree.js");
  const tree = new GameTree("hex:5");
  const main = tree.follow(["a1", "b1", "c1", "d1"]);
  const other = tree.follow(["a1", "b2", "c2"]);
  const third = tree.follow(["a1", "b1", "c3"]);
  const lane = lanes(tree);
  const copy = fromList("hex:5", null, toList(tree));
  const facts = {
    size: tree.size,
    lanes: [main, other, third].map((node) => lane.get(node)),
    line: lineThrough(other.parent).map((node) => node.move),
    copy: JSON.stringify(toList(copy)) === JSON.stringify(toList(tree)),
    same: tree.follow(["a1", "b1"]) === main.parent.parent,
    position: other.position === other.position && other.position.moves.join(),
    sibling: sibling(main.parent, 1) === third,
    main: [isMain(main), isMain(other)],
  };
  promote(other);
  facts.promoted = [isMain(main), isMain(other)];
  remove(main.parent);
  facts.left = tree.size;
  const { keep, keepAlone, costOf, costliest, mistakeOf, firstValue, untold } = await import("/static/js/kept.js");
  const big = (game) => {
    const moves = [...Array(361).keys()].map((i) => `m${i}`);
    const root = moves.map((move, i) => ({ move, visits: 400 - i, share: i / 400, value: 0.5,
      velocity: 0.25, discounted: 1.5, rave: 0.5, samples: i + 0.5, prior: 0.5, score: 0.75,
      mean: 0.5, exploration: 0.25, rave_part: 0.125, prior_part: 0.125, expanded: true }));
    const rows = new Map(root.map((row) => [row.move, row]));
    const history = [...Array(320).keys()].map((i) => ({ playouts: i, moves: rows }));
    const side = { playouts: 72000, value: 0.5, choice: "m0", pv: moves.slice(0, 30), root };
    return { id: 1, state: "done", agents: ["uct"], sides: [side], histories: [history] };
  };
  const game = new GameTree("go:19");
  game.firstTurn = 0;
  let node = game.root;
  for (let i = 0; i < 100; i++) {
    keep(node, big(game));
    node = game.add(node, `m${i}`);
  }
  globalThis.kept = game;
  const searched = (agent, choice, moves) => ({ id: 2, state: "done", agents: [agent], histories: [[]], sides: [
    { playouts: 2000, choice, pv: [], root: moves.map(([move, visits, value]) => ({ move, visits, value })) }] });
  const small = new GameTree("hex:3");
  small.firstTurn = 0;
  const moves = ["a1", "b1", "c1", "a2"].map((move) => small.follow([move]));
  const costs = () => moves.map((one) => (costOf(one) === null ? null : Number(costOf(one).toFixed(3))));
  // a2 has had no playouts, and c1 fewer than half of those of a1.
  keep(small.root, searched("uct", "a1", [["a1", 1000, 0.6], ["b1", 500, 0.48], ["c1", 480, 0.5], ["a2", 0, null]]));
  facts.value = Number(firstValue(small.root).toFixed(3));
  facts.costs = [costs()];
  facts.untold = moves.map((one) => untold(one).map(({ move, playouts }) => `${move} ${playouts}`).join());
  keepAlone(small.root, "uct", "c1", 1000, 0.35);
  keepAlone(small.root, "uct", "a2", 1000, 0.61);
  keep(moves[2], searched("uct", "b2", [["b2", 1000, 0.5], ["a3", 1000, 0.1]]));
  const line = [small.root, moves[2], small.follow(["c1", "a3"])];
  facts.costs.push(costs());
  facts.marks = moves.map((one) => mistakeOf(one)?.mark ?? "");
  facts.costliest = costliest(line).map(({ node, cost }) => `${node.move} ${cost.toFixed(2)}`);
  facts.unknown = costliest([...line, small.follow(["c1", "a3", "b3"])]).length;
  keep(small.root, searched("mc", "a1", [["a1", 60, 0.6], ["c1", 60, 0.5]])); // another agent
  facts.few = untold(moves[2]).map(({ move, playouts }) => `${move} ${playouts}`).join();
  const { forfeitText } = await import("/static/js/match_games.js");
  const ended = (ending, score) => ({ ending, score });
  const games = [ended("played", 1), ended("forfeit (died): ...", 1), ended("resigned", 0.5), ended("forfeit (illegal): ...", 0)];
  facts.forfeits = [forfeitText(games), forfeitText(games.slice(0, 1)), forfeitText(games.slice(1, 2))];
  const { ColorBook } = await import("/static/js/chart.js");
  const book = new ColorBook();
  const rows = (names) => [...names].map((move, i) => ({ move, visits: 9 - i }));
  book.choose(rows("abcdef"));
  book.settle();
  book.choose(rows("uvwxya")); // the first playouts of the next search
  facts.colors = book.choose(rows("fbawxy")).map(([, color]) => color);
  return facts;
}
