import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type PostedEnvelope, signPostedMail } from '#server/http/inbound/handle-posted-mail.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { listRefused } from '#test/fixtures/refusals.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const test = serviceTest
  .extend('workspace', () => makeWorkspace())
  .extend('account', ({ workspace }) => connectPostedMail(workspace.id))
  .extend('post', ({ service, workspace, account }) => poster(service.url, workspace, account));

test('an email that a provider posts is stored before the response', async ({ workspace, post }) => {
  expect(await post()).toBe(200);
  const [update, ...others] = await storedUpdates(workspace);
  expect(others).toEqual([]);
  expect(JSON.parse(Buffer.from(update?.body ?? '').toString())).toMatchObject({
    envelope: { ip: '192.0.2.7', helo: null, from: 'ada@acme.test' },
  });
});

test('an attacker without the secret, or with an old or changed post, stores nothing', async ({
  workspace,
  post,
}) => {
  expect(await post({}, { secret: 'a guess' })).toBe(401);
  expect(await post({}, { signature: '' })).toBe(401);
  expect(await post({ timestamp: seconds(301) })).toBe(401);
  // A timestamp in the future gets closer while the request is in flight.
  expect(await post({ timestamp: seconds(-330) })).toBe(401);
  expect(await post({ timestamp: 'now' })).toBe(401);
  expect(await post({}, { signed: { from: 'other@acme.test' } })).toBe(401);
  expect(await post({}, { signed: { to: 'other@acme.test' } })).toBe(401);
  expect(await post({}, { signed: { ip: '192.0.2.8' } })).toBe(401);
  expect(await storedUpdates(workspace)).toEqual([]);
});

test('an account only posts into its own workspace, and not after it was replaced', async ({
  workspace,
  account,
  post,
}) => {
  const other = await makeWorkspace();
  expect(await post({ to: other.mailbox })).toBe(422);
  const { address, signingSecret: secret } = await connectPostedMail(workspace.id);
  expect(await post({}, { address: account.address, secret: account.signingSecret })).toBe(404);
  const start = account.address.slice(0, -36);
  expect(await post({}, { address: `${start}${workspace.id}`, secret })).toBe(404);
  expect(await post({}, { address: `${account.address}/x`, secret })).toBe(404);
  expect(await storedUpdates(workspace)).toEqual([]);
  expect(await post({}, { address, secret })).toBe(200);
});

test('an email from a blocked sender is refused, and only the time is stored', async ({
  workspace,
  post,
}) => {
  const { id: workspaceId } = workspace;
  const entry = { workspaceId, kind: 'domain' as const, value: 'acme.test', createdByName: 'Ada' };
  await db().blockedSender.create({ data: entry });
  expect(await post()).toBe(422);
  expect(await listRefused(workspaceId)).toEqual(['acme.test']);
  expect(await storedUpdates(workspace)).toEqual([]);
});

const RAW = rawMail({});
const seconds = (late = 0) => String(Math.floor(Date.now() / 1_000) - late);

type Post = {
  body?: string;
  secret?: string;
  signature?: string;
  signed?: Partial<PostedEnvelope>;
  address?: string;
};

/** Returns a function that posts an email as a provider does, by default signed by the account, and returns the status. */
function poster(url: string, workspace: Workspace, account: Account) {
  return async (
    fields: Partial<PostedEnvelope> = {},
    { body = RAW, secret, signature, signed, address }: Post = {},
  ) => {
    const envelope = {
      timestamp: seconds(),
      from: 'ada@acme.test',
      to: workspace.mailbox,
      ip: '192.0.2.7',
      ...fields,
    };
    const sentSignature =
      signature ??
      signPostedMail(secret ?? account.signingSecret, { ...envelope, ...signed }, Buffer.from(body));
    const { pathname } = new URL(address ?? account.address);
    const response = await fetch(`${url}${pathname}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'message/rfc822',
        'X-Envelope-From': envelope.from,
        'X-Envelope-To': envelope.to,
        'X-Client-IP': envelope.ip,
        'X-Timestamp': envelope.timestamp,
        'X-Signature': sentSignature,
      },
      body,
    });
    return response.status;
  };
}

const storedUpdates = (workspace: Workspace) =>
  db().inboundUpdate.findMany({ where: { workspaceId: workspace.id } });

type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

type Account = Awaited<ReturnType<typeof connectPostedMail>>;
