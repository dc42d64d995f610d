import type { Priority } from '#server/generated/prisma/enums.ts';

// Values of the filters of the inbox, in the URL and in the procedures. Scripts of pages import this file.

/** Lowest first. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const satisfies readonly Priority[];

/** States of the next running SLA clock. */
export const SLA_STATES = ['overdue', 'soon'] as const;

export type SlaState = (typeof SLA_STATES)[number];

/** An SLA target is due soon within this time. */
export const DUE_SOON_MINUTES = 60;

/** Choices of the date filters: within the last days, or before them. */
export const AGES = ['1d', '7d', '30d', 'over-7d', 'over-30d'] as const;

export type Age = (typeof AGES)[number];
