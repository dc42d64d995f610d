import { timingSafeEqual } from 'node:crypto';
import { parse as parseUuid, stringify as uuidText } from 'uuid';
import { RATING_LINK_DAYS } from '#server/contract/rating-scores.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { signForPurpose } from '#server/core/secrets.ts';

/** What a mailed link may rate. */
type Rateable = { workspaceId: string; conversationId: string };

const UUID_BYTES = 16;
const PURPOSE = 'rating link';
const FORM = /^[\w-]{86}$/;

/** The address of the page that rates a conversation, signed: no one can make one for another conversation. */
export function ratingUrl(what: Rateable, score?: number): string {
  const query = score === undefined ? '' : `?score=${score}`;
  return `${settings().BASE_URL}/rate/${ratingToken(what)}${query}`;
}

/** Where mails that ask for a rating begin to be declined: `/unsubscribe/` and the token of the conversation. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/';

/** The address at which the contact of a conversation says that they want no more mails like it. */
export function unsubscribeUrl(what: Rateable): string {
  return `${settings().BASE_URL}${UNSUBSCRIBE_PATH}${ratingToken(what)}`;
}

/** Both ids and an HMAC-SHA-256 over them, in base64url. */
export function ratingToken({ workspaceId, conversationId }: Rateable): string {
  const ids = Buffer.concat([parseUuid(workspaceId), parseUuid(conversationId)]);
  return Buffer.concat([ids, signForPurpose(PURPOSE, ids)]).toString('base64url');
}

/** What a token may rate, or undefined when it was not signed here. Compared in constant time. */
export function parseRatingToken(token: string): Rateable | undefined {
  if (!FORM.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const ids = bytes.subarray(0, 2 * UUID_BYTES);
  if (!timingSafeEqual(bytes.subarray(2 * UUID_BYTES), signForPurpose(PURPOSE, ids))) return undefined;
  return {
    workspaceId: uuidText(ids.subarray(0, UUID_BYTES)),
    conversationId: uuidText(ids.subarray(UUID_BYTES)),
  };
}

/** Whether the link that was mailed at a time works no more. Before it is mailed no one has it. */
export function hasLinkEnded(mailedAt: Date | null, now = new Date()): boolean {
  return mailedAt !== null && now.getTime() - mailedAt.getTime() > RATING_LINK_DAYS * 86_400_000;
}

/**
 * The contact of a conversation is mailed for no rating any more, in this workspace. Twice changes nothing.
 * @returns the name of the workspace, or null for a link that was not signed here or leads nowhere any more
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

/** Whom a link is about; reading changes nothing. */
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
