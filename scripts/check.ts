import { checkStages } from '#scripts/check-stages.ts';
import { runStages } from '#scripts/run-stages.ts';

// `npm run check`: the inner loop, without build and browser.
await runStages(checkStages);
