/**
 * SQL that expires the uploaded files of drafts and of replies that were not sent, and returns a row for each. A common table
 * expression `unsent` has their `attachments`. Files of saved replies stay.
 */
export const EXPIRE_UNSENT_FILES = `
  update stored_files set expires_at = now() where owners = 0 and expires_at > now() and id in (
    select (f.file ->> 'id')::uuid from unsent u cross join lateral jsonb_array_elements(u.attachments) f (file))
  returning 1`;
