import { v7 as uuidv7 } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { notFound } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';
import { describeDevice } from '#server/teammates/describe-device.ts';
import { endTrust } from '#server/teammates/trusted-browser.ts';

/** A browser in which a teammate is signed in. `address`: the IP address at sign-in. */
export type SessionView = {
  id: string;
  device: string;
  address: string | null;
  signedInAt: Date;
  lastUsedAt: Date;
  isCurrent: boolean;
};

/** Maximum number of sessions that are listed, those used last. */
const LISTED_MAX = 50;

/** The teammate and the session in which they act. */
type Actor = { user: Teammate; sessionId: string };

/** Lists the sessions of a teammate: the current one first, then the one used last. */
export async function listSessions({ user, sessionId }: Actor): Promise<SessionView[]> {
  const rows = await db().session.findMany({
    where: { userId: user.id, expiresAt: { gt: new Date() } },
    orderBy: [{ lastUsedAt: { sort: 'desc', nulls: 'last' } }, { updatedAt: 'desc' }],
    select: {
      id: true,
      userAgent: true,
      ipAddress: true,
      createdAt: true,
      updatedAt: true,
      lastUsedAt: true,
    },
    take: LISTED_MAX,
  });
  return rows
    .map(({ id, userAgent, ipAddress, createdAt, updatedAt, lastUsedAt }) => ({
      id,
      device: describeDevice(userAgent),
      address: ipAddress || null,
      signedInAt: createdAt,
      lastUsedAt: lastUsedAt ?? updatedAt,
      isCurrent: id === sessionId,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/**
 * Ends another session of a teammate. Its pages, streams and downloads are refused immediately. No browser stays trusted: the one that
 * was lost would not be asked for the second factor.
 * @throws Refusal when the teammate has no such other session
 */
export async function endSession({ user, sessionId }: Actor, id: string): Promise<void> {
  await inTransaction(async (tx) => {
    await endTrust(tx, user.id);
    const [ended] = await tx.$queryRaw<{ userAgent: string | null }[]>`
      delete from sessions where id = ${id}::uuid and user_id = ${user.id}::uuid and id <> ${sessionId}::uuid
      returning user_agent as "userAgent"`;
    if (!ended) throw notFound('The session');
    await recordEnd(tx, user.id, `their session in ${describeDevice(ended.userAgent)}`);
    afterCommit(tx, () => publishSession(id));
  });
}

/** Ends all sessions of a teammate except the current one, and the trust in all browsers. Returns the number of sessions. */
export function endOtherSessions({ user, sessionId }: Actor): Promise<number> {
  return inTransaction(async (tx) => {
    await endTrust(tx, user.id);
    const ended = await tx.$queryRaw<{ id: string }[]>`
      delete from sessions where user_id = ${user.id}::uuid and id <> ${sessionId}::uuid returning id`;
    if (ended.length === 0) return 0;
    await recordEnd(tx, user.id, 'all their other sessions');
    afterCommit(tx, () => {
      for (const { id } of ended) publishSession(id);
    });
    return ended.length;
  });
}

function recordEnd(tx: Tx, userId: string, sessions: string): Promise<void> {
  return addSignInEntries(tx, {
    id: uuidv7(),
    userId,
    kind: 'sessions_ended',
    isByTeammate: true,
    data: { sessions },
  });
}
