import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirOf } from '#server/core/project.ts';

/**
 * Environment with the compile cache of the tests: later processes of a run reuse the code that earlier ones
 * compiled. It saves 0.75 s of 2 s of processor time per process.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(dataDirOf(process.env), 'test-compile-cache'),
} as const;

/** Deletes the compile cache, which otherwise grows with each change. Call it before any process that uses it starts. */
export async function emptyCompileCache(): Promise<void> {
  await rm(COMPILE_CACHE.NODE_COMPILE_CACHE, { recursive: true, force: true });
}
