import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSecretFiles } from '#server/core/secret-files.ts';
import { codeOf, reasonOf, UserError } from '#server/core/user-error.ts';

/** The project's folder, wherever a command was started from. */
export const projectDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the project. */
export function projectPath(...parts: string[]): string {
  return join(projectDir, ...parts);
}

/** Where databases, logs, mail and generated secrets are kept: `DATA_DIR`, by default `.data`. */
export function dataDirOf(env: Record<string, string | undefined>): string {
  return resolve(projectDir, env.DATA_DIR || '.data');
}

/**
 * Loads `.env` of the project into the environment of this process, where a variable that is already set keeps its value, and
 * then the files of secrets.
 */
export function loadEnvironment(env: NodeJS.ProcessEnv): void {
  loadEnvFile();
  loadSecretFiles(env);
}

function loadEnvFile(): void {
  const file = projectPath('.env');
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new UserError(
      `The file .env cannot be read (${codeOf(error) ?? reasonOf(error)}): correct or remove it.`,
    );
  }
}
