import { randomUUID } from 'node:crypto';
import { type Notice, type PlatformState, trimOldest } from './state.ts';

const NOTICES_KEPT = 50;

/** Keeps a notice for the page that comes next, and answers the id by which that page asks for it. */
export function addNotice({ notices }: PlatformState, notice: Omit<Notice, 'id'>): string {
  const id = randomUUID();
  notices.set(id, { id, ...notice });
  trimOldest(notices, NOTICES_KEPT);
  return id;
}
