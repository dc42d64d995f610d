import { spawn } from 'node:child_process';
import { basename, delimiter, dirname } from 'node:path';
import { projectDir, projectPath } from '#scripts/tools/project.ts';
import { UserError } from '#scripts/tools/user-error.ts';

/** How a program ended, and all it wrote. */
export type ToolResult = { code: number; output: string };

export type ToolOptions = {
  env?: Record<string, string | undefined>;
  /** Ends the program. */
  signal?: AbortSignal | undefined;
  /** Also shows what it writes, as it comes. */
  show?: boolean;
};

/** How many of the last lines a failure shows; 25 by default. */
export type FailOptions = ToolOptions & { lines?: number };

/** Runs a JavaScript program of a package, or of the project, on the project's Node. */
export async function runTool(
  script: string,
  args: string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  return collect([projectPath(script), ...args], { cwd: projectDir, name: script, ...options });
}

/** Runs a script of the package.json in a folder, on the project's Node and with the programs of its packages. */
export async function runPackageScript(
  folder: string,
  script: string,
  options: ToolOptions = {},
): Promise<ToolResult> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  const name = `${basename(folder)}: ${script}`;
  return collect(['--run', script], { ...options, cwd: folder, name, env: { ...options.env, PATH: path } });
}

/** Runs Node with these arguments. `name` is what it is called when it was stopped. */
async function collect(
  args: string[],
  { cwd, name, env, signal, show = false }: ToolOptions & { cwd: string; name: string },
): Promise<ToolResult> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal, killSignal: 'SIGTERM' as const } : {}),
  });
  const chunks: Buffer[] = [];
  const keep = (stream: NodeJS.WritableStream) => (chunk: Buffer) => {
    chunks.push(chunk);
    if (show) stream.write(chunk);
  };
  child.stdout.on('data', keep(process.stdout));
  child.stderr.on('data', keep(process.stderr));
  return await new Promise((resolve, reject) => {
    // After an abort it is still waited for, so that no process is left behind.
    child.on('error', (error) => (child.pid === undefined ? reject(error) : undefined));
    child.on('close', (code) => {
      if (signal?.aborted) reject(new UserError(`${name} was stopped.`));
      else resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** Like `runTool`, for a step that must succeed: else a `UserError` with the sentence and its last lines. */
export async function runToolOrFail(
  script: string,
  args: string[],
  sentence: string,
  options: FailOptions = {},
): Promise<string> {
  const { code, output } = await runTool(script, args, options);
  if (code === 0) return output;
  const lines = output
    .trim()
    .split('\n')
    .slice(-(options.lines ?? 25));
  throw new UserError(`${lines.join('\n')}\n\n${sentence}`);
}
