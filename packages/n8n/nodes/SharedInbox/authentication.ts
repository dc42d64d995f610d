import type {
  IExecuteFunctions,
  IHookFunctions,
  ILoadOptionsFunctions,
  INodeCredentialDescription,
  INodeProperties,
  IWebhookFunctions,
} from 'n8n-workflow';

/** The APIs of the service, by the value of the parameter `authentication`, with the credential that each needs. */
const APIS = {
  apiToken: { credential: 'sharedInboxApi', path: '/api/v1' },
  oAuth2: { credential: 'sharedInboxOAuth2Api', path: '/api/automation/v1' },
} as const;

type Authentication = keyof typeof APIS;

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export const credentials: INodeCredentialDescription[] = Object.entries(APIS).map(
  ([name, { credential }]) => ({
    name: credential,
    required: true,
    displayOptions: { show: { authentication: [name] } },
  }),
);

export const authentication: INodeProperties = {
  displayName: 'Authentication',
  name: 'authentication',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'API Token', value: 'apiToken' },
    { name: 'OAuth2', value: 'oAuth2' },
  ],
  default: 'oAuth2',
  description: 'An API token acts as a program, an OAuth2 connection as the teammate who connected it',
};

/** Returns whether the node uses an API token, and so the developer API. */
export function usesToken(context: Context): boolean {
  return authenticationOf(context) === 'apiToken';
}

/** Returns the credential of a node and the path of its API. */
export function apiOf(context: Context): (typeof APIS)[Authentication] {
  return APIS[authenticationOf(context)];
}

function authenticationOf(context: Context): Authentication {
  return context.getNode().parameters.authentication === 'apiToken' ? 'apiToken' : 'oAuth2';
}
