import { expect, test } from 'vitest';
import { sampleRows } from '#server/contract/record-events.ts';
import { exampleContact, exampleConversation } from '#server/contract/record-examples.ts';

const conversation = (id: string) => ({ ...exampleConversation, id });
const tagged = (id: string, subjectId: string, filterValues: string[]) => ({
  key: 'conversation.tagged' as const,
  payload: { conversation: conversation(id), added_tags: [] },
  filterValues,
  subjectId,
});
const row = (conversation_id: string, subject_id: string, filter: string) => ({
  conversation_id,
  event: 'conversation.tagged',
  filter,
  subject_id,
});

test('an event has a row without a filter and one for each filter value', () => {
  expect(sampleRows([tagged('c', 's', ['vip', 'late'])])).toEqual([
    row('c', 's', ''),
    row('c', 's', 'late'),
    row('c', 's', 'vip'),
  ]);
});

test('events without a subject have no rows', () => {
  expect(
    sampleRows([
      { key: 'contact.created', payload: { contact: exampleContact }, filterValues: [] },
      { key: 'conversation.created', payload: { conversation: conversation('c') }, filterValues: [] },
      {
        key: 'conversation.status_changed',
        payload: { conversation: conversation('c'), previous_status: null },
        filterValues: ['open'],
      },
    ]),
  ).toEqual([]);
});

test('the last of several events with the same row remains, and a repeated value has one row', () => {
  expect(
    sampleRows([tagged('c', 'first', ['vip']), tagged('c', 'second', []), tagged('c', 'third', ['a', 'a'])]),
  ).toEqual([row('c', 'third', ''), row('c', 'third', 'a'), row('c', 'first', 'vip')]);
});

test('rows are sorted regardless of the order of events', () => {
  const [a, b] = [tagged('a', 's', ['x', 'y']), tagged('b', 's', ['y', 'x'])];
  expect(sampleRows([b, a])).toEqual(sampleRows([a, b]));
});
