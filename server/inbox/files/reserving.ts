import { invalid } from '#server/core/errors.ts';
import { reserveBytes } from '#server/inbox/files/file-quota.ts';

/** Message for a sender when the quota of the workspace is used up. */
export const NO_ROOM = 'This chat cannot accept more files right now. Send your message without files.';

/** Bytes that are read before the first reservation. Most files are smaller, and need only one reservation. */
const READ_AHEAD_BYTES = 256 * 1024;

/**
 * Passes the bytes of a file on, after their room in the quota was reserved. A longer file reserves as much again each time,
 * so a large one takes few transactions; near the end of the quota it reserves what it needs.
 * @param file.reserveMaxBytes while the file is at most this long, it may use the reserve of the quota
 * @throws Refusal when the quota has no room
 */
export async function* reserving(
  source: AsyncIterable<Uint8Array>,
  file: { id: string; workspaceId: string; reserveMaxBytes: number },
): AsyncGenerator<Uint8Array> {
  let reserved = 0;
  let received = 0;
  let ahead: Uint8Array[] | null = [];
  const reserve = async (bytes: number) => {
    const usesReserve = reserved + bytes <= file.reserveMaxBytes;
    if (bytes > 0 && !(await reserveBytes({ ...file, bytes, usesReserve }))) return false;
    reserved += bytes;
    return true;
  };
  const require = async () => {
    const missing = received - reserved;
    if (missing <= 0) return;
    if (reserved > 0 && missing < reserved && (await reserve(reserved))) return;
    if (!(await reserve(missing))) throw invalid({ files: [NO_ROOM] });
  };

  for await (const piece of source) {
    received += piece.length;
    ahead?.push(piece);
    if (ahead && received < READ_AHEAD_BYTES) continue;
    await require();
    yield* ahead ?? [piece];
    ahead = null;
  }
  await require();
  yield* ahead ?? [];
}
