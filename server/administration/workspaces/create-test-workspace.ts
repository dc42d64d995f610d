import { v7 as uuidv7 } from 'uuid';
import { copySettings } from '#server/administration/workspaces/copy-settings.ts';
import { NAME_MAX_LENGTH } from '#server/contract/parse-name.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { truncateText } from '#server/core/text.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';
import { withTestWorkspace } from '#server/teammates/test-workspaces.ts';

/** End of the name of a test workspace. */
const SUFFIX = ' (test)';

/**
 * Creates the test workspace of a workspace: the same teammates and settings, no data, and no way out (`divertMessage`).
 * A workspace has one at a time. To start again, an owner deletes it and creates another.
 * @throws Refusal unless `by` is an owner, in a test workspace, and when there is a test workspace already
 */
export async function createTestWorkspace(input: {
  workspaceId: string;
  by: Teammate;
}): Promise<{ id: string; name: string }> {
  const { workspaceId, by } = input;
  return asOwner(input, async (tx) => {
    const origin = await tx.workspace.findUniqueOrThrow({
      where: { id: workspaceId },
      select: { name: true, testOfId: true },
    });
    if (origin.testOfId !== null) throw new Refusal('forbidden', 'This is a test workspace itself.');
    const [, existing] = await withTestWorkspace(tx, workspaceId);
    if (existing !== undefined) {
      throw new Refusal(
        'forbidden',
        `${origin.name} has a test workspace. To start again, delete that first.`,
      );
    }
    const id = uuidv7();
    const name = `${truncateText(origin.name, NAME_MAX_LENGTH - SUFFIX.length - 1, '…')}${SUFFIX}`;
    await copySettings(tx, { from: workspaceId, to: id, name });
    const entry = { kind: 'test_workspace_created' as const, by, data: { name } };
    for (const each of [workspaceId, id]) await addAuditEntry(tx, { workspaceId: each, ...entry });
    afterCommit(tx, () =>
      log().info({ workspaceId: id, testOfId: workspaceId, userId: by.id }, 'workspace.test_created'),
    );
    return { id, name };
  });
}
