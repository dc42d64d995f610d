import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { growthContacts } from '#prisma/seed/growth/contacts.ts';
import { support } from '#prisma/seed/growth/team.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const webchatConversations: DemoConversation[] = [
  {
    channel: 'webchat',
    contact: growthContacts.emily,
    team: support,
    steps: [
      says('15m', `Hi, do you roast anything low in acid? Regular coffee gives my dad heartburn`),
      replies(
        '14m',
        'ai_agent',
        `Two of ours are gentle: Slow Sunday, which is decaf, and Night Shift, a dark roast. Both come as
        whole beans or ground. Shall I tell you more about one of them?`,
      ),
      says(
        '11m',
        `He wants the caffeine, so Night Shift. Can it go to a different address, with a gift card?`,
      ),
      replies(
        '10m',
        'ai_agent',
        `Yes, you can give another delivery address at the checkout. I am not sure about the gift card, so
        I will ask the team to answer that.`,
      ),
      says('6m', `Ok, I will wait. It would be for his birthday next week`),
    ],
  },
  {
    channel: 'webchat',
    contact: growthContacts.noah,
    steps: [
      says(
        '1d 6h',
        `Hej, my discount code NORTH15 is not accepted. It should be valid until the end of the month`,
      ),
      replies('1d 5h 56m', 'agent', `Hi Noah, let me look. Which products are in your basket?`),
      says('1d 5h 54m', `Two bags of Lantern and the travel press`),
      replies(
        '1d 5h 49m',
        'agent',
        `Found it: the travel press is already reduced, and the code does not work together with reduced
        items. If you order the press separately, the code takes 15 % off the coffee. Does that help?`,
      ),
      becomes('1d 5h 48m', 'pending', 'agent'),
      tags('1d 5h 47m', 'agent', 'Discount code'),
    ],
  },
  {
    channel: 'webchat',
    contact: growthContacts.peters,
    steps: [
      says('2d 6h', `how long do beans keep once the bag is open`),
      replies(
        '2d 6h',
        'ai_agent',
        `About four weeks if you close the bag well and keep it away from light and heat. They do not go
        bad after that, they just lose flavour. Freezing portions works well too.`,
      ),
      says('2d 5h 58m', `perfect thanks`),
      becomes('2d 5h 28m', 'solved', 'ai_agent'),
      rates('2d 5h', 5),
    ],
  },
  {
    channel: 'webchat',
    contact: growthContacts.tomas,
    team: support,
    steps: [
      says('16d 5h', `Hello? I have been charged for a parcel that says delivered but is not here`),
      assigns('16d 3h', 'admin', 'agent'),
      replies(
        '15d 22h',
        'agent',
        `Hello Tomás, I am sorry for the wait. The courier left it with a neighbour at number 14, the name
        looks like Almeida. Could you ask there?`,
      ),
      says('15d 20h', `She was away for two days, but yes, it is there. Nobody left a card`),
      replies('15d 19h', 'agent', `Thank you for telling me, I have passed that on to the courier.`),
      notes(
        '15d 19h',
        'agent',
        `Second missing card with this courier in Lisbon. Worth raising at the next review.`,
      ),
      becomes('15d 19h', 'solved', 'agent'),
      tags('15d 19h', 'agent', 'Delivery'),
      rates(
        '15d 2h',
        2,
        `Got my parcel in the end, but waiting most of a day for an answer in a chat is too long.`,
      ),
      becomes('8d 19h', 'closed', 'admin'),
    ],
  },
  {
    channel: 'webchat',
    contact: growthChatContacts.tester,
    isTest: true,
    steps: [
      says('3d 5h', `Do you ship to Switzerland, and who pays the customs?`),
      replies(
        '3d 5h',
        'ai_agent',
        `We ship to Switzerland twice a week. Orders under 62 CHF arrive without any charge; for larger
        ones the courier collects Swiss VAT on delivery.`,
      ),
      says('3d 4h 58m', `And can I pay in francs?`),
      replies(
        '3d 4h 58m',
        'ai_agent',
        `Not yet: prices are in pounds and euros, and your bank converts the amount.`,
      ),
    ],
  },
];
