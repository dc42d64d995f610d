import { describe, expect } from 'vitest';
import { fanOut } from '#server/automation/deliveries/fan-out.ts';
import { db } from '#server/core/database/prisma.ts';
import { screensFor } from '#server/screens/router.ts';
import type { Api } from '#test/clients/api-client.ts';
import { signInAs } from '#test/clients/sign-in.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { PLATFORM } from '#test/fixtures/service.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('conversation', async ({ connection }) => {
  const id = await makeConversation(connection);
  await db().conversationTag.deleteMany({ where: { conversationId: id } });
  return id;
});

describe('a tag in another normalization form is the same tag', () => {
  test('for hooks, for adding it again, and within one request', async ({ api, conversation: id }) => {
    const target_url = `https://${PLATFORM.hooksHost}/hook`;
    const subscribed = await api('POST', '/hooks', {
      event: 'conversation.tagged',
      target_url,
      tag: DECOMPOSED.toUpperCase(),
    });
    const { id: hookId, tag: shown } = subscribed.body as { id: string; tag: string };
    expect(shown).toBe(DECOMPOSED.toUpperCase());
    expect(await tag(api, id, COMPOSED, DECOMPOSED)).toEqual([COMPOSED]);
    expect(await tag(api, id, DECOMPOSED.toUpperCase())).toEqual([COMPOSED]);
    await fanOut({ leaseId: 'nobody', hooks: 0 });
    expect(await db().delivery.count({ where: { hookId } })).toBe(1);
  });

  test('for samples', async ({ api, conversation: id }) => {
    await tag(api, id, COMPOSED);
    const query = new URLSearchParams({ tag: DECOMPOSED });
    const { body } = await api('GET', `/triggers/conversation.tagged/samples?${query}`);
    expect(body).toMatchObject([{ added_tags: [COMPOSED], conversation: { id } }]);
  });

  test('for the list of tags in the inbox, and its filter', async ({
    service,
    api,
    connection,
    conversation: id,
  }) => {
    await tag(api, id, COMPOSED);
    const headers = new Headers({ cookie: await signInAs(service.url, connection.teammate) });
    const screens = await screensFor(headers);
    const other = await makeConversation(connection);
    await api('POST', `/conversations/${other}/tags`, { tags: [DECOMPOSED] });
    const { tags } = await screens.inbox.filterChoices();
    expect(tags.filter((name) => name.normalize('NFC') === COMPOSED)).toHaveLength(1);
    const { rows } = await screens.inbox.list({ tag: DECOMPOSED });
    expect(rows.map((row) => row.id).sort()).toEqual([id, other].sort());
  });
});

const COMPOSED = 'Café';
const DECOMPOSED = COMPOSED.normalize('NFD');

async function tag(api: Api, id: string, ...tags: string[]): Promise<string[]> {
  const { body } = await api('POST', `/conversations/${id}/tags`, { tags });
  return (body as { tags: string[] }).tags;
}
