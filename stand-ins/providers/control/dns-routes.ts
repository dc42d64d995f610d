import { z } from 'zod';
import { ok } from '../../http/reply.ts';
import { addRecord } from '../dns/change-records.ts';
import { type Route, withBody } from './route.ts';

const recordBody = z.object({ type: z.string(), name: z.string(), value: z.string() });

/** Routes for tests that add DNS records. */
export const DNS_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/control/dns-records',
    handle: withBody(recordBody, ({ providers }, body) =>
      ok({ problem: addRecord(providers, body) ?? null }),
    ),
  },
];
