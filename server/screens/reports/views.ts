import type { Figures } from '#server/inbox/reports/figures.ts';
import type { Dimension, Measure } from '#server/inbox/reports/measures.ts';
import type { Period } from '#server/inbox/reports/period.ts';
import type { Report } from '#server/inbox/reports/read-report.ts';
import type { RANGES } from '#server/screens/reports/ranges.ts';

export type { Figures } from '#server/inbox/reports/figures.ts';
export type { Period } from '#server/inbox/reports/period.ts';

/** Conversations that a report is about. */
export type ReportOption = { key: string; name: string };
export type ComparedBy = Exclude<Dimension, 'all'>;
export type Range = keyof typeof RANGES;

/** Period and subject of a report. `range` is null for custom days. */
export type ReportScope = {
  range: Range | null;
  period: Period;
  previousPeriod: Period;
  dimension: Dimension;
  key: string;
  /** Of the teammate, team, channel or tag; null for all. */
  name: string | null;
  timeZone: string;
};

export type ReportView = ReportScope &
  Report & {
    /** Conversations from before are still being counted. */
    isCounting: boolean;
    options: Record<ComparedBy, ReportOption[]>;
  };

export type ComparisonView = { rows: (ReportOption & Figures)[]; isCut: boolean };

/** Figures that link to a list of conversations. `missed`: missed SLA targets. */
export type ListedMeasure = Measure | 'missed';

export type CountedConversation = {
  id: string;
  subject: string | null;
  contactName: string | null;
  assigneeName: string | null;
  /** Day of what was counted. */
  day: string;
  /** Seconds of business hours, or a score. */
  value: number | null;
};

export type CountedPage = { items: CountedConversation[]; next: string | null };
