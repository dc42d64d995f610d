import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeWorkspace, SERVICE_URL, type Tokens, type Workspace } from '../../client/test/service.ts';
import App from '../dist/index.js';
import { connect, connected, run } from './service.ts';

const auth = App.authentication as NonNullable<typeof App.authentication>;
const config = auth.oauth2Config;

describe('the connection', () => {
  let workspace: Workspace;
  let authData: Tokens;
  before(async () => {
    workspace = await makeWorkspace();
    authData = await connect(workspace);
  });

  test('is created with consent and PKCE, and labelled with workspace and email address', async () => {
    const me = await run(auth.test, { authData });
    const label = String(auth.connectionLabel).replaceAll(/\{\{(\w+)\}\}/g, (_all, name) => String(me[name]));
    assert.equal(label, `${workspace.name} (${workspace.owner.email})`);
  });

  test('is refused to an attacker without the right code and verifier', async () => {
    const exchange = run(config?.getAccessToken, {
      inputData: {
        code: 'kzc_unknown',
        redirect_uri: 'https://platform.test/',
        code_verifier: 'x'.repeat(43),
      },
    });
    await assert.rejects(exchange, /Connect the account again/);
  });

  test('is refreshed, after which a call with the old access token requests a refresh', async () => {
    const old = authData.access_token;
    const fresh = await run(config?.refreshAccessToken, { authData });
    authData = { ...authData, ...fresh };
    assert.notEqual(authData.access_token, old);
    assert.equal((await run(auth.test, { authData })).workspace_name, workspace.name);
    const stale = run(auth.test, { authData: { ...authData, access_token: old } });
    await assert.rejects(stale, { name: 'RefreshAuthError' });
  });

  test('that was revoked cannot be refreshed, and the error asks to connect the account again', async () => {
    const { authData: revoked } = await connected();
    await fetch(`${SERVICE_URL}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        token: revoked.refresh_token,
        client_id: process.env.CLIENT_ID ?? '',
        client_secret: process.env.CLIENT_SECRET ?? '',
      }),
    });
    await assert.rejects(run(config?.refreshAccessToken, { authData: revoked }), {
      name: 'ExpiredAuthError',
    });
  });

  test('sends its token only to the API', async () => {
    const sent: string[] = [];
    const probe = async (z: { request: (request: object) => Promise<{ request: { headers?: object } }> }) => {
      const { request } = await z.request({ url: `${SERVICE_URL}/healthz`, skipThrowForStatus: true });
      sent.push(JSON.stringify(request.headers ?? {}));
      return {};
    };
    await run(probe, { authData });
    assert.equal(sent.length, 1);
    assert.doesNotMatch(sent.join(), /Bearer/);
  });
});

describe('a call beyond the rate limit', () => {
  test('is delayed for Retry-After', async () => {
    const { authData, client } = await connected();
    await Promise.all(Array.from({ length: 300 }, () => client.GET('/teams')));
    await assert.rejects(run(auth.test, { authData }), (error: Error) => {
      assert.equal(error.name, 'ThrottledError');
      const { delay } = JSON.parse(error.message) as { delay: number };
      assert.ok(delay >= 1 && delay <= 60, `a delay of ${delay}`);
      return true;
    });
  });
});
