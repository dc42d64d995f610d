import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { settings } from '#server/core/env.ts';
import { sendMail } from '#server/core/mail/send-mail.ts';
import { sendOverSmtp } from '#server/core/mail/send-over-smtp.ts';
import { test } from '#test/fixtures/folder-test.ts';
import { startMailServer } from '#test/servers/mail-server.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const MAIL = {
  workspaceId: null,
  from: { name: 'Inbox', address: 'no-reply@inbox.test' },
  to: { name: 'Ada', address: 'ada@acme.test' },
  subject: 'Choose a new password',
  text: 'A secret link.',
  messageId: '<1@inbox.test>',
  references: [],
};

test('another user of the machine can neither read nor list saved mails', async ({ folder }) => {
  const mailDir = join(folder, 'data', 'mail');
  setTestSettings({ SMTP_URL: '', MAIL_DIR: mailDir });
  await sendMail(MAIL);
  await sendMail(MAIL);
  const names = await readdir(mailDir);
  expect(names).toHaveLength(2);
  const modes = await Promise.all(names.map(async (name) => (await stat(join(mailDir, name))).mode & 0o777));
  expect(modes).toEqual([0o600, 0o600]);
  expect((await stat(mailDir)).mode & 0o777).toBe(0o700);
});

test('a process that stalls for longer than the timeout still reads the reply', async () => {
  const server = await startMailServer();
  try {
    const sent = sendOverSmtp(server.url, { from: 'a@acme.test', to: 'b@acme.test', text: 'Hi' }, 2_000);
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000), 1);
    expect(await sent).toEqual({ refused: [] });
    expect(server.received).toHaveLength(1);
  } finally {
    await server.stop();
  }
});

describe('a mail server without STARTTLS, or whose offer an attacker removes', () => {
  let server: Awaited<ReturnType<typeof startMailServer>>;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.stop());
  beforeEach(() => setTestSettings({ SMTP_URL: 'smtp://set.below' }));

  test('receives no mail when TLS is required', async () => {
    Object.assign(settings(), { SMTP_URL: `${server.url}?requireTLS=true` });
    await expect(sendMail(MAIL)).rejects.toMatchObject({ kind: 'refused', cause: { code: 'ETLS' } });
    expect(server.received).toEqual([]);
  });

  test('receives mail when the address allows it', async () => {
    Object.assign(settings(), { SMTP_URL: `${server.url}?requireTLS=false` });
    await sendMail(MAIL);
    expect(server.received.map(({ email }) => email.subject)).toEqual([MAIL.subject]);
  });
});
