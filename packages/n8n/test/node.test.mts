import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import { control } from '../../client/test/service.ts';
import nodes from '../dist/nodes/SharedInbox/SharedInbox.node.js';
import { execute, loadOptions } from './n8n.mts';
import { NodeApiError } from './n8n-workflow.mts';
import { connected } from './service.mts';

const node = new nodes.SharedInbox();

describe('the node', () => {
  let context: Awaited<ReturnType<typeof connected>>;
  let conversationId: unknown;
  const run = async (resource: string, operation: string, parameters: IDataObject) => {
    const { tokens } = context;
    const output = await execute(node, { tokens, parameters: { resource, operation, ...parameters } });
    return output.map(({ json }) => json);
  };
  before(async () => {
    context = await connected();
    const [conversation] = await run('conversation', 'create', {
      to_email: 'ada@engines.example',
      subject: 'Your order',
      content: 'Hello Ada',
      fields: { to_name: 'Ada Lovelace' },
    });
    conversationId = conversation?.id;
  });

  test('creates a conversation, and finds it by id and by address and status', async () => {
    const found = [
      ...(await run('conversation', 'getAll', { id: conversationId as string })),
      ...(await run('conversation', 'getAll', {
        contact_email: 'ada@engines.example',
        fields: { status: 'open' },
      })),
    ];
    assert.deepEqual(
      found.map(({ id }) => id),
      [conversationId, conversationId],
    );
    const closed = { contact_email: 'ada@engines.example', fields: { status: 'closed' } };
    assert.deepEqual(await run('conversation', 'getAll', closed), []);
  });

  test('updates a conversation and adds tags to it', async () => {
    const conversation_id = conversationId as string;
    const fields = { status: 'pending', assignee_id: 'none' };
    const [updated] = await run('conversation', 'update', { conversation_id, fields });
    assert.deepEqual([updated?.status, updated?.assignee, updated?.priority], ['pending', null, 'normal']);
    const [tagged] = await run('conversation', 'addTags', { conversation_id, tags: 'VIP, refund' });
    assert.deepEqual(tagged?.tags, ['VIP', 'refund']);
  });

  test('sends a reply and adds an internal note', async () => {
    const conversation_id = conversationId as string;
    const [reply] = await run('message', 'reply', { conversation_id, content: 'On its way' });
    const [note] = await run('message', 'addNote', { conversation_id, content: 'Checked' });
    assert.deepEqual([reply?.content, note?.content], ['On its way', 'Checked']);
    assert.deepEqual([reply?.conversation_id, note?.conversation_id], [conversation_id, conversation_id]);
  });

  test('creates, finds and updates a contact', async () => {
    const email = 'grace@navy.example';
    assert.deepEqual(await run('contact', 'getAll', { email }), []);
    const [created] = await run('contact', 'create', { fields: { email, name: 'Grace Hopper' } });
    assert.deepEqual(await run('contact', 'getAll', { email }), [created]);
    const contact_id = created?.id as string;
    const [updated] = await run('contact', 'update', { contact_id, fields: { city: 'Arlington' } });
    assert.deepEqual([updated?.name, updated?.city], ['Grace Hopper', 'Arlington']);
  });

  test('sends the number of an expression as text, as from a cell of a spreadsheet', async () => {
    const fields = { name: 1042, phone: 442079460018 };
    const [created] = await run('contact', 'create', { fields });
    assert.deepEqual([created?.name, created?.phone], ['1042', '442079460018']);
    const conversation_id = conversationId as string;
    const [tagged] = await run('conversation', 'addTags', { conversation_id, tags: 2026 });
    const [again] = await run('conversation', 'addTags', { conversation_id, tags: ['sent', 1042] });
    assert.deepEqual([tagged?.tags, again?.tags].flat().slice(-3), ['2026', 'sent', '1042']);
    const [note] = await run('message', 'addNote', { conversation_id, content: 7 });
    assert.equal(note?.content, '7');
  });

  test('links each result to its item, and continues after a failed item', async () => {
    const { tokens } = context;
    const parameters = { resource: 'contact', operation: 'create', fields: { email: 'nobody' } };
    const output = await execute(node, { tokens, parameters, continueOnFail: true }, [
      { json: {} },
      { json: {} },
    ]);
    assert.deepEqual(
      output.map(({ pairedItem }) => pairedItem),
      [{ item: 0 }, { item: 1 }],
    );
    assert.match(String(output[1]?.json.error), /address/);
  });

  test('shows the message of an invalid field', async () => {
    await assert.rejects(run('contact', 'create', { fields: { city: 'Paris' } }), (error) => {
      assert.ok(error instanceof NodeApiError);
      assert.equal(error.httpCode, '422');
      assert.match(error.message, /name.*email|email.*name/i);
      assert.equal(error.context.itemIndex, 0);
      return true;
    });
  });

  test('continues after a refusal with the service’s sentence, such as the plan that a note needs', async () => {
    const { tokens, workspace } = await connected('starter');
    const { id } = await control<{ id: string }>('/happen', {
      workspaceId: workspace.id,
      event: 'conversation.created',
    });
    const parameters = { resource: 'message', operation: 'addNote', conversation_id: id, content: 'Checked' };
    const [output] = await execute(node, { tokens, parameters, continueOnFail: true });
    assert.match(String(output?.json.error), /Growth/);
  });

  test('refreshes the token when it is refused', async () => {
    const { tokens } = context;
    tokens.access_token = 'kza_gone';
    assert.equal((await run('contact', 'getAll', { email: 'nobody@nowhere.example' })).length, 0);
    assert.notEqual(tokens.access_token, 'kza_gone');
  });

  test('lists teammates and teams in its dropdowns', async () => {
    const { tokens, workspace, client } = context;
    await control('/happen', { workspaceId: workspace.id, event: 'conversation.created' });
    const { name, email, id } = workspace.owner;
    assert.deepEqual(await loadOptions(node, 'getTeammates', { tokens }), [
      { name: 'Unassigned', value: 'none' },
      { name: `${name} (${email})`, value: id },
    ]);
    const { data: teams = [] } = await client.GET('/teams');
    assert.deepEqual(await loadOptions(node, 'getTeams', { tokens }), [
      { name: 'No Team', value: 'none' },
      ...teams.map((team) => ({ name: team.name, value: team.id })),
    ]);
    assert.ok(teams.length > 0);
  });

  test('retries a POST whose response was lost, and it runs once', async () => {
    const { tokens, client } = context;
    const keys: unknown[] = [];
    const onRequest = (headers: IDataObject) => keys.push(headers['Idempotency-Key']) > 1;
    const parameters = { resource: 'contact', operation: 'create', fields: { name: 'Lost', phone: '4711' } };
    const [made] = await execute(node, { tokens, parameters, onRequest });
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    const { data } = await client.GET('/contacts/search', { params: { query: { phone: '4711' } } });
    assert.deepEqual(data, [made?.json]);
  });

  test('repeats a POST while its first request is in progress, and it runs once', async () => {
    const { tokens, client } = context;
    const keys: unknown[] = [];
    const onRequest = (headers: IDataObject) => {
      keys.push(headers['Idempotency-Key']);
      return keys.length === 1 ? false : keys.length > 6 || inProgress();
    };
    const parameters = { resource: 'contact', operation: 'create', fields: { name: 'Slow', phone: '4712' } };
    const [made] = await execute(node, { tokens, parameters, onRequest, retryAfter: 0 });
    assert.equal(keys.length, 7);
    assert.equal(new Set(keys).size, 1);
    const { data } = await client.GET('/contacts/search', { params: { query: { phone: '4712' } } });
    assert.deepEqual(data, [made?.json]);
  });

  test('a POST that stays in progress fails after 30 seconds with the service’s sentence', async (t) => {
    const { tokens } = context;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    let requests = 0;
    const onRequest = () => {
      requests += 1;
      if (requests > 1) t.mock.timers.tick(10_000);
      return inProgress();
    };
    const parameters = { resource: 'contact', operation: 'create', fields: { name: 'Stuck' } };
    const running = execute(node, { tokens, parameters, onRequest, retryAfter: 0 });
    await assert.rejects(running, { message: /still in progress/, httpCode: '409' });
    assert.equal(requests, 4);
  });

  test('repeats a POST with its key while the service restarts, and it runs once', async () => {
    const { tokens, client } = context;
    const keys: unknown[] = [];
    const onRequest = (headers: IDataObject) => {
      keys.push(headers['Idempotency-Key']);
      return keys.length === 1 ? false : keys.length > 3 || unavailable();
    };
    const parameters = {
      resource: 'contact',
      operation: 'create',
      fields: { name: 'Restarting', phone: '4713' },
    };
    const [made] = await execute(node, { tokens, parameters, onRequest, retryAfter: 0 });
    assert.deepEqual([keys.length, new Set(keys).size], [4, 1]);
    const { data } = await client.GET('/contacts/search', { params: { query: { phone: '4713' } } });
    assert.deepEqual(data, [made?.json]);
  });

  test('each attempt of "Retry On Fail" has the same key, and another execution or item has another one', async () => {
    const { tokens } = context;
    const create = async (executionId: string, items = [{ json: {} }]) => {
      const parameters = { resource: 'contact', operation: 'create', fields: { name: 'Again' } };
      const output = await execute(node, { tokens, parameters, executionId }, items);
      return output.map(({ json }) => json.id);
    };
    const [first, again, other] = [await create('1'), await create('1'), await create('2')];
    assert.deepEqual(again, first);
    assert.notDeepEqual(other, first);
    const two = await create('3', [{ json: {} }, { json: {} }]);
    assert.equal(new Set(two).size, 2);
  });

  test('waits for Retry-After beyond the rate limit, and retries once', async () => {
    const { tokens, client } = await connected();
    await Promise.all(Array.from({ length: 300 }, () => client.GET('/teams')));
    const parameters = { resource: 'contact', operation: 'getAll', email: 'ada@engines.example' };
    const started = performance.now();
    await assert.rejects(execute(node, { tokens, parameters, retryAfter: 1 }), /Too Many Attempts\./);
    assert.ok(performance.now() - started >= 1_000);
  });
});

const inProgress = () =>
  Response.json(
    { message: 'The first request is still in progress.' },
    { status: 409, headers: { 'Retry-After': '1' } },
  );

const unavailable = () => Response.json({ message: 'Try again later.' }, { status: 503 });
