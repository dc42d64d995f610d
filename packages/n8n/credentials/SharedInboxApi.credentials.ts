import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

/** An API token of a workspace. It does not expire by itself. */
export class SharedInboxApi implements ICredentialType {
  name = 'sharedInboxApi';

  displayName = 'Shared Inbox API';

  icon: Icon = { light: 'file:../icons/shared-inbox.svg', dark: 'file:../icons/shared-inbox.dark.svg' };

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-shared-inbox';

  properties: INodeProperties[] = [
    {
      displayName: 'Service URL',
      name: 'serverUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://inbox.example.com',
      description: 'URL of the service, without a trailing slash',
    },
    {
      displayName: 'API Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A token from Settings > Developers. Triggers need the ability to manage webhooks.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.serverUrl.replace(/\\/+$/, "")}}', url: '/api/v1/me' },
  };
}
