/** Returns the contact's address, else the claimed one. The remark comes first, so that truncation does not hide it. */
export function addressOf({
  email,
  claimedEmail,
}: {
  email: string | null;
  claimedEmail: string | null;
}): string | null {
  return email ?? (claimedEmail === null ? null : `Not verified: ${claimedEmail}`);
}
