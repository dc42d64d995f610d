import { packagesPlan } from '#scripts/check/check-packages.ts';
import { checkPlan } from '#scripts/check/check-stages.ts';
import { readArguments } from '#scripts/check/read-arguments.ts';
import { runEndToEnd } from '#scripts/check/run-end-to-end.ts';
import { runStages, stageOf } from '#scripts/check/run-plan.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { runCli } from '#server/core/user-error.ts';

await runCli(async () => {
  const options = readArguments(process.argv.slice(2));
  const plan = [
    ...checkPlan({ built: [stageOf('Build', (signal) => buildScreens(() => undefined, signal))] }),
    // Installing packages mostly waits.
    { sideBySide: [packagesPlan(), [{ label: 'End to end', run: runEndToEnd }]] },
  ];
  await runStages(plan, options);
});
