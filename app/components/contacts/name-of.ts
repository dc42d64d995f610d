/** What a contact is called: by their name, or else by how they are reached. */
export function nameOf({
  name,
  email,
  phone,
}: {
  name: string | null;
  email: string | null;
  phone: string | null;
}): string {
  return name ?? email ?? phone ?? 'Unknown contact';
}
