import { checkPlan } from '#scripts/check/check-stages.ts';
import { runStages } from '#scripts/check/run-plan.ts';

// `npm run check`: the inner loop, without build and browser.
await runStages(checkPlan());
