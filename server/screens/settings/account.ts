import { z } from 'zod';
import { askForReset } from '#server/administration/accounts/ask-for-reset.ts';
import { changeName } from '#server/administration/accounts/change-name.ts';
import { changePassword } from '#server/administration/accounts/change-password.ts';
import { deleteAccount } from '#server/administration/accounts/delete-account.ts';
import { resetPassword } from '#server/administration/accounts/reset-password.ts';
import { changeSignature } from '#server/administration/accounts/update-profile.ts';
import { db } from '#server/core/database/db.ts';
import { Refusal } from '#server/core/errors.ts';
import { publicScreenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { getAccount } from '#server/screens/settings/get-account.ts';
import type { AccountView } from '#server/screens/settings/teammates-views.ts';
import { rememberBrowserHeader } from '#server/teammates/known-browser.ts';
import { signOut } from '#server/teammates/sign-in.ts';

/** For anyone signed in, also without a workspace. */
const signedInProcedure = publicScreenProcedure.use(({ ctx, next }) => {
  const { signedIn } = ctx;
  if (!signedIn) throw new Refusal('forbidden', 'Sign in to see this.');
  return next({ ctx: { ...ctx, signedIn } });
});

/** A teammate's own account: name, password, its end, and a new password for those who forgot theirs. */
export const accountScreens = screenRouter({
  get: signedInProcedure.query(({ ctx: { signedIn } }): Promise<AccountView> => getAccount(db(), signedIn)),
  changeName: signedInProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { signedIn }, input }) => changeName({ userId: signedIn.user.id, ...input })),
  changeSignature: signedInProcedure
    .input(z.object({ workspaceId: z.uuid(), signature: z.string() }))
    .mutation(({ ctx: { signedIn }, input }) => changeSignature({ userId: signedIn.user.id, ...input })),
  changePassword: signedInProcedure
    .input(z.object({ password: z.string(), newPassword: z.string() }))
    .mutation(async ({ ctx: { signedIn, headers }, input }) => {
      const { user, sessionId } = signedIn;
      await changePassword({ user, sessionId, ...input });
      return { setCookies: await rememberBrowserHeader(headers, user.id) };
    }),
  delete: signedInProcedure.input(z.object({ password: z.string() })).mutation(async ({ ctx, input }) => {
    const { user, sessionId } = ctx.signedIn;
    await deleteAccount({ user, sessionId, ...input });
    return signOut(ctx.headers);
  }),
  askForReset: publicScreenProcedure
    .input(z.object({ email: z.string() }))
    .mutation(({ ctx: { headers }, input }) => askForReset({ ...input, headers })),
  resetPassword: publicScreenProcedure
    .input(z.object({ token: z.string(), newPassword: z.string() }))
    .mutation(async ({ ctx: { headers }, input }) => {
      const { userId } = await resetPassword(input);
      return { setCookies: await rememberBrowserHeader(headers, userId) };
    }),
});
