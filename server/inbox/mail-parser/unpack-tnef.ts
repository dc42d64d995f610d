import type { MailFile } from '#server/inbox/mail-parser/parsed-mail.ts';

const SIGNATURE = 0x223e9f78;
const ATTACHMENT_LEVEL = 2;
/** Attribute ids of an attachment ([MS-OXTNEF] §2.1.3.2), lower 16 bits. */
const ATTACHMENT_START = 0x9002;
const TITLE = 0x8010;
const DATA = 0x800f;
const PROPERTIES = 0x9005;
/** Property tags of the long file name, PidTagAttachLongFilename: in UTF-16, and in 8-bit characters. */
const LONG_NAME = [0x1f, 0x00, 0x07, 0x37];
const LONG_NAME_BYTES = [0x1e, 0x00, 0x07, 0x37];
const FILES_MAX = 100;
const NAME_MAX_BYTES = 1_000;

/**
 * Extracts the files from a `winmail.dat`, Outlook's format for other Outlook clients ([MS-OXTNEF]).
 * @returns an empty list for invalid data; the caller then keeps the file itself
 */
export function unpackTnef(bytes: Uint8Array): MailFile[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 6 || view.readUInt32LE(0) !== SIGNATURE) return [];
  const files: { title: string; content: Buffer | null }[] = [];
  let at = 6;
  // Level, id, type and length, then the data and a checksum of two bytes.
  while (at + 9 <= view.length && files.length <= FILES_MAX) {
    const level = view.readUInt8(at);
    const id = view.readUInt16LE(at + 1);
    const length = view.readUInt32LE(at + 5);
    const start = at + 9;
    if (start + length + 2 > view.length) break;
    const data = view.subarray(start, start + length);
    at = start + length + 2;
    if (level !== ATTACHMENT_LEVEL) continue;
    if (id === ATTACHMENT_START) files.push({ title: '', content: null });
    const file = files.at(-1);
    if (!file) continue;
    if (id === TITLE) file.title ||= untilZero(data.toString('latin1'));
    if (id === DATA) file.content = data;
    if (id === PROPERTIES) file.title = longName(data) ?? file.title;
  }
  return files.slice(0, FILES_MAX).flatMap(({ title, content }) =>
    content === null
      ? []
      : [
          {
            name: title || 'file',
            contentType: kindOf(title),
            contentId: null,
            isInline: false,
            content: Uint8Array.from(content),
          },
        ],
  );
}

/** Reads the long file name. Layout: tag, number of values, length in bytes, text. */
function longName(properties: Buffer): string | undefined {
  for (const [tag, encoding] of [
    [LONG_NAME, 'utf16le'],
    [LONG_NAME_BYTES, 'latin1'],
  ] as const) {
    const at = properties.indexOf(Buffer.from(tag));
    if (at === -1 || at + 12 > properties.length) continue;
    const length = Math.min(properties.readUInt32LE(at + 8), NAME_MAX_BYTES);
    const name = untilZero(properties.subarray(at + 12, at + 12 + length).toString(encoding));
    if (name !== '') return name;
  }
  return undefined;
}

function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

const KINDS: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  txt: 'text/plain',
  csv: 'text/csv',
  zip: 'application/zip',
  ics: 'text/calendar',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Derives the content type from the file name, as TNEF has none. */
function kindOf(name: string): string {
  return KINDS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
