/** Teammates of the demo data. The first four are in every workspace with more than one member. */
export const PEOPLE = {
  owner: { name: 'Olivia Owen', email: 'owner@demo.test' },
  admin: { name: 'Amara Diallo', email: 'admin@demo.test' },
  agent: { name: 'Arjun Mehta', email: 'agent@demo.test' },
  viewer: { name: 'Vera Novak', email: 'viewer@demo.test' },
  owner2: { name: 'Kenji Mori', email: 'owner2@demo.test' },
} as const satisfies Record<string, { name: string; email: string }>;

export type Person = keyof typeof PEOPLE;

export const DEMO_PASSWORD = 'demo-password';

export const PERSON_KEYS = [
  'owner',
  'admin',
  'agent',
  'viewer',
  'owner2',
] as const satisfies readonly Person[];
