import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

type Result = { code: number; output: string };

const OLD_NODE = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';

/** A copy of the package as in a fresh checkout: installed, but not built. */
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zapier-'));
  for (const name of ['package.json', 'tsconfig.json', 'scripts', 'src'])
    await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('in a fresh checkout', () => {
  test('a push without SERVICE_URL fails with a message', async () => {
    const { code, output } = await runScript('push');
    assert.equal(code, 1);
    assert.match(output, /Set SERVICE_URL to the address of the service/);
  });

  test('linting without a build fails with a message', async () => {
    await rm(join(folder, 'dist'), { recursive: true, force: true });
    const { code, output } = await runScript('lint');
    assert.equal(code, 1);
    assert.match(output, /Run npm run build first/);
  });

  test('a push builds the app and stops at the missing login to Zapier', async () => {
    await rm(join(folder, 'dist'), { recursive: true, force: true });
    const { code, output } = await runScript('push', 'https://inbox.example.com');
    assert.notEqual(code, 0);
    assert.match(await readBuild(), /"serviceUrl":"https:\/\/inbox\.example\.com"/);
    assert.doesNotMatch(output, /Cannot find module|ERR_MODULE_NOT_FOUND|ENOENT/);
    assert.match(output, /login|logged in|deploy key|register|link/i);
  });

  test('an old version of Node is refused with a message', async () => {
    const { code, output } = await run('node', ['--import', OLD_NODE, 'scripts/check-setup.mjs']);
    assert.equal(code, 1);
    assert.match(output, /needs Node 22 or newer, and this is Node 20\.20\.2/);
  });
});

describe('the address of the service', () => {
  test('loses its trailing slash', async () => {
    assert.equal((await writeBuild('https://inbox.example.com/')).code, 0);
    assert.match(await readBuild(), /"serviceUrl":"https:\/\/inbox\.example\.com"/);
  });

  for (const [address, sentence] of [
    ['http://inbox.example.com', /must be an https address/],
    ['inbox.example.com', /must be an https address/],
    ['https://inbox.example.com/?a=b', /no user, path, query or fragment/],
    ['https://ada@inbox.example.com', /no user, path, query or fragment/],
    ['https://example.com/inbox', /no user, path, query or fragment/],
    ['https://inbox.example.com/api/automation/v1', /no user, path, query or fragment/],
  ] as const)
    test(`is refused as ${address}`, async () => {
      const { code, output } = await writeBuild(address);
      assert.equal(code, 1);
      assert.match(output, sentence);
    });
});

/** Runs a program in the copy, without a login to Zapier. */
function run(program: string, args: string[], settings: Record<string, string> = {}): Promise<Result> {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    SERVICE_URL: '',
    DISABLE_ZAPIER_ANALYTICS: '1',
    NO_UPDATE_NOTIFIER: '1',
    ...settings,
  };
  return new Promise((done) => {
    execFile(program, args, { cwd: folder, env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      done({ code, output: `${stdout}${stderr}` });
    });
  });
}

function runScript(name: string, SERVICE_URL = '') {
  return run('node', ['--run', name], { SERVICE_URL });
}

function writeBuild(SERVICE_URL: string) {
  return run('node', ['scripts/write-build.mjs'], { SERVICE_URL });
}

function readBuild() {
  return readFile(join(folder, 'dist', 'build.js'), 'utf8');
}
