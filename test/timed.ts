/**
 * Returns the result of `work` and its duration in ms. A busy machine makes every duration longer: a test compares this
 * one with another that it measured under the same conditions.
 */
export async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}
