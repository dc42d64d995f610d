import type { DemoCompany, DemoContact } from '#prisma/seed/demo-data.ts';

/** Cafés, hotels and offices that buy from Demo Growth, a coffee roaster. */
export const growthCompanies = {
  harbourLane: { name: 'Harbour Lane Café', domains: ['harbourlane.example'], since: '180d' },
  brightside: {
    name: 'Brightside Hotels',
    domains: ['brightside-hotels.example', 'brightside.example'],
    since: '150d',
  },
  lindner: { name: 'Lindner Coworking', domains: ['lindner-coworking.example'], since: '120d' },
  tallowRye: { name: 'Tallow & Rye Bakery', domains: ['tallowrye.example'], since: '95d' },
} satisfies Record<string, DemoCompany>;

/** Contacts. Addresses and numbers are from reserved ranges. */
export const growthContacts = {
  marcus: {
    since: '176d',
    name: 'Marcus Whitfield',
    email: 'marcus@harbourlane.example',
    phone: '+44 7700 900318',
    city: 'Bristol',
    language: 'en',
  },
  siobhan: {
    since: '171d',
    name: 'Siobhán Keane',
    email: 'siobhan@harbourlane.example',
    city: 'Bristol',
    language: 'en',
  },
  priya: {
    since: '148d',
    name: 'Priya Raman',
    email: 'priya.raman@brightside-hotels.example',
    phone: '+44 20 7946 0321',
    city: 'London',
    language: 'en',
  },
  jonas: {
    since: '118d',
    name: 'Jonas Lindner',
    email: 'jonas@lindner-coworking.example',
    phone: '+49 30 23125 482',
    city: 'Berlin',
    language: 'de',
  },
  rosa: {
    since: '93d',
    name: 'Rosa Delgado',
    email: 'rosa@tallowrye.example',
    phone: '+44 7700 900561',
    city: 'Leeds',
    language: 'en',
  },
  pete: {
    since: '61d',
    name: 'Pete Hallam',
    company: growthCompanies.tallowRye,
    city: 'Leeds',
    language: 'en',
  },
  daniel: {
    since: '140d',
    name: 'Daniel Kim',
    email: 'daniel.kim@example.com',
    phone: '+1 415 555 0142',
    city: 'San Francisco',
    language: 'en',
  },
  tomas: {
    since: '74d',
    name: 'Tomás Ferreira',
    email: 'tomas.ferreira@example.org',
    city: 'Lisbon',
    language: 'pt',
  },
  hannah: {
    since: '52d',
    name: 'Hannah Brandt',
    email: 'hannah.brandt@example.com',
    phone: '+49 30 23125 114',
    city: 'Berlin',
    language: 'de',
  },
  emily: { since: '15m', name: 'Emily Zhang', email: 'emily.zhang@example.net', language: 'en' },
  noah: {
    since: '33d',
    name: 'Noah Bergström',
    email: 'noah.bergstrom@example.com',
    phone: '+46 70 174 06 12',
    city: 'Stockholm',
    language: 'sv',
  },
  peters: { since: '2d 6h', email: 'kv.peters@example.net' },
  olu: {
    since: '21d',
    name: 'Oluwaseun Adeyemi',
    email: 'olu.adeyemi@example.org',
    city: 'Manchester',
    language: 'en',
  },
} satisfies Record<string, DemoContact>;
