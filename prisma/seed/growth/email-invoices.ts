import type { DemoConversation } from '#prisma/seed/demo-data.ts';
import { pdfFile } from '#prisma/seed/demo-files.ts';
import { growthContacts } from '#prisma/seed/growth/contacts.ts';
import { billing, billingMailbox } from '#prisma/seed/growth/team.ts';
import { assigns, becomes, notes, rates, replies, says, tags } from '#prisma/seed/steps.ts';

export const emailAboutInvoices: DemoConversation[] = [
  {
    channel: 'email',
    subject: 'Invoice 3391 was charged twice',
    contact: growthContacts.priya,
    priority: 'urgent',
    team: billing,
    mailbox: billingMailbox,
    steps: [
      says(
        '3h 5m',
        `Hello billing team,

        Our bank statement shows two payments of £1,284.60 for invoice 3391, both taken on the same day.
        Please refund one of them before our books close, which is in three days.

        I have attached the statement.

        Priya Raman, Brightside Hotels`,
        pdfFile('statement.pdf', [
          'Brightside Hotels, account statement',
          '',
          'Direct debit    Invoice 3391    GBP 1,284.60',
          'Direct debit    Invoice 3391    GBP 1,284.60',
        ]),
      ),
      tags('3h 5m', 'flow', 'Refund'),
      says('52m', `Any news on this? Our controller is asking, and I would like to give her a date.`),
    ],
  },
  {
    channel: 'email',
    subject: 'Wholesale prices for a second café',
    contact: growthContacts.marcus,
    steps: [
      says(
        '2d 2h',
        `Hi all,

        We have signed the lease for a second Harbour Lane, opening in about six weeks. It should need
        another 15 to 18 kg of Morning Ferry a week. Does that bring us into the next price band? And
        could we rent a second grinder on the same terms?

        Cheers, Marcus`,
      ),
      replies(
        '2d',
        'owner',
        `Congratulations, Marcus, that is great news.

        From 40 kg a week the price drops from £17.20 to £16.10 a kilo, and it would apply to both cafés
        from the first joint delivery. The grinder is no problem: same monthly rent, and we set it up for
        you.

        If you send me the delivery address and the name for the invoice, I will draw up the papers.`,
      ),
      becomes('2d', 'pending', 'owner'),
      tags('1d 23h', 'owner', 'Wholesale', 'VIP'),
      notes(
        '1d 22h',
        'owner',
        `@Amara Diallo please keep two grinders back for him, he signs fast once he has made up his mind.`,
      ),
    ],
  },
  {
    channel: 'email',
    subject: 'VAT number missing on invoice 3277',
    contact: growthContacts.jonas,
    team: billing,
    mailbox: billingMailbox,
    steps: [
      says(
        '11d 4h',
        `Hello, our accountant sent invoice 3277 back because our VAT number is missing. You have the
        number from our very first order. Could you send a corrected one?`,
      ),
      assigns('11d 3h', 'admin', 'admin'),
      replies(
        '11d 2h',
        'admin',
        `Hello Jonas, I have just sent the corrected invoice to your accountant. The number is now saved
        with your account, so the next ones will be right from the start.`,
      ),
      says('10d 6h', `All good now, thanks.`),
      becomes('10d 6h', 'solved', 'admin'),
      rates('10d 1h', 4),
      becomes('3d 6h', 'closed', 'admin'),
    ],
  },
  {
    channel: 'email',
    subject: 'Pausing my subscription',
    contact: growthContacts.olu,
    priority: 'low',
    steps: [
      says(
        '7h 40m',
        `Hello, I will be travelling for two months. Can I pause the subscription without losing the
        discount I signed up with? I could not find it in my account.`,
      ),
      replies(
        '6h 10m',
        'admin',
        `Hello Oluwaseun, yes. Your discount stays with the subscription however long it rests. Tell me
        the date of the last delivery you want before you leave, and the date of the first one after.`,
      ),
      says('35m', `Lovely. The one this week can still come, and then the next one in nine weeks, please.`),
    ],
  },
];
