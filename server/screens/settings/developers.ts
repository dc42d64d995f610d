import { z } from 'zod';
import { ABILITY_NAMES, type Ability } from '#server/automation/tokens/abilities.ts';
import {
  createToken,
  LABEL_MAX_LENGTH,
  listTokens,
  revokeToken,
  TOKENS_MAX,
} from '#server/automation/tokens/api-tokens.ts';
import { textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { API_HOST_PATH, DEVELOPER_API_PATH, settings } from '#server/core/env.ts';
import { adminProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { DevelopersView } from '#server/screens/settings/views.ts';

/** The abilities that can be chosen: those that a call needs, and all of them. */
const HINTS = {
  read: 'See contacts, conversations, teammates, teams, tags and events.',
  write_contacts: 'Create, change and merge contacts.',
  write_conversations: 'Create, change, merge and tag conversations, send replies and add notes.',
  suggest_replies: 'Suggest replies, which are sent only when a teammate sends them.',
  manage_webhooks: 'Manage webhooks, and read their secrets and deliveries.',
  full_access: 'All of these, also abilities that are added later.',
} satisfies Partial<Record<Ability, string>>;
const CHOICES = Object.keys(HINTS) as (keyof typeof HINTS)[];

/** API tokens, for owners and admins. */
export const developersScreens = screenRouter({
  get: adminProcedure.query(({ ctx: { workspace } }) => getDevelopers(workspace.id)),
  create: adminProcedure
    .input(
      z.object({
        label: textInput(LABEL_MAX_LENGTH),
        abilities: z.array(z.enum(CHOICES)).max(CHOICES.length),
        lastDay: textInput(10, 'last day'),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input: { lastDay, ...input } }) =>
      createToken({ workspaceId: workspace.id, by: user, ...input, lastDay: lastDay || null }),
    ),
  revoke: adminProcedure
    .input(z.object({ id: z.guid() }))
    .mutation(({ ctx: { workspace, user }, input: { id } }) =>
      revokeToken({ workspaceId: workspace.id, id, by: user }),
    ),
});

async function getDevelopers(workspaceId: string): Promise<DevelopersView> {
  const tokens = await listTokens(db(), workspaceId);
  const { BASE_URL, API_HOST } = settings();
  const now = Date.now();
  return {
    tokens: tokens.map(({ abilities, ...token }) => ({
      ...token,
      abilities: abilities.map((ability) => ABILITY_NAMES[ability]),
      isExpired: token.expiresAt !== null && token.expiresAt.getTime() <= now,
    })),
    tokensMax: TOKENS_MAX,
    abilities: CHOICES.map((value) => ({ value, label: ABILITY_NAMES[value], hint: HINTS[value] })),
    apiUrl: API_HOST ? `https://${API_HOST}${API_HOST_PATH}` : `${BASE_URL}${DEVELOPER_API_PATH}`,
  };
}
