'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const PAGE = '/settings/workspace/single-sign-on';

export const saveProvider = action(PAGE, async ({ singleSignOn }, form: FormData) => {
  await singleSignOn.save({
    issuer: textOf(form, 'issuer'),
    clientId: textOf(form, 'clientId'),
    clientSecret: textOf(form, 'clientSecret'),
  });
});

export const removeProvider = action(PAGE, async ({ singleSignOn }) => {
  await singleSignOn.remove();
});

export const requireSignOn = action(PAGE, async ({ singleSignOn }, isRequired: boolean) => {
  await singleSignOn.require({ isRequired });
});

/** Decides who joins by signing in. Null: only invited people. */
export const setJoinRole = action(PAGE, async ({ singleSignOn }, role: 'agent' | 'viewer' | null) => {
  await singleSignOn.setJoinRole({ role });
});

/** Adds a domain. Returns whether it is verified already. */
export const addSignOnDomain = action(PAGE, ({ singleSignOn }, form: FormData) =>
  singleSignOn.addDomain({ domain: textOf(form, 'domain') }),
);

/** Verifies a domain. Returns null if verified, otherwise a sentence about the DNS records found. */
export const verifySignOnDomain = action(PAGE, ({ singleSignOn }, domainId: string) =>
  singleSignOn.verifyDomain({ domainId }),
);

export const removeSignOnDomain = action(PAGE, async ({ singleSignOn }, domainId: string) => {
  await singleSignOn.removeDomain({ domainId });
});
