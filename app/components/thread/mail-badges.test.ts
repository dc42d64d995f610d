import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MailBadges } from '#app/components/thread/mail-badges.tsx';
import type { MailView } from '#server/screens/inbox/thread-views.ts';

const plain = {
  isTrimmed: false,
  hasHtml: false,
  hasRemotePictures: false,
  hasOriginal: true,
  invitation: null,
};

test.each<[MailView['sender'], string[]]>([
  ['verified', []],
  ['not_verified', ['Sender not verified']],
  ['unknown', ['Sender could not be verified']],
])('an email with sender state %s has the badges %j', (sender, badges) => {
  const mail = { ...plain, sender, isAutomatic: false };
  const html = renderToStaticMarkup(createElement(MailBadges, { mail, author: 'Nora' }));
  expect(html.match(/[A-Z][a-z ]+(?=<)/g) ?? []).toEqual(badges);
});
