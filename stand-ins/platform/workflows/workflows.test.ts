import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openStream } from '../../http/open-stream.ts';
import { STEPS } from '../catalogue/steps.ts';
import { TRIGGERS, triggerOf } from '../catalogue/triggers.ts';
import { makeClient } from '../oauth/make-client.ts';
import type { Platform } from '../platform.ts';
import { type Connection, emptyState, type Workflow } from '../state.ts';
import { fillPlaceholders, listEventFields, placeholderOf } from './event-fields.ts';
import { runWorkflow } from './run-workflow.ts';
import { createWorkflow, stopWorkflow, turnOffWorkflow, turnOnWorkflow } from './turn-workflow.ts';

const event = {
  id: 'event-1',
  conversation: { id: 'c1', subject: null, tags: ['vip', 'late'], contact: { name: 'Nora' } },
};

test.for([
  ['Hello {{conversation.contact.name}}', 'Hello Nora'],
  ['{{ conversation.id }}/{{conversation.id}}', 'c1/c1'],
  ['tags: {{conversation.tags}}', 'tags: vip, late'],
  ['[{{conversation.subject}}] [{{message.content}}] [{{conversation.contact.name.length}}]', '[] [] []'],
  ['{{conversation.constructor}}', ''],
  ['{conversation.id} {{ }} {{UPPER}}', '{conversation.id} {{ }} {{UPPER}}'],
])('%s becomes %s', ([text, expected]) => {
  expect(fillPlaceholders(text ?? '', event)).toBe(expected);
});

test('a value of the event is never read as a placeholder', () => {
  const hostile = { ...event, command: '{{conversation.contact.name}}' };
  expect(fillPlaceholders('{{command}}', hostile)).toBe('{{conversation.contact.name}}');
});

test.for(TRIGGERS.map(({ key }) => key))('the offered fields of %s are placeholders', (key) => {
  for (const path of listEventFields(key)) expect(fillPlaceholders(placeholderOf(path), {})).toBe('');
});

describe('a workflow', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  test('subscribes its own hook, runs its action, refreshes an expired token and unsubscribes', async () => {
    const { platform, connection, requests } = await start((path, { headers }) => {
      if (path === '/oauth/token') {
        return [200, { access_token: 'new', token_type: 'Bearer', refresh_token: 'same', expires_in: 7200 }];
      }
      if (path.endsWith('/notes') && headers.authorization !== 'Bearer new')
        return [401, { message: 'expired' }];
      return [201, { id: 'hook-1' }];
    });
    const workflow = await created(platform, connection);
    expect(requests).toEqual(['POST /hooks']);
    await runWorkflow(platform, workflow, event);
    expect(workflow.runs).toMatchObject([
      { values: { conversation_id: 'c1', content: 'Hello Nora' }, response: { status: 201 } },
    ]);
    expect(connection.refreshCount).toBe(1);
    await turnOffWorkflow(platform, workflow);
    expect(workflow.subscriptionKey).toBeNull();
    expect(requests.at(-1)).toBe('DELETE /hooks/hook-1');
  });

  test('shows the sentence of the service when its action is refused', async () => {
    const { platform, connection } = await start((path) =>
      path.endsWith('/notes') ? [402, { message: 'Notes need Growth.' }] : [201, { id: 'hook-1' }],
    );
    const workflow = await created(platform, connection);
    await runWorkflow(platform, workflow, event);
    expect(workflow.runs[0]?.response).toMatchObject({
      status: 402,
      body: { message: 'Notes need Growth.' },
    });
  });

  test('is not created without its required fields, or when the service refuses the hook', async () => {
    const { platform, connection, requests } = await start(() => [422, { message: 'No more hooks.' }]);
    const empty = await createWorkflow(platform, connection, { ...wanted(), values: { content: ' ' } });
    expect(empty).toMatchObject({
      errors: { conversation_id: expect.anything(), content: expect.anything() },
    });
    expect(requests).toEqual([]);
    expect(await createWorkflow(platform, connection, wanted())).toMatchObject({ status: 422 });
    expect(platform.state.workflows.size).toBe(0);
  });

  test('that starts itself again is turned off after 30 runs in a minute', async () => {
    const { platform, connection } = await start(() => [201, { id: 'hook-1' }]);
    const workflow = await created(platform, connection);
    for (let run = 0; run < 29; run += 1) await runWorkflow(platform, workflow, event);
    expect(workflow.stopped).toBeNull();
    await runWorkflow(platform, workflow, event);
    expect(workflow).toMatchObject({ subscriptionKey: null, stopped: expect.stringContaining('30 runs') });
  });

  test('is off after a response of 410, and turns on again with a new hook', async () => {
    const { platform, connection, requests } = await start(() => [201, { id: 'hook-1' }]);
    const workflow = await created(platform, connection);
    stopWorkflow(platform, workflow);
    expect(workflow).toMatchObject({ subscriptionKey: null, stopped: expect.stringContaining('410') });
    await turnOnWorkflow(platform, connection, workflow);
    expect(workflow).toMatchObject({ subscriptionKey: expect.any(String), stopped: null });
    expect(requests).toEqual(['POST /hooks', 'POST /hooks']);
  });

  async function created(platform: Platform, connection: Connection): Promise<Workflow> {
    expect(await createWorkflow(platform, connection, wanted())).toMatchObject({ status: 201 });
    const [workflow] = platform.state.workflows.values();
    if (!workflow) throw new Error('no workflow');
    return workflow;
  }

  function wanted() {
    const action = STEPS.find(({ key }) => key === 'add-note');
    if (!action) throw new Error('no action');
    const values = { conversation_id: '{{conversation.id}}', content: 'Hello {{conversation.contact.name}}' };
    return { trigger: triggerOf('conversation.created'), filter: '', action, values };
  }

  /** Starts a service that responds as given, and returns a platform with one connection to it. */
  async function start(respond: (path: string, request: IncomingMessage) => [number, object]) {
    const requests: string[] = [];
    const started = createServer((request, response) => {
      const path = (request.url ?? '').replace('/api/automation/v1', '');
      requests.push(`${request.method} ${path}`);
      const [status, body] = respond(path, request);
      request.resume();
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    const serviceUrl = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
    const settings = {
      serviceUrl,
      serviceName: 'Shared Inbox',
      platformName: 'Workflow Platform',
      port: 1,
      hooksPort: 1,
      clientId: 'client',
      clientSecret: 'secret',
      returnUrl: new URL('http://localhost/return/'),
      hooksHost: 'hooks.test',
      dataDir: '.',
    };
    const connection: Connection = {
      id: 'connection',
      label: 'Demo',
      health: 'connected',
      message: null,
      me: null,
      connectedAt: new Date(),
      accessToken: 'old',
      refreshToken: 'same',
      refreshCount: 0,
      refreshing: null,
      seenConversations: [],
      seenContacts: [],
    };
    const platform: Platform = {
      settings,
      oauth: makeClient(settings),
      state: emptyState(),
      stream: openStream(),
    };
    platform.state.connections.set(connection.id, connection);
    return { platform, connection, requests };
  }
});
