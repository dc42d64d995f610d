import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeHookAgent } from '#server/automation/deliveries/hook-agent.ts';
import { setTestSettings } from '#test/servers/settings.ts';

test('a certificate authority that cannot be read, or is no certificate, stops the start with its setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'authority.pem');
  setTestSettings({ HOOKS_CA_FILE: file });
  expect(makeHookAgent).toThrow(`HOOKS_CA_FILE names ${file}, which cannot be read (ENOENT).`);
  writeFileSync(file, Buffer.from([0x30, 0x82, 0x03, 0x01]));
  expect(makeHookAgent).toThrow(`HOOKS_CA_FILE names ${file}, which has no certificate in the PEM format.`);
});
