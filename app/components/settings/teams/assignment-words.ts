import type { TeamAssignment, TeamView } from '#server/screens/settings/people-views.ts';

/** Names of the settings, and what they do. */
export const ASSIGNMENTS: Record<TeamAssignment, { name: string; hint: string }> = {
  off: { name: 'Off', hint: 'Conversations stay unassigned until a teammate or an automation assigns them.' },
  round_robin: {
    name: 'Round robin',
    hint: 'Each conversation goes to the available member who has waited longest for one.',
  },
  least_busy: {
    name: 'Least busy',
    hint: 'Each conversation goes to the available member with the fewest open conversations.',
  },
};

/** Describes a team's setting in a line. */
export function describeAssignment({
  assignment,
  assignmentLimit,
}: Pick<TeamView, 'assignment' | 'assignmentLimit'>): string {
  if (assignment === 'off') return 'Assigned by hand';
  const limit = assignmentLimit === null ? '' : `, up to ${assignmentLimit} open each`;
  return `Assigned automatically: ${ASSIGNMENTS[assignment].name.toLowerCase()}${limit}`;
}
