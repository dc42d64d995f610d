import type { AnyRouter } from '@trpc/server';
import { expect, test } from 'vitest';
import { REPLICA_READS } from '#server/api/replica-reads.ts';
import { restRouter } from '#server/api/router.ts';
import { developerRouter } from '#server/developer-api/router.ts';

test.each([
  { api: 'automation' as const, router: restRouter },
  { api: 'developer' as const, router: developerRouter },
])(
  'only reads of the $api API use the replica',
  ({ api, router }: { api: keyof typeof REPLICA_READS; router: AnyRouter }) => {
    const procedures: Record<string, { _def: { type: string } } | undefined> = router._def.procedures;
    expect(REPLICA_READS[api].map((name) => procedures[name]?._def.type)).toEqual(
      REPLICA_READS[api].map(() => 'query'),
    );
  },
);
