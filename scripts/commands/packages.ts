import { packagesPlan } from '#scripts/check/check-packages.ts';
import { runStages } from '#scripts/check/run-plan.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { PACKAGES } from '#scripts/tools/install-packages.mjs';
import { runCli, UserError } from '#server/core/user-error.ts';

// `npm run packages [names]`: installs, builds, lints and tests clean copies of the packages in `packages/` against
// the service.
await runCli(async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !PACKAGES.includes(name));
  if (unknown.length > 0)
    throw new UserError(`There is no package ${unknown.join(', ')}. Choose from ${PACKAGES.join(', ')}.`);
  await generateClient(() => undefined);
  await runStages(packagesPlan(names.length > 0 ? names : PACKAGES));
});
