import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { growthContacts } from '#prisma/seed/growth/contacts.ts';
import { billing } from '#prisma/seed/growth/team.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

/** Conversations of Demo Growth in Slack channels that it shares with wholesale customers. */
export const slackConversations: DemoConversation[] = [
  {
    channel: 'slack',
    contact: growthContacts.rosa,
    priority: 'urgent',
    steps: [
      says(
        '2h 40m',
        `Hi! Our delivery is two boxes of Morning Ferry short, and tomorrow is market day in our street`,
      ),
      assigns('2h 36m', 'admin', 'admin'),
      replies('2h 31m', 'admin', `Checking with the warehouse now, Rosa. How many bags do you have left?`),
      says('2h 28m', `Six. That is tomorrow until about noon`),
      notes(
        '2h 2m',
        'admin',
        `The two boxes are still on the loading bay. @Arjun Mehta can you drive them to Leeds, or shall I
        book a same-day courier?`,
      ),
      notes('1h 40m', 'agent', `Courier is booked, pick-up in half an hour. Cheaper than my fuel.`),
      replies('1h 38m', 'admin', `Found them. A courier brings both boxes today, on our account.`),
      tags('1h 37m', 'admin', 'Wholesale', 'Short delivery'),
      says('1h 30m', `You just saved our market day`),
    ],
  },
  {
    channel: 'slack',
    contact: growthContacts.marcus,
    steps: [
      says('1d 8h', `Is there a date for the barista training? Two of ours would like to come`),
      replies(
        '1d 7h',
        'admin',
        `We are planning two dates for next month. Do your people prefer mornings or evenings?`,
      ),
      says('1d 6h', `Let me ask them`),
      becomes('1d 6h', 'pending', 'admin'),
      tags('1d 6h', 'admin', 'Training'),
    ],
  },
  {
    channel: 'slack',
    contact: growthContacts.jonas,
    team: billing,
    steps: [
      says('3d 9h', `Can you switch us from monthly to quarterly invoices? Fewer papers for everybody`),
      replies(
        '3d 8h 20m',
        'admin',
        `Done, Jonas. The next invoice comes at the end of the quarter and lists every delivery.`,
      ),
      says('3d 8h 11m', `Great, thank you`),
      becomes('3d 8h', 'solved', 'admin'),
      rates('3d 2h', 4),
    ],
  },
  {
    channel: 'slack',
    contact: growthContacts.pete,
    steps: [
      says(
        '19d 4h',
        `Rosa is on holiday, so I order this time: the usual plus one box of Slow Sunday please`,
      ),
      replies('19d 3h', 'agent', `Hi Pete, noted. It comes with the normal van, so before seven.`),
      says('18d 2h', `Arrived, all complete`),
      becomes('18d 2h', 'solved', 'agent'),
      tags('18d 1h', 'agent', 'Wholesale'),
      becomes('11d 2h', 'closed', 'admin'),
    ],
  },
];
