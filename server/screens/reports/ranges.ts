/** Periods that a report offers, with their lengths in days. They end today. */
export const RANGES = {
  '7d': { name: '7 days', days: 7 },
  '30d': { name: '30 days', days: 30 },
  '90d': { name: '90 days', days: 90 },
  '12m': { name: '12 months', days: 365 },
} as const;
