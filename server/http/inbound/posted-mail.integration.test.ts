import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type PostedEnvelope, signPostedMail } from '#server/http/inbound/handle-posted-mail.ts';
import { connectPostedMail } from '#server/inbox/channels/email/connect-posted-mail.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const service = withTestService();
let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let account: Awaited<ReturnType<typeof connectPostedMail>>;

beforeEach(async () => {
  workspace = await makeWorkspace();
  account = await connectPostedMail(workspace.id);
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

async function post(
  given: Partial<PostedEnvelope> = {},
  { body = RAW, secret, signature, signed, address }: Post = {},
) {
  const envelope = {
    timestamp: seconds(),
    from: 'ada@acme.test',
    to: workspace.mailbox,
    ip: '192.0.2.7',
    ...given,
  };
  const mark =
    signature ??
    signPostedMail(secret ?? account.signingSecret, { ...envelope, ...signed }, Buffer.from(body));
  const { pathname } = new URL(address ?? account.address);
  const response = await fetch(`${service.url}${pathname}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'message/rfc822',
      'X-Envelope-From': envelope.from,
      'X-Envelope-To': envelope.to,
      'X-Client-IP': envelope.ip,
      'X-Timestamp': envelope.timestamp,
      'X-Signature': mark,
    },
    body,
  });
  return response.status;
}

const kept = () => db().inboundUpdate.findMany({ where: { workspaceId: workspace.id } });

test('a mail that a provider posts is kept before it is answered', async () => {
  expect(await post()).toBe(200);
  const [update, ...others] = await kept();
  expect(others).toEqual([]);
  expect(JSON.parse(Buffer.from(update?.body ?? '').toString())).toMatchObject({
    envelope: { ip: '192.0.2.7', helo: null, from: 'ada@acme.test' },
  });
});

test('an attacker without the secret, with an old or a changed post, leaves nothing', async () => {
  expect(await post({}, { secret: 'a guess' })).toBe(401);
  expect(await post({}, { signature: '' })).toBe(401);
  expect(await post({ timestamp: seconds(301) })).toBe(401);
  // What is too far ahead comes nearer while it is on its way.
  expect(await post({ timestamp: seconds(-330) })).toBe(401);
  expect(await post({ timestamp: 'now' })).toBe(401);
  expect(await post({}, { signed: { from: 'other@acme.test' } })).toBe(401);
  expect(await post({}, { signed: { to: 'other@acme.test' } })).toBe(401);
  expect(await post({}, { signed: { ip: '192.0.2.8' } })).toBe(401);
  expect(await kept()).toEqual([]);
});

test('an account posts into its own workspace alone, and none that is gone or unknown', async () => {
  const other = await makeWorkspace();
  expect(await post({ to: other.mailbox })).toBe(422);
  const old = account;
  account = await connectPostedMail(workspace.id);
  expect(await post({}, { address: old.address, secret: old.signingSecret })).toBe(404);
  expect(await post({}, { address: `${old.address.slice(0, -36)}${workspace.id}` })).toBe(404);
  expect(await post({}, { address: `${old.address}/x` })).toBe(404);
  expect(await kept()).toEqual([]);
  expect(await post()).toBe(200);
});
