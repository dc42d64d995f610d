'use server';

import { action } from '#app/data/action.ts';
import { textOf } from '#app/lib/form-state.ts';

const EMAIL = '/settings/channels/email';

export const addDomain = action(EMAIL, async ({ workspaces }, form: FormData) => {
  await workspaces.addDomain({ domain: textOf(form, 'domain') });
});

/** Verifies a domain. Returns null if verified, otherwise a sentence about the DNS records found. */
export const verifyDomain = action(EMAIL, async ({ workspaces }, domainId: string) => {
  const outcome = await workspaces.verifyDomain({ domainId });
  return outcome.kind === 'not_verified' ? outcome.message : null;
});

export const removeDomain = action(EMAIL, async ({ workspaces }, domainId: string) => {
  await workspaces.removeDomain({ domainId });
});

export const addMailbox = action(EMAIL, async ({ workspaces }, form: FormData) => {
  await workspaces.addMailbox({ name: textOf(form, 'name'), address: textOf(form, 'address') });
});

export const renameMailbox = action(EMAIL, async ({ workspaces }, mailboxId: string, form: FormData) => {
  await workspaces.renameMailbox({ mailboxId, name: textOf(form, 'name') });
  return { id: mailboxId };
});

export const chooseDefaultMailbox = action(EMAIL, async ({ workspaces }, mailboxId: string) => {
  await workspaces.chooseDefaultMailbox({ mailboxId });
});

export const removeMailbox = action(EMAIL, async ({ workspaces }, mailboxId: string) => {
  await workspaces.removeMailbox({ mailboxId });
});

/** Sends a test email to a mailbox's own address. */
export const sendTestMail = action(EMAIL, async ({ channels }, mailboxId: string) => {
  await channels.sendTestMail({ mailboxId });
});

/** Creates the DKIM key of a domain. */
export const makeSigningKey = action(EMAIL, async ({ channels }, domainId: string) => {
  await channels.makeSigningKey({ domainId });
});

/** Checks the DNS record of a domain's DKIM key. Returns null if found, otherwise a sentence. */
export const checkSigningKey = action(EMAIL, ({ channels }, domainId: string) =>
  channels.checkSigningKey({ domainId }),
);

/** Lists a sender as a form of a website. Returns its address. */
export const addForm = action(EMAIL, async ({ channels }, form: FormData) => ({
  address: await channels.addForm({ address: textOf(form, 'form') }),
}));

export const removeForm = action(EMAIL, async ({ channels }, id: string) => {
  await channels.removeForm({ id });
});

/** Creates the address to which a mail provider posts incoming email, and returns it with its secret. */
export const connectPostedMail = action(EMAIL, ({ channels }) => channels.connectPostedMail());
