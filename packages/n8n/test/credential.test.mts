import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import tokenCredentials from '../dist/credentials/SharedInboxApi.credentials.js';
import credentials from '../dist/credentials/SharedInboxOAuth2Api.credentials.js';
import { NodeHelpers } from './n8n-workflow.mts';
import { credentialValue } from './service.mts';

/** The fields of n8n's `oAuth2Api` credential in their order (n8n 2.41). */
const INHERITED = [
  'useDynamicClientRegistration',
  'grantType',
  'serverUrl',
  'authUrl',
  'accessTokenUrl',
  'clientId',
  'clientSecret',
  'scope',
  'authQueryParameters',
  'authentication',
];

test('the credential shows the service URL first, then client ID and secret', () => {
  const { properties }: ICredentialType = new credentials.SharedInboxOAuth2Api();
  const fields = INHERITED.map(
    (name): INodeProperties => ({
      displayName: name,
      name,
      default: '',
      type: name === 'useDynamicClientRegistration' ? 'hidden' : 'string',
    }),
  );
  NodeHelpers.mergeNodeProperties(fields, properties);
  const shown = fields.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
  assert.deepEqual(shown, ['serverUrl', 'clientId', 'clientSecret']);
  const [url] = fields.filter(({ name }) => name === 'serverUrl');
  assert.deepEqual([url?.displayName, url?.required, url?.displayOptions], ['Service URL', true, undefined]);
});

test('its addresses are those of the service, also if the URL was pasted with a slash at the end', () => {
  for (const url of ['https://inbox.example.com', 'https://inbox.example.com/']) {
    assert.equal(credentialValue('authUrl', url), 'https://inbox.example.com/oauth/authorize');
    assert.equal(credentialValue('accessTokenUrl', url), 'https://inbox.example.com/oauth/token');
  }
});

test('it uses the grant type with which n8n says that a credential was never connected, with PKCE', () => {
  const { properties }: ICredentialType = new credentials.SharedInboxOAuth2Api();
  const defaultOf = (name: string) => properties.find((each) => each.name === name)?.default;
  assert.deepEqual([defaultOf('grantType'), defaultOf('usePkce')], ['authorizationCode', true]);
});

test('the credential of an API token sends it in the header only, and hides it on the screen', () => {
  const { authenticate, properties, test: check }: ICredentialType = new tokenCredentials.SharedInboxApi();
  assert.deepEqual(authenticate, {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
  });
  assert.equal(check?.request.url, '/api/v1/me');
  const token = properties.find(({ name }) => name === 'token');
  assert.deepEqual(token?.typeOptions, { password: true });
});
