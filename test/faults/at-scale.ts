/** `npm run drill` sets it, and runs fault tests at a larger size (`bench/drills/run-test.ts`). */
export const IS_DRILL = process.env.DRILL === '1';

/** Returns a size of a fault test: `inTests` in the tests, `inDrills` in `npm run drill`. */
export function atScale<T>(inTests: T, inDrills: T): T {
  return IS_DRILL ? inDrills : inTests;
}
