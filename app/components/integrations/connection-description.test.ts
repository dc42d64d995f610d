import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ConnectionCommands } from '#app/components/integrations/connection-description.tsx';

const textOf = (commands: string[], listensForEveryCommand: boolean) =>
  renderToStaticMarkup(createElement(ConnectionCommands, { commands, listensForEveryCommand }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test('lists the commands of a connection, also beside a workflow for every command', () => {
  expect(textOf([], false)).toBe('None');
  expect(textOf(['refund', 'vip'], false)).toBe('/refund /vip');
  expect(textOf([], true)).toBe('Every command');
  expect(textOf(['refund', 'vip'], true)).toBe('Every command, and /refund /vip');
});
