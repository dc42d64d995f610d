import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import { control, makeWorkspace, type Workspace } from '../../client/test/service.ts';
import nodes from '../dist/nodes/SharedInbox/SharedInbox.node.js';
import { execute, loadOptions } from './n8n.mts';

const node = new nodes.SharedInbox();

describe('the node with an API token', () => {
  let workspace: Workspace;
  let apiToken: string;
  let conversationId: string;
  const newToken = async (abilities = ['read', 'write_contacts', 'write_conversations']) =>
    (await control<{ token: string }>('/tokens', { workspaceId: workspace.id, abilities })).token;
  const parameters = (resource: string, operation: string, values: IDataObject) => ({
    authentication: 'apiToken',
    resource,
    operation,
    ...values,
  });
  const run = async (resource: string, operation: string, values: IDataObject, token = apiToken) => {
    const settings = { apiToken: token, parameters: parameters(resource, operation, values) };
    return (await execute(node, settings)).map(({ json }) => json);
  };
  before(async () => {
    workspace = await makeWorkspace();
    apiToken = await newToken();
    const [conversation] = await run('conversation', 'create', {
      to_email: 'ada@engines.example',
      subject: 'Your order',
      content: 'Hello Ada',
      fields: { to_name: 'Ada Lovelace' },
    });
    conversationId = String(conversation?.id);
  });

  test('finds a conversation by id, by address and by status, and nothing that does not exist', async () => {
    const find = async (values: IDataObject) =>
      (await run('conversation', 'getAll', values)).map(({ id }) => id);
    const contact_email = 'ADA@engines.example';
    assert.deepEqual(await find({ id: conversationId }), [conversationId]);
    assert.deepEqual(await find({ contact_email, fields: { status: 'open' } }), [conversationId]);
    assert.deepEqual(await find({ contact_email, fields: { status: 'closed' } }), []);
    assert.deepEqual(await find({ contact_email: 'nobody@nowhere.example' }), []);
    assert.deepEqual(await find({ id: workspace.id }), []);
    assert.deepEqual(await find({}), []);
  });

  test('updates a conversation, adds tags, a reply and a note to it', async () => {
    const conversation_id = conversationId;
    const assign = { status: 'pending', assignee_id: workspace.owner.id };
    const [assigned] = await run('conversation', 'update', { conversation_id, fields: assign });
    const { id } = (assigned?.assignee ?? {}) as IDataObject;
    assert.deepEqual([assigned?.status, id], ['pending', workspace.owner.id]);
    const unassign = { assignee_id: 'none', team_id: 'none' };
    const [updated] = await run('conversation', 'update', { conversation_id, fields: unassign });
    assert.deepEqual([updated?.assignee, updated?.team], [null, null]);
    const [tagged] = await run('conversation', 'addTags', { conversation_id, tags: 'VIP, refund' });
    assert.deepEqual(tagged?.tags, ['VIP', 'refund']);
    const [reply] = await run('message', 'reply', { conversation_id, content: 'On its way' });
    const [note] = await run('message', 'addNote', { conversation_id, content: 'Checked' });
    assert.deepEqual([reply?.content, note?.content], ['On its way', 'Checked']);
  });

  test('creates, finds and updates a contact', async () => {
    const email = 'grace@navy.example';
    assert.deepEqual(await run('contact', 'getAll', { email }), []);
    const [created] = await run('contact', 'create', { fields: { email, name: 'Grace Hopper' } });
    assert.deepEqual(await run('contact', 'getAll', { email }), [created]);
    assert.deepEqual(await run('contact', 'getAll', {}), []);
    const contact_id = created?.id as string;
    const [updated] = await run('contact', 'update', { contact_id, fields: { city: 'Arlington' } });
    assert.deepEqual([updated?.name, updated?.city], ['Grace Hopper', 'Arlington']);
  });

  test('lists teammates and teams in its dropdowns', async () => {
    await control('/happen', { workspaceId: workspace.id, event: 'conversation.created' });
    const settings = { apiToken, parameters: parameters('conversation', 'update', {}) };
    const { name, email, id } = workspace.owner;
    assert.deepEqual(await loadOptions(node, 'getTeammates', settings), [
      { name: 'Unassigned', value: 'none' },
      { name: `${name} (${email})`, value: id },
    ]);
    const [none, team] = (await loadOptions(node, 'getTeams', settings)) ?? [];
    assert.deepEqual(none, { name: 'No Team', value: 'none' });
    assert.equal(typeof team?.name, 'string');
  });

  test('fails with the service’s sentence, which names the missing ability', async () => {
    const token = await newToken(['read']);
    const created = run('contact', 'create', { fields: { name: 'Ada' } }, token);
    await assert.rejects(created, { message: /write_contacts/, httpCode: '403' });
    const unknown = run('contact', 'getAll', { email: 'ada@engines.example' }, 'inbox_pk_live_gone');
    await assert.rejects(unknown, { httpCode: '401' });
  });
});
