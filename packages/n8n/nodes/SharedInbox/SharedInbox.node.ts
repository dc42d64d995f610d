import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { authentication, credentials, usesToken } from './authentication';
import { callService } from './call-service';
import { contactProperties } from './contact-properties';
import { conversationProperties } from './conversation-properties';
import { messageProperties } from './message-properties';
import { OPERATIONS, withNumbersAsText } from './operations';
import { resource } from './properties';
import { TOKEN_SEARCHES } from './token-searches';

/** Node for the seven actions and two searches, with either API. */
export class SharedInbox implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Shared Inbox',
    name: 'sharedInbox',
    icon: { light: 'file:../../icons/shared-inbox.svg', dark: 'file:../../icons/shared-inbox.dark.svg' },
    group: ['output'],
    version: [1],
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Work with conversations and contacts of a workspace',
    defaults: { name: 'Shared Inbox' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials,
    properties: [
      authentication,
      resource,
      ...contactProperties,
      ...conversationProperties,
      ...messageProperties,
    ],
  };

  methods = {
    loadOptions: {
      async getTeammates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const teammates = await readList<{ id: string; name: string; email: string }>(
          this,
          usesToken(this) ? '/teammates' : '/users',
        );
        const listed = teammates.map(({ id, name, email }) => ({ name: `${name} (${email})`, value: id }));
        return [{ name: 'Unassigned', value: 'none' }, ...listed];
      },
      async getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const teams = await readList<{ id: string; name: string }>(this, '/teams');
        return [{ name: 'No Team', value: 'none' }, ...teams.map(({ id, name }) => ({ name, value: id }))];
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      const running = run(this, item);
      // With "continue on fail", the error becomes the result of the item.
      const result = await (this.continueOnFail() ? running.catch(describeError) : running);
      const records = Array.isArray(result) ? result : [result];
      results.push(...records.map((json) => ({ json, pairedItem: { item } })));
    }
    return [results];
  }
}

/** Runs the selected operation for one item. */
async function run(node: IExecuteFunctions, item: number): Promise<IDataObject | IDataObject[]> {
  const [kind, name] = ['resource', 'operation'].map((each) => node.getNodeParameter(each, item) as string);
  const operation = OPERATIONS[kind ?? '']?.[name ?? ''];
  if (!operation)
    throw new NodeOperationError(node.getNode(), `There is no operation ${name} of ${kind}.`, {
      itemIndex: item,
    });
  const values = operation.parameters.map((each) => [each, node.getNodeParameter(each, item, '')]);
  const fields = node.getNodeParameter('fields', item, {}) as IDataObject;
  const given = withNumbersAsText({ ...fields, ...Object.fromEntries(values) });
  const search = name === 'getAll' && usesToken(node) ? TOKEN_SEARCHES[kind ?? ''] : undefined;
  return search ? search(node, given, item) : callService(node, operation.toCall(given), item);
}

/** Returns a list of the API. The developer API returns it as a page. */
async function readList<Item>(node: ILoadOptionsFunctions, path: string): Promise<Item[]> {
  const list = await callService<Item[] | { data: Item[] }>(node, { method: 'GET', path });
  return Array.isArray(list) ? list : list.data;
}

const describeError = (error: unknown): IDataObject => ({ error: (error as Error).message });
