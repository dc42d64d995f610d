import { testPlan } from '#scripts/check/check-stages.ts';
import { readArguments } from '#scripts/check/read-arguments.ts';
import { runStages } from '#scripts/check/run-plan.ts';
import { emptyCompileCache } from '#scripts/tools/compile-cache.ts';
import { runCli } from '#server/core/user-error.ts';

await runCli(async () => {
  const { tier, ...options } = readArguments(process.argv.slice(2));
  if (tier === 'everyday')
    console.log('  Without faults, large workspaces, most flows and packages: npm test -- --all');
  await emptyCompileCache();
  await runStages(testPlan(tier), options);
});
