import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDir, projectPath } from '#server/core/project.ts';

const files = globSync('{server,worker}/**/*.ts', {
  cwd: projectDir,
  exclude: (name) => name.endsWith('.test.ts') || name.includes('generated'),
});

/** Everything in the project that has a `send` and is no adapter of a channel. */
const OTHER_SENDERS = ['downloads', 'visitors', 'reading', 'writing', 'child', 'connection', 'process'];

/** A call of a `send`, one taken out of an object, or the import of an adapter. */
const USE_OF_ADAPTER = new RegExp(
  [
    `(?<!\\b(?:${OTHER_SENDERS.join('|')}))\\s*(?:\\.send\\b|\\['send'\\])`,
    '\\{[^{}]*\\bsend\\b[^{}]*\\} =',
    "\\bimport \\{[^}]*\\} from '#server/inbox/channels/[^']*-channels?\\.ts'",
    "\\bimport\\('#server/inbox/channels/[^']*-channels?\\.ts'\\)",
  ].join('|'),
);

/** Nothing leaves a test workspace, because these calls pass through `divertMessage` (docs/test-workspaces.md). */
test('only sendMail reaches a mail server, and only sendOnChannel an adapter that sends', () => {
  expect(filesWith(/mail\/send-over-smtp\.ts'/)).toEqual(['server/core/mail/send-mail.ts']);
  expect(filesWith(/nodemailer\.createTransport/)).toEqual([
    'server/core/mail/send-mail.ts',
    'server/core/mail/send-over-smtp.ts',
  ]);
  expect(filesWith(USE_OF_ADAPTER)).toEqual(['server/inbox/channels/channels.ts']);
  expect(filesWith(/\bdivertMessage\(/)).toEqual([
    'server/core/divert-message.ts',
    'server/core/mail/send-mail.ts',
    'server/inbox/channels/channels.ts',
  ]);
});

test.each([
  'await CHANNELS[channel].send(message)',
  'await CHANNELS.slack.send(message)',
  'const adapter = CHANNELS[channel];\nawait adapter.send(message);',
  'await CHANNELS[channel]?.send?.(message)',
  "await CHANNELS[channel]['send'](message)",
  'const { firstStatus, send } = CHANNELS[channel];',
  'const { send: deliver } = adapter;',
  'await slackChannel\n  .send(message)',
  "import {\n  slackChannel,\n} from '#server/inbox/channels/slack/slack-channel.ts';",
  "await import('#server/inbox/channels/slack/slack-channel.ts')",
])('finds the adapter in %s', (code) => {
  expect(code).toMatch(USE_OF_ADAPTER);
});

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(readFileSync(projectPath(file), 'utf8'))).sort();
}
