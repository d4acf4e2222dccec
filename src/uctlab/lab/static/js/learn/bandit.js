// A bandit: machines with hidden chances, played by a person and by UCB1 on the same luck.

/** A small generator of random numbers from 0 to 1, so that a seed gives the same machines. */
export function randomFrom(seed) {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Coins and wins of one player, by machine. */
export class Player {
  constructor(machines) {
    this.coins = Array(machines).fill(0);
    this.wins = Array(machines).fill(0);
  }

  get spent() {
    return this.coins.reduce((a, b) => a + b, 0);
  }

  get won() {
    return this.wins.reduce((a, b) => a + b, 0);
  }
}

/** The score of a machine under UCB1; one that was never tried comes first. */
export function ucb1(player, machine, c = 1) {
  const n = player.coins[machine];
  if (!n) return Infinity;
  return player.wins[machine] / n + c * Math.sqrt(Math.log(player.spent) / n);
}

export class Bandit {
  constructor(seed, machines, coins) {
    const random = randomFrom(seed);
    this.chances = Array.from({ length: machines }, () => 0.15 + 0.65 * random());
    // The n-th coin in a machine wins or loses for both players alike: nobody is luckier.
    this.luck = this.chances.map((chance) => Array.from({ length: coins }, () => random() < chance));
    this.coins = coins;
    this.you = new Player(machines);
    this.ucb = new Player(machines);
    this.lastYou = null; // {machine, win}
    this.lastUcb = null; // {machine, win, scores}: the scores before the coin
  }

  get over() {
    return this.you.spent >= this.coins;
  }

  insert(player, machine) {
    const win = this.luck[machine][player.coins[machine]];
    player.coins[machine] += 1;
    player.wins[machine] += win ? 1 : 0;
    return win;
  }

  /** A coin of the person, then one of UCB1. */
  play(machine) {
    if (this.over) return;
    this.lastYou = { machine, win: this.insert(this.you, machine) };
    const scores = this.chances.map((_, i) => ucb1(this.ucb, i));
    const choice = scores.indexOf(Math.max(...scores));
    const before = { coins: [...this.ucb.coins], wins: [...this.ucb.wins], spent: this.ucb.spent };
    this.lastUcb = { machine: choice, scores, before, win: this.insert(this.ucb, choice) };
  }

  get best() {
    return this.chances.indexOf(Math.max(...this.chances));
  }
}
