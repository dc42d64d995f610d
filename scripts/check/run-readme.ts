import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runShell, type ToolResult } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';

/**
 * Runs the commands in a package's README in a clean copy of its folder, with the project's Node and an empty home
 * folder.
 * @param folder the copy, which `copyPackage` made
 * @param settings environment variables of the commands, such as the address of the service
 */
export async function runReadme(
  folder: string,
  settings: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<ToolResult> {
  const home = await mkdtemp(join(tmpdir(), 'readme-home-'));
  try {
    const commands = parseCommands(await readFile(join(folder, 'README.md'), 'utf8'));
    return await runShell(commands, folder, { env: { ...readerEnvironment(home), ...settings }, signal });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Returns the commands in the `sh` blocks of a README, in order. */
export function parseCommands(readme: string): string {
  const blocks = readme.split(/^```sh\n/m).slice(1);
  return blocks.map((block) => block.split(/^```/m, 1)[0]).join('');
}

/** Files that installing or building a package creates, as `.gitignore` lists them. */
const GENERATED = /\/(node_modules|dist|build|zapierwrapper\.js|src\/(developer-)?schema\.ts|[^/]+\.tgz)$/;

/** The documents that packages are generated from. */
export const API_DOCUMENTS = ['openapi.json', 'openapi-developer.json'];

/**
 * Copies a package next to the documents of the APIs, without installed and built files.
 * @returns the folder of the package in the copy
 */
export async function copyPackage(name: string, checkout: string): Promise<string> {
  const folder = join(checkout, 'packages', name);
  const filter = (path: string) => !GENERATED.test(path.replaceAll('\\', '/'));
  await cp(projectPath('packages', name), folder, { recursive: true, filter });
  for (const document of API_DOCUMENTS) await cp(projectPath(document), join(checkout, document));
  return folder;
}

/** Returns the environment without npm's variables for this project, but with npm's cache and settings. */
function readerEnvironment(home: string): NodeJS.ProcessEnv {
  const ofNpm =
    /^(INIT_CWD|NODE_ENV|npm_(command|config_local_prefix|execpath|lifecycle_\w+|node_execpath|package_\w+))$/;
  const env = {
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    ...process.env,
    HOME: home,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  };
  for (const name of Object.keys(env)) if (ofNpm.test(name)) Reflect.deleteProperty(env, name);
  return env;
}
