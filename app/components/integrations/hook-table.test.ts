import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { HookTable } from '#app/components/integrations/hook-table.tsx';
import type { HookHealth } from '#server/screens/integrations/views.ts';

test.each<[HookHealth, string | undefined]>([
  [{ kind: 'failing', since: new Date(0), errors: 3, errorsMax: 50 }, 'outcome=failed'],
  [{ kind: 'unanswered' }, 'outcome=retrying'],
  [{ kind: 'retrying' }, 'outcome=retrying'],
  [{ kind: 'slowed' }, undefined],
  [{ kind: 'normal' }, undefined],
])('“Recent errors” of a workflow with the health %j lists only events with errors', (health, outcome) => {
  const hook = {
    id: 'h1',
    event: 'conversation.created',
    eventName: 'New Conversation',
    filter: null,
  } as const;
  const html = renderToStaticMarkup(
    createElement(HookTable, { hooks: [{ ...hook, createdAt: new Date(0), health }] }),
  );
  const [, href] = /href="([^"]*)"[^>]*>\s*Recent errors/.exec(html) ?? [];
  expect(href?.replaceAll('&amp;', '&')).toBe(
    outcome && `/settings/integrations?hook=h1&${outcome}#event-log`,
  );
});
