import { z } from 'zod';
import {
  PROVIDER_TEXT_MAX_LENGTH,
  removeProvider,
  requireSignOn,
  saveProvider,
  setJoinRole,
} from '#server/administration/single-sign-on/configure-sign-on.ts';
import {
  addSignOnDomain,
  removeSignOnDomain,
  verifySignOnDomain,
} from '#server/administration/single-sign-on/sign-on-domains.ts';
import { domainRecord } from '#server/administration/workspaces/email-domains.ts';
import { addressInput, keyInput, textInput } from '#server/contract/text-input.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { systemResolver } from '#server/core/mail/dns-text-records.ts';
import { ownerProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { SingleSignOnView } from '#server/screens/settings/views.ts';
import { redirectUriOf, SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';

/** Single sign-on of a workspace, for owners. */
export const singleSignOnScreens = screenRouter({
  get: ownerProcedure.query(({ ctx: { workspace } }) => getSingleSignOn(workspace.id)),
  save: ownerProcedure
    .input(
      z.object({
        issuer: textInput(PROVIDER_TEXT_MAX_LENGTH),
        clientId: textInput(PROVIDER_TEXT_MAX_LENGTH),
        clientSecret: textInput(PROVIDER_TEXT_MAX_LENGTH),
      }),
    )
    .mutation(({ ctx: { workspace, user }, input }) =>
      saveProvider({ workspaceId: workspace.id, provider: input, by: user }),
    ),
  remove: ownerProcedure.mutation(({ ctx: { workspace, user } }) =>
    removeProvider({ workspaceId: workspace.id, by: user }),
  ),
  require: ownerProcedure
    .input(z.object({ isRequired: z.boolean() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      requireSignOn({ workspaceId: workspace.id, ...input, by: user }),
    ),
  setJoinRole: ownerProcedure
    .input(z.object({ role: z.enum(['agent', 'viewer']).nullable() }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      setJoinRole({ workspaceId: workspace.id, ...input, by: user }),
    ),
  addDomain: ownerProcedure
    .input(z.object({ domain: addressInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      addSignOnDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
  /** Returns null when the domain is verified, otherwise a sentence. */
  verifyDomain: ownerProcedure
    .input(z.object({ domainId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      verifySignOnDomain(systemResolver(), { workspaceId: workspace.id, ...input, by: user }),
    ),
  removeDomain: ownerProcedure
    .input(z.object({ domainId: keyInput }))
    .mutation(({ ctx: { workspace, user }, input }) =>
      removeSignOnDomain({ workspaceId: workspace.id, ...input, by: user }),
    ),
});

/** Returns the provider and domains of a workspace, without the client secret. */
async function getSingleSignOn(workspaceId: string): Promise<SingleSignOnView> {
  const [provider, domains] = await Promise.all([
    db().singleSignOn.findUnique({
      where: { workspaceId },
      select: { issuer: true, clientId: true, testedAt: true, requiredAt: true, joinRole: true },
    }),
    db().signOnDomain.findMany({ where: { workspaceId }, orderBy: { domain: 'asc' } }),
  ]);
  return {
    provider,
    domains: domains.map(({ id, domain, verificationToken, verifiedAt }) => ({
      id,
      domain,
      verifiedAt,
      record: domainRecord({ domain, verificationToken }),
    })),
    redirectUri: redirectUriOf(workspaceId),
    startUrl: `${settings().BASE_URL}${SIGN_ON_START_PATH}${workspaceId}`,
    testPath: `${SIGN_ON_START_PATH}${workspaceId}?test`,
  };
}
