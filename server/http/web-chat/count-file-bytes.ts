import { takeFrom } from '#server/core/limits/limits.ts';
import { waitForBodyRate } from '#server/http/request/body-rate.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/** So much is let through before it is counted, in bytes. */
const STEP_BYTES = 1024 * 1024;

/**
 * Passes a file on at the rate of its address, and takes its bytes from the limits of its visitor and that address.
 * @throws RequestProblem `429` in the middle of the file when one of them is used up
 */
export async function* countFileBytes(
  source: AsyncIterable<Uint8Array>,
  { visitorKey, address }: { visitorKey: string; address: string },
): AsyncGenerator<Uint8Array> {
  let uncounted = 0;
  const count = async () => {
    const kib = Math.ceil(uncounted / 1024);
    uncounted = 0;
    if (kib === 0) return;
    for (const [limit, key] of [
      ['chat_file_kib_address', address],
      ['chat_file_kib', visitorKey],
    ] as const) {
      const { allowed, retryAfterSeconds } = await takeFrom(limit, key, kib);
      if (!allowed) throw new RequestProblem(429, sentence(retryAfterSeconds), retryAfterSeconds);
    }
  };
  for await (const piece of source) {
    uncounted += piece.length;
    if (uncounted >= STEP_BYTES) await count();
    await waitForBodyRate(address, piece.length);
    yield piece;
  }
  await count();
}

function sentence(retryAfterSeconds: number): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `The chat cannot accept more files for now. Wait ${wait}, or write without files.`;
}
