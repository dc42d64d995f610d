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
    const { BASE_URL, SERVICE_NAME, API_HOST, TOKEN_PREFIX } = settings();
    return {
      reference: developerReference,
      tokenPrefix: TOKEN_PREFIX,
      apiBase: API_HOST ? `https://${API_HOST}${API_HOST_PATH}` : `${BASE_URL}${DEVELOPER_API_PATH}`,
      serviceName: SERVICE_NAME,
    };
  }),
});

/** The contract as shown on the documentation page. */
export const reference = referenceOf(automationContract, ['id', 'event', 'occurred_at']);

/** The developer API as its page shows it. */
export const developerReference = referenceOf(developerContract, [
  'id',
  'type',
  'timestamp',
  'actor',
  'caused_by',
]);

/** @param envelope fields of every event, documented once */
function referenceOf(contract: Contract, envelope: string[]): ReferenceView {
  return {
    groups: contract.tags
      .map((tag) => describeGroup(contract, tag))
      .filter(({ operations }) => operations.length > 0),
    envelope,
    events: Object.entries(contract.webhooks).map(([key, { post }]) =>
      describeEvent(contract, { key, operation: post, envelope }),
    ),
    records: Object.entries(contract.components.schemas)
      .filter(([name]) => isRecord(contract, name))
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
  { key, operation, envelope }: { key: string; operation: Operation; envelope: string[] },
): EventView {
  const { operationId, summary, description, requestBody } = operation;
  const { schema, example } = requestBody?.content['application/json'] ?? { schema: {}, example: undefined };
  const named = schema.$ref ? contract.components.schemas[refName(schema.$ref)] : undefined;
  const shown = example ?? named?.examples?.[0];
  return {
    id: operationId,
    key,
    name: summary,
    description,
    fields: describeFields(contract, named?.properties?.data ?? named ?? {}).filter(
      ({ name }) => !envelope.includes(name),
    ),
    isInData: named?.properties?.data !== undefined,
    example: shown === undefined ? null : pretty(shown),
  };
}

/** Bodies of events, samples and the two errors are documented elsewhere. */
function isRecord({ webhooks }: Contract, name: string): boolean {
  const bodies = Object.values(webhooks).map(
    ({ post }) => post.requestBody?.content['application/json']?.schema.$ref,
  );
  return !bodies.some((ref) => ref !== undefined && refName(ref) === name) && !/(Sample|Error)$/.test(name);
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
