import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INode,
  INodeExecutionData,
  INodeType,
  IWebhookFunctions,
  JsonObject,
  WorkflowActivateMode,
} from 'n8n-workflow';
import { type Received, SERVICE_URL, type Tokens } from '../../client/test/service.ts';
import { NodeApiError, NodeHelpers } from './n8n-workflow.mts';
import { refresh } from './service.mts';

type Settings = {
  /** Tokens of a connection, for a node with OAuth2. */
  tokens?: Tokens;
  /** For a node with the authentication `apiToken`. */
  apiToken?: string;
  parameters?: IDataObject;
  continueOnFail?: boolean;
  /** Replaces `Retry-After` of responses, in seconds, so that a test does not wait a minute. */
  retryAfter?: number;
  /** The execution that the node runs in: the same for each attempt of "Retry On Fail". */
  executionId?: string;
  /** Called with the headers of each request. The response is lost when it returns false, or replaced by what it returns. */
  onRequest?: (headers: IDataObject, url: string) => boolean | Response;
};

/** Returns the parameters that n8n passes to a node: the displayed ones, with their defaults. */
function parametersOf(type: INodeType, node: INode): IDataObject {
  const { description } = type;
  return (NodeHelpers.getNodeParameters(
    description.properties,
    node.parameters,
    true,
    false,
    node,
    description,
  ) ?? {}) as IDataObject;
}

/**
 * Sends a request like n8n: refreshes the token of an OAuth2 credential once after a 401, and throws axios errors wrapped in its
 * own.
 */
function requestWith(node: INode, { tokens, apiToken, retryAfter, onRequest = () => true }: Settings) {
  const fail = (properties: object, message: string): never => {
    throw new NodeApiError(node, Object.assign(new AxiosError(message), properties) as unknown as JsonObject);
  };
  return async (
    credential: string,
    { url, method, qs, body, headers: given = {} }: IHttpRequestOptions,
  ): Promise<unknown> => {
    const send = () =>
      fetch(`${url}?${new URLSearchParams(qs as Record<string, string>)}`, {
        method: method ?? 'GET',
        headers: {
          ...(given as Record<string, string>),
          Authorization: `Bearer ${credential === 'sharedInboxApi' ? apiToken : tokens?.access_token}`,
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let response = await send();
    if (response.status === 401 && tokens) {
      Object.assign(tokens, await refresh(tokens));
      response = await send();
    }
    const replaced = onRequest(given, url);
    if (replaced === false) fail({ code: 'ECONNRESET' }, 'socket hang up');
    if (replaced instanceof Response) response = replaced;
    const data: unknown = await response.json();
    if (response.ok) return data;
    const headers = Object.fromEntries(response.headers);
    if (headers['retry-after'] && retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
    const { status } = response;
    return fail({ response: { status, headers, data } }, `Request failed with status code ${status}`);
  };
}

/** n8n recognizes errors of axios by the name of their class. */
class AxiosError extends Error {}

function contextOf(type: INodeType, settings: Settings) {
  const { parameters = {}, continueOnFail = false } = settings;
  const node: INode = {
    id: 'node',
    name: type.description.displayName,
    type: type.description.name,
    typeVersion: 1,
    position: [0, 0],
    parameters: parameters as INode['parameters'],
  };
  const values = parametersOf(type, node);
  const value = (name: string, fallback?: unknown) => {
    if (name in values) return values[name];
    if (fallback === undefined) throw new Error(`Could not get parameter ${name}`);
    return fallback;
  };
  return {
    value,
    parts: {
      getNode: () => node,
      getCredentials: async () => ({ serverUrl: SERVICE_URL, token: settings.apiToken }),
      continueOnFail: () => continueOnFail,
      helpers: { httpRequestWithAuthentication: requestWith(node, settings) },
    },
  };
}

/** Runs a node on the given items. Returns its output. */
export async function execute(
  type: INodeType,
  settings: Settings,
  items: INodeExecutionData[] = [{ json: {} }],
): Promise<INodeExecutionData[]> {
  const { value, parts } = contextOf(type, settings);
  const context = {
    ...parts,
    getInstanceId: () => 'instance',
    getExecutionId: () => settings.executionId,
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    getInputData: () => items,
    getNodeParameter: (name: string, _item: number, fallback?: unknown) => value(name, fallback),
  } as unknown as IExecuteFunctions;
  const [output] = ((await type.execute?.call(context)) as INodeExecutionData[][] | undefined) ?? [];
  return output ?? [];
}

/** Returns the options of a dropdown. */
export function loadOptions(type: INodeType, method: string, settings: Settings) {
  const { parts } = contextOf(type, settings);
  return type.methods?.loadOptions?.[method]?.call(parts as unknown as ILoadOptionsFunctions);
}

/** Returns a trigger to activate and deactivate. Its static data persists in between. */
export function triggerOf(type: INodeType, settings: Settings & { webhookUrl: string }) {
  const staticData: IDataObject = {};
  const { value, parts } = contextOf(type, settings);
  const contextIn = (mode: WorkflowActivateMode, webhookUrl: string) =>
    ({
      ...parts,
      getActivationMode: () => mode,
      getNodeParameter: value,
      getNodeWebhookUrl: () => webhookUrl,
      getWorkflow: () => ({ id: '1', name: 'Tell the team', active: true }),
      getWorkflowStaticData: () => staticData,
    }) as unknown as IHookFunctions;
  const methods = type.webhookMethods?.default;
  return {
    staticData,
    /** Activates the trigger. A restart of n8n has the mode `init`. */
    activate: async (mode: WorkflowActivateMode = 'activate', webhookUrl = settings.webhookUrl) => {
      const context = contextIn(mode, webhookUrl);
      if (!(await methods?.checkExists?.call(context))) await methods?.create?.call(context);
    },
    deactivate: () => methods?.delete?.call(contextIn('update', settings.webhookUrl)),
    receive: (body: IDataObject) =>
      type.webhook?.call({ ...parts, getBodyData: () => body } as unknown as IWebhookFunctions),
    /** Receives a request like n8n. Returns the status of its response and the items that start the workflow. */
    request: async ({ headers, body }: Received) => {
      let status = 200;
      const response = {
        status: (given: number) => {
          status = given;
          return response;
        },
        json: () => response,
      };
      const result = await type.webhook?.call({
        ...parts,
        getNodeParameter: value,
        getBodyData: () => JSON.parse(body),
        getRequestObject: () => ({ headers, rawBody: Buffer.from(body) }),
        getResponseObject: () => response,
        getWorkflowStaticData: () => staticData,
      } as unknown as IWebhookFunctions);
      return { status, items: result?.workflowData?.[0] };
    },
  };
}
