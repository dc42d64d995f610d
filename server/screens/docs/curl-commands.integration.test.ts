import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { DEVELOPER_API_PATH } from '#server/core/env.ts';
import { curlOf } from '#server/screens/docs/curl-of.ts';
import { developerReference } from '#server/screens/docs/docs.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeContact, makeConversation, type Stage } from '#test/fixtures/conversations.ts';
import { until } from '#test/fixtures/until.ts';
import { test as webhookTest } from '#test/fixtures/webhook-test.ts';

/** `run` runs a shell command with curl and a token. Returns the status and body of the response. */
const test = webhookTest
  .extend('curlHome', { scope: 'file' }, async ({ service: _ }, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'curl-'));
    onCleanup(() => rm(folder, { recursive: true }));
    // So that the command stays as it is shown.
    await writeFile(join(folder, 'invoice.pdf'), '%PDF-1.7');
    await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
    return folder;
  })
  .extend('token', async ({ where }) => (await makeApiToken({ where })).token)
  .extend('run', ({ curlHome, token }) => async (command: string) => {
    const settings = [`CURL_HOME=${curlHome}`, `TOKEN=${token}`];
    const { stdout } = await promisify(execFile)('env', [...settings, 'sh', '-c', command], {
      cwd: curlHome,
    });
    const [, body, status] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
    return { status, body };
  });

const OPERATIONS = developerReference.groups.flatMap(({ operations }) => operations);

for (const operation of OPERATIONS) {
  test(`the curl command of ${operation.method} ${operation.path} on the page runs as it is shown, with other ids`, async ({
    service,
    connection,
    conversation,
    makeWebhook,
    token,
    received,
    run,
  }) => {
    let command = curlOf(operation, `${service.url}${DEVELOPER_API_PATH}`, 'TOKEN');
    const webhook = async () => (await makeWebhook()).endpoint.id;
    const api = developerClient(service.url, token);
    const makers = recordsOf(connection, conversation);
    if (operation.path.includes('{delivery_id}')) {
      const id = await webhook();
      const { body } = await api('POST', `/webhooks/${id}/test`);
      const { id: deliveryId } = body as { id: string };
      await received(1);
      await until('the attempt is recorded', async () => {
        const read = await api('GET', `/webhooks/${id}/deliveries/${deliveryId}`);
        return (read.body as { attempts: object[] }).attempts.length > 0;
      });
      makers['01a4d7f9-0c1d-7e2f-8a3b-4c5d6e7f8091'] = async () => id;
      makers['01a4d7fa-1b2c-7d3e-8f40-516273849506'] = async () => deliveryId;
    } else makers['01a4d7f9-0c1d-7e2f-8a3b-4c5d6e7f8091'] = webhook;
    for (const id of new Set(command.match(UUID))) {
      const make = makers[id];
      if (!make) throw new Error(`The example has an id of an unknown kind: ${id}.`);
      command = command.replaceAll(id, await make());
    }
    const { status, body } = await run(command);
    expect(status, `${command}\n${body}`).toBe(operation.success.status);
  });
}

test('the first command of the page tests the token', async ({ service, run }) => {
  const command = `curl '${service.url}${DEVELOPER_API_PATH}/me' \\\n  -H "Authorization: Bearer $TOKEN"`;
  expect(await run(command)).toMatchObject({ status: '200' });
});

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Returns what creates a record, by the id that the examples have for its kind. */
function recordsOf(stage: Stage, conversation: string): Record<string, () => Promise<string>> {
  const { workspaceId, teammate } = stage;
  const where = { workspaceId };
  return {
    '01a4d7f0-1a2b-7c3d-8e4f-5a6b7c8d9e0f': async () => (await makeContact(workspaceId)).id,
    '01a4d7f0-3c4d-7e5f-8a6b-7c8d9e0f1a2b': async () => (await makeContact(workspaceId)).id,
    '01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a': async () => conversation,
    '01a4d7f0-4d5e-7f60-9b7c-8d9e0f1a2b3c': () => makeConversation(stage),
    '01a0b2c4-7f22-7b3c-9d4e-5f60718293a4': async () =>
      (await db().company.create({ data: { workspaceId, name: 'Northwind' } })).id,
    '01a0b2c4-5d6e-7f80-9a1b-2c3d4e5f6071': async () => teammate.id,
    '01a0b2c4-6e11-7a2b-8c3d-4e5f60718293': async () => (await db().team.findFirstOrThrow({ where })).id,
  };
}
