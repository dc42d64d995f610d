import { join } from 'node:path';
import { dataDirOf } from '#scripts/tools/project.ts';

/**
 * What a process is started with that need not compile the service again: what one compiled is kept for the next of
 * the same run. Two seconds of a processor became one and a half.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(dataDirOf(process.env), 'test-compile-cache'),
} as const;
