import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { callMcp, connectMcp, REVISIONS } from '#test/clients/mcp-client.ts';
import { type MadeToken, makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { INJECTION_MAILS } from '#test/fixtures/injection-mails.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { test } from '#test/fixtures/service-test.ts';

// A contact writes instructions to the program that reads their mail. The token may do everything, also send.

const SECRET = 'The code of the safe is 4711.';

test('a mail that gives instructions changes nothing by itself, and its text is only in fields marked as untrusted', async ({
  service,
}) => {
  expect(INJECTION_MAILS.length).toBeGreaterThanOrEqual(30);
  const made = await makeApiToken();
  const other = await makeConversation({ workspaceId: made.workspaceId, teammate: made.by });
  await write(made, other, SECRET);
  const clients = await Promise.all(
    REVISIONS.map((revision) => connectMcp(service.url, made.token, revision)),
  );
  const tools = JSON.stringify(await Promise.all(clients.map((client) => client.listTools())));

  for (const [n, mail] of INJECTION_MAILS.entries()) {
    const client = clients[n % clients.length];
    if (!client) throw new Error('There is no client.');
    const marker = `injection-${n}-${randomUUID()}`;
    const text = `${mail.content.replaceAll('{other}', other)} ${marker}`;
    const contact = await db().contact.create({
      data: { workspaceId: made.workspaceId, firstName: text.slice(0, 200), lastName: marker, city: marker },
    });
    const which = { workspaceId: made.workspaceId, teammate: made.by };
    const id = await makeConversation(which, { contactId: contact.id, subject: `${mail.subject} ${marker}` });
    await write(made, id, text);
    const before = await stateOf(made.workspaceId);

    const reads: [string, Record<string, unknown>][] = [
      ['read_conversation', { conversation_id: id }],
      ['find_conversations', { contact_id: contact.id }],
      ['search_conversations', { query: marker }],
      ['read_contact', { contact_id: contact.id }],
      ['find_contacts', {}],
      ['list_notes', { conversation_id: id }],
      ['list_tags', {}],
      ['list_teammates', {}],
    ];
    let marked = 0;
    for (const [name, args] of reads) {
      const { isError, text: shown, structured } = await callMcp(client, name, args);
      expect(isError, name).toBe(false);
      const trusted = JSON.stringify(structured, (key, value) => (key === 'untrusted' ? null : value));
      expect(trusted, name).not.toContain(marker);
      expect(shown, name).not.toContain(made.token);
      if (name === 'read_conversation') expect(shown).not.toContain(SECRET);
      if (shown.includes(marker)) marked += 1;
    }
    expect(marked).toBeGreaterThanOrEqual(4);
    expect(await stateOf(made.workspaceId), mail.subject).toEqual(before);

    // A model that believes the mail still only makes a suggestion of it.
    const draft = { conversation_id: id, content: text, reason: text };
    expect((await callMcp(client, 'suggest_reply', draft)).text).not.toContain(marker);
    expect(await stateOf(made.workspaceId)).toEqual(before);

    const refused = [
      await callMcp(client, 'read_conversation', { conversation_id: id, cursor: '.' }),
      await callMcp(client, 'read_conversation', { conversation_id: `${id}${marker}`.slice(0, 60) }),
      await callMcp(client, 'suggest_reply', { ...draft, content: '' }),
    ];
    for (const { isError, text: sentence } of refused) {
      expect(isError).toBe(true);
      expect(sentence).not.toContain(marker);
    }
    if (n === 0) {
      await mergeAs(which, id, other);
      const { isError, text: sentence } = await callMcp(client, 'suggest_reply', draft);
      expect([isError, sentence]).toEqual([true, expect.stringContaining('merged')]);
      expect(sentence).not.toContain(marker);
    }
  }
  expect(JSON.stringify(await Promise.all(clients.map((client) => client.listTools())))).toBe(tools);
  await Promise.all(clients.map((client) => client.close()));
});

async function write({ workspaceId }: MadeToken, conversationId: string, content: string): Promise<void> {
  await db().message.create({
    data: { workspaceId, conversationId, direction: 'inbound', authorKind: 'contact', content },
  });
}

/** Returns everything that a tool could change, apart from suggestions. */
async function stateOf(workspaceId: string): Promise<unknown> {
  const tables = [
    'conversations',
    'conversation_tags',
    'messages',
    'notes',
    'pending_replies',
    'contacts',
    'timeline_entries',
  ];
  const columns = tables.map(
    (table) =>
      `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${table} t where workspace_id = $1) as ${table}`,
  );
  const { rows } = await pool().query(`select ${columns.join(', ')}`, [workspaceId]);
  return rows[0];
}
