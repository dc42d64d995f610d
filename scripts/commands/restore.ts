import { parseArgs } from 'node:util';
import { withSession } from '#scripts/backup/database-session.ts';
import { dropHeld, holdWork, listHeld, listItems, releaseHeld } from '#scripts/backup/held-work.ts';
import { restoreBackup, verifyBackup } from '#scripts/backup/restore-backup.ts';
import { runOnDatabase } from '#scripts/commands/run-on-database.ts';
import { loadEnvironment } from '#server/core/project.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

const USAGE = `npm run restore -- FOLDER               restores a backup into an empty installation
npm run restore -- verify FOLDER        checks the files of a backup
npm run restore -- held [TASK]          lists work from before the restore, of a task piece by piece
npm run restore -- release all|TASK|ID… lets the workers do it
npm run restore -- drop all|TASK|ID…    removes it; messages and deliveries can be sent again in the inbox
npm run restore -- hold                 holds the work of a database that another program restored`;

type Command =
  | { name: 'restore' | 'verify'; folder: string }
  | { name: 'held'; task: string | undefined }
  | { name: 'release' | 'drop'; which: string[] }
  | { name: 'hold' };

/**
 * Parses the arguments of `npm run restore`.
 * @throws UserError with the usage
 */
export function readRestoreArguments(args: string[]): Command {
  const refuse = (problem: string) => new UserError(`${problem}\n${USAGE}`);
  const option = args.find((each) => each.startsWith('-'));
  if (option !== undefined) throw refuse(`There is no option ${option}.`);
  const [first, ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
  const [second] = rest;
  switch (first) {
    case undefined:
      throw refuse('The folder of the backup is missing.');
    case 'hold':
      return { name: 'hold' };
    case 'held':
      return { name: 'held', task: second };
    case 'verify':
      if (second === undefined) throw refuse('The folder of the backup is missing.');
      return { name: 'verify', folder: second };
    case 'release':
    case 'drop':
      if (second === undefined) throw refuse(`Name what to ${first}, or all.`);
      return { name: first, which: rest.includes('all') ? [] : rest };
    default:
      if (second !== undefined) throw refuse(`There is no command ${first}.`);
      return { name: 'restore', folder: first };
  }
}

/** Number of tables and files that are restored at the same time. */
const PARALLEL = 4;
/** Maximum number of pieces that a list shows. */
const LISTED_MAX = 200;

async function runCommand(command: Exclude<Command, { name: 'verify' }>): Promise<void> {
  switch (command.name) {
    case 'restore': {
      const { takenAt } = await restoreBackup(command.folder, { parallel: PARALLEL, say: console.log });
      console.log(`Restored the state of ${takenAt}. Nothing is sent yet of what was waiting then:`);
      return printHeld();
    }
    case 'hold':
      await withSession(holdWork);
      return printHeld();
    case 'held':
      return command.task === undefined ? printHeld() : printItems(command.task);
    case 'release': {
      const count = await withSession((client) => releaseHeld(client, command.which));
      return console.log(`Released ${count}.`);
    }
    case 'drop': {
      const count = await withSession((client) => dropHeld(client, command.which));
      return console.log(`Dropped ${count}.`);
    }
  }
}

async function printHeld(): Promise<void> {
  const groups = await withSession(listHeld);
  if (groups.length === 0) return console.log('Nothing is held.');
  for (const { task, count, oldest, effect } of groups) {
    console.log(`${task.padEnd(28)}${`${count}`.padStart(8)}  since ${oldest.toISOString()}  ${effect}`);
  }
}

async function printItems(task: string): Promise<void> {
  const items = await withSession((client) => listItems(client, task, LISTED_MAX));
  if (items.length === 0) return console.log(`Nothing is held of ${task}.`);
  for (const { id, runAt, payload, about } of items) {
    console.log(`${id.padStart(8)}  ${runAt.toISOString()}  ${about ?? ''}  ${JSON.stringify(payload)}`);
  }
  if (items.length === LISTED_MAX) console.log(`Only the first ${LISTED_MAX} are listed.`);
}

/** `npm run restore`: restores a backup, and releases or drops what was waiting when it was taken. */
if (import.meta.main) {
  await runCli(async () => {
    const command = readRestoreArguments(process.argv.slice(2));
    if (command.name === 'verify') {
      loadEnvironment(process.env);
      const { files, takenAt } = await verifyBackup(command.folder);
      return console.log(`All ${Object.keys(files).length} files of ${takenAt} are as they were written.`);
    }
    await runOnDatabase(() => runCommand(command));
  });
}
