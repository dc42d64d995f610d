import type { OutgoingFile } from '#server/inbox/channels/outgoing-message.ts';

/** All of a file that is to be sent, for providers that want its length before its bytes. The caller has judged its size. */
export async function readWhole(file: OutgoingFile): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await file.open()) pieces.push(piece);
  return Buffer.concat(pieces);
}
