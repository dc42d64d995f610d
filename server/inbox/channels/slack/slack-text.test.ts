import { expect, test } from 'vitest';
import { parseSlackText, writeSlackText } from '#server/inbox/channels/slack/slack-client.ts';

test.each([
  ['<@UBOT> where is it?', 'where is it?'],
  ['Ask <@U1|ada> or <#C1|general>', 'Ask @ada or #general'],
  ['Ask <@U1>', 'Ask @U1'],
  ['<!here> see <https://acme.test/a?b=1&amp;c=2>', '@here see https://acme.test/a?b=1&c=2'],
  [
    '<https://acme.test|our page> and <mailto:a@b.test|a@b.test>',
    'our page (https://acme.test) and a@b.test',
  ],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
])('%j is shown as %j', (text, plain) => {
  expect(parseSlackText(text, 'UBOT')).toBe(plain);
});

test('mentions and links in a reply are escaped', () => {
  expect(writeSlackText('<!channel> & <https://evil.test|click>')).toBe(
    '&lt;!channel&gt; &amp; &lt;https://evil.test|click&gt;',
  );
});
