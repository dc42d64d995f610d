import { packagesPlan } from '#scripts/check/check-packages.ts';
import { runStages } from '#scripts/check/run-plan.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { installFolders, PACKAGES } from '#scripts/tools/install-packages.mjs';
import { projectDir } from '#server/core/project.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

// `npm run packages [names]`: builds, lints and tests the packages in `packages/` against the service.
await runCli(async () => {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !PACKAGES.includes(name));
  if (unknown.length > 0)
    throw new UserError(`There is no package ${unknown.join(', ')}. Choose from ${PACKAGES.join(', ')}.`);
  await generateClient(() => undefined);
  const wanted = names.length > 0 ? names : PACKAGES;
  // Tests of other packages use the client.
  await installFolders(
    projectDir,
    [...new Set(['client', ...wanted])].map((name) => `packages/${name}`),
  );
  await runStages(packagesPlan(wanted));
});
