import type { Costs } from '#bench/scaling/costs.ts';
import { planFor } from '#bench/scaling/plan.ts';

/** The sizes of docs/scaling.md. */
export const SIZES = [10, 1_000, 100_000] as const;

/** The table of docs/scaling.md, line by line: what each size needs at its busiest hour. */
export function scalingTable(costs: Costs): string[] {
  const rows = SIZES.map((workspaces) => {
    const { rates, busy, cores, historyGigabytes } = planFor(workspaces, costs);
    const calls = rates.read + rates.search + rates.change + rates.refresh;
    const both = (kind: keyof typeof busy) => `${said(busy[kind])} (${cores[kind]})`;
    return [
      workspaces.toLocaleString('en'),
      said(calls),
      said(rates.delivery),
      both('servers'),
      both('workers'),
      both('postgres'),
      said(historyGigabytes),
    ];
  });
  return [
    '| workspaces | calls/s | deliveries/s | servers: busy (to have) | workers: busy (to have) | PostgreSQL: busy (to have) | history, GB |',
    '|-|-|-|-|-|-|-|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

/** Two digits that count. */
function said(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return rounded >= 1 ? rounded.toLocaleString('en') : `${rounded}`;
}
