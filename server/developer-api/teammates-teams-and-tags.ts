import { z } from 'zod';
import { exampleTeam, exampleTeammate } from '#server/contract/record-examples.ts';
import { idField, teammateListItemSchema, textField } from '#server/contract/record-schemas.ts';
import { sql } from '#server/core/database/sql.ts';
import { tagSchema } from '#server/developer-api/conversation-schemas.ts';
import { encodeKey, keyPageQuery, pageSchema } from '#server/developer-api/pages.ts';
import { developer, developerProcedure } from '#server/developer-api/procedures.ts';
import { listTagsAfter } from '#server/inbox/conversations/list-tags.ts';
import { listTeammates, listTeams } from '#server/teammates/find-teammates.ts';

const teammateSchema = z.object(teammateListItemSchema.shape).meta({
  id: 'WorkspaceTeammate',
  description: 'A teammate to whom conversations can be assigned.',
  examples: [{ ...exampleTeammate, role: 'admin' }],
});

const teamSchema = z
  .object({ id: idField('The id of the team.'), name: textField('The name of the team.') })
  .meta({ id: 'WorkspaceTeam', description: 'A team of the workspace.', examples: [exampleTeam] });

export const teammateProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/teammates',
    operationId: 'listTeammates',
    tags: ['Teammates'],
    summary: 'List teammates',
    description: 'All teammates who can take conversations: owners, admins and agents, sorted by name.',
    successDescription: 'The teammates, on one page.',
  })
    .input(z.object({}))
    .output(pageSchema(teammateSchema, { id: 'TeammatePage', records: 'teammates' }))
    .query(async ({ ctx: { program } }) => ({
      data: await listTeammates(sql(), program.workspace.id),
      next_cursor: null,
    })),

  teams: developerProcedure('read', {
    method: 'GET',
    path: '/teams',
    operationId: 'listTeams',
    tags: ['Teammates'],
    summary: 'List teams',
    description: 'All teams of the workspace, sorted by name.',
    successDescription: 'The teams, on one page.',
  })
    .input(z.object({}))
    .output(pageSchema(teamSchema, { id: 'TeamPage', records: 'teams' }))
    .query(async ({ ctx: { program } }) => ({
      data: await listTeams(sql(), program.workspace.id),
      next_cursor: null,
    })),
});

export const tagProcedures = developer.router({
  list: developerProcedure('read', {
    method: 'GET',
    path: '/tags',
    operationId: 'listTags',
    tags: ['Conversations'],
    summary: 'List tags',
    description: 'The tags of conversations that are neither spam nor deleted, in alphabetical order.',
    successDescription: 'A page of tags.',
    errorResponses: { 422: 'A parameter is not valid.' },
  })
    .input(z.object(keyPageQuery))
    .output(pageSchema(tagSchema, { id: 'TagPage', records: 'tags' }))
    .query(async ({ ctx: { program }, input: { limit, cursor: after } }) => {
      const found = await listTagsAfter(sql(), {
        workspaceId: program.workspace.id,
        after,
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(({ name }) => ({ name })),
        next_cursor: last && found.length > limit ? encodeKey(last.key) : null,
      };
    }),
});
