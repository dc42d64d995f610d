import { packagesPlan } from '#scripts/check/check-packages.ts';
import { checkPlan } from '#scripts/check/check-stages.ts';
import { runEndToEnd } from '#scripts/check/run-end-to-end.ts';
import { runStages, stageOf } from '#scripts/check/run-plan.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';

// `npm test`: everything.
await runStages([
  ...checkPlan({ built: [stageOf('Build', (signal) => buildScreens(() => undefined, signal))] }),
  ...packagesPlan(),
  { label: 'End to end', run: runEndToEnd },
]);
