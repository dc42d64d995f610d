import { z } from 'zod';
import { ABILITIES } from '#server/automation/tokens/abilities.ts';
import { idField, textField } from '#server/contract/record-schemas.ts';
import { developer, developerProcedure } from '#server/developer-api/procedures.ts';

const tokenSchema = z
  .object({
    id: idField('The id of the token.'),
    label: textField('The label of the token, which its actions show.'),
    abilities: z.array(z.enum(ABILITIES)).meta({ description: 'What the token may do.' }),
    workspace: z
      .object({
        id: idField('The id of the workspace.'),
        name: textField('The name of the workspace.'),
        is_test: z.boolean().meta({
          description:
            'Whether it is a test workspace, whose messages are stored in an outbox instead of sent.',
        }),
      })
      .meta({ description: 'The workspace in which the token acts.' }),
  })
  .meta({
    id: 'Token',
    description: 'An API token, without its secret.',
    examples: [
      {
        id: '01a4d7f0-9a1b-7c2d-8e3f-405162738495',
        label: 'Warehouse sync',
        abilities: ['read', 'write_contacts'],
        workspace: { id: '01a0b2c4-1a2b-7c3d-8e4f-5061728394a5', name: 'Northwind', is_test: false },
      },
    ],
  });

export const meProcedures = developer.router({
  get: developerProcedure(null, {
    method: 'GET',
    path: '/me',
    operationId: 'getToken',
    tags: ['Token'],
    summary: 'Test the token',
    description: 'Returns the token of the call, its abilities and its workspace.',
    successDescription: 'The token.',
  })
    .input(z.object({}))
    .output(tokenSchema)
    .query(({ ctx: { program } }) => ({
      id: program.tokenId,
      label: program.label,
      abilities: program.abilities,
      workspace: {
        id: program.workspace.id,
        name: program.workspace.name,
        is_test: program.workspace.isTest,
      },
    })),
});
