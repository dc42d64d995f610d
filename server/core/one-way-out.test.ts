import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDir, projectPath } from '#server/core/project.ts';

const files = globSync('{server,worker}/**/*.ts', {
  cwd: projectDir,
  exclude: (name) => name.endsWith('.test.ts') || name.includes('generated'),
});

/** Nothing leaves a test workspace, because these calls pass through `divertMessage` (docs/test-workspaces.md). */
test('only sendMail reaches a mail server, and only sendOnChannel an adapter that sends', () => {
  expect(filesWith(/mail\/send-over-smtp\.ts'/)).toEqual(['server/core/mail/send-mail.ts']);
  expect(filesWith(/nodemailer\.createTransport/)).toEqual([
    'server/core/mail/send-mail.ts',
    'server/core/mail/send-over-smtp.ts',
  ]);
  expect(filesWith(/\bCHANNELS(?:\.\w+|\[[^\]]+\])\s*\.send\b/)).toEqual([
    'server/inbox/channels/channels.ts',
  ]);
  expect(filesWith(/\bdivertMessage\(/)).toEqual([
    'server/core/divert-message.ts',
    'server/core/mail/send-mail.ts',
    'server/inbox/channels/channels.ts',
  ]);
});

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(readFileSync(projectPath(file), 'utf8'))).sort();
}
