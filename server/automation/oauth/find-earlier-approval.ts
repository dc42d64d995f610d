import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import type { EarlierApproval } from '#server/automation/oauth/consent-view.ts';
import { db } from '#server/ground/db.ts';

/**
 * Whether a teammate approved this very request before, as after `Back`: its challenge belongs to one attempt to connect
 * (RFC 7636 §4.1). One without a challenge cannot be told from a new one. Approving again stays possible, as nothing
 * obliges the platform to make each request differ; but the page says what has happened.
 */
export async function findEarlierApproval(
  userId: string,
  { challenge }: AuthorizeRequest,
): Promise<EarlierApproval | null> {
  if (!challenge) return null;
  const earlier = await db().connection.findFirst({
    where: {
      userId,
      endedAt: null,
      codes: { some: { codeChallenge: challenge.value, challengeMethod: challenge.method } },
    },
    select: { exchangedAt: true, workspace: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
  });
  if (!earlier?.workspace) return null;
  return { workspaceName: earlier.workspace.name, isWaiting: earlier.exchangedAt === null };
}
