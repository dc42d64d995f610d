/** Pictures that a browser may show in place: none of these can hold a script. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** What a file may be called besides; it is only ever downloaded. HTML, SVG and XML are none of these. */
const DOWNLOADS = [
  'application/pdf',
  'application/zip',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'image/heic',
  'text/csv',
  'text/plain',
  'video/mp4',
  'video/quicktime',
  'video/webm',
] as const;

/** What everything else is: bytes to be downloaded. */
const UNKNOWN = 'application/octet-stream';

/** How much of the beginning of a file identifies its kind of picture, in bytes. */
export const CONTENT_BEGINNING_BYTES = 16;

/** How each of the pictures begins, as hexadecimal digits. */
const BEGINNINGS: Record<(typeof PICTURES)[number], RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
};

/** Whether a kind of file is a picture that may be shown in place. */
export function isPicture(contentType: string): contentType is (typeof PICTURES)[number] {
  return PICTURES.some((picture) => picture === contentType);
}

/**
 * What a file counts as: what its sender says, where that is one of a few harmless kinds, and for pictures only when
 * the bytes begin so; else nothing in particular.
 * @param content its first bytes, `CONTENT_BEGINNING_BYTES` or more where it has so many
 */
export function knownContentType(claimed: string, content: Uint8Array): string {
  const [kind = ''] = claimed.toLowerCase().split(';', 1);
  const known = [...PICTURES, ...DOWNLOADS].find((each) => each === kind.trim());
  if (known === undefined) return UNKNOWN;
  if (!isPicture(known)) return known;
  return BEGINNINGS[known].test(Buffer.from(content.subarray(0, CONTENT_BEGINNING_BYTES)).toString('hex'))
    ? known
    : UNKNOWN;
}

/** How many files a message may carry, how large each may be, and all of them together, in bytes. */
export const ATTACHMENTS_MAX = 5;
export const ATTACHMENT_MAX_BYTES = 10 * 1024 * 1024;
export const ATTACHMENTS_MAX_BYTES = 20 * 1024 * 1024;

export const TOO_MANY = `A message can have up to ${ATTACHMENTS_MAX} files.`;
export const TOO_LARGE = 'A file can be up to 10 MB.';
export const TOO_LARGE_TOGETHER = 'The files of a message can be up to 20 MB in total.';

/** What is wrong with the files of a message: `too_large` is answered with `413`, the rest with `422`. */
export type AttachmentProblem = { kind: 'too_large' | 'invalid'; message: string };

/** Judges the files of a message by their sizes in bytes; undefined when nothing is wrong with them. */
export function attachmentProblem(files: { name: string; size: number }[]): AttachmentProblem | undefined {
  if (files.length > ATTACHMENTS_MAX) {
    return { kind: 'invalid', message: TOO_MANY };
  }
  const empty = files.find(({ size }) => size === 0);
  if (empty) return { kind: 'invalid', message: `The file “${empty.name}” is empty.` };
  if (files.some(({ size }) => size > ATTACHMENT_MAX_BYTES)) {
    return { kind: 'too_large', message: TOO_LARGE };
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > ATTACHMENTS_MAX_BYTES) {
    return { kind: 'too_large', message: TOO_LARGE_TOGETHER };
  }
  return undefined;
}
