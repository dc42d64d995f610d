import { expect, test } from 'vitest';
import { SIGNATURE_MAX_LENGTH } from '#server/members/accounts/change-signature.ts';
import { makeCrew, signInCrew } from '#test/crew.ts';
import { makeWorkspace } from '#test/factories.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

async function start() {
  const crew = await makeCrew();
  const { account } = await (await signInCrew(service.url, crew.agent))();
  const signature = async (workspaceId = crew.workspaceId) =>
    (await account.show()).workspaces.find(({ id }) => id === workspaceId)?.signature;
  return { crew, account, signature };
}

test('a teammate sets the signature of their emails in a workspace, and removes it', async () => {
  const { crew, account, signature } = await start();
  expect(await signature()).toBeNull();
  await account.changeSignature({ workspaceId: crew.workspaceId, signature: ' Aggie\r\nAcme \n' });
  expect(await signature()).toBe('Aggie\nAcme');
  await account.changeSignature({ workspaceId: crew.workspaceId, signature: ' \n ' });
  expect(await signature()).toBeNull();
});

test('it may have a thousand characters, and is set in a workspace of theirs alone', async () => {
  const { crew, account, signature } = await start();
  const long = 'x'.repeat(SIGNATURE_MAX_LENGTH);
  await account.changeSignature({ workspaceId: crew.workspaceId, signature: long });
  await expect(
    account.changeSignature({ workspaceId: crew.workspaceId, signature: `${long}x` }),
  ).rejects.toThrow('signature');
  expect(await signature()).toBe(long);
  const { id: workspaceId } = await makeWorkspace();
  await expect(account.changeSignature({ workspaceId, signature: 'Aggie' })).rejects.toThrow(
    'You are no longer in this workspace.',
  );
});
