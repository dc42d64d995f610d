import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { withReceivedMail } from '#test/fixtures/received-mail.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const { mail, bring, newest } = withReceivedMail();

const QUESTION = 'Where is my parcel?';

beforeEach(async () => {
  const { workspaceId } = mail.teammates;
  const data = { aiAgentEnabled: true, askForRating: true };
  await db().workspace.update({ where: { id: workspaceId }, data });
  await db().savedAnswer.create({ data: { workspaceId, question: QUESTION, answer: 'On its way.' } });
});

async function ask(address: string, envelopeFrom = address) {
  await bring(rawMail({ From: address, 'Message-ID': `<${randomUUID()}@x.test>` }, QUESTION), {
    from: envelopeFrom,
  });
  const message = await newest();
  if (!message) throw new Error('The mail was not received.');
  return message;
}

/** Returns a new message of the sender, whose conversation a flow immediately solved. */
async function askAndSolve(address: string, envelopeFrom = address) {
  const { workspaceId } = mail.teammates;
  await db().flow.create({
    data: {
      workspaceId,
      name: 'Solve',
      condition: { channels: [], words: [], emailDomain: null },
      actions: { tags: [], assigneeId: null, teamId: null, status: 'solved' },
    },
  });
  const message = await ask(address, envelopeFrom);
  expect(message.conversation.status).toBe('solved');
  return message;
}

const mailsTo = (address: string) => mail.outgoing.received.filter(({ to }) => to.includes(address));
const newAda = () => `${randomUUID()}@acme.test`;

describe('an attacker who writes under a victim’s address triggers no mail to the victim', () => {
  test.each([
    ['fails DMARC', 'charles@bank.test'],
    ['has no SPF, DKIM or DMARC result', 'victim@silent.test'],
  ])('by the AI agent, when the mail %s', async (_why, victim) => {
    const { id } = await ask(victim, 'me@evil.test');
    expect(await answerContact(exampleAgent, { messageId: id })).toBe('silent');
    expect(mailsTo(victim)).toEqual([]);
  });

  test.each([
    ['fails DMARC', 'charles@bank.test'],
    ['has no SPF, DKIM or DMARC result', 'victim@silent.test'],
  ])('by an automation that solves and requests a rating, when the mail %s', async (_why, victim) => {
    const { conversationId } = await askAndSolve(victim, 'me@evil.test');
    await askForRating(conversationId);
    expect(mailsTo(victim)).toEqual([]);
  });
});

test('a verified sender gets answers and rating requests, marked as automatic mail', async () => {
  const [one, two] = [newAda(), newAda()];
  expect(await answerContact(exampleAgent, { messageId: (await ask(one)).id })).toBe('answered');
  expect(mailsTo(one)).toHaveLength(1);
  await askForRating((await askAndSolve(two)).conversationId);
  expect(mailsTo(two)).toHaveLength(1);
  for (const { raw } of [...mailsTo(one), ...mailsTo(two)]) {
    expect(raw).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  }
});

test('the AI agent and rating requests together send an address at most five mails an hour', async () => {
  const ada = newAda();
  const questions: Awaited<ReturnType<typeof ask>>[] = [];
  for (let count = 0; count < 6; count += 1) questions.push(await ask(ada));
  const outcomes: string[] = [];
  for (const { id } of questions.slice(0, 4)) {
    outcomes.push(await answerContact(exampleAgent, { messageId: id }));
  }
  expect(outcomes).toEqual(['answered', 'answered', 'answered', 'answered']);
  await askForRating((await askAndSolve(ada)).conversationId);
  expect(mailsTo(ada)).toHaveLength(5);
  const refused = await Promise.all(
    questions.slice(4).map(({ id }) => answerContact(exampleAgent, { messageId: id })),
  );
  expect(refused).toEqual(['silent', 'silent']);
  await askForRating((await ask(ada)).conversationId);
  expect(mailsTo(ada)).toHaveLength(5);
});
