import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDir, projectPath } from '#server/core/project.ts';

const files = globSync('{server,worker}/**/*.ts', {
  cwd: projectDir,
  exclude: (name) => name.endsWith('.test.ts') || name.includes('generated'),
});

/** Files of the queues of jobs and deliveries, and the database itself: their statements are texts with `$1`. */
const QUEUES = /^(?:server\/core|server\/automation\/deliveries|worker)\//;

/** Other files with statements that are texts: hot ones, and those that are chosen while the program runs. */
const TEXTS = [
  'server/administration/export/read-files.ts',
  'server/administration/export/read-rows.ts',
  'server/administration/members/change-in-batches.ts',
  'server/administration/notifications/mail-unseen.ts',
  'server/administration/privacy/erase-contact.ts',
  'server/administration/retention/apply-retention.ts',
  'server/administration/retention/apply-to-conversations.ts',
  'server/administration/workspaces/purge-deleted.ts',
  'server/api/idempotency-keys.ts',
  'server/automation/connections/find-caller.ts',
  'server/automation/oauth/exchange-code.ts',
  'server/automation/tokens/find-program.ts',
  'server/http/health.ts',
  'server/inbox/conversations/search-conversations.ts',
  'server/inbox/files/database-store.ts',
  'server/teammates/signed-in.ts',
];

test('a statement outside of a transaction is a template of `sql()`, not of Prisma', () => {
  expect(filesWith(/\bdb\(\)\s*\.\$(?:query|execute)Raw/)).toEqual([]);
});

test('a statement is a text with `$1` only in the queues, in the database, and in listed files', () => {
  expect(filesWith(/[pP]ool\(\)\s*\.query|RawUnsafe/).filter((file) => !QUEUES.test(file))).toEqual(TEXTS);
});

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(readFileSync(projectPath(file), 'utf8'))).sort();
}
