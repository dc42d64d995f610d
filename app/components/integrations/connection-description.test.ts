import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ConnectionCommands } from '#app/components/integrations/connection-description.tsx';

const said = (commands: string[], listensForEveryCommand: boolean) =>
  renderToStaticMarkup(createElement(ConnectionCommands, { commands, listensForEveryCommand }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('a connection names the commands it listens for, also beside a workflow that listens for every one', () => {
  expect(said([], false)).toBe('None');
  expect(said(['refund', 'vip'], false)).toBe('/refund /vip');
  expect(said([], true)).toBe('Every command');
  expect(said(['refund', 'vip'], true)).toBe('Every command, and /refund /vip');
});
