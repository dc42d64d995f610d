import { startMeasured } from '#bench/lab/measured-program.ts';
import { fillStage } from '#bench/lab/request-stage.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { pool } from '#server/core/database/pools.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

/** Starts the service with its screens, a workspace of many conversations, and a signed-in admin. */
export async function startPageStage(databaseUrl: string, conversations: number) {
  await buildScreens(() => console.log('Building the screens.'));
  setTestSettings({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' });
  const stage = await fillStage(databaseUrl, conversations);
  const admin = await makeUser('Grace Hopper', { workspaceId: stage.workspaceId, role: 'admin' });
  // Reduce the teammates to a usual number: their options would dominate the page.
  await pool().query('delete from connections where workspace_id = $1', [stage.workspaceId]);
  await pool().query(
    'update conversations set assignee_id = $2 where workspace_id = $1 and assignee_id is not null',
    [stage.workspaceId, admin.id],
  );
  await pool().query('delete from members where workspace_id = $1 and user_id <> $2', [
    stage.workspaceId,
    admin.id,
  ]);
  await pool().query('vacuum analyze');
  const program = await startMeasured('bench/programs/serve-pages.ts', { NODE_ENV: 'production' });
  const cookie = await signInAs(program.url, admin);
  const conversation = stage.conversations[0];
  if (conversation === undefined) throw new Error('There is no conversation.');
  return { program, cookie, conversation };
}

export function consentPath(): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: PLATFORM.clientId,
    redirect_uri: PLATFORM.returnUrl,
    state: 'a state',
  });
  return `/oauth/authorize?${query}`;
}
