import { spawn } from 'node:child_process';
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

/** How many of the last lines a failure shows; 25 unless told. */
export type FailOptions = ToolOptions & { lines?: number };

/** Runs a JavaScript program of a package, or of the project, on the project's Node. */
export async function runTool(
  script: string,
  args: string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  const { env, signal, show = false } = options;
  const child = spawn(process.execPath, [projectPath(script), ...args], {
    cwd: projectDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal, killSignal: 'SIGTERM' as const } : {}),
  });
  const chunks: Buffer[] = [];
  const collect = (stream: NodeJS.WritableStream) => (chunk: Buffer) => {
    chunks.push(chunk);
    if (show) stream.write(chunk);
  };
  child.stdout.on('data', collect(process.stdout));
  child.stderr.on('data', collect(process.stderr));
  return await new Promise((resolve, reject) => {
    // After an abort it is still waited for, so that no process is left behind.
    child.on('error', (error) => (child.pid === undefined ? reject(error) : undefined));
    child.on('close', (code) => {
      if (signal?.aborted) reject(new UserError(`${script} was stopped.`));
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
  throw new UserError(`${lastLines(output, options.lines ?? 25)}\n\n${sentence}`);
}

/** The end of a text, without blank lines around it. */
function lastLines(text: string, count: number): string {
  return text.trim().split('\n').slice(-count).join('\n');
}
