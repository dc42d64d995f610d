import { describe, expect } from 'vitest';
import { test } from '#test/fixtures/page-uploads-test.ts';
import { replyWithFile } from '#test/fixtures/stored-files.ts';

const PNG = { name: 'label.png', contentType: 'image/png', content: '\x89PNG\r\n\x1a\n' };
const PDF = { name: 'Größe.pdf', contentType: 'application/pdf', content: '%PDF-1.4 a bill' };

describe.each(['messenger', 'instagram'] as const)('on %s', (channel) => {
  test.for([PNG, PDF])('$name is delivered by a reply without text', async (file, { pageAccounts }) => {
    const { account, calls, arrived } = pageAccounts[channel];
    expect(await replyWithFile(account, file)).toMatchObject({
      content: '',
      send_status: 'sent',
      delivery_error: null,
    });
    expect(calls().toSorted()).toEqual([
      ['message_attachments', 200],
      ['messages', 200],
    ]);
    expect(arrived().at(-1)).toMatchObject({
      direction: 'out',
      text: '',
      // Meta does not accept other characters in names.
      files: [
        {
          type: file.contentType,
          size: file.content.length,
          name: file.name.replace('ö', 'o').replace('ß', ''),
        },
      ],
    });
  });

  test('a file is sent after the text', async ({ pageAccounts }) => {
    const { account, arrived } = pageAccounts[channel];
    expect(await replyWithFile(account, PDF, 'Here it is.')).toMatchObject({ send_status: 'sent' });
    expect(arrived().slice(-2)).toMatchObject([
      { text: 'Here it is.', files: [] },
      { files: [{ size: 15 }] },
    ]);
  });

  test('a reply whose file Meta rejects fails, and says how many parts arrived', async ({ pageAccounts }) => {
    const { account, switches, calls, arrived } = pageAccounts[channel];
    const before = arrived().length;
    switches.refuseNext = '2018047';
    const failed = await replyWithFile(account, PNG, 'Here it is.');
    expect(failed).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('could not use the file'),
    });
    expect(failed.delivery_error).toContain('1 of its 2 parts arrived.');
    expect(arrived()).toHaveLength(before + 1);
    expect(calls()).toContainEqual(['message_attachments', 400]);
    expect(await replyWithFile(account, PNG)).toMatchObject({ send_status: 'sent' });
  });

  test('a file that is sent with an expired token fails, and its account needs to be connected again', async ({
    pageAccounts,
  }) => {
    const { account, switches } = pageAccounts[channel];
    switches.tokenValid = false;
    expect(await replyWithFile(account, PNG)).toMatchObject({
      send_status: 'failed',
      delivery_error: expect.stringContaining('needs to be connected again'),
    });
    switches.tokenValid = true;
  });

  if (channel === 'instagram') {
    test.for(['', 'Here it is.'])(
      'a file type that Instagram does not accept is never uploaded, and the text “%s” not sent without it',
      async (text, { pageAccounts }) => {
        const { account, calls } = pageAccounts[channel];
        const zip = { name: 'all.zip', contentType: 'application/zip', content: 'PK' };
        expect(await replyWithFile(account, zip, text)).toMatchObject({
          send_status: 'failed',
          delivery_error: 'Instagram does not accept files of this type: “all.zip”.',
        });
        expect(calls()).toEqual([]);
      },
    );
  }
});
