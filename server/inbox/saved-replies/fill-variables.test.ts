import { describe, expect, test } from 'vitest';
import {
  fieldKey,
  fillVariables,
  findUnknownVariable,
  replaceVariables,
} from '#server/inbox/saved-replies/fill-variables.ts';

const VALUES = new Map<string, string | null>(
  Object.entries({
    'contact.first_name': 'Ada',
    'contact.last_name': null,
    'contact.name': '{{workspace.name}} $& $1',
    'contact.email': null,
    'contact.company': 'Analytical Engines',
    'teammate.first_name': 'Olivia',
    'teammate.name': 'Olivia Owen',
    'workspace.name': 'Demo',
    [fieldKey('contact', 'Plan')]: 'Pro',
    [fieldKey('conversation', 'Order number')]: null,
  }),
);

describe('variables are filled in', () => {
  test.each<[string, string, string[]]>([
    ['Hi {{contact.first_name}},', 'Hi Ada,', []],
    ['Hi {{ contact.first_name | there }},', 'Hi Ada,', []],
    ['Hi {{contact.last_name|there}},', 'Hi there,', []],
    [
      'Hi {{contact.last_name}}{{contact.last_name}}, {{contact.email| }}',
      'Hi , ',
      ['contact.last_name', 'contact.email'],
    ],
    ['{{teammate.name}} ({{teammate.first_name}}) of {{workspace.name}}', 'Olivia Owen (Olivia) of Demo', []],
    [
      'a value is not filled again: {{contact.name}}',
      'a value is not filled again: {{workspace.name}} $& $1',
      [],
    ],
    ['on {{contact.Plan}}, {{ contact.plan |any }}, {{CONTACT.PLAN}}', 'on Pro, Pro, Pro', []],
    [
      'order {{conversation.Order number|unknown}}, {{conversation.order  number}}',
      'order unknown, ',
      [fieldKey('conversation', 'Order number')],
    ],
    [
      '{{contact.company}} {contact.company} {{}} {{other}}',
      'Analytical Engines {contact.company} {{}} {{other}}',
      [],
    ],
  ])('in %j', (text, filled, missing) => {
    expect(fillVariables(text, VALUES)).toEqual({ text: filled, missing });
  });
});

describe('a placeholder that is not a variable is found', () => {
  test.each([
    ['Hi {{contact.first_name}} {{workspace.name | us}}', undefined],
    ['Hi {{contact.frist_name}}', '{{contact.frist_name}}'],
    ['{{contact.first_name|a|b}}', '{{contact.first_name|a|b}}'],
    ['{{Contact.first_name}}', '{{Contact.first_name}}'],
    ['{{constructor}}', '{{constructor}}'],
    ['{{}}', '{{}}'],
    ['{ {contact.first_name} }', undefined],
    ['{{contact.Plan}} {{conversation.order number|none}}', undefined],
    ['{{conversation.Plan}}', '{{conversation.Plan}}'],
    ['{{contact.Plan|a|b}}', '{{contact.Plan|a|b}}'],
  ])('in %j', (text, unknown) => {
    expect(findUnknownVariable(text, VALUES)).toBe(unknown);
  });
});

test('one variable is replaced where it is written, and the others stay', () => {
  const replaced = replaceVariables(
    '{{ contact.PLAN | none }} {{contact.Plan}} {{contact.Planet}} {{contact.name}}',
    new Set([fieldKey('contact', 'Plan')]),
    ({ fallback, hasFallback }) => `<${hasFallback}:${fallback}>`,
  );
  expect(replaced).toBe('<true:none> <false:> {{contact.Planet}} {{contact.name}}');
});
