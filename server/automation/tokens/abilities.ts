/** The abilities of API tokens (docs/developer-api.md). They are separate: one that writes does not read. */
export const ABILITIES = [
  'read',
  'write_contacts',
  'suggest_replies',
  'write_conversations',
  'manage_webhooks',
  'full_access',
] as const;

export type Ability = (typeof ABILITIES)[number];

/** Abilities that a call can need. `full_access` includes all of them. */
export type NeededAbility = Exclude<Ability, 'full_access'>;

/** Abilities in words, for screens, emails and the audit log. */
export const ABILITY_NAMES: Record<Ability, string> = {
  read: 'Read',
  write_contacts: 'Write contacts',
  suggest_replies: 'Suggest replies',
  write_conversations: 'Write conversations',
  manage_webhooks: 'Manage webhooks',
  full_access: 'Full access',
};

/** Returns whether a token with these abilities may make a call that needs one. */
export function hasAbility(abilities: readonly Ability[], needed: NeededAbility): boolean {
  return abilities.includes('full_access') || abilities.includes(needed);
}

/** Returns the known abilities among texts, in their order, each once. */
export function knownAbilities(texts: readonly string[]): Ability[] {
  return ABILITIES.filter((ability) => texts.includes(ability));
}
