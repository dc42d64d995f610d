import { CONSECUTIVE_ERRORS_MAX } from '#server/automation/hooks/remove-hooks.ts';
import type { HookRemoval } from '#server/generated/prisma/enums.ts';

/** Reason why a hook was removed, and the way to restore it; null when the removal was intended. */
export type RemovalWords = { why: string; whatToDo: string | null };

/**
 * Explains the removal of a hook to users.
 * @param teammateName the teammate who connected it
 */
export function explainRemoval(
  reason: HookRemoval,
  { platformName, teammateName }: { platformName: string; teammateName: string },
): RemovalWords {
  const turnOnAgain = `Turn the workflow off and on again in ${platformName}.`;
  const connectAgain = `Connect again in ${platformName}, then turn the workflow on.`;
  const words: Record<HookRemoval, RemovalWords> = {
    unsubscribed: { why: `The workflow was turned off or changed in ${platformName}.`, whatToDo: null },
    gone: { why: `${platformName} reported that this workflow is gone (410).`, whatToDo: turnOnAgain },
    failing: {
      why: `${CONSECUTIVE_ERRORS_MAX} events in a row failed, each answered with an error by ${platformName}.`,
      whatToDo: `Fix the workflow, then turn it off and on again in ${platformName}.`,
    },
    disconnected: { why: 'An owner or admin disconnected its connection here.', whatToDo: connectAgain },
    teammate_left: {
      why: `${teammateName}, who had connected it, left the workspace.`,
      whatToDo: `Another owner or admin can connect in ${platformName} and turn the workflow on.`,
    },
    not_allowed: {
      why: `${teammateName}, who had connected it, is no longer an owner or admin.`,
      whatToDo: `An owner or admin can connect in ${platformName} and turn the workflow on.`,
    },
    revoked_by_platform: {
      why: `The connection was disconnected in ${platformName}.`,
      whatToDo: connectAgain,
    },
  };
  return words[reason];
}
