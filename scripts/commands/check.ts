import { checkPlan } from '#scripts/check/check-stages.ts';
import { runStages } from '#scripts/check/run-plan.ts';

// `npm run check`: the inner loop.
console.log(
  '  Without build, packages, browser and the tests that start processes: npm test runs them, too.',
);
await runStages(checkPlan({ leaves: 'processes' }));
