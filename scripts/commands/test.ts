import { checkPackages } from '#scripts/check/check-packages.ts';
import { checkStages } from '#scripts/check/check-stages.ts';
import { runEndToEnd } from '#scripts/check/run-end-to-end.ts';
import { runStages, stageOf } from '#scripts/check/run-stages.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';

// `npm test`: everything.
await runStages([
  ...checkStages,
  { label: 'Packages', run: checkPackages },
  stageOf('Build', (signal) => buildScreens(() => undefined, signal)),
  { label: 'End to end', run: runEndToEnd },
]);
