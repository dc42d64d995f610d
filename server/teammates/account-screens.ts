import { z } from 'zod';
import { db } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import { askForReset } from '#server/teammates/ask-for-reset.ts';
import { changeName } from '#server/teammates/change-name.ts';
import { changePassword } from '#server/teammates/change-password.ts';
import { deleteAccount } from '#server/teammates/delete-account.ts';
import { rememberBrowserHeader } from '#server/teammates/known-browser.ts';
import { resetPassword } from '#server/teammates/reset-password.ts';
import { showAccount } from '#server/teammates/show-account.ts';
import { signOut } from '#server/teammates/sign-in.ts';
import type { AccountView } from '#server/teammates/views.ts';
import { publicScreenProcedure, screenRouter } from '#server/trpc.ts';

/** For whoever is signed in, also without a workspace. */
const signedInProcedure = publicScreenProcedure.use(({ ctx, next }) => {
  const { signedIn } = ctx;
  if (!signedIn) throw new Refusal('forbidden', 'Sign in to see this.');
  return next({ ctx: { ...ctx, signedIn } });
});

/** A teammate's own account: name, password, its end, and a new password for whoever forgot theirs. */
export const accountScreens = screenRouter({
  show: signedInProcedure.query(({ ctx: { signedIn } }): Promise<AccountView> => showAccount(db(), signedIn)),
  changeName: signedInProcedure
    .input(z.object({ name: z.string() }))
    .mutation(({ ctx: { signedIn }, input }) => changeName({ userId: signedIn.user.id, ...input })),
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
