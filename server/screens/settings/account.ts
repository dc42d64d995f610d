import { z } from 'zod';
import {
  findAddressLink,
  followAddressLink,
  requestAddressChange,
} from '#server/administration/accounts/change-address.ts';
import { changePassword } from '#server/administration/accounts/change-password.ts';
import { deleteAccount, lastOwnedBy } from '#server/administration/accounts/delete-account.ts';
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  startPasskey,
} from '#server/administration/accounts/passkeys/manage-passkeys.ts';
import {
  newCredentialInput,
  passkeyNameInput,
} from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import { askForReset, isResetLink, resetPassword } from '#server/administration/accounts/reset-password.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '#server/administration/accounts/second-factor/set-up.ts';
import { endOtherSessions, endSession, listSessions } from '#server/administration/accounts/sessions.ts';
import {
  changeAfterSolving,
  changeName,
  changeSignature,
  SIGNATURE_MAX_LENGTH,
} from '#server/administration/accounts/update-profile.ts';
import { addressInput, keyInput, lineInput, textInput } from '#server/contract/text-input.ts';
import { type Db, db } from '#server/core/database/prisma.ts';
import { Refusal } from '#server/core/errors.ts';
import { AfterSolving } from '#server/generated/prisma/enums.ts';
import { PAGE_REFUSALS } from '#server/screens/page-refusals.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';
import type { AccountView } from '#server/screens/settings/account-views.ts';
import { rememberBrowserHeader } from '#server/teammates/known-browser.ts';
import { problemBeyondSession, refuseBeyondSession } from '#server/teammates/refuse-beyond-session.ts';
import { signOut } from '#server/teammates/sign-in.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** For any signed-in teammate, even without a workspace. */
const signedInProcedure = publicScreenProcedure.use(({ ctx, next }) => {
  const { signedIn } = ctx;
  if (!signedIn) throw new Refusal('forbidden', PAGE_REFUSALS.signedOut);
  return next({ ctx: { ...ctx, signedIn } });
});

/** For what applies in all workspaces of the teammate, and asks for no password. */
const wholeAccountProcedure = signedInProcedure.use(({ ctx, next }) => {
  refuseBeyondSession(ctx.signedIn);
  return next({ ctx });
});

const passwordInput = z.object({ password: textInput(1_000) });

