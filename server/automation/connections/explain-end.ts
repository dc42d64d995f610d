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
  const words: Record<ConnectionEnd, EndWords> = {
    disconnected: {
      why: `${endedBy ?? 'An owner or admin'} disconnected it here.`,
      whatToDo: `To restore it, connect again in ${platformName}.`,
    },
    teammate_left: { why: `${teammateName} is no longer in this workspace.`, whatToDo: others },
    teammate_deleted: { why: `The account of ${teammateName} was deleted.`, whatToDo: others },
    workspace_deleted: { why: 'The workspace was deleted.', whatToDo: null },
    not_allowed: { why: `${teammateName} is no longer an owner or admin.`, whatToDo: others },
    revoked_by_platform: {
      why: `It was disconnected in ${platformName}.`,
      whatToDo: `If you still need it, connect again in ${platformName}.`,
    },
    code_reused: {
      why: `${platformName} presented its authorization code a second time. Someone else may have seen that code, so the connection was disconnected to be safe.`,
      whatToDo: `Connect again in ${platformName}. If it happens again, contact its support.`,
    },
    never_exchanged: {
      why: `${platformName} did not finish connecting within ten minutes.`,
      whatToDo: `If you still need it, connect again in ${platformName}.`,
    },
  };
  return words[reason];
}
