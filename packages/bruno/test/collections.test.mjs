import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const { ACCESS_TOKEN, CONTROL_URL, SERVICE_URL } = process.env;

/** Calls an endpoint for what the API cannot do (`test/fixtures/package-service.ts` of the project). */
async function control(path, body) {
  const response = await fetch(`${CONTROL_URL}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

async function newToken() {
  const { id: workspaceId } = await control('/workspaces', {});
  return (await control('/tokens', { workspaceId })).token;
}

/** The test's service is not at the address that its document names. */
const ADDRESSES = {
  developer: `${SERVICE_URL}/api/v1`,
  automation: `${SERVICE_URL}/api/automation/v1`,
};
const ENVIRONMENT = 'The service that serves this document';

/** Runs requests of a collection that the README's commands imported. Returns the status of each response, by request. */
async function run(collection, token, requests) {
  const folder = await mkdtemp(join(tmpdir(), 'bruno-'));
  try {
    const report = join(folder, 'report.json');
    const program = join(process.cwd(), 'node_modules', '.bin', 'bru');
    const variables = [`token=${token}`, `baseUrl=${ADDRESSES[collection]}`];
    const settings = variables.flatMap((variable) => ['--env-var', variable]);
    const args = ['run', ...requests, '--env', ENVIRONMENT, ...settings, '--output', report];
    // It fails if a response has a status of 400 and above, whose report is what a test compares.
    await promisify(execFile)(program, args, { cwd: join('build', collection) }).catch((error) => {
      if (error.code === 'ENOENT') throw error;
    });
    const [{ results }] = JSON.parse(await readFile(report, 'utf8'));
    return Object.fromEntries(results.map(({ name, response }) => [name, response.status]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the imported collection', () => {
  test('of the developer API has every call, and runs with an API token', async () => {
    const requests = [
      'Token/Test the token.bru',
      'Contacts/Create a contact.bru',
      'Contacts/List contacts.bru',
    ];
    assert.deepEqual(await run('developer', await newToken(), requests), {
      'Test the token': 200,
      'Create a contact': 201,
      'List contacts': 200,
    });
    assert.equal(await countRequests('developer'), await countCalls('openapi-developer.json'));
  });

  test('of the automation API has every call, and runs with an access token', async () => {
    const requests = [
      'Connection/Test the connection.bru',
      'Contacts/Create a contact.bru',
      'Contacts/Find contacts.bru',
    ];
    assert.deepEqual(await run('automation', ACCESS_TOKEN, requests), {
      'Test the connection': 200,
      'Create a contact': 201,
      'Find contacts': 200,
    });
    assert.equal(await countRequests('automation'), await countCalls('openapi.json'));
  });

  test('is refused without a valid token', async () => {
    assert.deepEqual(await run('developer', 'inbox_pk_live_none', ['Token/Test the token.bru']), {
      'Test the token': 401,
    });
  });
});

async function countRequests(collection) {
  const files = await readdir(join('build', collection), { recursive: true });
  const isRequest = (file) =>
    file.endsWith('.bru') && !/(^|\/)(folder|collection)\.bru$|^environments\//.test(file);
  return files.filter(isRequest).length;
}

async function countCalls(file) {
  const { paths } = JSON.parse(await readFile(join('..', '..', file), 'utf8'));
  return Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
}
