import { expect, test } from 'vitest';
import { previewOf } from '#server/screens/inbox/inbox-rows.ts';

const pdf = { name: 'invoice.pdf', contentType: 'application/pdf' };
const photo = { name: 'p.png', contentType: 'image/png' };

test.each([
  [
    'the text on one line',
    { content: ' Hello\n\n Ada ', attachmentsCount: 1, attachments: [pdf] },
    'Hello Ada',
  ],
  [
    '140 characters of the text',
    { content: 'x'.repeat(500), attachmentsCount: 0, attachments: [] },
    'x'.repeat(140),
  ],
  ['no text for an empty message', { content: ' ', attachmentsCount: 0, attachments: [] }, ''],
  ['a photo', { content: '', attachmentsCount: 1, attachments: [photo] }, 'Photo'],
  ['a file by its name', { content: '', attachmentsCount: 1, attachments: [pdf] }, 'File: invoice.pdf'],
  ['the number of files', { content: '\n', attachmentsCount: 3, attachments: [photo] }, '3 files'],
  ['a file that is not stored here', { content: '', attachmentsCount: 1, attachments: [] }, 'File'],
])('a row of the inbox shows %s', (_what, message, preview) => {
  expect(previewOf(message)).toBe(preview);
});
