import mime from 'mime';
import { decodeFlowed } from '#server/inbox/mail-parser/decode-flowed.ts';
import { decodeText } from '#server/inbox/mail-parser/decode-text.ts';
import { htmlLines } from '#server/inbox/mail-parser/html-lines.ts';
import { limitNesting } from '#server/inbox/mail-parser/limit-nesting.ts';
import { parseWords } from '#server/inbox/mail-parser/mail-addresses.ts';
import { headerOf, parseMailHeaders } from '#server/inbox/mail-parser/mail-headers.ts';
import { HTML_MAX_LENGTH, TEXT_MAX_LENGTH } from '#server/inbox/mail-parser/mail-limits.ts';
import { type MimePart, parseMime } from '#server/inbox/mail-parser/parse-mime.ts';
import { parseGmailReaction, REACTION_TYPE } from '#server/inbox/mail-parser/parse-reaction.ts';
import type { MailFile } from '#server/inbox/mail-parser/parsed-mail.ts';
import { fileName, isGenericType, partType } from '#server/inbox/mail-parser/part-type.ts';
import { takePictures } from '#server/inbox/mail-parser/take-pictures.ts';
import { unpackTnef } from '#server/inbox/mail-parser/unpack-tnef.ts';

/** Content of a mail without its headers. */
export type MailContent = {
  /** The plain text; undefined when no part has any. */
  text: string | undefined;
  html: string | undefined;
  files: MailFile[];
  /** Delivery reports (RFC 3464). */
  reports: string[];
  /** Text of the first calendar; undefined without one. */
  calendar: string | undefined;
  /** Emoji of a reaction; null for one that is no emoji, undefined for other mail. */
  emoji: string | null | undefined;
  isEncrypted: boolean;
};

/** Texts that show the same: those of a `multipart/alternative`, or a single part. */
type Texts = { plain: string[]; html: string[] };

type Collected = Omit<MailContent, 'text' | 'html' | 'files'> & { texts: Texts[]; files: NamedFile[] };
type NamedFile = MailFile & { isNamed: boolean };

/** Parents of a part that decide what it is. */
type Context = { parent: string; texts: Texts | undefined; depth: number };

/** Maximum number of signed messages within each other that are opened. */
const SECURED_DEPTH_MAX = 3;

/** Collects what the parts of a mail show, and its files. */
export async function collectParts(root: MimePart): Promise<MailContent> {
  const found: Collected = {
    texts: [],
    files: [],
    reports: [],
    calendar: undefined,
    emoji: undefined,
    isEncrypted: false,
  };
  await collect(root, found, { parent: '', texts: undefined, depth: 0 });
  const { texts, files, ...others } = found;
  return { ...others, ...joinTexts(texts), files: withoutCopies(files) };
}

async function collect(mimePart: MimePart, found: Collected, context: Context): Promise<void> {
  const part = { ...mimePart, type: partType(mimePart) };
  const { type, children } = part;
  if (type.startsWith('multipart/') && children.length > 0) {
    if (type === 'multipart/encrypted') found.isEncrypted = true;
    const texts = type === 'multipart/alternative' ? addTexts(found) : context.texts;
    for (const child of children) await collect(child, found, { ...context, parent: type, texts });
    return;
  }
  const kind = kindOf(part, context);
  if (kind === 'nothing') return;
  if (kind === 'plain' || kind === 'html') {
    const text = readText(part, kind);
    const { html, pictures } =
      kind === 'html' ? takePictures(text, found.files.length) : { html: text, pictures: [] };
    (context.texts ?? addTexts(found))[kind].push(html);
    found.files.push(...pictures.map((picture) => ({ ...picture, isNamed: false })));
    return;
  }
  const content = part.readContent();
  switch (kind) {
    case 'report':
      found.reports.push(Buffer.from(content).toString());
      return;
    case 'reaction':
      found.emoji ??= parseGmailReaction(Buffer.from(content).toString());
      return;
    case 'secured':
      return await collectSecured({ part, content }, found, context);
    case 'tnef':
      return void found.files.push(...unpack(part, content));
    case 'calendar':
      found.calendar ??= decodeText(content, part.params.charset);
  }
  found.files.push(fileOf(part, content));
}

