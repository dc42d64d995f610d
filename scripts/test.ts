import { buildScreens } from '#scripts/build-screens.ts';
import { checkStages } from '#scripts/check-stages.ts';
import { runEndToEnd } from '#scripts/run-end-to-end.ts';
import { runStages, stageOf } from '#scripts/run-stages.ts';

// `npm test`: everything.
await runStages([
  ...checkStages,
  stageOf('Build', (signal) => buildScreens(() => undefined, signal)),
  { label: 'End to end', run: runEndToEnd },
]);
