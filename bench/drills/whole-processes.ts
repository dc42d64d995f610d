import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { projectDir } from '#server/core/project.ts';

/** A server with its screens, and its listener for mail. */
export type WholeServer = ChildProgram & { url: string; smtpPort: number };

/** Servers and workers as an operator runs them, with the settings of this process. They end together. */
export function wholeProcesses() {
  const started: ChildProgram[] = [];
  const track = async (program: string, settings: Record<string, string>, folder: string) => {
    const child = await startProgram(program, settings, folder);
    started.push(child);
    return child;
  };
  return {
    /** @param folder of another release */
    startServer: async (folder = projectDir): Promise<WholeServer> => {
      const [port, smtpPort] = [await findFreePort(), await findFreePort()];
      const settings = { PORT: `${port}`, INBOUND_SMTP_PORT: `${smtpPort}` };
      const server = await track('server/main.ts', settings, folder);
      return { ...server, url: `http://127.0.0.1:${port}`, smtpPort };
    },
    startWorker: (folder = projectDir): Promise<ChildProgram> => track('worker/main.ts', {}, folder),
    /** Returns the logged errors (pino's level 50). */
    errors: () =>
      started.flatMap((each) => each.output().split('\n')).filter((line) => /"level":(?:50|60)/.test(line)),
    /** Returns how many ended, for any reason. */
    ended: () => started.filter((each) => each.hasEnded()).length,
    output: () => started.map(({ pid, output }) => `Process ${pid} wrote:\n${output()}`).join('\n'),
    killAll: async () => {
      await Promise.all(started.filter((each) => !each.hasEnded()).map((each) => each.kill()));
    },
  };
}
