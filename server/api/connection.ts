import { z } from 'zod';
import { api, apiProcedure } from '#server/api/procedures.ts';
import { connectionSchema } from '#server/contract/record-schemas.ts';

export const connectionsApi = api.router({
  me: apiProcedure({
    method: 'GET',
    path: '/me',
    operationId: 'getConnection',
    tags: ['Connection'],
    summary: 'Test the connection',
    description:
      'Returns the teammate and the workspace of the access token. The platform labels the connection ' +
      '`<workspace_name> (<email>)`.',
    successDescription: 'The connection.',
  })
    .input(z.object({}))
    .output(connectionSchema)
    .query(({ ctx: { caller } }) => ({
      id: caller.connectionId,
      user_id: caller.teammate.id,
      user_name: caller.teammate.name,
      email: caller.teammate.email,
      workspace_id: caller.workspace.id,
      workspace_name: caller.workspace.name,
    })),
});
