/** Cuts a stream of bytes into chunks of `chunkBytes`; the last one may be shorter. */
export async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    let rest = piece;
    while (length + rest.length >= chunkBytes) {
      const missing = chunkBytes - length;
      yield Buffer.concat([...held, rest.subarray(0, missing)], chunkBytes);
      rest = rest.subarray(missing);
      held = [];
      length = 0;
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(held, length);
}
