import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { turnOnSecondFactor } from '#test/fixtures/second-factors.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';

const REFUSED = 'SECRETS_KEY is not set, but the database has ';

test('SECRETS_KEY is required once a teammate has an authenticator app', async ({ service: _ }) => {
  const { owner } = await makeTeammates();
  await turnOnSecondFactor(owner);
  await withoutKey(() => expect(requireSecretsKey()).rejects.toThrow(REFUSED));
  await db().secondFactor.deleteMany();
  await withoutKey(() => expect(requireSecretsKey()).resolves.toBeUndefined());
});

test('SECRETS_KEY is required once a workspace has single sign-on', async ({ service: _ }) => {
  const { id: workspaceId } = await makeWorkspace();
  const data = {
    workspaceId,
    issuer: 'https://id.test',
    clientId: 'inbox',
    clientSecret: Buffer.from('sealed'),
  };
  await db().singleSignOn.create({ data });
  await withoutKey(() => expect(requireSecretsKey()).rejects.toThrow(REFUSED));
});

async function withoutKey(work: () => Promise<void>): Promise<void> {
  const { SECRETS_KEY } = settings();
  Object.assign(settings(), { SECRETS_KEY: undefined });
  await work().finally(() => Object.assign(settings(), { SECRETS_KEY }));
}
