import { z } from 'zod';
import { api, apiProcedure } from '#server/api/procedures.ts';
import { teamListItemSchema, teammateListItemSchema } from '#server/contract/record-schemas.ts';
import { sql } from '#server/core/database/sql.ts';
import { listTeammates, listTeams } from '#server/teammates/find-teammates.ts';

export const teammatesApi = api.router({
  users: apiProcedure({
    method: 'GET',
    path: '/users',
    operationId: 'listTeammates',
    tags: ['Teammates'],
    summary: 'List teammates',
    description:
      'The teammates who can take conversations: owners, admins and agents, sorted by name. Their ' +
      'ids are values of `assignee_id`.',
    successDescription: 'The teammates.',
  })
    .input(z.object({}))
    .output(z.array(teammateListItemSchema))
    .query(({ ctx: { caller } }) => listTeammates(sql(), caller.workspace.id)),

  teams: apiProcedure({
    method: 'GET',
    path: '/teams',
    operationId: 'listTeams',
    tags: ['Teammates'],
    summary: 'List teams',
    description: 'The teams of the workspace, sorted by name. Their ids are values of `team_id`.',
    successDescription: 'The teams.',
  })
    .input(z.object({}))
    .output(z.array(teamListItemSchema))
    .query(({ ctx: { caller } }) => listTeams(sql(), caller.workspace.id)),
});
