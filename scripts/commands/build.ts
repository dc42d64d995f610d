import { buildScreens } from '#scripts/tools/build-screens.ts';
import { generateClient } from '#scripts/tools/generate-client.ts';
import { runStep } from '#scripts/tools/steps.ts';
import { runCli } from '#server/core/user-error.ts';

// `npm run build`: builds what `npm run web` and `npm run worker` need.
await runCli(async () => {
  await runStep('Prisma client', async ({ note, slow }) => {
    note((await generateClient(() => slow('generating'))) ? 'generated' : 'unchanged');
  });
  await runStep('Screens', async ({ note, slow }) => {
    note((await buildScreens(() => slow('building, about a minute'))) ? 'built' : 'unchanged');
  });
});
