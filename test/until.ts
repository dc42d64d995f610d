/**
 * What is waited for on a machine that is busy with other things: long, as no test asserts by it how long something
 * takes. In milliseconds.
 */
const PATIENCE_MS = 60_000;

/**
 * Waits until `condition` returns something, looking again every 20 ms.
 * @throws after `timeoutMs`, with what was waited for
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
