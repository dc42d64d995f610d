import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { crackedPart, pngFile } from '#prisma/seed/demo-files.ts';
import { growthContacts } from '#prisma/seed/growth/contacts.ts';
import { support } from '#prisma/seed/growth/team.ts';
import { assigns, becomes, merges, notes, rates, replies, runs, says, tags } from '#prisma/seed/steps.ts';

const crackedHopper: DemoConversation = {
  channel: 'email',
  subject: 'Order 20418: grinder arrived with a cracked hopper',
  contact: growthContacts.daniel,
  priority: 'high',
  team: support,
  steps: [
    says(
      '5h 20m',
      `Hello,

      The Fenn grinder from order 20418 came today. The box looked fine, but the hopper has a crack from
      the rim almost to the base, so beans get stuck in it. I am having people over in four days and had
      promised everyone proper coffee.

      What is the quickest way to sort this out?

      Daniel`,
    ),
    tags('5h 20m', 'flow', 'Warranty'),
    replies(
      '4h 40m',
      'agent',
      `Hi Daniel,

      I am sorry, that is not how a new grinder should arrive. You do not need to send the whole thing
      back: the hopper comes off with a quarter turn, and I can post you a new one.

      Could you send me a photo of the crack, and of the sticker under the base? I need the serial number
      from it.

      Arjun`,
    ),
    tags('4h 38m', 'agent', 'Grinder', 'Damaged in transit'),
    says(
      '2h 10m',
      `The photos are in my other email, and the serial number is FN2-08841. A new hopper would be
      perfect if it gets here within three days.`,
    ),
    notes(
      '1h 55m',
      'agent',
      `Third cracked hopper from the same pallet this month. @Olivia Owen shall we take the rest of the
      batch off sale until the supplier answers? I would send Daniel his by express either way.`,
    ),
    notes('1h 20m', 'owner', `Yes to both. I have paused the listing. Express is on us, please tell him so.`),
    runs('24m', 'agent', 'replacement', 'order 20418, one hopper, express'),
    replies(
      '18m',
      'agent',
      `Thank you, Daniel. A new hopper leaves our workshop today by express, at no cost to you, and should
      be with you the day after tomorrow. You will get the tracking number in a separate email.

      Until then you can fill beans straight into the throat of the grinder, about one cup at a time.`,
    ),
  ],
};

export const emailAboutOrders: DemoConversation[] = [
  crackedHopper,
  {
    channel: 'email',
    subject: 'Cracked grinder, photos',
    contact: growthContacts.daniel,
    steps: [
      says(
        '2h 30m',
        `Sorry, I pressed the wrong button and started a new email. Here are the photos of the hopper;
        the serial number follows as soon as I find the sticker.`,
        pngFile('hopper-front.png', crackedPart),
        pngFile('hopper-back.png', (x, y) => crackedPart(1 - x, y)),
      ),
      notes('2h 25m', 'agent', `The same grinder as in his other email, so I am putting the two together.`),
      becomes('2h 24m', 'closed', 'agent'),
      merges('2h 24m', 'agent', crackedHopper),
    ],
  },
  {
    channel: 'email',
    subject: 'Your standing order while we move the roastery',
    contact: growthContacts.siobhan,
    steps: [
      replies(
        '1d 3h',
        'owner',
        `Dear Siobhán,

        We are moving the roastery to a larger unit two streets away, and for three days the roaster will
        be cold. To make sure you never run out, I would like to send you a double delivery the week
        before and none in the week of the move.

        Is that fine with you, or is your store room too small for 24 kg at once?

        Olivia`,
      ),
      says(
        '22h',
        `Hi Olivia, congratulations on the new place. 24 kg is a squeeze but we can do it if half of it
        comes in the 1 kg bags. Could the driver come before eight?`,
      ),
      replies(
        '21h',
        'owner',
        `Half in 1 kg bags it is. I have asked the courier for a slot before eight and will confirm it as
        soon as I hear back.`,
      ),
      becomes('21h', 'pending', 'owner'),
      tags('20h', 'owner', 'Wholesale', 'Roastery move'),
    ],
  },
  {
    channel: 'email',
    subject: 'Falsche Mahlung geliefert',
    contact: growthContacts.hannah,
    team: support,
    steps: [
      says(
        '3d 7h',
        `Guten Tag,

        ich hatte „Lantern“ als ganze Bohne bestellt, bekommen habe ich leider gemahlenen Kaffee für den
        Filter. Ich habe nur eine Espressomaschine und kann damit nichts anfangen. Wie gehen wir vor?

        Viele Grüße, Hannah Brandt`,
      ),
      assigns('3d 6h', 'admin', 'agent'),
      replies(
        '3d 5h',
        'agent',
        `Guten Tag Frau Brandt,

        bitte entschuldigen Sie, der Fehler lag bei uns. Zwei Packungen ganze Bohnen sind heute an Sie
        unterwegs. Den gemahlenen Kaffee behalten Sie gern, vielleicht freut sich jemand im Büro.

        Freundliche Grüße, Arjun Mehta`,
      ),
      says('2d 2h', `Die Bohnen sind da. Das war wirklich schnell, vielen Dank!`),
      becomes('2d 1h', 'solved', 'agent'),
      tags('2d 1h', 'agent', 'Wrong item'),
      rates('1d 20h', 4, `Schnell und freundlich gelöst. Einen Stern ziehe ich nur für die Verwechslung ab.`),
    ],
  },
];
