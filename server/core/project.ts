import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSecretFiles } from '#server/core/secret-files.ts';
import { codeOf, reasonOf, UserError } from '#server/core/user-error.ts';

/** The project folder, whatever the working directory. */
export const projectDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns a path inside the project. */
export function projectPath(...parts: string[]): string {
  return join(projectDir, ...parts);
}

/** Returns the folder of databases, logs, mail and generated secrets: `DATA_DIR`, by default `.data`. */
export function dataDirOf(env: Record<string, string | undefined>): string {
  return resolve(projectDir, env.DATA_DIR || '.data');
}

/**
 * Loads the project's `.env` and the secret files into the environment of this process. Variables that are already set keep their
 * values.
 */
export function loadEnvironment(env: NodeJS.ProcessEnv): void {
  const file = projectPath('.env');
  try {
    if (existsSync(file)) process.loadEnvFile(file);
  } catch (error) {
    throw new UserError(
      `The file .env cannot be read (${codeOf(error) ?? reasonOf(error)}): correct or remove it.`,
    );
  }
  loadSecretFiles(env);
}
