import { join } from 'node:path';
import { dataDirOf } from '#server/core/project.ts';

/**
 * What a process is started with that need not compile the service again: what one compiled is kept for the next of
 * the same run. Two seconds of a processor became a second and a quarter. The processes of the integration tests have
 * it, and so all that they start.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(dataDirOf(process.env), 'test-compile-cache'),
} as const;
