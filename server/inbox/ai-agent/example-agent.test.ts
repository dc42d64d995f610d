import { describe, expect, test } from 'vitest';
import type { AgentQuestion } from '#server/inbox/ai-agent/ai-agent.ts';
import { exampleAgent, meaningWords } from '#server/inbox/ai-agent/example-agent.ts';

const SAVED = [
  saved('Where is my order?', 'ORDER'),
  saved('How do I cancel my order?', 'CANCEL'),
  saved('What are your delivery times?', 'DELIVERY'),
  saved('Do you offer refunds?', 'REFUND'),
  saved('Öffnungszeiten am Wochenende?', 'HOURS'),
];
const neverAborted = new AbortController().signal;

describe('the example agent answers', () => {
  test.each([
    ['Where is my order?', 'ORDER'],
    ['where are my ORDERS', 'ORDER'],
    ['Hi there! Could you please tell me where order 1042 is? Thank you', 'ORDER'],
    ['I want to cancel the order.', 'CANCEL'],
    ['Is cancelling an order possible?', 'CANCEL'],
    ['I would like a refund', 'REFUND'],
    ['Hello,\n\nI bought shoes last week.\nWhat is the delivery time?\n\nBest, Ada', 'DELIVERY'],
    ['öffnungszeiten wochenende', 'HOURS'],
  ])('%s', async (content, answer) => {
    expect(await asking(content)).toEqual({ kind: 'answer', content: answer, nextStatus: 'pending' });
  });
});

describe('the example agent is silent', () => {
  test.each([
    '',
    'Thanks!',
    '1042',
    'Hello, can you help me?',
    'My shoes came in the wrong colour and the box was torn open.',
    'order',
    'Is there parking near the shop?',
  ])('when it is not sure: %s', async (content) => {
    expect(await asking(content)).toEqual({ kind: 'silent' });
  });

  test('when two answers match almost equally well', async () => {
    const savedAnswers = [saved('Change my address', 'A'), saved('Change my password', 'B')];
    const messages = [{ from: 'contact' as const, content: 'How do I change my password and address?' }];
    const question = {
      subject: null,
      channel: 'email' as const,
      contactName: null,
      language: 'english' as const,
      messages,
      savedAnswers,
    };
    expect(await exampleAgent.answer(question, neverAborted)).toEqual({ kind: 'silent' });
  });

  test('when it already gave that answer in the conversation', async () => {
    const earlier = [{ from: 'ai_agent' as const, content: 'ORDER' }];
    expect(await asking('Where is my order?', earlier)).toEqual({ kind: 'silent' });
    const byTeammate = [{ from: 'teammate' as const, content: 'ORDER' }];
    expect(await asking('Where is my order?', byTeammate)).toMatchObject({ kind: 'answer' });
  });

  test('when there are no saved answers', async () => {
    const messages = [{ from: 'contact' as const, content: 'Where is my order?' }];
    const question = {
      subject: null,
      channel: 'email' as const,
      contactName: null,
      language: 'english' as const,
      messages,
    };
    expect(await exampleAgent.answer({ ...question, savedAnswers: [] }, neverAborted)).toEqual({
      kind: 'silent',
    });
  });
});

test.each([
  ['deliveries delivery', ['delivery']],
  ['cancel cancelled cancelling cancels', ['cancel']],
  ['price prices pricing', ['pric']],
  ['boxes box', ['box']],
  ['the of and I’m', []],
  ['order 1042 A7', ['order']],
])('endings are ignored when words are compared: %s', (text, words) => {
  expect([...meaningWords(text)]).toEqual(words);
});

function asking(content: string, earlier: AgentQuestion['messages'] = []) {
  return exampleAgent.answer(
    {
      subject: null,
      channel: 'webchat',
      contactName: null,
      language: 'english',
      messages: [...earlier, { from: 'contact', content }],
      savedAnswers: SAVED,
    },
    neverAborted,
  );
}

function saved(question: string, answer: string) {
  return { question, answer, nextStatus: 'pending' as const };
}
