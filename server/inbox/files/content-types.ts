/** Picture types that browsers may display inline. None of them can contain a script. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Other accepted types; these are only downloaded. HTML, SVG and XML are deliberately missing. */
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

const UNKNOWN = 'application/octet-stream';

/** Types that other apps can share with the installed app: all, like the composer. Some browsers only match the types that are named. */
export const SHARED_TYPES = [
  '*/*',
  ...['image', 'audio', 'video', 'text', 'application'].map((kind) => `${kind}/*`),
  ...PICTURES,
  ...DOWNLOADS,
];

/** Number of leading bytes needed to recognize a picture type. */
export const CONTENT_PREFIX_BYTES = 16;

/** Magic numbers of the picture types, as hexadecimal digits. */
const MAGIC_NUMBERS: Record<(typeof PICTURES)[number], RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
};

/** Returns true for picture types that may be displayed inline. */
export function isPicture(contentType: string): contentType is (typeof PICTURES)[number] {
  return PICTURES.some((picture) => picture === contentType);
}

/** Returns the ids of those files that a formatted text can show. */
export function pictureFileIds(files: readonly { id: string; contentType: string }[]): string[] {
  return files.flatMap(({ id, contentType }) => (isPicture(contentType) ? id : []));
}

/**
 * Returns the type that a file is stored with: the declared type if it is on a list of harmless types, else
 * `application/octet-stream`. A picture must also start with the magic number of its type.
 * @param content the first bytes; at least `CONTENT_PREFIX_BYTES`, or the complete file when it is shorter
 */
export function knownContentType(claimed: string, content: Uint8Array): string {
  const [kind = ''] = claimed.toLowerCase().split(';', 1);
  const known = [...PICTURES, ...DOWNLOADS].find((each) => each === kind.trim());
  if (known === undefined) return UNKNOWN;
  if (!isPicture(known)) return known;
  return MAGIC_NUMBERS[known].test(Buffer.from(content.subarray(0, CONTENT_PREFIX_BYTES)).toString('hex'))
    ? known
    : UNKNOWN;
}

/** Limits per message: number of files, bytes per file, and bytes in total. */
export const ATTACHMENTS_MAX = 5;
export const ATTACHMENT_MAX_BYTES = 10 * 1024 * 1024;
export const ATTACHMENTS_MAX_BYTES = 20 * 1024 * 1024;

/** The first two, as the screens know them. */
export const FILE_LIMITS = { filesMax: ATTACHMENTS_MAX, fileMaxBytes: ATTACHMENT_MAX_BYTES };

export const TOO_MANY = `A message can have up to ${ATTACHMENTS_MAX} files.`;
export const TOO_LARGE = 'A file can be up to 10 MB.';
export const TOO_LARGE_TOGETHER = 'The files of a message can be up to 20 MB in total.';

/** `too_large` maps to `413`, `invalid` to `422`. */
export type AttachmentProblem = { kind: 'too_large' | 'invalid'; message: string };

/** Returns the first violated limit for files with these sizes in bytes, or undefined. */
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
