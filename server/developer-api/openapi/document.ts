import type { oas31 } from 'zod-openapi';
import {
  allowNewFields,
  DOCUMENT_PATH,
  describeProcedures,
  documentOperation,
  toJson,
} from '#server/api/openapi/describe-procedures.ts';
import { DEVELOPERS } from '#server/api/openapi/texts.ts';
import { API_HOST_PATH, DEVELOPER_API_PATH, type Settings } from '#server/core/env.ts';
import { describeDeveloperApi, format, securitySchemes, tags } from '#server/developer-api/openapi/texts.ts';
import { describeWebhooks } from '#server/developer-api/openapi/webhooks.ts';
import { developerRouter } from '#server/developer-api/router.ts';

/** The developer API as an OpenAPI 3.1 document. Addresses are relative to the service. */
export const developerDocument: oas31.OpenAPIObject = makeDocument();

/** The text of `openapi-developer.json`. */
export const developerJson = toJson(developerDocument);

let served: { address: string; json: string } | undefined;

/** Returns the document with absolute addresses, this service as the contact, and its `TOKEN_PREFIX`. */
export function servedDeveloperJson({ BASE_URL, SERVICE_NAME, API_HOST, TOKEN_PREFIX }: Settings): string {
  const address = API_HOST ? `https://${API_HOST}${API_HOST_PATH}` : `${BASE_URL}${DEVELOPER_API_PATH}`;
  if (served?.address !== address) {
    const document: oas31.OpenAPIObject = {
      ...developerDocument,
      info: describeDeveloperApi(BASE_URL, { name: SERVICE_NAME, url: `${BASE_URL}/docs` }),
      servers: serversAt(address),
    };
    served = { address, json: toJson(document).replaceAll(/inbox(?=_pk_)/g, TOKEN_PREFIX) };
  }
  return served.json;
}

function serversAt(url: string): oas31.ServerObject[] {
  return [{ url, description: 'The service that serves this document.' }];
}

function makeDocument(): oas31.OpenAPIObject {
  const info = describeDeveloperApi('', DEVELOPERS);
  const { webhooks, schemas } = describeWebhooks();
  const described = describeProcedures(developerRouter, {
    info,
    basePath: DEVELOPER_API_PATH,
    securitySchemes,
    format,
    schemas,
  });
  const document: oas31.OpenAPIObject = {
    openapi: '3.1.0',
    info,
    servers: serversAt(DEVELOPER_API_PATH),
    tags,
    paths: {
      ...described.paths,
      [DOCUMENT_PATH]: { get: documentOperation({ tag: 'Token', title: info.title, format }) },
    },
    webhooks,
    components: {
      schemas: described.schemas,
      responses: format.responses,
      headers: format.headers,
      securitySchemes,
    },
  };
  return allowNewFields(withUsedComponents(document));
}

/** Leaves out components that nothing refers to, such as errors of calls that this API does not have. */
function withUsedComponents(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const { components = {} } = document;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') follow(inner);
      else if (!used.has(inner)) {
        used.add(inner);
        const [kind = '', name = ''] = inner.split('/').slice(-2);
        follow(Reflect.get(Reflect.get(components, kind) ?? {}, name));
      }
    }
  };
  follow(document.paths);
  follow(document.webhooks);
  const kept = (kind: 'schemas' | 'responses' | 'headers') =>
    Object.fromEntries(
      Object.entries(components[kind] ?? {}).filter(([name]) => used.has(`#/components/${kind}/${name}`)),
    );
  return {
    ...document,
    components: {
      ...components,
      schemas: kept('schemas'),
      responses: kept('responses'),
      headers: kept('headers'),
    },
  };
}
