import { expect, test } from 'vitest';
import { pageBodyShape, parsePageContent } from '#server/inbox/channels/meta/page-message.ts';

/** Parses a message with an attachment that cannot be shown, and returns its content. */
function contentOf(given: object) {
  const message = { mid: 'm', attachments: [{ type: 'hologram' }], ...given };
  const event = { sender: { id: '1' }, recipient: { id: '2' }, timestamp: 1, message };
  const parsed = pageBodyShape.parse({ entry: [{ id: '2', messaging: [event] }] });
  const [received] = parsed.entry.flatMap(({ messaging }) => messaging);
  return received?.message && parsePageContent(received.message).content;
}

test('what cannot be shown is said to be from the contact only if the contact sent it', () => {
  expect(contentOf({})).toBe('[The contact sent something that cannot be shown here: hologram.]');
  expect(contentOf({ is_echo: true })).toBe('[Something that cannot be shown here was sent: hologram.]');
  expect(contentOf({ is_echo: true, attachments: [] })).toBe(
    '[Something that cannot be shown here was sent.]',
  );
});
