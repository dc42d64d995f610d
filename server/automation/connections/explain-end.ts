import type { ConnectionEnd } from '#server/generated/prisma/enums.ts';

/** Reason why a connection ended, and the way to restore it; null when it cannot be restored. */
export type EndWords = { why: string; whatToDo: string | null };

type Names = {
  platformName: string;
  teammateName: string;
  /** The teammate who disconnected it, if known. */
  endedBy?: string | null;
};

/** Explains the end of a connection to a user (docs/spec.md §3). */
export function explainEnd(reason: ConnectionEnd, { platformName, teammateName, endedBy }: Names): EndWords {
  const others = `Another owner or admin can connect in ${platformName}.`;
  switch (reason) {
    case 'disconnected':
      return {
        why: `${endedBy ?? 'An owner or admin'} disconnected it here.`,
        whatToDo: `To restore it, connect again in ${platformName}.`,
      };
    case 'teammate_left':
      return { why: `${teammateName} is no longer in this workspace.`, whatToDo: others };
    case 'teammate_deleted':
      return { why: `The account of ${teammateName} was deleted.`, whatToDo: others };
    case 'workspace_deleted':
      return { why: 'The workspace was deleted.', whatToDo: null };
    case 'not_allowed':
      return { why: `${teammateName} is no longer an owner or admin.`, whatToDo: others };
    case 'revoked_by_platform':
      return {
        why: `It was disconnected in ${platformName}.`,
        whatToDo: `If you still need it, connect again in ${platformName}.`,
      };
    case 'code_reused':
      return {
        why: `${platformName} presented its authorization code a second time. Someone else may have seen that code, so the connection was disconnected to be safe.`,
        whatToDo: `Connect again in ${platformName}. If it happens again, contact its support.`,
      };
    case 'never_exchanged':
      return {
        why: `${platformName} did not finish connecting within ten minutes.`,
        whatToDo: `If you still need it, connect again in ${platformName}.`,
      };
  }
}
