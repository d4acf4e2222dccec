// What the keys do in the lab.

/** Whether the key means something here. */
export function labKey(view, event) {
  const node = view.board.steps.target(event.key);
  if (node !== undefined) {
    // A key that is held down would fill the browser's history.
    if (node && !view.setUp.active) view.session.visit(node, { push: !event.repeat });
    return true;
  }
  const actions = {
    u: () => view.undo(),
    r: () => view.redo(),
    n: () => view.again(),
    p: () => view.session.yours && view.play("pass"),
    " ": () => view.transport.toggle(),
  };
  const action = actions[event.key.toLowerCase()];
  action?.();
  return Boolean(action);
}
