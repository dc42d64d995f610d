import { type Age, DUE_SOON_MINUTES, type SlaState } from '#server/screens/inbox/filter-values.ts';

export const slaNames: Record<SlaState, string> = {
  overdue: 'Overdue',
  soon: `Due within ${DUE_SOON_MINUTES} min`,
};

export const replyNames = { failed: 'Not sent', scheduled: 'Scheduled' };

export const verifiedNames = { yes: 'Verified', no: 'Not verified' };

/** Names of a teammate and a team that are not among the choices. */
export const unlistedNames = { assignee: 'Former teammate', team: 'Deleted team' };

export const ageNames: Record<Age, string> = {
  '1d': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  'over-7d': '7+ days ago',
  'over-30d': '30+ days ago',
};
