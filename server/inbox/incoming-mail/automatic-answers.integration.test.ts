import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { answerAndSend } from '#test/fixtures/answer-and-send.ts';
import { type Inbox, test } from '#test/fixtures/received-mail-test.ts';
import { storedConversation, storedMessage } from '#test/fixtures/stored-rows.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

test.beforeEach(async ({ teammates: { workspaceId } }) => {
  const data = { aiAgentEnabled: true, askForRating: true };
  await db().workspace.update({ where: { id: workspaceId }, data });
  await db().savedAnswer.create({ data: { workspaceId, question: QUESTION, answer: 'On its way.' } });
});

describe('an attacker who writes under a victim’s address triggers no mail to the victim', () => {
  test.for([
    ['fails DMARC', 'charles@bank.test'],
    ['has no SPF, DKIM or DMARC result', 'victim@silent.test'],
  ] as const)('by the AI agent, when the mail %s', async ([_why, victim], { mail, inbox }) => {
    const { id } = await receiveQuestion(inbox, victim, 'me@evil.test');
    expect(await answerAndSend(id)).toBe('silent');
    expect(mail.sentTo(victim)).toEqual([]);
  });

  test.for([
    ['fails DMARC', 'charles@bank.test'],
    ['has no SPF, DKIM or DMARC result', 'victim@silent.test'],
  ] as const)(
    'by an automation that solves and requests a rating, when the mail %s',
    async ([_why, victim], { teammates, mail, inbox }) => {
      const { conversationId } = await askAndSolve(teammates, inbox, victim, 'me@evil.test');
      await askForRating(conversationId);
      expect(mail.sentTo(victim)).toEqual([]);
    },
  );
});

test('a verified sender gets answers and rating requests, marked as automatic mail', async ({
  teammates,
  mail,
  inbox,
}) => {
  const [one, two] = [newAda(), newAda()];
  expect(await answerAndSend((await receiveQuestion(inbox, one)).id)).toBe('answered');
  expect(mail.sentTo(one)).toHaveLength(1);
  await askForRating((await askAndSolve(teammates, inbox, two)).conversationId);
  expect(mail.sentTo(two)).toHaveLength(1);
  for (const { raw } of [...mail.sentTo(one), ...mail.sentTo(two)]) {
    expect(raw).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  }
});

test('an email that forbids automatic answers gets neither an answer of the AI agent nor a rating request', async ({
  teammates,
  mail,
  inbox,
}) => {
  const ada = newAda();
  const headers = { 'X-Auto-Response-Suppress': 'All' };
  const { id } = await receiveQuestion(inbox, ada, ada, headers);
  expect(await answerAndSend(id)).toBe('silent');
  await askForRating((await askAndSolve(teammates, inbox, ada, ada, headers)).conversationId);
  expect(mail.sentTo(ada)).toEqual([]);
});

describe('the AI agent leaves an email to the team whose question', () => {
  test('is to be answered at another address, such as that of a form with a Reply-To', async ({
    mail,
    inbox,
  }) => {
    const form = newAda();
    const { id, conversationId } = await receiveQuestion(inbox, form, form, { 'Reply-To': 'uma@mail.test' });
    expect(await answerAndSend(id)).toBe('silent');
    expect(mail.received).toEqual([]);
    expect(await storedConversation(conversationId)).toMatchObject({ status: 'open' });
    expect(await storedMessage(id)).toMatchObject({ agentDecision: 'other_person' });
  });

  test('a teammate forwarded, until it is clear that they asked themselves', async ({
    mail,
    inbox,
    teammates: { agent },
  }) => {
    const block = `${QUESTION}\r\n\r\n---------- Forwarded message ---------\r\nFrom: Mia Berg <mia@kunde.test>\r\nDate: Fri, 27 Nov 2026 at 10:00\r\nSubject: Order\r\nTo: <me@acme.test>\r\n\r\n${QUESTION}`;
    await inbox.bring(rawMail({ From: agent.email, Subject: 'Fwd: Order' }, block));
    const { id: messageId = '', conversationId = '' } = (await inbox.newest()) ?? {};
    expect(await answerAndSend(messageId)).toBe('silent');
    expect(mail.received).toEqual([]);
    await db().contactOffer.update({ where: { conversationId }, data: { dismissedAt: new Date() } });
    expect(await answerAndSend(messageId)).toBe('answered');
    expect(mail.sentTo(agent.email)).toHaveLength(1);
  });

  test('comes from the other address of a contact who was merged, also while the agent worked', async ({
    inbox,
    teammates,
  }) => {
    const [work, home] = [newAda(), newAda()];
    const { conversation: ofWork } = await receiveQuestion(inbox, work);
    const first = await receiveQuestion(inbox, home);
    const merging: AiAgent = {
      answer: async () => {
        await mergeContacts({
          workspaceId: teammates.workspaceId,
          id: first.conversation.contactId ?? '',
          intoId: ofWork.contactId ?? '',
          actor: { kind: 'teammate', teammate: teammates.agent },
        });
        return { kind: 'answer', content: 'On its way.', nextStatus: 'pending' };
      },
    };
    expect(await answerContact(merging, { messageId: first.id })).toBe('silent');
    const second = await receiveQuestion(inbox, home);
    expect(second.conversation.contact).toMatchObject({ email: work });
    const never: AiAgent = { answer: () => Promise.reject(new Error('The agent was asked.')) };
    expect(await answerContact(never, { messageId: second.id })).toBe('silent');
    for (const { id } of [first, second])
      expect(await storedMessage(id)).toMatchObject({ agentDecision: 'other_person' });
  });
});

