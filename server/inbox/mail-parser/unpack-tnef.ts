import mime from 'mime';
import { decodeText } from '#server/inbox/mail-parser/decode-text.ts';
import type { MailFile } from '#server/inbox/mail-parser/parsed-mail.ts';

const SIGNATURE = 0x223e9f78;
const ATTACHMENT_LEVEL = 2;
/** Attribute ids ([MS-OXTNEF] §2.1.3.2), lower 16 bits. */
const CODE_PAGE = 0x9007;
const ATTACHMENT_START = 0x9002;
const TITLE = 0x8010;
const DATA = 0x800f;
const PROPERTIES = 0x9005;
/** Property ids of an attachment ([MS-OXPROPS]). */
const LONG_NAME = 0x3707;
const CONTENT = 0x3701;
const CONTENT_ID = 0x3712;
const CONTENT_TYPE = 0x370e;
const FILES_MAX = 100;
const NAME_MAX_BYTES = 1_000;
const PROPERTIES_MAX = 1_000;

type TnefFile = {
  title: Buffer;
  /** Content of the attribute, or of the property: large attachments have only the property. */
  content: Buffer | undefined;
  properties: Map<number, Property>;
};

/**
 * Extracts the files from a `winmail.dat`, Outlook's format for other Outlook clients ([MS-OXTNEF]).
 * @returns the files, and whether these are all: not for invalid data, and not for an attached mail or object
 */
export function unpackTnef(bytes: Uint8Array): { files: MailFile[]; isWhole: boolean } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 6 || view.readUInt32LE(0) !== SIGNATURE) return { files: [], isWhole: false };
  const found: TnefFile[] = [];
  let codePage = 1252;
  let at = 6;
  // Level, id, type and length, then the data and a checksum of two bytes.
  while (at + 9 <= view.length && found.length <= FILES_MAX) {
    const level = view.readUInt8(at);
    const id = view.readUInt16LE(at + 1);
    const length = view.readUInt32LE(at + 5);
    const start = at + 9;
    if (start + length + 2 > view.length) break;
    const data = view.subarray(start, start + length);
    at = start + length + 2;
    if (id === CODE_PAGE && length >= 4) codePage = data.readUInt32LE(0);
    if (level !== ATTACHMENT_LEVEL) continue;
    if (id === ATTACHMENT_START)
      found.push({ title: Buffer.alloc(0), content: undefined, properties: new Map() });
    const file = found.at(-1);
    if (!file) continue;
    if (id === TITLE) file.title = data;
    if (id === DATA) file.content = data;
    if (id === PROPERTIES) file.properties = readProperties(data);
  }
  const files = found.slice(0, FILES_MAX).flatMap((file) => toFile(file, `cp${codePage}`) ?? []);
  return { files, isWhole: at >= view.length && files.length === found.length };
}

/** Returns null for an attachment without its own bytes, such as an Outlook message or object. */
function toFile({ title, content, properties }: TnefFile, charset: string): MailFile | null {
  const text = (id: number) => {
    const property = properties.get(id);
    return property ? textOf(property, charset) : '';
  };
  const data = properties.get(CONTENT);
  const bytes = data?.type === BINARY && data.bytes.length > 0 ? data.bytes : content;
  if (bytes === undefined || data?.type === OBJECT) return null;
  const name = text(LONG_NAME) || textOf({ type: STRING, bytes: title }, charset) || 'file';
  return {
    name,
    contentType: (text(CONTENT_TYPE) || (mime.getType(name) ?? 'application/octet-stream'))
      .toLowerCase()
      .slice(0, 100),
    contentId: text(CONTENT_ID).replace(/^</, '').replace(/>$/, '') || null,
    isInline: false,
    content: Uint8Array.from(bytes),
  };
}

function textOf({ type, bytes }: Property, charset: string): string {
  const part = bytes.subarray(0, NAME_MAX_BYTES);
  const text = type === UNICODE ? part.toString('utf16le') : decodeText(part, charset);
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

type Property = { type: number; bytes: Buffer };

/** Property types ([MS-OXCDATA] §2.11.1): those with a length, and the sizes of the others, padded to 4 bytes. */
const [STRING, UNICODE, BINARY, OBJECT] = [0x001e, 0x001f, 0x0102, 0x000d];
const SIZES: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const MULTIPLE = 0x1000;
const NAMED_FROM = 0x8000;

/** Reads a list of properties ([MS-OXTNEF] §2.1.3.4), up to the first that is invalid. */
function readProperties(data: Buffer): Map<number, Property> {
  const properties = new Map<number, Property>();
  let at = 0;
  const number = () => {
    const value = at + 4 <= data.length ? data.readUInt32LE(at) : Number.NaN;
    at += 4;
    return value;
  };
  const count = Math.min(number() || 0, PROPERTIES_MAX);
  for (let index = 0; index < count; index += 1) {
    const tag = number();
    const [type, id] = [tag & 0xefff, tag >>> 16];
    if (id >= NAMED_FROM) {
      at += 16;
      const length = number() === 0 ? 4 : number();
      at += padded(length);
    }
    const size = SIZES[type];
    const values = size === undefined || (tag & MULTIPLE) !== 0 ? number() : 1;
    if (!(values <= PROPERTIES_MAX)) break;
    for (let value = 0; value < values; value += 1) {
      const length = size ?? number();
      if (!(at + length <= data.length)) return properties;
      if (!properties.has(id)) properties.set(id, { type, bytes: data.subarray(at, at + length) });
      at += padded(length);
    }
  }
  return properties;
}

function padded(length: number): number {
  return length + ((4 - (length % 4)) % 4);
}
