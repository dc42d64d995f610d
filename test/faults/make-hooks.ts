import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { PLATFORM } from '#test/servers/settings.ts';

/** Creates a hook for an event at each of these paths of the receiver. */
export function makeHooks(
  connection: { id: string; workspaceId: string },
  { event, paths }: { event: string; paths: string[] },
): Promise<Hook[]> {
  return db().hook.createManyAndReturn({
    data: paths.map((path) => ({
      workspaceId: connection.workspaceId,
      connectionId: connection.id,
      event,
      targetUrl: `https://${PLATFORM.hooksHost}${path}`,
    })),
  });
}

/** Returns the paths `/h/0`, `/h/1` and so on. */
export function hookPaths(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `/h/${number}`);
}
