import { describe, expect } from 'vitest';
import { connectTeam, dm, messagesOf, test, webApi } from '#test/fixtures/slack-test.ts';
import type { ProviderCall } from '#test/servers/provider-server.ts';

/** A file as in the events of a channel that several Slack workspaces share. */
const FILE = { id: 'F77', mode: 'file_access', file_access: 'check_file_info', created: 0, user: '' };
const fileMessage = () => dm({ subtype: 'file_share', text: 'The bill', files: [FILE] });

describe('a file of which Slack sends only the id, as in a channel shared with another workspace', () => {
  test('is requested from Slack, with its name and type', async ({ provider, slack }) => {
    const team = await connectTeam();
    provider.respond((call) => {
      if (call.path === '/files-pri/T-F77/bill.pdf') return { bytes: Buffer.from('%PDF-1.4') };
      const url_private = `${provider.url}/files-pri/T-F77/bill.pdf`;
      const file = { id: 'F77', name: 'bill.pdf', mimetype: 'application/pdf', url_private };
      return { json: isRequestOfFile(call) ? { ok: true, file } : (webApi(call) ?? {}) };
    });
    await slack.receive(team, fileMessage());
    expect(await messagesOf(team)).toMatchObject([
      {
        content: 'The bill',
        attachments: [{ name: 'bill.pdf', contentType: 'application/pdf', sizeBytes: 8 }],
      },
    ]);
  });

  test('is missing if Slack no longer has it, and the message arrives without it', async ({
    provider,
    slack,
  }) => {
    const team = await connectTeam();
    provider.respond((call) => ({
      json: isRequestOfFile(call) ? { ok: false, error: 'file_deleted' } : (webApi(call) ?? {}),
    }));
    await slack.receive(team, fileMessage());
    expect(await messagesOf(team)).toMatchObject([
      { content: 'The bill\n\n[The file “file” is missing: it could not be fetched.]', attachments: [] },
    ]);
  });

  test.for([
    ['does not answer', { status: 503, json: {} }],
    ['has a fault', { json: { ok: false, error: 'internal_error' } }],
    ['is overloaded', { json: { ok: false, error: 'service_unavailable' } }],
  ] as const)('is requested again later if Slack %s', async ([_what, answer], { provider, slack }) => {
    const team = await connectTeam();
    provider.respond((call) => (isRequestOfFile(call) ? answer : { json: webApi(call) ?? {} }));
    await slack.receive(team, fileMessage());
    expect(await messagesOf(team)).toEqual([]);
  });
});

const isRequestOfFile = ({ path, body }: ProviderCall) => path === '/api/files.info' && body.file === 'F77';
