import PostalMime, { type Email } from 'postal-mime';
import { decodeQuotedPrintable } from '#server/inbox/mail-parser/decode-quoted-printable.ts';
import { headerAsUtf8, headerCharset } from '#server/inbox/mail-parser/decode-text.ts';
import { HEADERS_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';

/** Limits for postal-mime: nesting depth of parts, and bytes of all headers. */
const PARTS_DEPTH_MAX = 100;
const ALL_HEADERS_MAX_BYTES = 1024 * 1024;

/** A part of a mail (RFC 2045, RFC 2046), with its parts if it is a multipart. */
export type MimePart = {
  /** Content type in lowercase, without parameters. */
  type: string;
  /** Parameters of the Content-Type; names in lowercase. */
  params: Readonly<Record<string, string>>;
  /** `inline`, `attachment` or another disposition; empty when there is none. */
  disposition: string;
  /** File name of the Content-Disposition; null when there is none. */
  dispositionName: string | null;
  contentId: string | null;
  /** Returns the decoded bytes, exactly as the sender's program wrote them. */
  readContent(): Uint8Array;
  children: MimePart[];
};

/** A mail: its decoded headers, and its parts. */
export type MimeMail = { email: Email; root: MimePart };

/**
 * Parses the structure of a mail. Repairs one whose boundary is missing or wrong.
 * @throws for a mail that is nested too deeply or has too many headers
 */
export async function parseMime(raw: Uint8Array): Promise<MimeMail> {
  const mail = await parseParts(raw);
  const boundary = isSplit(mail.root) ? undefined : findBoundary(raw);
  if (boundary === undefined) return mail;
  // The first Content-Type of a header section counts.
  const type = Buffer.from(`Content-Type: ${mail.root.type}; boundary="${boundary}"\r\n`);
  return { email: mail.email, root: (await parseParts(Buffer.concat([type, raw]))).root };
}

function isSplit({ type, children }: MimePart): boolean {
  return !type.startsWith('multipart/') || children.length > 0;
}

/** Finds a line that separates parts: two dashes and a name, followed by a header. */
function findBoundary(raw: Uint8Array): string | undefined {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEADERS_MAX_BYTES));
  return /^--([\w'()+,./:=? -]{1,70})[ \t]*\r?\nContent-[A-Za-z-]{1,40}:/m
    .exec(head.toString('latin1'))?.[1]
    ?.trimEnd();
}

async function parseParts(raw: Uint8Array): Promise<MimeMail> {
  const parser = new PostalMime({
    maxNestingDepth: PARTS_DEPTH_MAX,
    maxHeadersSize: ALL_HEADERS_MAX_BYTES,
  }) as PostalMime & ParserInternals;
  prepareNodes(parser);
  parser.legacyCharset = headerCharset(raw.subarray(0, HEADERS_MAX_BYTES));
  // `collectParts` decides what is text and what is a file.
  parser.collectNode = async () => undefined;
  const email = await parser.parse(raw);
  return { email, root: toPart(parser.root, raw) };
}

/** Internals of postal-mime 4.0.0 that this file uses: the tree of parts. */
type ParserInternals = { root: Node; collectNode: () => Promise<void>; legacyCharset?: string };

type StructuredHeader = { value: string; params: Record<string, string> };

type Node = {
  postalMime: ParserInternals;
  state: 'header' | 'body' | 'finished';
  contentType: { parsed: StructuredHeader };
  contentDisposition: { parsed: StructuredHeader };
  contentTransferEncoding: { encoding: string };
  contentId?: string;
  content: ArrayBuffer | null;
  childNodes: Node[];
  feed(line: Uint8Array): void;
  /** Offsets of the body in the mail. */
  bodyStart?: number;
  bodyEnd?: number;
};

const prepared = new WeakSet<object>();

/**
 * Makes the nodes of the parser note where their body is in the mail, because it rewrites line endings, and read raw
 * headers in the charset of the text.
 * @throws when the parser works differently, after an update
 */
function prepareNodes({ root, collectNode }: ParserInternals): void {
  const node = Object.getPrototypeOf(root) as Node;
  if (prepared.has(node)) return;
  const { feed } = node;
  if (typeof feed !== 'function' || typeof collectNode !== 'function') {
    throw new Error('The MIME parser has another structure.');
  }
  node.feed = function (this: Node, line) {
    const { legacyCharset } = this.postalMime;
    if (this.state === 'header' || legacyCharset === undefined) {
      feed.call(this, legacyCharset === undefined ? line : headerAsUtf8(line, legacyCharset));
      return;
    }
    this.bodyStart ??= line.byteOffset;
    this.bodyEnd = line.byteOffset + line.byteLength;
    feed.call(this, line);
  };
  prepared.add(node);
}

function toPart(node: Node, raw: Uint8Array): MimePart {
  const { value, params } = node.contentType.parsed;
  const disposition = node.contentDisposition.parsed;
  return {
    type: value.includes('/') ? value : 'text/plain',
    params,
    disposition: disposition.value,
    dispositionName: disposition.params.filename || null,
    contentId: node.contentId ?? null,
    readContent: () => readContent(node, raw),
    children: node.childNodes.map((child) => toPart(child, raw)),
  };
}

function readContent(
  { content, contentTransferEncoding, bodyStart = 0, bodyEnd = 0 }: Node,
  raw: Uint8Array,
): Uint8Array {
  const { encoding } = contentTransferEncoding;
  if (encoding.includes('base64')) return new Uint8Array(content ?? new ArrayBuffer(0));
  const body = raw.subarray(bodyStart, bodyEnd);
  return encoding.includes('quoted-printable') ? decodeQuotedPrintable(body) : body;
}
