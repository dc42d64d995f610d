import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { projectPath } from '#server/core/project.ts';

const positive = z.number().positive();
/** Processor time in ms: of the service's process and of PostgreSQL. */
const pair = z.object({ processMs: positive, postgresMs: positive });

const schema = z.object({
  /** Date, machine and load of the measurement: a busy machine measures higher costs. */
  measuredAt: z.string(),
  machine: z.string(),
  load: z.number(),
  scale: z.number(),
  /** Requests: GET /me, a search, PATCH of a status, a token refresh. */
  read: pair,
  search: pair,
  change: pair,
  refresh: pair,
  /** One delivery, from the event to the attempt's row. The process is the worker. */
  delivery: pair,
  /** Bytes of history of an event, and of a delivery with its attempt, including indexes. */
  eventBytes: positive,
  deliveryBytes: positive,
});

/** Costs of a unit of work, measured by `npm run bench -- costs`. */
export type Costs = z.infer<typeof schema>;

/** Written by `npm run bench -- costs`. The tables of docs/scaling.md are computed from this file. */
export const COSTS_FILE = projectPath('bench', 'scaling', 'costs.json');

/** @throws when the file is missing or invalid */
export function readCosts(file = COSTS_FILE): Costs {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
