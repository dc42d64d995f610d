import { z } from 'zod';
import { db } from '#server/db.ts';
import { Refusal } from '#server/errors.ts';
import { askForReset } from '#server/teammates/ask-for-reset.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/teammates/auth.ts';
import { changeName } from '#server/teammates/change-name.ts';
import { changePassword } from '#server/teammates/change-password.ts';
import { deleteAccount } from '#server/teammates/delete-account.ts';
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
    .mutation(({ ctx: { signedIn }, input }) =>
      changePassword({ user: signedIn.user, sessionId: signedIn.sessionId, ...input }),
    ),
  delete: signedInProcedure.input(z.object({ password: z.string() })).mutation(async ({ ctx, input }) => {
    await deleteAccount({ user: ctx.signedIn.user, ...input });
    return signOut(ctx.headers);
  }),
  askForReset: publicScreenProcedure
    .input(z.object({ email: z.string() }))
    .mutation(({ ctx, input }) =>
      askForReset({ ...input, address: ctx.headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown' }),
    ),
  resetPassword: publicScreenProcedure
    .input(z.object({ token: z.string(), newPassword: z.string() }))
    .mutation(({ input }) => resetPassword(input)),
});
