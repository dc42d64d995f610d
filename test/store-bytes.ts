import { type StoredFile, storeFile } from '#server/inbox/files/store-file.ts';

/** Stores a file as a channel does; a text is its bytes, one a character. */
export function storeBytes(
  workspaceId: string,
  {
    name = 'a.txt',
    contentType = 'text/plain',
    content = 'Hello',
  }: { name?: string; contentType?: string; content?: string | Uint8Array } = {},
): Promise<StoredFile> {
  return storeFile(workspaceId, { name, contentType, source: bytesOf(content) });
}

async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
}
