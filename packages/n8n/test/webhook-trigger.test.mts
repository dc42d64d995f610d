import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { createDeveloperClient, type DeveloperClient, dataOf } from '../../client/dist/index.js';
import {
  control,
  makeWorkspace,
  type Received,
  received,
  SERVICE_URL,
  WEBHOOKS_URL,
} from '../../client/test/service.ts';
import nodes from '../dist/nodes/SharedInbox/SharedInboxTrigger.node.js';
import { eventsFor } from './events-for.mts';
import { triggerOf } from './n8n.mts';
import { loggedEventKeys } from './openapi.mts';

const node = new nodes.SharedInboxTrigger();

describe('the trigger with an API token', () => {
  let workspaceId: string;
  let apiToken: string;
  let client: DeveloperClient;
  before(async () => {
    workspaceId = (await makeWorkspace()).id;
    apiToken = await newToken(['manage_webhooks']);
    client = createDeveloperClient({ apiUrl: `${SERVICE_URL}/api/v1`, token: await newToken() });
  });
  const newToken = async (abilities = ['full_access']) =>
    (await control<{ token: string }>('/tokens', { workspaceId, abilities })).token;
  const happen = async (event: string) =>
    (await control<{ id: string }>('/happen', { workspaceId, event })).id;
  const createTrigger = (
    parameters: IDataObject = {},
    {
      path = randomUUID(),
      token = apiToken,
      onRequest = (_headers: IDataObject, _url: string): boolean | Response => true,
    } = {},
  ) => {
    const trigger = triggerOf(node, {
      onRequest,
      apiToken: token,
      parameters: { authentication: 'apiToken', event: 'contact.created', ...parameters },
      webhookUrl: `${WEBHOOKS_URL}/${path}/webhook`,
    });
    return { ...trigger, received: (count = 1) => received(`/${path}/webhook`, count) };
  };
  const nameIn = (data: unknown) => (data as { contact: IDataObject }).contact.name;
  const webhooks = async () => dataOf(await client.GET('/webhooks')).data;

  test('offers every event of webhooks but commands, which only a hook can announce', () => {
    const withoutCommands = loggedEventKeys().filter((key) => key !== 'operator.command');
    assert.deepEqual(eventsFor('apiToken'), withoutCommands.sort());
  });

  test('creates a webhook, starts the workflow with a signed event, and deletes the webhook', async () => {
    const trigger = createTrigger();
    await trigger.activate();
    const [webhook] = await webhooks();
    assert.deepEqual(
      [webhook?.id, webhook?.events, webhook?.description],
      [trigger.staticData.hookId, ['contact.created'], 'n8n: Tell the team'],
    );
    const id = await happen('contact.created');
    const [request] = await trigger.received();
    const { status, items } = await trigger.request(request as Received);
    assert.equal(status, 200);
    assert.deepEqual(items, [{ json: JSON.parse(request?.body ?? '') }]);
    const { type, data } = (items?.[0]?.json ?? {}) as { type: string; data: { contact: IDataObject } };
    assert.deepEqual([type, data.contact.id], ['contact.created', id]);
    await trigger.deactivate();
    assert.deepEqual([await webhooks(), trigger.staticData], [[], {}]);
  });

  test('subscribes to an event that only programs get', async () => {
    const trigger = createTrigger({ event: 'note.added' });
    await trigger.activate();
    const id = await happen('conversation.created');
    const note = { params: { path: { id } }, body: { content: 'Call back' } };
    dataOf(await client.POST('/conversations/{id}/notes', note));
    const [request] = await trigger.received();
    const { items = [] } = await trigger.request(request as Received);
    const { data } = (items[0]?.json ?? {}) as { data: { note: IDataObject } };
    assert.equal(data.note.content, 'Call back');
    await trigger.deactivate();
  });

  test('starts the workflow only for the chosen tag, in upper or lower case', async () => {
    const trigger = createTrigger({ event: 'conversation.tagged', tag: ' vip ' });
    await trigger.activate();
    const id = await happen('conversation.created');
    for (const tags of ['Refund', 'VIP']) {
      dataOf(await client.POST('/conversations/{id}/tags', { params: { path: { id } }, body: { tags } }));
    }
    const requests = await trigger.received(2);
    const started = await Promise.all(requests.map((request) => trigger.request(request)));
    const tags = started
      .flatMap(({ items }) => items ?? [])
      .map(({ json }) => (json.data as IDataObject).added_tags);
    assert.deepEqual(tags, [['VIP']]);
    assert.deepEqual(
      started.map(({ status }) => status),
      [200, 200],
    );
    await trigger.deactivate();
  });

  test('accepts a test event of the service without starting the workflow', async () => {
    const trigger = createTrigger();
    await trigger.activate();
    const path = { id: String(trigger.staticData.hookId) };
    dataOf(await client.POST('/webhooks/{id}/test', { params: { path } }));
    const [request] = await trigger.received();
    assert.deepEqual(await trigger.request(request as Received), { status: 200, items: undefined });
    await trigger.deactivate();
  });

  test('leaves out what its own token caused, if wanted', async () => {
    const token = await newToken();
    const trigger = createTrigger({ ignoreOwnChanges: true }, { token });
    await trigger.activate();
    const own = createDeveloperClient({ apiUrl: `${SERVICE_URL}/api/v1`, token });
    dataOf(await own.POST('/contacts', { body: { name: 'Own' } }));
    dataOf(await client.POST('/contacts', { body: { name: 'Other' } }));
    const [first] = await trigger.received();
    assert.equal(JSON.parse(first?.body ?? '').data.contact.name, 'Other');
    await trigger.deactivate();
  });

  test('leaves out what its own token caused, also after the credential got another token', async () => {
    const parameters = { ignoreOwnChanges: true };
    const before = createTrigger(parameters, { token: await newToken() });
    await before.activate();
    const token = await newToken();
    const asked: string[] = [];
    const onRequest = (_headers: IDataObject, url: string) => asked.push(url) > 0;
    const after = createTrigger(parameters, { token, onRequest });
    Object.assign(after.staticData, before.staticData);
    for (const [by, name] of [
      [token, 'Own'],
      [await newToken(), 'Other'],
    ] as const) {
      const program = createDeveloperClient({ apiUrl: `${SERVICE_URL}/api/v1`, token: by });
      dataOf(await program.POST('/contacts', { body: { name } }));
    }
    const started = [];
    for (const request of await before.received(2)) started.push(await after.request(request));
    assert.deepEqual(asked, [`${SERVICE_URL}/api/v1/me`]);
    assert.deepEqual(
      started.flatMap(({ items = [] }) => items.map(({ json }) => nameIn(json.data))),
      ['Other'],
    );
    await before.deactivate();
  });

  test('keeps its webhook when n8n restarts, also a paused one, and creates another one if it was deleted', async () => {
    const trigger = createTrigger({}, { path: `gone-once/${randomUUID()}` });
    await trigger.activate();
    const { hookId } = trigger.staticData;
    const params = { path: { id: String(hookId) } };
    await happen('contact.created');
    await trigger.received();
    while ((await webhooks())[0]?.state !== 'gone') await sleep(50);
    await trigger.activate('init');
    const [webhook] = await webhooks();
    assert.deepEqual([trigger.staticData.hookId, webhook?.id, webhook?.enabled], [hookId, hookId, true]);
    dataOf(await client.DELETE('/webhooks/{id}', { params }));
    await trigger.activate('leadershipChange');
    assert.notEqual(trigger.staticData.hookId, hookId);
    assert.equal((await webhooks()).length, 1);
    await trigger.deactivate();
  });

  test('leaves no webhook behind when it cannot get its secret', async () => {
    const unavailable = () => Response.json({ message: 'Try again later.' }, { status: 503 });
    const onRequest = (_headers: IDataObject, url: string) => !url.endsWith('/secret') || unavailable();
    const trigger = createTrigger({}, { onRequest });
    for (let attempt = 1; attempt <= 2; attempt += 1)
      await assert.rejects(trigger.activate(), { message: /Try again later/, httpCode: '503' });
    assert.deepEqual([await webhooks(), trigger.staticData], [[], {}]);
  });

  test('shows which ability the token lacks', async () => {
    const trigger = createTrigger({}, { token: await newToken(['read']) });
    await assert.rejects(trigger.activate(), { message: /manage_webhooks/, httpCode: '403' });
  });

  describe('an attacker who knows the address of the workflow', () => {
    const SECRET = `whsec_${Buffer.from('a key that only the service knows').toString('base64')}`;
    const body = JSON.stringify({ type: 'contact.created', data: { contact: { id: '1' } } });
    type Forged = { at?: number; secret?: string; id?: string; signed?: string };
    const sign = ({ at = Date.now() / 1_000, secret = SECRET, id = 'event', signed = body }: Forged = {}) => {
      const timestamp = String(Math.floor(at));
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${signed}`).digest('base64');
      return {
        'webhook-id': 'event',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
    };
    const receive = (headers: Record<string, string>) => {
      const trigger = createTrigger();
      trigger.staticData.webhookSecret = SECRET;
      return trigger.request({ headers, body });
    };
    const OTHER = `whsec_${Buffer.from('another key').toString('base64')}`;
    const unsigned = (name: string) =>
      Object.fromEntries(Object.entries(sign()).filter(([header]) => header !== name));

    const forged: [string, Record<string, string>][] = [
      ['without a signature', {}],
      ['with the secret of another webhook', sign({ secret: OTHER })],
      ['with the signature of another body', sign({ signed: '{}' })],
      ['with the signature of another event', sign({ id: 'other' })],
      ['with a request of six minutes ago', sign({ at: Date.now() / 1_000 - 360 })],
      ['with a request of in six minutes', sign({ at: Date.now() / 1_000 + 360 })],
      ['without a timestamp', unsigned('webhook-timestamp')],
      ['with a timestamp that is no number', { ...sign(), 'webhook-timestamp': 'NaN' }],
      ['without the id of the event', unsigned('webhook-id')],
      ['with an empty signature', { ...sign(), 'webhook-signature': 'v1,' }],
      [
        'with a signature of another version',
        { ...sign(), 'webhook-signature': sign()['webhook-signature'].replace('v1', 'v2') },
      ],
    ];
    for (const [how, headers] of forged) {
      test(`starts nothing ${how}`, async () => {
        assert.deepEqual(await receive(headers), { status: 401, items: undefined });
      });
    }

    test('is not the service, whose request has two signatures while the secret is rotated', async () => {
      const signatures = [sign({ secret: OTHER }), sign()].map((headers) => headers['webhook-signature']);
      const { status, items } = await receive({ ...sign(), 'webhook-signature': signatures.join(' ') });
      assert.deepEqual([status, items?.length], [200, 1]);
    });

    test('starts nothing in a workflow that has no secret', async () => {
      const { status } = await createTrigger().request({ headers: sign({ secret: 'whsec_' }), body });
      assert.equal(status, 401);
    });
  });
});
