import type { Priority } from '#server/screens/inbox/views.ts';

/** Lowest first. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const satisfies Priority[];

export const priorityNames: Record<Priority, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
};
