import type { AssignmentTurn, TimelineContent } from '#server/inbox/conversations/timeline.ts';

const CHOSEN_BECAUSE = {
  round_robin: 'whose turn it was',
  least_busy: 'who had the fewest open conversations of those available',
} as const satisfies Record<AssignmentTurn['by'], string>;

/** Returns the sentence of an entry about an automatic assignment, without a full stop; null for other entries. */
export function describeAutomaticAssignment({ kind, data }: TimelineContent): string | null {
  if (kind === 'nobody_available')
    return `Nobody in ${data.teamName} is available. It will be assigned as soon as somebody is`;
  if (kind !== 'assigned' || !data.turn) return null;
  const { by, teamName, insteadOf } = data.turn;
  const assigned = `Assigned to ${data.assigneeName}, ${CHOSEN_BECAUSE[by]} in ${teamName}`;
  return insteadOf === undefined ? assigned : `${assigned}, because ${insteadOf} is away`;
}
