/** Default timeout, in ms. It only ends a test that hangs: a busy machine takes many times as long as a quiet one. */
const PATIENCE_MS = 240_000;

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
