import { checkPackages, installAll } from '#scripts/check/check-packages.ts';
import { checkPlan } from '#scripts/check/check-stages.ts';
import { runEndToEnd } from '#scripts/check/run-end-to-end.ts';
import { stageOf } from '#scripts/check/run-plan.ts';
import { runStages } from '#scripts/check/run-stages.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';

// `npm test`: everything.
await runStages([
  ...checkPlan({
    built: [stageOf('Build', (signal) => buildScreens(() => undefined, signal))],
    fetched: [stageOf('Install packages', () => installAll())],
  }),
  { label: 'Packages', run: checkPackages },
  { label: 'End to end', run: runEndToEnd },
]);
