import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { becomes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const instagramConversations: DemoConversation[] = [
  {
    channel: 'instagram',
    contact: growthChatContacts.luca,
    steps: [
      says('1h 50m', `Ciao! The blue enamel cups in your last post, are they for sale?`),
      says('1h 48m', `And do you ship to Milan? 😊`),
    ],
  },
  {
    channel: 'instagram',
    contact: growthChatContacts.ingrid,
    steps: [
      says(
        '4d 3h',
        `Hi, I write about coffee in Norway and would love to visit the roastery with a camera. Possible?`,
      ),
      replies(
        '4d 1h',
        'owner',
        `Hello Ingrid, with pleasure. We roast on Tuesdays and Thursdays from 9, that is when it smells
        and looks best. Which week are you thinking of?`,
      ),
      says('3d 22h', `I book flights in the next few days and will tell you then. Thank you!`),
      becomes('3d 21h', 'pending', 'owner'),
      tags('3d 21h', 'owner', 'Press'),
    ],
  },
  {
    channel: 'instagram',
    contact: growthChatContacts.bea,
    priority: 'low',
    steps: [
      says('5d 9h', `What grind do I need for a moka pot?`),
      replies(
        '5d 8h 25m',
        'agent',
        `A little finer than for filter. At the checkout choose “Moka”, we grind it for you.`,
      ),
      says('5d 8h 19m', `That was easy, obrigada`),
      becomes('5d 7h', 'solved', 'agent'),
      rates('5d 4h', 5),
    ],
  },
  {
    channel: 'instagram',
    contact: growthChatContacts.ingrid,
    steps: [
      says('28d 6h', `Is the Lantern in your story the same lot as last year? It looks lighter`),
      replies(
        '28d 3h',
        'agent',
        `Well spotted: same farm, new harvest, and we roast it half a minute shorter. More peach, less
        cocoa.`,
      ),
      says('28d 2h', `Then I need to try it`),
      becomes('28d 2h', 'solved', 'agent'),
      becomes('21d 2h', 'closed', 'admin'),
    ],
  },
];
