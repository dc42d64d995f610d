import { inTransaction } from '#server/core/database/prisma.ts';
import { addSignInEntries } from '#server/teammates/audit-log.ts';

/** Adds a failed sign-in to the audit logs of its account, if there is one. Repeated calls add nothing. */
export async function addFailedSignIn(attempt: {
  userId: string;
  attemptId: string;
  /** The method that failed. */
  method?: 'password' | 'passkey';
  device: string;
  address: string;
}): Promise<void> {
  const { userId, attemptId, method = 'password', device, address } = attempt;
  await inTransaction((tx) =>
    addSignInEntries(tx, {
      id: attemptId,
      userId,
      kind: 'sign_in_failed',
      isByTeammate: false,
      data: { method, device, address },
    }),
  );
}
