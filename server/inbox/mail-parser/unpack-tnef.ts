import type { MailFile } from '#server/inbox/mail-parser/parsed-mail.ts';

const SIGNATURE = 0x223e9f78;
const ATTACHMENT_LEVEL = 2;
/** Attributes of an attachment ([MS-OXTNEF] §2.1.3.2), by the lower half of their ids. */
const BEGINS = 0x9002;
const TITLE = 0x8010;
const DATA = 0x800f;
const PROPERTIES = 0x9005;
/** The long name among the properties of an attachment: PidTagAttachLongFilename, in Unicode and in bytes. */
const LONG_NAME = [0x1f, 0x00, 0x07, 0x37];
const LONG_NAME_BYTES = [0x1e, 0x00, 0x07, 0x37];
const FILES_MAX = 100;
const NAME_MAX_BYTES = 1_000;

/**
 * The files in a `winmail.dat`, as Outlook packs them for what it takes for another Outlook ([MS-OXTNEF]).
 * @returns none for what is not readable so: then the file itself is kept
 */
export function unpackTnef(bytes: Uint8Array): MailFile[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 6 || view.readUInt32LE(0) !== SIGNATURE) return [];
  const files: { title: string; content: Buffer | null }[] = [];
  let at = 6;
  // Level, id, kind and length; then the data and a checksum of two bytes.
  while (at + 9 <= view.length && files.length <= FILES_MAX) {
    const level = view.readUInt8(at);
    const id = view.readUInt16LE(at + 1);
    const length = view.readUInt32LE(at + 5);
    const start = at + 9;
    if (start + length + 2 > view.length) break;
    const data = view.subarray(start, start + length);
    at = start + length + 2;
    if (level !== ATTACHMENT_LEVEL) continue;
    if (id === BEGINS) files.push({ title: '', content: null });
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

/** The property comes once: its tag, how many values, the length in bytes, the text. */
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

/** Such a file says no kind of its own. */
function kindOf(name: string): string {
  return KINDS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
