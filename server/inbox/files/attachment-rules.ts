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
