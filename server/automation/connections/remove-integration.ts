import { validate as isUuid } from 'uuid';
import { PLATFORM_INTEGRATION } from '#server/automation/connections/slots.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { asManager } from '#server/teammates/as-manager.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Removes an integration of another kind than the platform's, which frees its slot (decisions: OAuth, 2).
 * @throws Refusal when `by` is neither owner nor admin, there is no such integration, or it is the platform's, whose slot
 * its connections share
 */
export async function removeIntegration(given: {
  workspaceId: string;
  integrationId: string;
  by: Teammate;
}): Promise<void> {
  const { workspaceId, integrationId, by } = given;
  await asManager(given, async (tx) => {
    const where = { workspaceId, id: integrationId };
    const found = isUuid(integrationId)
      ? await tx.integration.findFirst({ where, select: { kind: true, name: true } })
      : null;
    if (!found) throw notFound('The integration');
    const { kind, name } = found;
    if (kind === PLATFORM_INTEGRATION) {
      throw invalid({
        integration: [`Disconnect the connections of ${name} instead: its slot is free with the last one.`],
      });
    }
    await tx.integration.deleteMany({ where });
    await addAuditEntry(tx, { workspaceId, kind: 'integration_removed', by, data: { name } });
  });
  publish(workspaceId, 'deliveries');
}
