import { readCosts } from '#bench/scaling/costs.ts';
import { planFor } from '#bench/scaling/plan.ts';
import { simulate } from '#bench/scaling/simulate.ts';
import { SIZES, scalingTable } from '#bench/scaling/table.ts';

const SECONDS = 20;
const SEED = 1;

/**
 * Computes the resources for 10, 1,000 and 100,000 connected workspaces from measured costs. Simulates some
 * seconds of the busiest hour with exactly these processors.
 */
export async function benchScaling(): Promise<void> {
  const costs = readCosts();
  console.log(`Costs measured on ${costs.measuredAt}: ${costs.machine}, load ${costs.load}.\n`);
  for (const line of scalingTable(costs)) console.log(line);
  for (const workspaces of SIZES) {
    const plan = planFor(workspaces, costs);
    const { share, requestMs, deliveryMs } = simulate(plan, costs, { seconds: SECONDS, seed: SEED });
    const shares = Object.entries(share).map(([name, each]) => `${name} ${(100 * each).toFixed(0)} % busy`);
    console.log(
      `\n${workspaces} workspaces, ${SECONDS} simulated seconds: ${shares.join(', ')}; a call is answered after ` +
        `${requestMs.toFixed(1)} ms, a change delivered after ${deliveryMs.toFixed(1)} ms (p99)`,
    );
  }
}
