import type { DemoAnswer, DemoFlow, DemoSavedReply } from '#prisma/seed/demo-data.ts';

/** Automations that the timelines of the conversations mention. */
export const flows: DemoFlow[] = [
  { name: 'Warranty cases', channels: ['email'], words: ['cracked', 'warranty'], tags: ['Warranty'] },
  { name: 'Refunds', channels: ['email'], words: ['charged twice', 'refund'], tags: ['Refund'] },
];

export const savedReplies: DemoSavedReply[] = [
  {
    name: 'Ask for photos',
    folder: 'Repairs',
    by: 'agent',
    usedCount: 14,
    content: `Hi {{contact.first_name}},

      I am sorry about that. Could you send me a photo of the damage, and of the sticker under the base? I
      need the serial number from it.`,
  },
  {
    name: 'Replacement sent',
    folder: 'Repairs',
    by: 'agent',
    usedCount: 9,
    content: `Hi {{contact.first_name}},

      A replacement leaves our workshop today, at no cost to you. You will get the tracking number in a
      separate email.`,
  },
  {
    name: 'Wholesale prices',
    folder: 'Sales',
    by: 'owner',
    usedCount: 5,
    content: `Hi {{contact.first_name}},

      From 40 kg a week the price is £16.10 a kilo, delivery included. Shall I draw up an offer?`,
  },
  {
    name: 'Thanks for the patience',
    folder: '',
    by: 'admin',
    usedCount: 21,
    content: `Thank you for your patience, {{contact.first_name}}. I will write again as soon as I know more.`,
  },
];

/** Questions in the web chat with the answers of the AI agent. */
export const answers: DemoAnswer[] = [
  {
    question: 'Which coffee is low in acid?',
    answer: `Two of ours are gentle: Slow Sunday, which is decaf, and Night Shift, a dark roast. Both come as
      whole beans or ground. Shall I tell you more about one of them?`,
  },
  {
    question: 'Can you deliver to a different address?',
    answer: `Yes, you can give another delivery address at the checkout.`,
  },
  {
    question: 'How long do beans keep once the bag is open?',
    answer: `About four weeks if you close the bag well and keep it away from light and heat. They do not go
      bad after that, they just lose flavour. Freezing portions works well too.`,
  },
  {
    question: 'Do you ship to Switzerland?',
    answer: `We ship to Switzerland twice a week. Orders under 62 CHF arrive without any charge; for larger
      ones the courier collects Swiss VAT on delivery.`,
  },
  {
    question: 'Can I pay in francs?',
    answer: `Not yet: prices are in pounds and euros, and your bank converts the amount.`,
  },
];
