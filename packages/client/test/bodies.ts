import type { AutomationClient, DeveloperClient } from '../dist/index.js';

// Compiled by `npm run lint`, never run: each of the bodies compiles exactly if the service knows its fields.
export async function compileBodies(client: AutomationClient, developerClient: DeveloperClient) {
  const params = { path: { id: '01a4d7f0-2b3c-7d4e-9f50-6b7c8d9e0f1a' } };

  await client.POST('/contacts', { body: { phone: '4711' } });
  // @ts-expect-error The field is `phone`.
  await client.POST('/contacts', { body: { fone: '4711' } });
  // @ts-expect-error A phone number is a text.
  await client.POST('/contacts', { body: { phone: 4711 } });

  await client.PATCH('/conversations/{id}', { params, body: { status: 'solved' } });
  // @ts-expect-error The field is `status`.
  await client.PATCH('/conversations/{id}', { params, body: { state: 'solved' } });
  // @ts-expect-error There is no such status.
  await client.PATCH('/conversations/{id}', { params, body: { status: 'resolved' } });

  await developerClient.POST('/contacts', { body: { phone: '4711' } });
  // @ts-expect-error The field is `phone`.
  await developerClient.POST('/contacts', { body: { fone: '4711' } });
  await developerClient.PATCH('/conversations/{id}', { params, body: { priority: 'high' } });
  // @ts-expect-error The field is `priority`.
  await developerClient.PATCH('/conversations/{id}', { params, body: { prio: 'high' } });
}
