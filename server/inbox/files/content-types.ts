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
