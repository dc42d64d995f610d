import type { DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { becomes, replies, says } from '#prisma/seed/steps.ts';

const contacts = {
  leo: { since: '26d', name: 'Leo Marchetti', phone: '+44 7700 900833', city: 'Oxford', language: 'it' },
  anika: { since: '7h', name: 'Anika Sørensen', email: 'anika.sorensen@example.com', language: 'da' },
  joan: { since: '12d', name: 'Joan Pemberton', email: 'joan.pemberton@example.org', city: 'Oxford' },
} satisfies Record<string, DemoContact>;

/** A bicycle workshop whose only integration slot is used. */
export const full: DemoWorkspace = {
  name: 'Demo Full',
  plan: 'starter',
  since: '90d',
  members: { owner: 'owner' },
  domain: { name: 'full.demo.test', verified: false },
  mailboxes: [{ name: 'Workshop', address: 'workshop@full.demo.test' }],
  integrations: [{ kind: 'calendar', name: 'Booking calendar', since: '84d' }],
  teams: [],
  companies: [],
  contacts: Object.values(contacts),
  conversations: [
    {
      channel: 'email',
      subject: 'Rear wheel rubs on the frame',
      contact: contacts.anika,
      steps: [
        says(
          '7h',
          `Hi, since a fall yesterday my rear wheel rubs on the frame with every turn. Could you have a
          look this week? I need the bike to get to work.`,
        ),
        replies(
          '5h 30m',
          'owner',
          `Hi Anika, I hope you are all right. Bring it in whenever you like today or tomorrow, trueing a
          wheel takes half an hour and you can wait with a coffee.`,
        ),
      ],
    },
    {
      channel: 'whatsapp',
      contact: contacts.leo,
      steps: [
        says('1d 9h', `Is my brake cable there yet?`),
        replies('1d 8h', 'owner', `It comes tomorrow. I will write as soon as it is fitted.`),
        becomes('1d 8h', 'pending', 'owner'),
      ],
    },
    {
      channel: 'webchat',
      contact: contacts.joan,
      steps: [
        says('12d', `Do you also service electric bicycles?`),
        replies('11d 22h', 'owner', `Everything but the motor and the battery, those go to the maker.`),
        says('11d 21h', `Thank you, then I will come by for the brakes.`),
        becomes('11d 21h', 'solved', 'owner'),
      ],
    },
  ],
};
