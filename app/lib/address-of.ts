/** Returns a contact's address, or the one that it claims with a remark; null without both. */
export function addressOf({
  email,
  claimedEmail,
}: {
  email: string | null;
  claimedEmail: string | null;
}): string | null {
  return email ?? (claimedEmail === null ? null : `${claimedEmail} · not verified`);
}
