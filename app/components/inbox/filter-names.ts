import { type Age, DUE_SOON_MINUTES, type SlaState } from '#server/screens/inbox/filter-values.ts';

export const slaNames: Record<SlaState, string> = {
  overdue: 'Overdue',
  soon: `Due within ${DUE_SOON_MINUTES} min`,
};

export const verifiedNames = { yes: 'Verified', no: 'Not verified' };

export const ageNames: Record<Age, string> = {
  '1d': 'In the last 24 hours',
  '7d': 'In the last 7 days',
  '30d': 'In the last 30 days',
  'over-7d': 'Over 7 days ago',
  'over-30d': 'Over 30 days ago',
};
