import { describe, expect } from 'vitest';
import { EVENT_KEYS, EVENTS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Api } from '#test/clients/api-client.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test } from '#test/fixtures/service-test.ts';

test('a subscription returns 201 with exactly the hook record, and the hook is live', async ({
  api,
  connection,
}) => {
  const { status, body } = await subscribe(api, { event: 'conversation.created' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    event: 'conversation.created',
    target_url: TARGET,
    command: null,
    status: null,
    tag: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
  });
  const hook = await db().hook.findUniqueOrThrow({ where: { id: (body as { id: string }).id } });
  expect(hook).toMatchObject({
    workspaceId: connection.workspaceId,
    connectionId: connection.id,
    removedAt: null,
    filterKey: null,
  });
});

test('the same subscription twice creates two hooks', async ({ api }) => {
  const first = await subscribe(api, { event: 'contact.created' });
  const second = await subscribe(api, { event: 'contact.created' });
  expect((first.body as { id: string }).id).not.toBe((second.body as { id: string }).id);
});

describe('filters', () => {
  test.for(EVENT_KEYS)(
    'that do not belong to %s are ignored, whatever their type, and returned as null',
    async (event, { api }) => {
      for (const wrong of [7, false, ['x'], { a: 1 }, 'x'.repeat(999), 'not / valid', '\0']) {
        const own = EVENTS[event].filter;
        const body = { event, status: wrong, tag: wrong, command: wrong, ...(own ? { [own]: null } : {}) };
        const response = await subscribe(api, body);
        expect({ status: response.status, filters: filters(response) }).toEqual({
          status: 201,
          filters: { status: null, tag: null, command: null },
        });
      }
    },
  );

  test.for([
    ['conversation.status_changed', 'status', 'solved', 'solved', 'solved'],
    ['conversation.status_changed', 'status', ' open ', 'open', 'open'],
    ['conversation.tagged', 'tag', ' VIP Kunde ', 'VIP Kunde', 'vip kunde'],
    ['conversation.tagged', 'tag', '😀'.repeat(40), '😀'.repeat(40), '😀'.repeat(40)],
    ['operator.command', 'command', '/Refund_Now', 'refund_now', 'refund_now'],
    ['operator.command', 'command', `/${'X'.repeat(48)}`, 'x'.repeat(48), 'x'.repeat(48)],
    ['operator.command', 'command', '/', null, null],
    ['operator.command', 'command', '  ', null, null],
  ] as const)(
    '%s: %s %j is stored as %j and compared as %j',
    async ([event, field, given, shown, compared], { api }) => {
      const response = await subscribe(api, { event, [field]: given });
      expect(response.status).toBe(201);
      expect(filters(response)).toEqual({ status: null, tag: null, command: null, [field]: shown });
      const { id } = response.body as { id: string };
      expect((await db().hook.findUniqueOrThrow({ where: { id } })).filterKey).toBe(compared);
    },
  );

  const noStatus = 'The status must be one of open, pending, solved, closed.';
  const noCommand =
    'The command must start with a letter or digit, contain only letters, digits, - and _, and be at most 48 characters.';
  test.for([
    { event: 'conversation.status_changed', field: 'status', value: 'Open', message: noStatus },
    { event: 'conversation.status_changed', field: 'status', value: 'spam', message: noStatus },
    { event: 'conversation.status_changed', field: 'status', value: 1, message: 'The status must be text.' },
    {
      event: 'conversation.tagged',
      field: 'tag',
      value: 'x'.repeat(41),
      message: 'The tag must be at most 40 characters.',
    },
    { event: 'conversation.tagged', field: 'tag', value: ['vip'], message: 'The tag must be text.' },
    { event: 'operator.command', field: 'command', value: 're fund', message: noCommand },
    { event: 'operator.command', field: 'command', value: '-refund', message: noCommand },
    { event: 'operator.command', field: 'command', value: 'x'.repeat(49), message: noCommand },
    { event: 'operator.command', field: 'command', value: true, message: 'The command must be text.' },
  ])('$event refuses the $field $value', async ({ event, field, value, message }, { api }) => {
    const { status, body } = await subscribe(api, { event, [field]: value });
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { [field]: [message] } } });
  });
});

test.for(['conversation.Created', 'conversation', 'toString', '__proto__', 'x'.repeat(60)])(
  'the event %j is unknown',
  async (event, { api }) => {
    const { status, body } = await subscribe(api, { event });
    const message = `The event must be one of ${EVENT_KEYS.join(', ')}.`;
    expect({ status, body }).toEqual({ status: 422, body: { message, errors: { event: [message] } } });
  },
);

const TARGET = `https://${PLATFORM.hooksHost}/hooks/catch/1/abc/`;

const subscribe = (api: Api, body: object) => api('POST', '/hooks', { target_url: TARGET, ...body });
const filters = ({ body }: { body: unknown }) => {
  const { status, tag, command } = body as Record<string, unknown>;
  return { status, tag, command };
};
