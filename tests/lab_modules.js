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
  const { keep, lossOf, mistakeOf, firstValue } = await import("/static/js/kept.js");
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
  const quick = (value, moves) => ({ id: 2, state: "done", agents: ["uct"], histories: [[]], sides: [
    { playouts: 100, value, choice: "a1", pv: [], root: moves.map(([move, visits, value]) => ({ move, visits, value })) }] });
  const small = new GameTree("hex:3");
  small.firstTurn = 0;
  const [good, bad] = [small.follow(["a1"]), small.follow(["b1"])];
  keep(small.root, quick(0.6, [["a1", 90, 0.6], ["b1", 10, 0.2]]));
  keep(good, quick(0.45, [["b2", 100, 0.45]]));
  keep(bad, quick(0.75, [["b2", 100, 0.75]]));
  facts.values = [small.root, good, bad].map((one) => Number(firstValue(one).toFixed(3)));
  facts.losses = [good, bad].map((one) => Number(lossOf(one).toFixed(3)));
  facts.marks = [good, bad].map((one) => mistakeOf(one)?.mark ?? "");
  const { ColorBook } = await import("/static/js/chart.js");
  const book = new ColorBook();
  const rows = (names) => [...names].map((move, i) => ({ move, visits: 9 - i }));
  book.choose(rows("abcdef"));
  book.settle();
  book.choose(rows("uvwxya")); // the first playouts of the next search
  facts.colors = book.choose(rows("fbawxy")).map(([, color]) => color);
  return facts;
}
