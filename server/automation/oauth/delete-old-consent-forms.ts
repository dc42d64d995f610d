import { db } from '#server/core/database/db.ts';

/** Deletes consent pages that can no longer be posted. Returns how many. */
export async function deleteOldConsentForms(): Promise<number> {
  return db().$executeRaw`delete from consent_forms where expires_at < now()`;
}
