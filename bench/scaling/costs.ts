import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { projectPath } from '#server/core/project.ts';

const positive = z.number().positive();
/** Processor time in milliseconds of a process of the service and of PostgreSQL. */
const pair = z.object({ processMs: positive, postgresMs: positive });

const schema = z.object({
  /** When, on what, and how busy the machine was: times are longer on a busy one. */
  measuredAt: z.string(),
  machine: z.string(),
  load: z.number(),
  scale: z.number(),
  /** A call that reads (GET /me), one that searches, one that changes something (PATCH a status), a refresh. */
  read: pair,
  search: pair,
  change: pair,
  refresh: pair,
  /** Of one delivery, from the event to the row of its attempt; the process is the worker. */
  delivery: pair,
  /** What an event keeps of history, and a delivery with its attempt, indexes included. */
  eventBytes: positive,
  deliveryBytes: positive,
});

/** What a unit of work costs, as `npm run bench -- costs` measured it. */
export type Costs = z.infer<typeof schema>;

/** The file that `npm run bench -- costs` writes and the document is made from. */
export const COSTS_FILE = projectPath('bench', 'scaling', 'costs.json');

/** @throws when the file is not there or not whole */
export function readCosts(file = COSTS_FILE): Costs {
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
