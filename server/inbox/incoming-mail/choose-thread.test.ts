import { describe, expect, test } from 'vitest';
import {
  chooseThread,
  type MailToThread,
  type ThreadCandidate,
} from '#server/inbox/incoming-mail/choose-thread.ts';

const ADA = { conversationId: 'ada’s', contactEmails: ['ada@acme.test'], claimedEmail: null };
const OTHER = { conversationId: 'charles’s', contactEmails: ['charles@bank.test'], claimedEmail: null };
const CLAIMED = { conversationId: 'somebody’s', contactEmails: [], claimedEmail: 'ada@acme.test' };
const KNOWN: Record<string, ThreadCandidate> = {
  '<1@x>': ADA,
  '<2@x>': OTHER,
  '<3@x>': { ...ADA, conversationId: 'ada’s second' },
  '<4@x>': CLAIMED,
};

describe('a mail joins the thread', () => {
  test('of In-Reply-To, before References', async () => {
    expect(await choose({ inReplyTo: ['<1@x>'], references: ['<3@x>'] })).toBe('ada’s');
    expect(await choose({ inReplyTo: ['<9@x>'], references: ['<1@x>', '<3@x>'] })).toBe('ada’s second');
  });
  test('of the reply address, when its references are unknown', async () => {
    expect(await choose({ inReplyTo: ['<9@x>'], repliesTo: ['ada’s'] })).toBe('ada’s');
  });
  test('of another contact, when a teammate answers', async () => {
    expect(await choose({ sender: 'grace@inbox.test', inReplyTo: ['<2@x>'] })).toBe('charles’s');
  });
  test('that has the sender in copy, even if it is not the first candidate', async () => {
    const sender = 'tom@acme.test';
    expect(await choose({ sender, inReplyTo: ['<1@x>'] })).toBe('ada’s');
    expect(await choose({ sender, inReplyTo: ['<2@x>'], references: ['<1@x>'] })).toBe('ada’s');
    expect(await choose({ sender, repliesTo: ['charles’s', 'ada’s'] })).toBe('ada’s');
  });
});

test('a thread of a contact who claims an address continues only with mail that is unverified too', async () => {
  const inReplyTo = ['<4@x>'];
  expect(await choose({ inReplyTo, authentication: 'unknown' })).toBe('somebody’s');
  expect(await choose({ inReplyTo, authentication: 'failed' })).toBeNull();
  expect(await choose({ inReplyTo, authentication: 'passed' })).toBeNull();
  expect(await choose({ inReplyTo, authentication: 'unknown', sender: 'mallory@evil.test' })).toBeNull();
});

describe('an attacker joins no thread', () => {
  test('by referring to another contact’s thread', async () => {
    expect(await choose({ inReplyTo: ['<2@x>'] })).toBeNull();
    expect(
      await choose({ sender: 'mallory@evil.test', inReplyTo: ['<1@x>', '<2@x>'], references: ['<3@x>'] }),
    ).toBeNull();
  });
  test('by using another contact’s reply address', async () => {
    expect(await choose({ repliesTo: ['charles’s'] })).toBeNull();
  });
  test('by using the contact’s address, when authentication fails', async () => {
    expect(await choose({ authentication: 'failed', inReplyTo: ['<1@x>'], repliesTo: ['ada’s'] })).toBeNull();
  });
  test('by using the address of a person in copy without authentication', async () => {
    const mail = { sender: 'tom@acme.test', inReplyTo: ['<1@x>'] };
    expect(await choose({ ...mail, authentication: 'unknown' })).toBeNull();
    expect(await choose({ ...mail, authentication: 'failed' })).toBeNull();
    expect(await choose({ ...mail, inReplyTo: ['<2@x>'] })).toBeNull();
  });
  test('by using a teammate’s address without authentication', async () => {
    const mail = { sender: 'grace@inbox.test', inReplyTo: ['<2@x>'] };
    expect(await choose({ ...mail, authentication: 'unknown' })).toBeNull();
  });
  test('without a sender', async () => {
    expect(await choose({ sender: null, inReplyTo: ['<1@x>'] })).toBeNull();
  });
});

test('the reason says what joined a mail to its conversation, or why it starts a new one', async () => {
  expect(await reasonOf({ inReplyTo: ['<9@x>'], references: ['<1@x>'] })).toBe('answers');
  expect(await reasonOf({ inReplyTo: ['<9@x>'], repliesTo: ['ada’s'] })).toBe('reply_address');
  expect(await reasonOf({ inReplyTo: ['<1@x>'], repliesTo: ['ada’s'] })).toBe('answers');
  expect(await reasonOf({})).toBe('names_none');
  expect(await reasonOf({ authentication: 'failed' })).toBe('names_none');
  expect(await reasonOf({ inReplyTo: ['<9@x>'] })).toBe('unknown');
  expect(await reasonOf({ inReplyTo: ['<1@x>'], authentication: 'failed' })).toBe('not_believed');
  expect(await reasonOf({ inReplyTo: ['<1@x>'], sender: null })).toBe('not_believed');
  expect(await reasonOf({ inReplyTo: ['<2@x>'] })).toBe('other_person');
  expect(await reasonOf({ inReplyTo: ['<2@x>'], authentication: 'unknown' })).toBe('other_person');
});

async function choose(mail: Partial<MailToThread>) {
  const { conversationId, isOther } = await threadOf(mail);
  expect(isOther).toBe(conversationId !== null && OTHERS.includes(mail.sender ?? ''));
  return conversationId;
}

async function reasonOf(mail: Partial<MailToThread>) {
  return (await threadOf(mail)).reason;
}

function threadOf(mail: Partial<MailToThread>) {
  return chooseThread(
    {
      sender: 'ada@acme.test',
      authentication: 'passed',
      inReplyTo: [],
      references: [],
      repliesTo: [],
      ...mail,
    },
    {
      byReference: async (ids) => new Map(ids.flatMap((id) => (KNOWN[id] ? [[id, KNOWN[id]]] : []))),
      byConversation: async (ids) =>
        [ADA, OTHER].filter(({ conversationId }) => ids.includes(conversationId)),
      isTeammate: async (email) => email === 'grace@inbox.test',
      inCopy: async (ids, email) =>
        new Set(email === 'tom@acme.test' ? ids.filter((id) => id === 'ada’s') : []),
    },
  );
}

const OTHERS = ['grace@inbox.test', 'tom@acme.test'];
