import { createHash } from 'node:crypto';

/** The id of an update whose provider gives it none: sent again it has the same bytes. */
export function digestOfBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
