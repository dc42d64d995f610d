/** Returns a contact's address, or the one that it claims after a remark, which truncated text keeps; null without both. */
export function addressOf({
  email,
  claimedEmail,
}: {
  email: string | null;
  claimedEmail: string | null;
}): string | null {
  return email ?? (claimedEmail === null ? null : `Not verified: ${claimedEmail}`);
}