function addTexts(found: Collected): Texts {
  const texts: Texts = { plain: [], html: [] };
  found.texts.push(texts);
  return texts;
}

type Kind = 'plain' | 'html' | 'report' | 'reaction' | 'secured' | 'tnef' | 'calendar' | 'file' | 'nothing';

/** Parts that mail programs evaluate and do not show: reports about the reading of a mail, headers, control data. */
const UNSHOWN = new Set([
  'message/disposition-notification',
  'text/rfc822-headers',
  'application/pgp-encrypted',
]);
/** Detached signatures (RFC 8551 §3.5.3, RFC 3156 §5), which mail programs check and do not show. */
const SIGNATURES = new Set([
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-signature',
]);
const REPORTS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const SECURED = new Set(['application/pkcs7-mime', 'application/x-pkcs7-mime']);
const TNEF = new Set(['application/ms-tnef', 'application/vnd.ms-tnef']);
const CALENDARS = new Set(['text/calendar', 'application/ics']);
const TEXTS: Readonly<Record<string, 'plain' | 'html'>> = { 'text/plain': 'plain', 'text/html': 'html' };

function kindOf(part: MimePart, { parent }: Context): Kind {
  const { type, disposition, dispositionName } = part;
  const isAttached = disposition === 'attachment';
  // A text with a file name is a file, unless it is the whole mail or one of its forms.
  const isNamed = dispositionName !== null && parent !== '' && parent !== 'multipart/alternative';
  const text = type.startsWith('multipart/') ? brokenText(part) : TEXTS[type];
  if (text && !isAttached && !isNamed) return text;
  if (REPORTS.has(type)) return 'report';
  if (type === REACTION_TYPE && !isAttached) return 'reaction';
  if (UNSHOWN.has(type) || (parent === 'multipart/signed' && isSignature(part))) return 'nothing';
  // The resource fork of a Mac's file (RFC 1740). It has the name of the file, and no other program opens it.
  if (parent === 'multipart/appledouble' && type === 'application/applefile') return 'nothing';
  if (SECURED.has(type)) return 'secured';
  if (isTnef(part)) return 'tnef';
  if (CALENDARS.has(type)) return 'calendar';
  // A form of the text that this inbox does not show, such as AMP.
  const isOtherForm = parent === 'multipart/alternative' && !isAttached && fileName(part) === null;
  return isOtherForm && type.startsWith('text/') ? 'nothing' : 'file';
}

function isSignature(part: MimePart): boolean {
  return (
    SIGNATURES.has(part.type) || (isGenericType(part.type) && /\.(?:asc|sig)$/i.test(fileName(part) ?? ''))
  );
}

/** Gateways rename `winmail.dat`. What turns out to be another file stays one. */
function isTnef(part: MimePart): boolean {
  const name = fileName(part)?.toLowerCase() ?? '';
  return TNEF.has(part.type) || name === 'winmail.dat' || (isGenericType(part.type) && name.endsWith('.dat'));
}

/** Returns what the text of a multipart without parts is. */
function brokenText(part: MimePart): 'plain' | 'html' {
  const start = Buffer.from(part.readContent().subarray(0, 200)).toString('latin1');
  return /^\s*<(?:!doctype|html|head|body|div|p)\b/i.test(start) ? 'html' : 'plain';
}

function readText({ params, readContent }: MimePart, kind: 'plain' | 'html'): string {
  const text = decodeText(readContent(), params.charset, { isHtml: kind === 'html' });
  const isFlowed = kind === 'plain' && params.format?.toLowerCase() === 'flowed';
  return isFlowed ? decodeFlowed(text, params.delsp?.toLowerCase() === 'yes') : text;
}

