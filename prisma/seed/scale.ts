import type { DemoContact, DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { pdfFile } from '#prisma/seed/demo-files.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

const contacts = {
  elena: {
    since: '80d',
    name: 'Elena Kovač',
    email: 'elena.kovac@example.com',
    city: 'Zagreb',
    language: 'hr',
  },
  theo: { since: '6h', name: 'Theo Lambert', phone: '+33 6 39 98 21 50', city: 'Paris', language: 'fr' },
  amina: { since: '2d 4h', name: 'Amina Yusuf', email: 'amina.yusuf@example.org', language: 'en' },
  viktor: { since: '50d', name: 'Viktor Hansen', city: 'Copenhagen', language: 'da' },
  carla: {
    since: '13d',
    name: 'Carla Romero',
    email: 'carla.romero@example.net',
    city: 'Seville',
    language: 'es',
  },
} satisfies Record<string, DemoContact>;

/** A night train operator on the largest plan. */
export const scale: DemoWorkspace = {
  name: 'Demo Scale',
  plan: 'scale',
  since: '205d',
  members: { owner: 'owner', admin: 'admin', agent: 'agent', viewer: 'viewer' },
  domain: { name: 'scale.demo.test', verified: true },
  mailboxes: [{ name: 'Passenger care', address: 'care@scale.demo.test' }],
  integrations: [],
  teams: [],
  companies: [],
  contacts: Object.values(contacts),
  flows: [{ name: 'Refunds', channels: ['email'], words: ['refund'], tags: ['Refund', 'Delay'] }],
  answers: [
    {
      question: 'Can I take a folding bike?',
      answer: `Yes, if it is folded and in a bag. It travels free of charge under the bed.`,
    },
  ],
  conversations: [
    {
      channel: 'whatsapp',
      contact: contacts.theo,
      priority: 'urgent',
      steps: [
        says(
          '38m',
          `My train to Vienna leaves tonight and the app has logged me out. How do I get to my ticket?`,
        ),
        replies(
          '31m',
          'agent',
          `Hello Theo, you do not need the app: your name and an identity card are enough for the
          conductor. Shall I send you the ticket as a file as well?`,
        ),
        says('12m', `Yes please, just to be safe`),
      ],
    },
    {
      channel: 'email',
      subject: 'Refund for a missed connection',
      contact: contacts.elena,
      steps: [
        says(
          '1d 9h',
          `Hello,

          The night train was 95 minutes late, so I missed my connection and had to buy a new ticket for
          €48.90. The receipt is attached. What part of it do you refund?

          Elena Kovač`,
          pdfFile('receipt.pdf', ['Ticket Zagreb, one way', '', 'Paid by card    EUR 48.90']),
        ),
        tags('1d 9h', 'flow', 'Refund', 'Delay'),
        assigns('1d 8h', 'admin', 'agent'),
        replies(
          '1d 5h',
          'agent',
          `Dear Elena, all of it, since both trains were on one booking. In addition you get back a
          quarter of the fare for the delay. Which account may we transfer it to?`,
        ),
        becomes('1d 5h', 'pending', 'agent'),
        notes(
          '1d 5h',
          'agent',
          `@Amara Diallo above my limit, may I approve it once she has sent the account?`,
        ),
      ],
    },
    {
      channel: 'webchat',
      contact: contacts.amina,
      steps: [
        says('2d 4h', `Can I take a folding bike into the sleeping car?`),
        replies(
          '2d 4h',
          'ai_agent',
          `Yes, if it is folded and in a bag. It travels free of charge under the bed.`,
        ),
        says('2d 3h 58m', `Brilliant`),
        becomes('2d 3h 30m', 'solved', 'ai_agent'),
        rates('2d 3h', 5),
      ],
    },
    {
      channel: 'telegram',
      contact: contacts.viktor,
      steps: [
        says('3h 20m', `Any plans for a train from Copenhagen to the south?`),
        says('3h 19m', `I would book tomorrow`),
      ],
    },
    {
      channel: 'email',
      subject: 'Lost scarf in car 264',
      contact: contacts.carla,
      steps: [
        says('13d', `Hello, I left a yellow scarf in bed 34 of car 264 last night. It was my grandmother's.`),
        replies('12d 20h', 'admin', `Dear Carla, the crew has found it. Where shall we send it?`),
        says('12d 18h', `I am so happy! The address in my booking is right.`),
        replies('12d 17h', 'admin', `It is on its way to Seville.`),
        becomes('12d 17h', 'solved', 'admin'),
        tags('12d 17h', 'admin', 'Lost property'),
        rates('9d', 5, `You made an old scarf and me very happy.`),
        becomes('5d 17h', 'closed', 'admin'),
      ],
    },
  ],
};
