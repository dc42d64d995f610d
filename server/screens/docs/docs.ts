import { API_HOST_PATH, API_PATH, DEVELOPER_API_PATH, settings } from '#server/core/env.ts';
import { describeFields } from '#server/screens/docs/describe-field.ts';
import { describeOperation, pretty } from '#server/screens/docs/describe-operation.ts';
import {
  automationContract,
  type Contract,
  developerContract,
  type Operation,
  refName,
  type Schema,
} from '#server/screens/docs/openapi-schema.ts';
import type { EventView, GroupView, RecordView, ReferenceView } from '#server/screens/docs/views.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';

/** Public documentation. */
export const docsScreens = screenRouter({
  /** Returns the reference and the base addresses of its examples. */
  read: publicScreenProcedure.query(() => {
    const { BASE_URL, SERVICE_NAME, PLATFORM_NAME } = settings();
    return {
      reference,
      baseUrl: BASE_URL,
      apiBase: `${BASE_URL}${API_PATH}`,
      serviceName: SERVICE_NAME,
      platformName: PLATFORM_NAME,
    };
  }),
  /** The same for the developer API. */
  readDeveloper: publicScreenProcedure.query(() => {
    const { BASE_URL, SERVICE_NAME, API_HOST } = settings();
    return {
      reference: developerReference,
      apiBase: API_HOST ? `https://${API_HOST}${API_HOST_PATH}` : `${BASE_URL}${DEVELOPER_API_PATH}`,
      serviceName: SERVICE_NAME,
    };
  }),
});

/** Fields of every event, documented once. */
const ENVELOPE = ['id', 'event', 'occurred_at'];

/** The contract as shown on the documentation page. */
export const reference = referenceOf(automationContract);

/** The developer API as its page shows it. */
export const developerReference = referenceOf(developerContract);

function referenceOf(contract: Contract): ReferenceView {
  return {
    groups: contract.tags
      .map((tag) => describeGroup(contract, tag))
      .filter(({ operations }) => operations.length > 0),
    events: Object.entries(contract.webhooks).map(([key, { post }]) => describeEvent(contract, key, post)),
    records: Object.entries(contract.components.schemas)
      .filter(isRecord)
      .map((record) => describeRecord(contract, record)),
  };
}

function describeGroup(
  contract: Contract,
  { name, description }: { name: string; description: string },
): GroupView {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === name)
      .map(([method, operation]) => describeOperation(contract, { method, path, operation })),
  );
  return { name, description, operations };
}

function describeEvent(
  contract: Contract,
  key: string,
  { operationId, summary, description, requestBody }: Operation,
): EventView {
  const { schema, example } = requestBody?.content['application/json'] ?? { schema: {}, example: undefined };
  const named = schema.$ref ? contract.components.schemas[refName(schema.$ref)] : undefined;
  return {
    id: operationId,
    key,
    name: summary,
    description,
    fields: describeFields(contract, named ?? {}).filter(({ name }) => !ENVELOPE.includes(name)),
    example: pretty(example),
  };
}

/** Events, samples and the two errors are documented elsewhere. */
function isRecord([name]: [string, Schema]): boolean {
  return name === 'LoggedEvent' || !/(Event|Sample|Error)$/.test(name);
}

function describeRecord(contract: Contract, [name, schema]: [string, Schema]): RecordView {
  const [example] = schema.examples ?? [];
  return {
    name,
    description: schema.description ?? '',
    fields: describeFields(contract, schema),
    example: example === undefined ? null : pretty(example),
  };
}
