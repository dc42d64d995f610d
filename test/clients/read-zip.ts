import { inflateRawSync } from 'node:zlib';

/** Size of an entry's header in the list at the end of an archive, and of its header before its content, in bytes. */
const [LISTED_BYTES, LOCAL_BYTES] = [46, 30];

/** Returns the files of a small ZIP archive by path. Throws when the archive is incomplete. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end < 0) throw new Error('The archive has no end.');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + packed);
    const path = zip.toString('utf8', at + LISTED_BYTES, at + LISTED_BYTES + (name ?? 0));
    files.set(path, method === 8 ? inflateRawSync(content) : content);
    at += LISTED_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
