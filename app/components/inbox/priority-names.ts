import type { Priority } from '#server/screens/inbox/views.ts';

export const priorityNames: Record<Priority, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
};
