// Entry point of `npm start`, `npm test`, `npm run check` and `npm run build`. Plain JavaScript without dependencies,
// because it runs on the machine's Node: it installs packages, then runs scripts/commands/ on the project's Node.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './tools/find-node.mjs';
import { installPackages } from './tools/install-packages.mjs';

const projectDir = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = '', ...args] = process.argv.slice(2);

// Names any existing file as the engine: otherwise Prisma downloads one, although the engine is a package.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= join(projectDir, 'package.json');

try {
  if (!['start', 'test', 'check', 'build'].includes(command)) {
    throw new Error('Usage: node scripts/run.mjs start|test|check|build');
  }
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Error(
      `This machine has Node ${process.versions.node}: install Node 20 or newer from nodejs.org.`,
    );
  }
  await installPackages(projectDir);
  runProgram(await findNode(projectDir), join(projectDir, 'scripts', 'commands', `${command}.ts`));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function runProgram(node, program) {
  if (!existsSync(program)) throw new Error(`${program} is missing: check the project out again.`);
  // The channel also closes when this process is killed, so the program notices.
  const child = spawn(node, [program, ...args], {
    cwd: projectDir,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const watch = watchNpm(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    clearInterval(watch);
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0));
  });
}

/** Detects that npm's shell died without forwarding a signal: the parent process changes. */
function watchNpm(onGone) {
  const parent = process.ppid;
  if (process.platform === 'win32' || !process.env.npm_lifecycle_event) return undefined;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, 500);
  return watch;
}
