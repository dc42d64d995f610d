/**
 * Random numbers from 0 to below 1 that are the same for the same seed (the generator mulberry32), so that what
 * happened by chance can happen again.
 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Another seed in each run, unless `SEED` names the one of a run that is to be repeated. */
export function chosenSeed(): number {
  return Number(process.env.SEED ?? Date.now() % 1_000_000);
}
