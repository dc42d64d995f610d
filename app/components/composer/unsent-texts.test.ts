import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { UnsentTexts } from '#app/components/composer/unsent-texts.tsx';
import { EMPTY_DRAFT } from '#app/components/drafts/composer-state.ts';
import { composer } from '#app/components/drafts/drafts.ts';

const you = { id: 'ada', name: 'Ada' };
const merged = { you, conversationId: 'order', mergedInto: { id: 'other', title: 'Other order' } };

test('a note that a teammate was writing when the conversation was merged is shown, and can be moved', () => {
  const shown = show({ ...merged, mergedInto: null }, 'Ask Ben first');
  expect(shown).toContain('Ask Ben first');
  expect(shown).not.toContain('<button');
  expect(show(merged, 'Ask Ben first')).toContain('Move to that conversation</button>');
  expect(show(merged, ' ')).toBe('');
});

test('the last changes to a reply are shown, and not a reply that colleagues have', () => {
  expect(show(merged, '', 'Half a reply')).toContain('Half a reply');
  vi.spyOn(composer, 'versionOf').mockReturnValueOnce('3');
  expect(show(merged, '', 'Half a reply')).toBe('');
});

type View = Parameters<typeof UnsentTexts>[0]['view'];

function show(view: View, note: string, reply = ''): string {
  const drafts = { reply: { ...EMPTY_DRAFT, text: reply }, note: { ...EMPTY_DRAFT, text: note } };
  return renderToStaticMarkup(createElement(UnsentTexts, { view, drafts }));
}