/** The teammate's account: name, signatures, preferences, password, deletion, and password reset. */
export const accountScreens = screenRouter({
  get: signedInProcedure.query(({ ctx: { signedIn } }): Promise<AccountView> => getAccount(db(), signedIn)),
  changeName: wholeAccountProcedure
    .input(z.object({ name: lineInput }))
    .mutation(({ ctx: { signedIn }, input }) => changeName({ userId: signedIn.user.id, ...input })),
  changeSignature: signedInProcedure
    .input(z.object({ workspaceId: z.uuid(), signature: textInput(SIGNATURE_MAX_LENGTH) }))
    .mutation(({ ctx: { signedIn }, input }) => changeSignature(signedIn, input)),
  changeAfterSolving: wholeAccountProcedure
    .input(z.object({ afterSolving: z.enum(AfterSolving) }))
    .mutation(({ ctx: { signedIn }, input }) => changeAfterSolving({ userId: signedIn.user.id, ...input })),
  sessions: wholeAccountProcedure.query(({ ctx: { signedIn } }) => listSessions(signedIn)),
  endSession: wholeAccountProcedure
    .input(z.object({ id: z.uuid() }))
    .mutation(({ ctx: { signedIn }, input }) => endSession(signedIn, input.id)),
  endOtherSessions: wholeAccountProcedure.mutation(({ ctx: { signedIn } }) => endOtherSessions(signedIn)),
  changeAddress: signedInProcedure
    .input(passwordInput.extend({ email: addressInput }))
    .mutation(({ ctx: { signedIn }, input }) => requestAddressChange({ ...signedIn, ...input })),
  addressLink: publicScreenProcedure
    .input(z.object({ token: keyInput }))
    .query(({ input }) => findAddressLink(input.token)),
  followAddressLink: publicScreenProcedure
    .input(z.object({ token: keyInput }))
    .mutation(({ input }) => followAddressLink(input.token)),
  secondFactor: signedInProcedure.query(({ ctx: { signedIn } }) => getSecondFactor(signedIn.user.id)),
  startSecondFactor: signedInProcedure
    .input(passwordInput)
    .mutation(({ ctx: { signedIn }, input }) => startSecondFactor({ ...signedIn, ...input })),
  enableSecondFactor: signedInProcedure
    .input(z.object({ code: textInput(100) }))
    .mutation(({ ctx: { signedIn }, input }) => enableSecondFactor({ ...signedIn, ...input })),
  renewRecoveryCodes: signedInProcedure
    .input(passwordInput)
    .mutation(({ ctx: { signedIn }, input }) => renewRecoveryCodes({ ...signedIn, ...input })),
  disableSecondFactor: signedInProcedure
    .input(passwordInput)
    .mutation(({ ctx: { signedIn }, input }) => disableSecondFactor({ ...signedIn, ...input })),
  passkeys: wholeAccountProcedure.query(({ ctx: { signedIn } }) => listPasskeys(signedIn.user.id)),
  startPasskey: signedInProcedure
    .input(passwordInput)
    .mutation(({ ctx: { signedIn }, input }) => startPasskey({ ...signedIn, ...input })),
  addPasskey: signedInProcedure
    .input(z.object({ name: passkeyNameInput, response: newCredentialInput }))
    .mutation(({ ctx: { signedIn }, input }) => addPasskey({ ...signedIn, ...input })),
  removePasskey: signedInProcedure
    .input(passwordInput.extend({ id: z.uuid() }))
    .mutation(({ ctx: { signedIn }, input }) => removePasskey({ ...signedIn, ...input })),
  changePassword: signedInProcedure
    .input(z.object({ password: textInput(1_000), newPassword: textInput(1_000) }))
    .mutation(async ({ ctx: { signedIn, headers }, input }) => {
      const { user, sessionId } = signedIn;
      await changePassword({ user, sessionId, ...input });
      return { setCookies: await rememberBrowserHeader(headers, user.id) };
    }),
  delete: signedInProcedure
    .input(z.object({ password: textInput(1_000) }))
    .mutation(async ({ ctx, input }) => {
      const { user, sessionId } = ctx.signedIn;
      await deleteAccount({ user, sessionId, ...input });
      return signOut(ctx.headers);
    }),
  askForReset: publicScreenProcedure
    .input(z.object({ email: addressInput }))
    .mutation(({ ctx: { headers }, input }) => askForReset({ ...input, headers })),
  isResetLink: publicScreenProcedure
    .input(z.object({ token: keyInput }))
    .query(({ input }) => isResetLink(input.token)),
  resetPassword: publicScreenProcedure
    .input(z.object({ token: keyInput, newPassword: textInput(1_000) }))
    .mutation(async ({ ctx: { headers }, input }) => {
      const { userId } = await resetPassword(input);
      return { setCookies: await rememberBrowserHeader(headers, userId) };
    }),
});

/** Returns the teammate's account and the effects of its deletion. */
async function getAccount(db: Db, signedIn: SignedIn): Promise<AccountView> {
  const { user, afterSolving, workspaces, closedWorkspaces, lockedWorkspaces } = signedIn;
  const [connections, liveWorkflows, lastOwnerOf, members] = await Promise.all([
    db.connection.count({ where: { userId: user.id, endedAt: null } }),
    db.hook.count({ where: { removedAt: null, connection: { userId: user.id } } }),
    lastOwnedBy(db, user.id),
    db.member.findMany({ where: { userId: user.id }, select: { workspaceId: true, signature: true } }),
  ]);
  return {
    name: user.name,
    email: user.email,
    afterSolving,
    connections,
    liveWorkflows,
    workspaces: workspaces.map(({ id, name, role }) => ({
      id,
      name,
      role,
      signature: members.find(({ workspaceId }) => workspaceId === id)?.signature ?? null,
    })),
    memberOf: [
      ...workspaces.map(({ name }) => name),
      ...closedWorkspaces,
      ...lockedWorkspaces.map(({ name }) => name),
    ],
    lastOwnerOf,
    limit: problemBeyondSession(signedIn),
  };
}
