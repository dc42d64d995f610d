import type { Costs } from '#bench/scaling/costs.ts';
import { planFor } from '#bench/scaling/plan.ts';

export const SIZES = [10, 1_000, 100_000] as const;

/** Returns the lines of the table in docs/scaling.md: the resources of each size in its busiest hour. */
export function scalingTable(costs: Costs): string[] {
  const rows = SIZES.map((workspaces) => {
    const { rates, busy, cores, historyGigabytes } = planFor(workspaces, costs);
    const calls = rates.read + rates.search + rates.change + rates.refresh;
    const both = (kind: keyof typeof busy) => `${format(busy[kind])} (${cores[kind]})`;
    return [
      workspaces.toLocaleString('en'),
      format(calls),
      format(rates.delivery),
      both('servers'),
      both('workers'),
      both('postgres'),
      format(historyGigabytes),
    ];
  });
  return [
    '| workspaces | calls/s | deliveries/s | servers: busy (to provide) | workers: busy (to provide) | PostgreSQL: busy (to provide) | history, GB |',
    '|-|-|-|-|-|-|-|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

/** Formats with two significant digits. */
function format(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return rounded >= 1 ? rounded.toLocaleString('en') : `${rounded}`;
}
