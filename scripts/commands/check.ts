import { checkPlan } from '#scripts/check/check-stages.ts';
import { readArguments } from '#scripts/check/read-arguments.ts';
import { runStages } from '#scripts/check/run-plan.ts';
import { runCli } from '#server/core/user-error.ts';

await runCli(async () => {
  const options = readArguments(process.argv.slice(2));
  console.log(
    '  Skipped: build, packages, browser tests, and tests that start processes. npm test runs them.',
  );
  await runStages(checkPlan({ leaves: 'processes' }), options);
});
