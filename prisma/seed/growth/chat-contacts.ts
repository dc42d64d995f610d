import type { DemoContact } from '#prisma/seed/demo-data.ts';

/** Contacts of Demo Growth who only use messengers, and those who never wrote. */
export const growthChatContacts = {
  grace: {
    since: '45d',
    name: 'Grace Okonkwo',
    phone: '+44 7700 900742',
    city: 'Birmingham',
    language: 'en',
  },
  fatima: {
    since: '2d 3h',
    name: 'Fatima El Amrani',
    phone: '+33 6 39 98 04 17',
    city: 'Lyon',
    language: 'fr',
  },
  /** Gave no name. */
  caller: { since: '6d 2h', phone: '+44 7700 900655' },
  luca: { since: '1h 50m', name: 'Luca Moretti', city: 'Milan', language: 'it' },
  ingrid: { since: '29d', name: 'Ingrid Solberg', city: 'Bergen', language: 'nb' },
  bea: { since: '16d', name: 'Bea Santos', city: 'Porto', language: 'pt' },
  chloe: {
    since: '70d',
    name: 'Chloé Dubois',
    email: 'chloe.dubois@example.net',
    city: 'Nantes',
    language: 'fr',
  },
  hamish: { since: '4h', name: 'Hamish Reid', city: 'Glasgow', language: 'en' },
  nadia: { since: '25d', name: 'Nadia Petrova', city: 'Sofia', language: 'bg' },
  aylin: { since: '3h', name: 'Aylin Demir', city: 'Istanbul', language: 'tr' },
  ben: { since: '38d', name: 'Ben Carver', email: 'ben.carver@example.com', city: 'Cardiff', language: 'en' },
  yusuf: { since: '64d', name: 'Yusuf Rahman', phone: '+44 7700 900127', city: 'Leicester', language: 'en' },
  walid: { since: '110d', name: 'Walid Haddad', email: 'walid.haddad@brightside.example', city: 'Brighton' },
  mei: {
    since: '87d',
    name: 'Mei Tanaka',
    email: 'mei.tanaka@example.com',
    city: 'Edinburgh',
    language: 'ja',
  },
  gustavo: { since: '12d', name: 'Gustavo', phone: '+1 212 555 0186', city: 'New York', language: 'es' },
  tester: { since: '3d 5h', name: 'Test Visitor', isTest: true },
} satisfies Record<string, DemoContact>;