test('an answer of the AI agent that bounces reopens its conversation, and the contact is waiting again', async ({
  mail,
  inbox,
}) => {
  const ada = newAda();
  const { id: messageId, conversationId, createdAt } = await receiveQuestion(inbox, ada);
  await answerAndSend(messageId);
  expect(await storedConversation(conversationId)).toMatchObject({ status: 'pending', waitingSince: null });
  const [answer] = mail.sentTo(ada);
  await inbox.bring(bounceOf(ada), { from: '', to: answer?.from ?? '' });
  expect(await inbox.newest()).toMatchObject({ conversationId, automatic: true });
  expect(await storedConversation(conversationId)).toMatchObject({ status: 'open', waitingSince: createdAt });
});

test('the AI agent and rating requests together send an address at most five mails an hour', async ({
  teammates,
  mail,
  inbox,
}) => {
  const ada = newAda();
  const questions: Awaited<ReturnType<typeof receiveQuestion>>[] = [];
  for (let count = 0; count < 6; count += 1) questions.push(await receiveQuestion(inbox, ada));
  const outcomes: string[] = [];
  for (const { id } of questions.slice(0, 4)) {
    outcomes.push(await answerAndSend(id));
  }
  expect(outcomes).toEqual(['answered', 'answered', 'answered', 'answered']);
  await askForRating((await askAndSolve(teammates, inbox, ada)).conversationId);
  expect(mail.sentTo(ada)).toHaveLength(5);
  const refused = await Promise.all(questions.slice(4).map(({ id }) => answerAndSend(id)));
  expect(refused).toEqual(['silent', 'silent']);
  await askForRating((await receiveQuestion(inbox, ada)).conversationId);
  expect(mail.sentTo(ada)).toHaveLength(5);
});

const QUESTION = 'Where is my parcel?';

async function receiveQuestion(
  inbox: Inbox,
  address: string,
  envelopeFrom = address,
  headers: Record<string, string> = {},
) {
  await inbox.bring(
    rawMail({ ...headers, From: address, 'Message-ID': `<${randomUUID()}@x.test>` }, QUESTION),
    {
      from: envelopeFrom,
    },
  );
  const message = await inbox.newest();
  if (!message) throw new Error('The mail was not received.');
  return message;
}

/** Returns a new message of the sender, whose conversation a flow immediately solved. */
async function askAndSolve(
  teammates: Teammates,
  inbox: Inbox,
  address: string,
  envelopeFrom = address,
  headers: Record<string, string> = {},
) {
  const { workspaceId } = teammates;
  await db().flow.create({
    data: {
      workspaceId,
      name: 'Solve',
      condition: { channels: [], words: [], emailDomain: null },
      actions: { tags: [], assigneeId: null, teamId: null, status: 'solved' },
    },
  });
  const message = await receiveQuestion(inbox, address, envelopeFrom, headers);
  expect(message.conversation.status).toBe('solved');
  return message;
}

const newAda = () => `${randomUUID()}@acme.test`;

const bounceOf = (recipient: string) =>
  rawMail(
    {
      From: 'MAILER-DAEMON@mx.acme.test',
      Subject: 'Undelivered',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=d',
    },
    `--d\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--d\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.acme.test\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n--d--`,
  );
