import { expect } from 'vitest';
import { SIGNATURE_MAX_LENGTH } from '#server/administration/accounts/update-profile.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

test('a teammate sets the signature of their emails in a workspace, and removes it', async () => {
  const { teammates, account, signature } = await start();
  expect(await signature()).toBeNull();
  await account.changeSignature({ workspaceId: teammates.workspaceId, signature: ' Aggie\r\nAcme \n' });
  expect(await signature()).toBe('Aggie\nAcme');
  await account.changeSignature({ workspaceId: teammates.workspaceId, signature: ' \n ' });
  expect(await signature()).toBeNull();
});

test('a signature has at most 1,000 characters and can only be set in a workspace of the teammate', async () => {
  const { teammates, account, signature } = await start();
  const long = 'x'.repeat(SIGNATURE_MAX_LENGTH);
  await account.changeSignature({ workspaceId: teammates.workspaceId, signature: long });
  await expect(
    account.changeSignature({ workspaceId: teammates.workspaceId, signature: `${long}x` }),
  ).rejects.toThrow('signature');
  expect(await signature()).toBe(long);
  const { id: workspaceId } = await makeWorkspace();
  await expect(account.changeSignature({ workspaceId, signature: 'Aggie' })).rejects.toThrow(
    'You cannot open this workspace.',
  );
});

async function start() {
  const teammates = await makeTeammates();
  const { account } = await (await signInTeammate(teammates.agent))();
  const signature = async (workspaceId = teammates.workspaceId) =>
    (await account.get()).workspaces.find(({ id }) => id === workspaceId)?.signature;
  return { teammates, account, signature };
}
