import type { DemoCompany, DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { drum, pngFile } from '#prisma/seed/demo-files.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

const companies = {
  pinehill: { name: 'Pinehill Architects', domains: ['pinehill.example'], since: '160d' },
  corvid: { name: 'Corvid Insurance', domains: ['corvid-insurance.example'], since: '100d' },
} satisfies Record<string, DemoCompany>;

const contacts = {
  laszlo: { since: '158d', name: 'László Varga', email: 'laszlo.varga@pinehill.example', city: 'Vienna' },
  abigail: {
    since: '96d',
    name: 'Abigail Stone',
    email: 'abigail.stone@corvid-insurance.example',
    phone: '+1 617 555 0119',
    city: 'Boston',
    language: 'en',
  },
  femke: {
    since: '40d',
    name: 'Femke de Wit',
    email: 'femke.dewit@example.com',
    city: 'Utrecht',
    language: 'nl',
  },
  rashid: { since: '5h', name: 'Rashid Khan', phone: '+44 7700 900471', language: 'en' },
  sunniva: { since: '19d', name: 'Sunniva Dahl', city: 'Oslo', language: 'nb' },
} satisfies Record<string, DemoContact>;

/** A manufacturer of office furniture, with two owners. */
export const business: DemoWorkspace = {
  name: 'Demo Business',
  plan: 'business',
  since: '190d',
  members: { owner: 'owner', owner2: 'owner', admin: 'admin', agent: 'agent', viewer: 'viewer' },
  domain: { name: 'business.demo.test', verified: true },
  mailboxes: [{ name: 'Customer care', address: 'care@business.demo.test' }],
  integrations: [],
  teams: [],
  companies: Object.values(companies),
  contacts: Object.values(contacts),
  conversations: [
    {
      channel: 'email',
      subject: 'Sixty desks for the new floor',
      contact: contacts.abigail,
      priority: 'high',
      steps: [
        says(
          '9h',
          `Good day,

          We are fitting out a third floor and need 60 height-adjustable desks and as many chairs,
          installed over one weekend in about ten weeks. Is that feasible, and until when would you need
          the order?

          Abigail Stone, Corvid Insurance`,
        ),
        assigns('8h 30m', 'owner', 'owner2'),
        notes('8h 29m', 'owner', `@Kenji Mori this one is for you. They paid on the day last time.`),
        replies(
          '6h 45m',
          'owner2',
          `Dear Ms Stone,

          Ten weeks are enough if the order reaches us within the next fourteen days. We would send two
          crews and start as soon as the lift is free. You will have the quotation tomorrow.

          Kenji Mori`,
        ),
        tags('6h 40m', 'owner2', 'Quotation'),
        says('1h 15m', `Perfect. Please include taking away the old desks, it is 48 of them.`),
      ],
    },
    {
      channel: 'email',
      subject: 'Oak samples for the reception',
      contact: contacts.laszlo,
      steps: [
        says(
          '2d 7h',
          `Hello, could you send us samples of the smoked and the natural oak, each with both oils?`,
        ),
        replies(
          '2d 3h',
          'agent',
          `Hello László, the four samples left today. Which one does your client lean to?`,
        ),
        becomes('2d 3h', 'pending', 'agent'),
        tags('2d 3h', 'agent', 'Samples'),
      ],
    },
    {
      channel: 'whatsapp',
      contact: contacts.rashid,
      steps: [
        says(
          '5h',
          `Your fitters left a cable drum on our landing, can somebody pick it up?`,
          pngFile('landing.png', drum),
        ),
        says('2h 20m', `Hello?`),
      ],
    },
    {
      channel: 'webchat',
      contact: contacts.femke,
      steps: [
        says('4d 8h', `One of the castors on my chair broke. Do I need a whole new base?`),
        replies(
          '4d 7h 50m',
          'agent',
          `No, they pull out by hand. I can send you a set of five, is the floor hard?`,
        ),
        says('4d 7h 45m', `Wood, yes`),
        replies(
          '4d 7h 40m',
          'agent',
          `Then it is the soft set. It is under warranty, so it costs you nothing.`,
        ),
        becomes('4d 7h 40m', 'solved', 'agent'),
        tags('4d 7h 40m', 'agent', 'Spare part', 'Warranty'),
        rates('4d 2h', 5, `Solved in ten minutes.`),
      ],
    },
    {
      channel: 'messenger',
      contact: contacts.sunniva,
      steps: [
        says('19d', `Do you rent furniture for events?`),
        replies(
          '18d 21h',
          'admin',
          `We do not, I am afraid, but our partner in Oslo does. Shall I connect you?`,
        ),
        says('18d 20h', `I found them, thanks`),
        becomes('18d 20h', 'closed', 'admin'),
      ],
    },
  ],
};
