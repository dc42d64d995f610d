import { createElement } from 'react';
import { prerender } from 'react-dom/static';
import { expect, test } from 'vitest';
import { EmailSettingsLink } from '#app/components/settings/email/email-settings-link.tsx';
import type { EmailStep } from '#server/screens/settings/channel-views.ts';

const STEP = { text: 'Set up signing for a.test.', link: 'Go to signing', href: '#email-domains' };

test.each<[string, EmailStep | null]>([
  ['Set up email', STEP],
  ['Email settings', { ...STEP, isOptional: true }],
  ['Email settings', null],
])('Channels offers “%s” when the next step of email is %j', async (label, nextStep) => {
  const { prelude } = await prerender(createElement(EmailSettingsLink, { nextStep }));
  expect(await new Response(prelude).text()).toContain(`>${label}<`);
});
