import type { DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { becomes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

const contacts = {
  wren: {
    since: '30d',
    name: 'Wren Fletcher',
    email: 'wren.fletcher@example.com',
    city: 'Norwich',
    language: 'en',
  },
  idris: { since: '9d', name: 'Idris Bello', email: 'idris.bello@example.org', phone: '+44 7700 900204' },
  maeve: { since: '2d 5h', name: 'Maeve Connolly', city: 'Cork', language: 'en' },
  stefan: { since: '3h', name: 'Stefan Ilić', email: 'stefan.ilic@example.net', language: 'sr' },
} satisfies Record<string, DemoContact>;

/** A pottery studio on the smallest plan: no notes, email is held, its only slot is free. */
export const starter: DemoWorkspace = {
  name: 'Demo Starter',
  plan: 'starter',
  since: '60d',
  members: { owner: 'owner', admin: 'admin', agent: 'agent', viewer: 'viewer' },
  domain: { name: 'starter.demo.test', verified: false },
  mailboxes: [{ name: 'Studio', address: 'studio@starter.demo.test' }],
  integrations: [],
  teams: [],
  companies: [],
  contacts: Object.values(contacts),
  conversations: [
    {
      channel: 'email',
      subject: 'Two places in the beginners’ course?',
      contact: contacts.idris,
      steps: [
        says(
          '1d 4h',
          `Hello, are there still two places in the wheel-throwing course that begins next month? Neither
          of us has touched clay since school.`,
        ),
        replies(
          '1d 1h',
          'owner',
          `Hello Idris, there are, and most people in that course start from zero. Shall I keep both for
          you until the end of the week?

          Olivia`,
        ),
        tags('1d 1h', 'owner', 'Course'),
      ],
    },
    {
      channel: 'webchat',
      contact: contacts.stefan,
      steps: [
        says('3h', `Hi, can I bring my own clay to the open studio?`),
        says('2h 56m', `It is stoneware, fires at 1240`),
      ],
    },
    {
      channel: 'instagram',
      contact: contacts.maeve,
      steps: [
        says('2d 5h', `Is the speckled bowl from your story still there?`),
        replies('2d 4h', 'agent', `It is, and it has a small sister. Would you like to see both?`),
        says('2d 3h 40m', `Yes please!`),
        replies('2d 3h 30m', 'agent', `They are on the shelf by the door, come by any afternoon.`),
        becomes('2d 3h 30m', 'pending', 'agent'),
      ],
    },
    {
      channel: 'email',
      subject: 'My glazed mugs',
      contact: contacts.wren,
      steps: [
        says('8d 6h', `Hello, have my mugs come out of the kiln yet? The green ones from the evening class.`),
        replies(
          '8d 2h',
          'agent',
          `Hello Wren, they came out this week and look lovely. You find them on the bottom shelf, with
          your name on a slip of paper.`,
        ),
        says('6d 7h', `Picked up, and I had my first tea from one. Thank you!`),
        becomes('6d 6h', 'solved', 'agent'),
        rates('6d 3h', 5, `Such a kind place.`),
      ],
    },
  ],
};
