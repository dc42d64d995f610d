/** Mailboxes of the demo data. */
export const DEMO_MAILBOXES = [
  'support@growth.demo.test',
  'billing@growth.demo.test',
  'care@business.demo.test',
  'care@scale.demo.test',
  'studio@starter.demo.test',
  'workshop@full.demo.test',
];