/** Collects the signed text of S/MIME; an encrypted one stays a file. */
async function collectSecured(
  { part, content }: { part: MimePart; content: Uint8Array },
  found: Collected,
  context: Context,
): Promise<void> {
  // Loaded for the few mails that need it.
  const { readSecured } = await import('#server/inbox/mail-parser/read-secured.ts');
  const secured = context.depth < SECURED_DEPTH_MAX ? readSecured(content) : { kind: 'unknown' as const };
  if (secured.kind === 'signed') {
    const { root } = await parseMime(secured.content);
    return await collect(root, found, { ...context, depth: context.depth + 1 });
  }
  const says = `${part.params['smime-type'] ?? ''}`.toLowerCase();
  if (secured.kind === 'encrypted' || says.includes('enveloped')) found.isEncrypted = true;
  found.files.push(fileOf(part, content));
}

/** Joins the texts in their order. Each is in the plain text and in the HTML, converted if it has one form only. */
function joinTexts(texts: Texts[]): Pick<MailContent, 'text' | 'html'> {
  const has = (kind: keyof Texts) => texts.some((each) => each[kind].length > 0);
  const join = (kind: keyof Texts, convert: (each: Texts) => string) =>
    texts.map((each) => (each[kind].length > 0 ? each[kind].join('\n') : convert(each))).join('\n');
  return {
    text: has('plain') ? join('plain', ({ html }) => toPlain(html.join('\n'))) : undefined,
    html: has('html')
      ? limitNesting(join('html', ({ plain }) => toHtml(plain.join('\n'))).slice(0, HTML_MAX_LENGTH))
      : undefined,
  };
}

function toPlain(html: string): string {
  return htmlLines(limitNesting(html.slice(0, HTML_MAX_LENGTH)))
    .map(({ text }) => text)
    .join('\n');
}

function toHtml(text: string): string {
  const escaped = text
    .slice(0, TEXT_MAX_LENGTH)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return escaped === '' ? '' : `<div style="white-space:pre-wrap">${escaped}</div>`;
}

/** Unpacks Outlook's format. It stays a file when something in it cannot be unpacked. */
function unpack(part: MimePart, content: Uint8Array): NamedFile[] {
  const { files, isWhole } = unpackTnef(content);
  const named = files.map((file) => ({ ...file, isNamed: true }));
  return isWhole && files.length > 0 ? named : [...named, fileOf(part, content)];
}

function fileOf(part: MimePart, content: Uint8Array): NamedFile {
  const name = fileName(part);
  const id = part.contentId?.trim().replace(/^</, '').replace(/>$/, '').slice(0, 500);
  return {
    name: name ?? nameByType(part.type, content),
    contentType: part.type.slice(0, 100),
    contentId: id || null,
    isInline: false,
    content,
    isNamed: name !== null,
  };
}

const MAILS = new Set(['message/rfc822', 'message/global']);
const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
  'audio/mpeg': 'audio.mp3',
  'application/octet-stream': 'file',
};
const SUBJECT_MAX_LENGTH = 100;

/** Names a file without a name, so that a computer can open it: a mail for its subject, others for their type. */
function nameByType(type: string, content: Uint8Array): string {
  if (MAILS.has(type)) {
    const subject = parseWords(headerOf(parseMailHeaders(content), 'subject') ?? '');
    const words = subject
      .replaceAll(/[\\/:*?"<>|]+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return `${words.slice(0, SUBJECT_MAX_LENGTH).trim() || 'message'}.eml`;
  }
  const kind = /^(?:image|audio|video)(?=\/)/.exec(type)?.[0] ?? 'file';
  const extension = mime.getExtension(type);
  return NAMES[type] ?? (extension === null ? kind : `${kind}.${extension}`);
}

/** Removes the copies of an invitation, which is often sent as a part of the text and as a file. One with a name stays. */
function withoutCopies(files: NamedFile[]): MailFile[] {
  const kept: NamedFile[] = [];
  const calendars = new Map<string, number>();
  for (const file of files) {
    if (CALENDARS.has(file.contentType)) {
      const text = Buffer.from(file.content).toString().replaceAll(/\s+/g, '');
      const at = calendars.get(text);
      if (at !== undefined) {
        if (kept[at]?.isNamed === false) kept[at] = file;
        continue;
      }
      calendars.set(text, kept.length);
    }
    kept.push(file);
  }
  return kept.map(({ isNamed: _, ...file }) => file);
}
