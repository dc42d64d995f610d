import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { countEndedProgram } from '#scripts/tools/processor-time.ts';
import { projectDir, projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

export type ToolResult = { code: number; output: string };

export type ToolOptions = {
  env?: Record<string, string | undefined>;
  signal?: AbortSignal | undefined;
  show?: boolean;
};

/** Number of last lines that a failure shows, 25 by default. */
export type FailOptions = ToolOptions & { lines?: number };

/** Runs a JavaScript program of a package or the project on the project's Node. */
export async function runTool(
  script: string,
  args: string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  return runNode([projectPath(script), ...args], options);
}

/** Runs a package.json script on the project's Node, with the programs of its packages. */
export async function runPackageScript(
  folder: string,
  script: string,
  options: ToolOptions = {},
): Promise<ToolResult> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  return runNode(['--run', script], { ...options, env: { ...options.env, PATH } }, folder);
}

function runNode(args: string[], options: ToolOptions, cwd = projectDir): Promise<ToolResult> {
  return runProgram(process.execPath, args, { ...options, env: { ...process.env, ...options.env } }, cwd);
}

/** `env` is the program's complete environment. */
type ProgramOptions = Omit<ToolOptions, 'env'> & { env: NodeJS.ProcessEnv };

/** Runs a shell script that ends at its first failed command. */
export function runShell(script: string, cwd: string, options: ProgramOptions): Promise<ToolResult> {
  return runProgram('sh', ['-eu', '-c', script], options, cwd);
}

async function runProgram(
  program: string,
  args: string[],
  { env, signal, show = false }: ProgramOptions,
  cwd: string,
): Promise<ToolResult> {
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.once('exit', countEndedProgram);
  const chunks: Buffer[] = [];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (show) process[name].write(chunk);
    });
  }
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  // Even after an abort, so that no process is left behind.
  const [code] = await once(child, 'close').finally(() => signal?.removeEventListener('abort', stop));
  if (signal?.aborted) throw new UserError('It was stopped.');
  return { code: code ?? 1, output: Buffer.concat(chunks).toString() };
}

/**
 * Runs a tool that must succeed.
 * @throws UserError with the sentence and the last lines of output
 */
export async function runToolOrFail(
  script: string,
  args: string[],
  sentence: string,
  options: FailOptions = {},
): Promise<string> {
  const { code, output } = await runTool(script, args, options);
  if (code === 0) return output;
  const lines = output.trim().split('\n');
  throw new UserError(`${lines.slice(-(options.lines ?? 25)).join('\n')}\n\n${sentence}`);
}
