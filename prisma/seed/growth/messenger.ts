import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { support } from '#prisma/seed/growth/team.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const messengerConversations: DemoConversation[] = [
  {
    channel: 'messenger',
    contact: growthChatContacts.hamish,
    team: support,
    steps: [
      says('4h', `Hello, I have lost the little brush that comes with the grinder. Can I buy just that?`),
      assigns('3h 35m', 'admin', 'agent'),
      notes('3h 34m', 'admin', `@Arjun Mehta we have a drawer full of these, just post him one.`),
      replies(
        '3h 10m',
        'agent',
        `Hi Hamish, no need to buy it, I will put one in the post. Where shall it go?`,
      ),
      says('44m', `That is very kind. 12 Larch Court, Glasgow G12 0XX`),
    ],
  },
  {
    channel: 'messenger',
    contact: growthChatContacts.nadia,
    steps: [
      says('2d 8h', `Hi, I would like to return the travel press. It leaks a bit when I close it tightly.`),
      replies(
        '2d 7h',
        'admin',
        `Hi Nadia, it should not do that. Before you send it back: is there a thin rubber ring in the lid?
        In some boxes it was packed under the filter by mistake.`,
      ),
      says('2d 5h', `I have to look when I am home again, in two days or so`),
      becomes('2d 5h', 'pending', 'admin'),
      tags('2d 4h', 'admin', 'Return', 'Travel press'),
    ],
  },
  {
    channel: 'messenger',
    contact: growthChatContacts.chloe,
    steps: [
      says(
        '4d 6h',
        `Bonjour, je n'ai pas reçu la facture de ma commande 20366. Pouvez-vous me la renvoyer ?`,
      ),
      replies(
        '4d 4h',
        'admin',
        `Bonjour Chloé, je viens de vous la renvoyer par email. Si vous ne la voyez pas, regardez dans
        les courriers indésirables.`,
      ),
      says('4d 3h', `Bien reçue, merci beaucoup !`),
      becomes('4d 3h', 'solved', 'admin'),
      tags('4d 3h', 'admin', 'Invoice copy'),
      rates('3d 23h', 5, `Réponse rapide et très aimable.`),
    ],
  },
  {
    channel: 'messenger',
    contact: growthChatContacts.nadia,
    priority: 'low',
    steps: [
      says('24d 5h', `Do you have a shop in London?`),
      replies(
        '24d 2h',
        'agent',
        `Not yet, only here in Bath. But three cafés in London brew our coffee, shall I send you the list?`,
      ),
      becomes('24d 2h', 'pending', 'agent'),
      becomes('17d 2h', 'closed', 'admin'),
    ],
  },
];
