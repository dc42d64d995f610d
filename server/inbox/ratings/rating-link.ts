import { timingSafeEqual } from 'node:crypto';
import { parse as parseUuid, stringify as uuidText } from 'uuid';
import { RATING_LINK_DAYS } from '#server/contract/rating-scores.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { signForPurpose } from '#server/core/secrets.ts';

type Rateable = { workspaceId: string; conversationId: string };

const UUID_BYTES = 16;
const PURPOSE = 'rating link';
const TOKEN_PATTERN = /^[\w-]{86}$/;

/** Returns the signed URL of the page that rates a conversation. */
export function ratingUrl(what: Rateable, score?: number): string {
  const query = score === undefined ? '' : `?score=${score}`;
  return `${settings().BASE_URL}/rate/${ratingToken(what)}${query}`;
}

/** Prefix of the path that declines rating emails. The token of the conversation follows. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/';

/** Returns the signed URL where a contact declines further rating emails. */
export function unsubscribeUrl(what: Rateable): string {
  return `${settings().BASE_URL}${UNSUBSCRIBE_PATH}${ratingToken(what)}`;
}

/** Returns both ids and an HMAC-SHA-256 over them, in base64url. */
export function ratingToken({ workspaceId, conversationId }: Rateable): string {
  const ids = Buffer.concat([parseUuid(workspaceId), parseUuid(conversationId)]);
  return Buffer.concat([ids, signForPurpose(PURPOSE, ids)]).toString('base64url');
}

/** Parses and verifies a token. Returns undefined if the signature is wrong. Compares in constant time. */
export function parseRatingToken(token: string): Rateable | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * UUID_BYTES);
  if (!timingSafeEqual(bytes.subarray(2 * UUID_BYTES), signForPurpose(PURPOSE, ids))) return undefined;
  return {
    workspaceId: uuidText(ids.subarray(0, UUID_BYTES)),
    conversationId: uuidText(ids.subarray(UUID_BYTES)),
  };
}

/** Returns whether a link sent at the given time has expired. An unsent link (null) has not. */
export function hasLinkEnded(mailedAt: Date | null, now = new Date()): boolean {
  return mailedAt !== null && now.getTime() - mailedAt.getTime() > RATING_LINK_DAYS * 86_400_000;
}

/**
 * Stops rating emails to the contact of a conversation, in this workspace. Idempotent.
 * @returns the name of the workspace; null for an invalid link or a missing conversation
 */
export async function declineRatings(token: string): Promise<{ workspaceName: string } | null> {
  const found = await findDeclinable(token);
  if (!found) return null;
  const { id, workspace } = found;
  const { count } = await db().contact.updateMany({
    where: { id, ratingsDeclinedAt: null },
    data: { ratingsDeclinedAt: new Date() },
  });
  if (count === 1) log().info({ contactId: id }, 'rating.declined');
  return { workspaceName: workspace.name };
}

/** Returns the contact and workspace that an unsubscribe link refers to, or null. Changes nothing. */
export async function findDeclinable(token: string) {
  const what = parseRatingToken(token);
  if (!what) return null;
  const { workspaceId, conversationId: id } = what;
  const conversation = await db().conversation.findFirst({
    where: { workspaceId, id, workspace: { deletedAt: null } },
    select: { contact: { select: { id: true, workspace: { select: { name: true } } } } },
    relationLoadStrategy: 'join',
  });
  return conversation?.contact ?? null;
}
