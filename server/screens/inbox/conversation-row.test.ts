import { expect, test } from 'vitest';
import { previewOf } from '#server/screens/inbox/inbox-rows.ts';

const pdf = { name: 'invoice.pdf', contentType: 'application/pdf' };
const photo = { name: 'p.png', contentType: 'image/png' };

test.each([
  ['what was written', { content: ' Hello\n\n Ada ', attachmentsCount: 1, attachments: [pdf] }, 'Hello Ada'],
  [
    '140 characters of it',
    { content: 'x'.repeat(500), attachmentsCount: 0, attachments: [] },
    'x'.repeat(140),
  ],
  ['nothing of an empty message', { content: ' ', attachmentsCount: 0, attachments: [] }, ''],
  ['a picture', { content: '', attachmentsCount: 1, attachments: [photo] }, 'Photo'],
  ['a file by its name', { content: '', attachmentsCount: 1, attachments: [pdf] }, 'File: invoice.pdf'],
  ['several files', { content: '\n', attachmentsCount: 3, attachments: [photo] }, '3 files'],
  ['a file that is stored elsewhere', { content: '', attachmentsCount: 1, attachments: [] }, 'File'],
])('a row of the inbox shows %s', (_what, message, preview) => {
  expect(previewOf(message)).toBe(preview);
});
