import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { errorPanel, pngFile } from '#prisma/seed/demo-files.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { support } from '#prisma/seed/growth/team.ts';
import { becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const telegramConversations: DemoConversation[] = [
  {
    channel: 'telegram',
    contact: growthChatContacts.aylin,
    team: support,
    steps: [
      says('3h', `Hello! Is it possible to get the beans of the month without a subscription?`),
      replies(
        '2h 20m',
        'agent',
        `Hi Aylin, yes. Whatever subscribers do not take goes into the shop on the 20th, but it is often
        gone in a day.`,
      ),
      says('2h 15m', `Can you tell me when it goes online?`),
      says('1h 5m', `I mean the hour, so that I can set an alarm`),
    ],
  },
  {
    channel: 'telegram',
    contact: growthChatContacts.ben,
    steps: [
      says(
        '3d 4h',
        `My machine shows error E4 since I switched to your beans. Coincidence?`,
        pngFile('error.png', errorPanel),
      ),
      replies(
        '3d 3h 20m',
        'agent',
        `Hi Ben, E4 usually means the grinder of the machine is blocked. Dark, oily beans can do that.
        Which of ours do you use?`,
      ),
      says('3d 3h 14m', `Night Shift`),
      replies(
        '3d 3h 2m',
        'agent',
        `That is our oiliest one. Clean the grinder once with rice for machines, then try Morning Ferry. I
        have put a free sample on your next order. Tell me how it went?`,
      ),
      becomes('3d 3h 1m', 'pending', 'agent'),
      tags('3d 2h', 'agent', 'Machine', 'Sample sent'),
    ],
  },
  {
    channel: 'telegram',
    contact: growthChatContacts.yusuf,
    steps: [
      says('7d 5h', `Hi, can I collect order 20290 in the shop instead? I will be in Bath tomorrow`),
      replies(
        '7d 4h',
        'admin',
        `Hi Yusuf, sure. It is ready at the counter from 9, and I have refunded the postage.`,
      ),
      says('6d 3h', `Collected, thanks for the espresso`),
      becomes('6d 3h', 'solved', 'admin'),
      rates('6d 1h', 5, `Friendly people, great coffee.`),
    ],
  },
  {
    channel: 'telegram',
    contact: growthChatContacts.yusuf,
    steps: [
      says('31d 7h', `Do you sell green beans? I roast a little at home`),
      replies(
        '31d 2h',
        'owner',
        `Hello Yusuf, in 5 kg bags, yes: four origins, from £6.40 a kilo. What do you roast on?`,
      ),
      says('31d 1h', `A popcorn machine :) I will order the Ethiopian one`),
      notes('31d 1h', 'owner', `Nice chap. @Vera Novak one more name for the home-roasting evening.`),
      becomes('31d', 'solved', 'owner'),
      tags('31d', 'owner', 'Green beans'),
      rates('30d 20h', 3),
      becomes('24d', 'closed', 'admin'),
    ],
  },
];
