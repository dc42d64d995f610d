import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSmtpListener } from '#server/smtp/start-smtp-listener.ts';
import { setTestSettings } from '#test/servers/settings.ts';

test('a certificate that cannot be read or used stops the start with its settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mail.pem');
  setTestSettings({ INBOUND_SMTP_CERT_FILE: file, INBOUND_SMTP_KEY_FILE: file });
  const start = () => startSmtpListener({ port: 0, host: '127.0.0.1' });
  await expect(start()).rejects.toThrow(
    `INBOUND_SMTP_CERT_FILE names ${file}, which cannot be read (ENOENT).`,
  );
  writeFileSync(file, 'no certificate');
  await expect(start()).rejects.toThrow(
    /^INBOUND_SMTP_CERT_FILE and INBOUND_SMTP_KEY_FILE are no certificate with its key \(.+\)\.$/,
  );
});
