import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { control } from '../../client/test/service.ts';
import App from '../dist/index.js';
import { connected, run } from './service.ts';

const operations = (steps: unknown) => steps as Record<string, { operation: Record<string, unknown> }>;
const act = (key: string, bundle: object) => run(operations(App.creates)[key]?.operation.perform, bundle);
const find = (key: string, bundle: object) =>
  run<Record<string, unknown>[]>(operations(App.searches)[key]?.operation.perform, bundle);

describe('actions and searches', () => {
  let context: Awaited<ReturnType<typeof connected>>;
  let conversation: Record<string, unknown>;
  const call = (inputData: object) => ({ authData: context.authData, inputData });
  before(async () => {
    context = await connected();
    conversation = await act(
      'create_conversation',
      call({
        to_email: 'ada@engines.example',
        to_name: 'Ada Lovelace',
        subject: 'Your order',
        content: 'Hello Ada',
      }),
    );
  });

  test('a conversation is created and assigned to the connecting teammate', () => {
    const { name, email } = conversation.contact as Record<string, unknown>;
    assert.deepEqual(
      [conversation.subject, name, email],
      ['Your order', 'Ada Lovelace', 'ada@engines.example'],
    );
    assert.deepEqual((conversation.assignee as { id: string }).id, context.workspace.owner.id);
  });

  test('a conversation is found by id, and by address and status', async () => {
    assert.deepEqual(
      (await find('find_conversation', call({ id: conversation.id }))).map(({ id }) => id),
      [conversation.id],
    );
    const byEmail = call({ contact_email: 'ADA@engines.example', status: 'open' });
    assert.deepEqual(
      (await find('find_conversation', byEmail)).map(({ id }) => id),
      [conversation.id],
    );
    assert.deepEqual(
      await find('find_conversation', call({ contact_email: 'ada@engines.example', status: 'closed' })),
      [],
    );
  });

  test('an update changes only the fields that are filled in', async () => {
    const updated = await act(
      'update_conversation',
      call({ conversation_id: conversation.id, status: 'pending', priority: '', assignee_id: 'unassigned' }),
    );
    assert.deepEqual([updated.status, updated.priority, updated.assignee], ['pending', 'normal', null]);
  });

  test('a reply and a note are added', async () => {
    const reply = await act('send_reply', call({ conversation_id: conversation.id, content: 'On its way' }));
    assert.deepEqual([reply.conversation_id, reply.content], [conversation.id, 'On its way']);
    assert.ok('send_status' in reply);
    const note = await act(
      'add_internal_note',
      call({ conversation_id: conversation.id, content: 'Checked' }),
    );
    assert.deepEqual([note.conversation_id, note.content], [conversation.id, 'Checked']);
  });

  test('tags are added, separated by lines or commas', async () => {
    const tags = ['VIP', 'refund, late'];
    const tagged = await act('add_tags', call({ conversation_id: conversation.id, tags }));
    assert.deepEqual(tagged.tags, ['VIP', 'refund', 'late']);
  });

  test('a contact is created if not found, and then found and updated', async () => {
    const { search, create } = App.searchOrCreates?.find_contact ?? {};
    const email = 'grace@navy.example';
    assert.deepEqual(await find(search ?? '', call({ email })), []);
    const created = await act(create ?? '', call({ email, name: 'Grace Hopper', phone: '' }));
    assert.deepEqual(await find(search ?? '', call({ email })), [created]);
    const updated = await act('update_contact', call({ contact_id: created.id, city: 'Arlington' }));
    assert.deepEqual([updated.name, updated.city], ['Grace Hopper', 'Arlington']);
  });

  test('each call that creates something has its own key', async () => {
    const content = 'The same note twice';
    const add = () => act('add_internal_note', call({ conversation_id: conversation.id, content }));
    const [first, second] = [await add(), await add()];
    assert.notEqual(first.id, second.id);
  });

  test('an invalid field is refused with its message', async () => {
    await act('create_contact', call({ email: 'alan@bletchley.example', name: 'Alan Turing' }));
    const refusals: [string, object, RegExp][] = [
      ['create_contact', { city: 'Paris' }, /name/],
      [
        'create_contact',
        { email: 'alan@bletchley.example' },
        /This address already belongs to Alan Turing\./,
      ],
      ['send_reply', { conversation_id: 'nothing', content: 'Hello' }, /conversation/i],
      ['add_tags', { conversation_id: conversation.id, tags: ['x'.repeat(41)] }, /40 characters/],
      ['update_conversation', { conversation_id: conversation.id }, /\w+ .*\./],
    ];
    for (const [key, inputData, sentence] of refusals)
      await assert.rejects(act(key, call(inputData)), (error: Error) => {
        const { message, status } = JSON.parse(error.message) as { message: string; status: number };
        assert.match(message, sentence);
        assert.equal(status, inputData && 'content' in inputData ? 404 : 422);
        return error.name === 'AppError';
      });
  });

  test('a note on a plan without notes is refused with the name of the lowest plan that has them', async () => {
    const starter = await connected('starter');
    const { id } = await control<{ id: string }>('/happen', {
      workspaceId: starter.workspace.id,
      event: 'conversation.created',
    });
    const adding = act('add_internal_note', {
      authData: starter.authData,
      inputData: { conversation_id: id, content: 'Checked' },
    });
    await assert.rejects(adding, /Growth/);
  });
});
