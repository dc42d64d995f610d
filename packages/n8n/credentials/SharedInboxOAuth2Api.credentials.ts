import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

/** A connection to a workspace: OAuth 2.0 with PKCE. n8n refreshes the token after a 401. */
export class SharedInboxOAuth2Api implements ICredentialType {
  name = 'sharedInboxOAuth2Api';

  extends = ['oAuth2Api'];

  displayName = 'Shared Inbox OAuth2 API';

  icon: Icon = { light: 'file:../icons/shared-inbox.svg', dark: 'file:../icons/shared-inbox.dark.svg' };

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-shared-inbox';

  properties: INodeProperties[] = [
    {
      // Replaces the field of oAuth2Api with this name, which n8n shows above the client ID. While connecting, n8n also looks
      // there for /.well-known/oauth-protected-resource, and continues without it.
      displayName: 'Service URL',
      name: 'serverUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://inbox.example.com',
      description: 'URL of the service, without a trailing slash',
    },
    // Not `pkce`: only with this grant type does n8n say that a credential was never connected.
    { displayName: 'Grant Type', name: 'grantType', type: 'hidden', default: 'authorizationCode' },
    { displayName: 'Use PKCE', name: 'usePkce', type: 'hidden', default: true },
    {
      displayName: 'Authorization URL',
      name: 'authUrl',
      type: 'hidden',
      default: '={{$self["serverUrl"].replace(/\\/+$/, "")}}/oauth/authorize',
    },
    {
      displayName: 'Access Token URL',
      name: 'accessTokenUrl',
      type: 'hidden',
      default: '={{$self["serverUrl"].replace(/\\/+$/, "")}}/oauth/token',
    },
    { displayName: 'Scope', name: 'scope', type: 'hidden', default: '' },
    { displayName: 'Auth URI Query Parameters', name: 'authQueryParameters', type: 'hidden', default: '' },
    { displayName: 'Authentication', name: 'authentication', type: 'hidden', default: 'body' },
  ];
}
