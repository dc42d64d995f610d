import { createElement, useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useAtStart } from '#app/components/composer/use-answered.ts';

test.each([
  ['follows the value while the box is empty', [true, true], 'newer'],
  ['is the value of the time when the teammate began to write', [true, false], 'first'],
  ['is the value of the time when a draft was opened', [false, false], 'first'],
  ['follows the value again once the box is empty', [false, true], 'newer'],
] as const)('what a box remembers %s', (_, [wasEmpty, isEmpty], remembered) => {
  expect(renderToStaticMarkup(createElement(ChangingBox, { wasEmpty, isEmpty }))).toBe(remembered);
});

test('what a box remembers is replaced by what the teammate has read since', () => {
  expect(renderToStaticMarkup(createElement(ReadBox))).toBe('newer');
});

type Props = { wasEmpty: boolean; isEmpty: boolean };

/** Renders with a first value, then with a newer one. */
function ChangingBox({ wasEmpty, isEmpty }: Props) {
  const [value, setValue] = useState('first');
  const isFirst = value === 'first';
  const [started] = useAtStart(value, isFirst ? wasEmpty : isEmpty);
  if (isFirst) setValue('newer');
  return started;
}

function ReadBox() {
  const [started, setStarted] = useAtStart('first', false);
  if (started === 'first') setStarted('newer');
  return started;
}
