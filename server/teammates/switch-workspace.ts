import { inTransaction } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';
import { publishSession } from '#server/core/live/publish.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** Opens another workspace in this session, and at the next sign-in. Throws a Refusal unless a member of it. */
export async function switchWorkspace(
  { sessionId, user, workspaces }: SignedIn,
  workspaceId: string,
): Promise<void> {
  if (!workspaces.some(({ id }) => id === workspaceId)) throw notFound('The workspace');
  await inTransaction(async (tx) => {
    await tx.session.update({ where: { id: sessionId }, data: { workspaceId }, select: { id: true } });
    await tx.user.update({
      where: { id: user.id },
      data: { lastWorkspaceId: workspaceId },
      select: { id: true },
    });
  });
  publishSession(sessionId);
}
