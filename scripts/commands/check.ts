import { checkPlan } from '#scripts/check/check-stages.ts';
import { runStages } from '#scripts/check/run-plan.ts';
import { runCli } from '#server/core/user-error.ts';

await runCli(() => runStages(checkPlan()));
