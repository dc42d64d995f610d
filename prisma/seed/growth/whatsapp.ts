import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { support } from '#prisma/seed/growth/team.ts';
import { becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const whatsappConversations: DemoConversation[] = [
  {
    channel: 'whatsapp',
    contact: growthChatContacts.grace,
    priority: 'high',
    team: support,
    steps: [
      says('1h 45m', `Hi, tracking says out for delivery since yesterday. Has my order got lost?`),
      says('1h 44m', `Order 20431, it is a present so I am a bit nervous`),
      replies('1h 12m', 'agent', `Hi Grace, I am on the phone to the depot right now. Give me ten minutes.`),
      replies(
        '58m',
        'agent',
        `The van broke down yesterday, and your parcel is on today's tour now, it should be with you
        within three hours. If it does not come I will send a second one by express tonight.`,
      ),
      tags('57m', 'agent', 'Delivery'),
      says('27m', `Oh good. I have to leave in an hour, could they put it in the porch?`),
    ],
  },
  {
    channel: 'whatsapp',
    contact: growthChatContacts.fatima,
    steps: [
      says('2d 3h', `Bonjour, est-ce que le moulin Fenn existe en blanc ?`),
      replies(
        '2d 2h',
        'admin',
        `Bonjour Fatima, oui, la version blanche arrive chez nous la semaine prochaine. Voulez-vous que je
        vous en réserve une ?`,
      ),
      becomes('2d 2h', 'pending', 'admin'),
      replies(
        '20h',
        'admin',
        `Bonjour Fatima, je me permets de vous relancer : je peux garder le moulin blanc jusqu'à la fin de
        la semaine.`,
        'The 24-hour window is closed: WhatsApp allows free text only within 24 hours of the contact’s last message.',
      ),
      notes('19h', 'admin', `Reminder did not go through, the 24 hours were over. I will call her tomorrow.`),
    ],
  },
  {
    channel: 'whatsapp',
    contact: growthChatContacts.caller,
    steps: [
      says('6d 2h', `are you open on sunday`),
      replies(
        '6d 1h 48m',
        'agent',
        `Yes, the shop is open on Sundays from 10 to 4. The last tasting starts at 3.`,
      ),
      says('6d 1h 46m', `👍`),
      becomes('6d 1h', 'solved', 'agent'),
    ],
  },
  {
    channel: 'whatsapp',
    contact: growthChatContacts.grace,
    steps: [
      says('22d 4h', `Hello, can I still change order 20102 to decaf? I ordered it ten minutes ago`),
      replies('22d 3h 55m', 'admin', `Hi Grace, just in time. It is Slow Sunday now, same price.`),
      says('22d 3h 51m', `You are a star, thank you`),
      becomes('22d 3h', 'solved', 'admin'),
      tags('22d 3h', 'admin', 'Order change'),
      rates('22d 1h', 5, `Answered within minutes. Wonderful.`),
      becomes('15d 3h', 'closed', 'admin'),
    ],
  },
];
