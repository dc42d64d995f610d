import { expect } from 'vitest';
import { test } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

test('a teammate chooses what the inbox shows after solving, for themselves only', async ({ teammates }) => {
  const [agent, admin] = [await signInTeammate(teammates.agent), await signInTeammate(teammates.admin)];
  expect((await (await agent()).account.get()).afterSolving).toBe('next');
  await (await agent()).account.changeAfterSolving({ afterSolving: 'previous' });
  expect((await (await agent()).account.get()).afterSolving).toBe('previous');
  expect((await (await admin()).account.get()).afterSolving).toBe('next');
});

test('an open conversation has the setting of its reader', async ({ connection, conversation }) => {
  const owner = await signInTeammate(connection.teammate);
  await (await owner()).account.changeAfterSolving({ afterSolving: 'list' });
  const opened = await (await owner()).conversations.get({ id: conversation });
  expect(opened?.actions.afterSolving).toBe('list');
});
