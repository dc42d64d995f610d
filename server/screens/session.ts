import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { assertionInput } from '#server/administration/accounts/passkeys/passkey-inputs.ts';
import {
  passPasskeyStep,
  startPasskeyStep,
} from '#server/administration/accounts/passkeys/second-step-with-passkey.ts';
import {
  signInWithPasskey,
  startPasskeySignIn,
} from '#server/administration/accounts/passkeys/sign-in-with-passkey.ts';
import {
  findSecondStep,
  passSecondStep,
} from '#server/administration/accounts/second-factor/pass-second-step.ts';
import { findSignOns } from '#server/administration/single-sign-on/find-sign-ons.ts';
import { isSignOnReason, SIGN_ON_FAULTS } from '#server/administration/single-sign-on/sign-on-fault.ts';
import { addressInput, keyInput, textInput } from '#server/contract/text-input.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { settings } from '#server/core/env.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isVisibleById } from '#server/inbox/conversations/visible-conversations.ts';
import { publicScreenProcedure, screenProcedure, screenRouter } from '#server/screens/procedures.ts';
import { PLANS } from '#server/teammates/plans.ts';
import { signIn, signOut } from '#server/teammates/sign-in.ts';
import { SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';
import { type MemberWorkspace, type SignedIn, switchWorkspace } from '#server/teammates/signed-in.ts';

/** The session, signing in and out, and the open workspace. */
export const sessionScreens = screenRouter({
  current: publicScreenProcedure.query(({ ctx: { signedIn } }) => {
    if (!signedIn) return null;
    const { user, workspace, workspaces, hasSecondFactor, closedWorkspaces, lockedWorkspaces } = signedIn;
    return {
      user,
      workspace: workspace && workspaceView(workspace),
      workspaces: workspaces.map(workspaceView),
      serviceName: settings().SERVICE_NAME,
      platformName: settings().PLATFORM_NAME,
      closedWorkspaces,
      lockedWorkspaces: lockedWorkspaces.map(({ id, name, way }) => ({
        name,
        signOnPath: way === 'single_sign_on' ? SIGN_ON_START_PATH + id : null,
      })),
      secondFactorDue: hasSecondFactor ? null : findDue(workspaces),
    };
  }),
  /** The address that waits for its second factor in this browser, or null. */
  secondStep: publicScreenProcedure.query(({ ctx: { headers, signedIn } }) =>
    signedIn ? null : findSecondStep(headers),
  ),
  passSecondStep: publicScreenProcedure
    .input(z.object({ code: textInput(100), trust: z.boolean() }))
    .mutation(({ ctx: { headers }, input }) => passSecondStep(headers, input)),
  startPasskeyStep: publicScreenProcedure.mutation(({ ctx: { headers } }) => startPasskeyStep(headers)),
  passPasskeyStep: publicScreenProcedure
    .input(assertionInput)
    .mutation(({ ctx: { headers }, input }) => passPasskeyStep(headers, input)),
  startPasskeySignIn: publicScreenProcedure.mutation(({ ctx: { headers } }) => startPasskeySignIn(headers)),
  signInWithPasskey: publicScreenProcedure
    .input(assertionInput)
    .mutation(({ ctx: { headers }, input }) => signInWithPasskey(headers, input)),
  signIn: publicScreenProcedure
    .input(z.object({ email: addressInput, password: textInput(1_000) }))
    .mutation(({ ctx, input }) => signIn(ctx.headers, input)),
  /** The workspaces with single sign-on for the domain of an address. */
  signOns: publicScreenProcedure
    .input(z.object({ email: addressInput }))
    .query(({ input }) => findSignOns(input.email)),
  /**
   * Explains why a sign-in through a provider failed, and where to try again. `sessionOf`: the address that is signed in. Null for
   * other reasons.
   */
  signOnProblem: publicScreenProcedure
    .input(z.object({ reason: keyInput, workspaceId: keyInput }))
    .query(({ ctx: { signedIn }, input: { reason, workspaceId } }) => {
      if (!isSignOnReason(reason)) return null;
      const retryPath = isUuid(workspaceId) ? SIGN_ON_START_PATH + workspaceId : null;
      return {
        reason,
        sentence: SIGN_ON_FAULTS[reason],
        retryPath: reason === 'off' ? null : retryPath,
        sessionOf: signedIn?.user.email ?? null,
      };
    }),
  signOut: publicScreenProcedure.mutation(({ ctx }) => signOut(ctx.headers)),
  /** Returns the teammate's workspace that contains a record, or null. Used for links into the app. */
  workspaceOf: screenProcedure
    .input(z.object({ kind: z.enum(['conversation', 'contact']), id: keyInput }))
    .query(async ({ ctx: { signedIn, reads }, input }) => {
      const found = await findWorkspaceOf(reads, signedIn, input);
      return found && { id: found.id, name: found.name };
    }),
  switchWorkspace: screenProcedure
    .input(z.object({ workspaceId: keyInput }))
    .mutation(({ ctx, input }) => switchWorkspace(ctx.signedIn, input.workspaceId)),
});

/** Returns the workspace that is the first to require a second factor, and from when. */
function findDue(workspaces: MemberWorkspace[]): { name: string; from: Date } | null {
  const due = workspaces.flatMap(({ name, secondFactorFrom: from }) =>
    from === null ? [] : [{ name, from: new Date(from) }],
  );
  return due.sort((a, b) => a.from.getTime() - b.from.getTime())[0] ?? null;
}

function workspaceView({ visibility, ...workspace }: MemberWorkspace) {
  return { ...workspace, planName: PLANS[workspace.plan].planName, seesAll: visibility === null };
}

/** A record with a URL in the app. */
type AddressedRecord = { kind: 'conversation' | 'contact'; id: string };

/**
 * Finds the teammate's workspace that contains a conversation or contact, open or not. Null for other
 * workspaces, so that no one learns of their records (docs/rulings.md 3.16).
 * @param record.id any text
 */
async function findWorkspaceOf(
  db: ReadDb,
  { workspaces }: Pick<SignedIn, 'workspaces'>,
  { kind, id }: AddressedRecord,
): Promise<MemberWorkspace | null> {
  if (!isUuid(id)) return null;
  const tables = kind === 'conversation' ? ['conversations'] : ['contacts', 'contact_aliases'];
  const selects = tables.flatMap((table) => {
    const limited = table === 'conversations' ? workspaces.filter(({ visibility }) => visibility) : [];
    const ids = workspaces.filter((each) => !limited.includes(each)).map((workspace) => workspace.id);
    const from = Prisma.sql`select workspace_id as "workspaceId" from ${Prisma.raw(table)} c where id = ${id}::uuid`;
    return [
      Prisma.sql`${from} and workspace_id = any(${ids}::uuid[])`,
      ...limited.map(
        (each) =>
          Prisma.sql`${from} and workspace_id = ${each.id}::uuid and ${isVisibleById(each.visibility)}`,
      ),
    ];
  });
  const statement = Prisma.join(selects, ' union all ');
  return runRead(
    db,
    statement,
    ([found]: { workspaceId: string }[]) =>
      workspaces.find((workspace) => workspace.id === found?.workspaceId) ?? null,
  );
}
