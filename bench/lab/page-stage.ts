import { hashPassword } from 'better-auth/crypto';
import { filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import type { Lab } from '#bench/lab/lab.ts';
import { startMeasured } from '#bench/lab/measured-program.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { PASSWORD, signInAs } from '#test/clients/sign-in.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

/** The program that serves the screens of a build, and its settings. */
export const PAGES: [program: string, env: Record<string, string>] = [
  'bench/programs/serve-pages.ts',
  { NODE_ENV: 'production' },
];

const CONVERSATIONS = scaled(1_000_000);

/**
 * Starts the service with its screens, the workspace that all benchmarks of this size share, and a signed-in admin of
 * it. `conversation`: an open one that can be answered.
 */
export async function startPageStage(lab: Lab) {
  await buildScreens(() => console.log('Building the screens.'));
  const databaseUrl = await filledDatabase(lab, CONVERSATIONS);
  setTestSettings({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' });
  const { workspaceId, userId } = await fillInbox(databaseUrl, CONVERSATIONS);
  await removeConnections(workspaceId);
  await saveReplies(workspaceId);
  const program = await startMeasured(...PAGES);
  const cookie = await signInAs(program.url, await withPassword(userId));
  const conversation = await db().conversation.findFirstOrThrow({
    where: { workspaceId, status: 'open', channel: 'webchat', contact: { email: { not: null } } },
    select: { id: true },
  });
  return { program, cookie, workspaceId, userId, conversation: conversation.id };
}

/** Removes the connections and their teammates, which other benchmarks add: their options would dominate the page. */
async function removeConnections(workspaceId: string): Promise<void> {
  await pool().query('delete from connections where workspace_id = $1', [workspaceId]);
  await pool().query(
    `delete from members m using users u
     where m.workspace_id = $1 and u.id = m.user_id and u.email not like '%.' || $1 || '@bench.test'`,
    [workspaceId],
  );
}

/** Saves replies for the composer, in place of those of earlier runs. */
async function saveReplies(workspaceId: string): Promise<void> {
  await db().savedReply.deleteMany({ where: { workspaceId } });
  const content = 'Hello {{contact.first_name}}, your order is on its way.';
  const data = Array.from({ length: 30 }, (_, n) => ({
    workspaceId,
    name: `Reply ${n + 1}`,
    content,
    createdByName: '',
  }));
  await db().savedReply.createMany({ data });
}

/** Lets a user sign in with `PASSWORD`. */
async function withPassword(userId: string): Promise<{ email: string }> {
  const account = { providerId: 'credential', accountId: userId };
  await db().account.upsert({
    where: { providerId_accountId: account },
    create: { ...account, userId, password: await hashPassword(PASSWORD) },
    update: {},
  });
  return db().user.update({ where: { id: userId }, data: { emailVerified: true }, select: { email: true } });
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
